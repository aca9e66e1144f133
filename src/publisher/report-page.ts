import { grouped, timesInWords } from '../count-in-words.ts';
import { assumeSafeHtml, html, joinHtml, type Html } from '../html/template.ts';
import type { Harm } from '../feed-codes.ts';
import { FORMAT_KINDS } from '../sync/formats/format-kinds.ts';
import type { FeedReport, FeedReportKind, FeedReportPlace } from '../sync/formats/publisher-report.ts';

// How many places of each kind of problem the page lists.
const PLACES_MAX = 10;

/** The parts of the page around the report. */
export interface PageAround {
  /** The program's version. */
  readonly version: string;
  /** Above the report: how the feed is currently read. */
  readonly above?: Html;
  /** Below the report: what the publisher can answer. */
  readonly below?: Html;
}

/**
 * A report as one self-contained page: no scripts, loads nothing, readable on a phone and on paper. Everything from the
 * feed is escaped.
 */
export function feedReportPage(report: FeedReport, { version, above, below }: PageAround): string {
  const { feed, kinds, good } = report;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'self'">
<meta name="robots" content="noindex">
<title>Feed report: ${feed}</title>
<style>${assumeSafeHtml(STYLE)}</style>
</head>
<body>
<main>
<h1>Feed report</h1>
<p class="feed">${feed}</p>
${above}
${factsOf(report)}
${kinds.length === 0 ? html`<p class="none">Nothing wrong was found.</p>` : contentsOf(kinds)}
${joinHtml(kinds.map(sectionOf), '\n')}
${good.length > 0 && html`<section class="good"><h2>What is good</h2><ul>${good.map((text) => html`<li>${text}.</li>`)}</ul></section>`}
${below}
<footer>Made by calsyncd ${version}, which read the feed as a calendar program does. Of events outside these days, only
the form was checked. Section numbers refer to RFC 5545 unless another document is named. What is said of other programs
comes from their makers and users.</footer>
</main>
</body>
</html>
`.markup;
}

/** A page in the same style that shows only a message. */
export const notePage = (title: string, text: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${assumeSafeHtml(STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${text}
</main>
</body>
</html>
`.markup;

const HARM_WORDS: Readonly<Record<Harm, string>> = {
  unreadable: 'Whole feed at risk',
  lost: 'Events are lost',
  wrong: 'Events are wrong',
  details: 'Details',
};

function factsOf({ program, read, window, events, bytes, format, problems }: FeedReport): Html {
  const facts: readonly (readonly [string, string])[] = [
    ['Read', `${read.slice(0, 16).replace('T', ' ')} UTC, ${size(bytes)} of ${FORMAT_KINDS[format].title}`],
    ['Made with', program ?? 'not said'],
    ['Events', `${grouped(events)} from ${window.from} to ${window.to}, occurrences of series counted`],
    ['Problems', problems === 0 ? 'none' : String(problems)],
  ];
  return html`<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

const harmOf = ({ harm, count }: FeedReportKind): Html =>
  html`<span class="harm ${harm}">${HARM_WORDS[harm]}</span> <span class="count">${timesInWords(count)}</span>`;

const contentsOf = (kinds: readonly FeedReportKind[]): Html =>
  html`<nav aria-label="Problems"><ol>${kinds.map((kind) => html`<li><a href="#${kind.code}">${kind.title}</a> ${harmOf(kind)}</li>`)}</ol></nav>`;

function sectionOf(kind: FeedReportKind): Html {
  const { code, count, title, programs, fix, before, after, places } = kind;
  const left = count - Math.min(places.length, PLACES_MAX);
  return html`<section id="${code}">
<h2>${title}</h2>
<p>${harmOf(kind)}</p>
<h3>Affected programs</h3><p>${programs}.</p>
<h3>How to fix it</h3><p>${fix}</p>
${(before ?? after) !== undefined && html`<div class="pair">${exampleOf('Instead of', before)}${exampleOf('Write', after)}</div>`}
<h3>Where</h3>
<ol class="places">${places.slice(0, PLACES_MAX).map(placeOf)}</ol>
${left > 0 && html`<p class="more">and ${left} more.</p>`}
</section>`;
}

const exampleOf = (word: string, text: string | undefined): Html | undefined =>
  text === undefined ? undefined : html`<figure><figcaption>${word}</figcaption><pre>${text}</pre></figure>`;

function placeOf({ line, row, uid, field, message, excerpt }: FeedReportPlace): Html {
  const where = [
    row === null ? '' : `Row ${row}`,
    line === null || row !== null ? '' : `Line ${line}`,
    field ?? '',
    uid === null ? '' : `UID ${uid}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
  return html`<li>${where !== '' && html`<b>${where}</b> `}${message}${excerpt !== '' && html`<pre>${excerpt}</pre>`}</li>`;
}

/** The styles of its pages. The Content-Security-Policy of served ones contains their hash. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#5a6470;--line:#d6dbe0;--code:#f3f5f7;
  --bad:#a3161d;--warn:#8a4b00;--fine:#1c6b36}
@media (prefers-color-scheme:dark){
:root{--ink:#e8eaed;--paper:#16191d;--soft:#a4adb8;--line:#3a424c;--code:#20252b;--bad:#ff9d97;--warn:#f5b964;
  --fine:#7fd69b}
}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:52rem;margin:0 auto;padding:1.25rem 1rem 3rem}
h1{font-size:1.6rem;margin:0}h2{font-size:1.2rem;margin:0 0 .25rem}h3{font-size:1rem;margin:1rem 0 .15rem}
p{margin:.25rem 0}.feed{color:var(--soft);overflow-wrap:anywhere;margin-bottom:1rem}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.75rem;margin:0 0 1.25rem}
dt{color:var(--soft);font-size:.85rem}dd{margin:0;overflow-wrap:anywhere}
nav ol{margin:0;padding-left:1.5rem}nav li{margin:.3rem 0}a{color:inherit}
.harm{display:inline-block;border:1px solid currentColor;border-radius:.3rem;padding:0 .4rem;font-size:.85rem;
  white-space:nowrap}
.unreadable,.lost{color:var(--bad)}.wrong{color:var(--warn)}.details{color:var(--soft)}.count,.more{color:var(--soft)}
section{border-top:1px solid var(--line);margin-top:1.75rem;padding-top:1.25rem;break-inside:avoid-page}
pre{margin:.25rem 0;padding:.5rem .6rem;background:var(--code);border-radius:.3rem;
  font:13px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr));gap:.75rem;margin-top:.5rem}
figure{margin:0}figcaption{font-size:.85rem;color:var(--soft)}
.places{margin:.25rem 0;padding-left:1.5rem}.places li{margin:.4rem 0;overflow-wrap:anywhere}
.good li::marker{content:"\\2713  ";color:var(--fine)}.none{color:var(--fine)}
footer{border-top:1px solid var(--line);margin-top:2rem;padding-top:1rem;color:var(--soft);font-size:.85rem}
.now{border-left:4px solid var(--fine);padding:.25rem .9rem;margin:0 0 1.25rem}.now.bad{border-color:var(--bad)}
.ticks{list-style:none;padding:0}.ticks label{display:flex;gap:.5rem;align-items:center;min-height:44px}
.ticks input{min-height:0;width:1.2rem;height:1.2rem;flex:none}
input{font:inherit;min-height:44px;padding:.4rem .6rem;color:inherit;background:var(--paper);
  border:1px solid var(--soft);border-radius:.3rem;max-width:100%}
textarea{display:block;width:100%;min-height:6rem;margin:.35rem 0;font:inherit;color:inherit;
  background:var(--paper);border:1px solid var(--soft);border-radius:.3rem;padding:.5rem}
button{font:inherit;min-height:44px;padding:.5rem 1.1rem;border:1px solid var(--ink);border-radius:.4rem;
  background:var(--paper);color:var(--ink);cursor:pointer}
button.go{background:var(--ink);color:var(--paper)}
a:focus-visible,button:focus-visible,input:focus-visible,textarea:focus-visible{outline:3px solid var(--warn);
  outline-offset:2px}
@media print{
:root{--ink:#000;--paper:#fff;--soft:#444;--line:#999;--code:#f3f3f3;--bad:#000;--warn:#000;--fine:#000}
body{font-size:11pt}main{max-width:none;padding:0}nav{display:none}
}
`;
