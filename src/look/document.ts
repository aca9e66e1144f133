import { safeElement, safeLink } from '../html/link.ts';
import { html, type Html, type HtmlPart } from '../html/template.ts';
import { icon, spriteFor } from './icons.ts';
import { END, IN_ONE_PIECE } from './in-one-piece.ts';
import type { Look } from './look.ts';
import type { FrameWords } from './words/frame-words.ts';

/** The pages that every page links to. */
export type View = 'list' | 'week' | 'month' | 'subscribe';

/** A link to another page. */
interface Way {
  readonly href: string;
  readonly shown: HtmlPart;
}

/** The content of a page, inside the frame. */
export interface LookPage {
  /** Plain text; '' on the first page, which has the calendar's title. */
  readonly title: string;
  readonly main: Html;
  readonly head?: HtmlPart;
  /** The navigation entry of this page. */
  readonly view?: View | undefined;
  /** Where other views show the same choice, relative to the root of the calendar; by default they show everything. */
  readonly ways?: Readonly<Partial<Record<View, string>>> | undefined;
  /** The page above this one; by default all events, for pages outside the navigation. */
  readonly up?: Way | undefined;
  /** The content of the band at the top, below the navigation: the title and the first choices. */
  readonly hero?: Html | undefined;
  /** The form that the search field belongs to, and what was searched for. */
  readonly find?: { readonly form: string; readonly search: string } | undefined;
  /** A page for printing: its contents alone, in print colours. */
  readonly isPaper?: true;
}

// In this order.
const VIEWS: readonly (readonly [view: View & keyof FrameWords, path: string])[] = [
  ['list', '/'],
  ['week', '/week/'],
  ['month', '/month/'],
  ['subscribe', '/feeds/'],
];

/** A complete public page. */
export function lookDocument(look: Look, page: LookPage): string {
  const { base, language, words, files } = look;
  const { title, main, head, isPaper } = page;
  const body = isPaper
    ? html`<main id="main" class="paper">
${main}
</main>
`
    : html`<a class="skip" href="#main">${words.skip}</a>
${mast(look, page)}
<p class="say" id="offline" role="status" hidden><span class="wrap">${words.offline}</span></p>
<main id="main" class="wrap">
${wayUp(look, page)}${main}
</main>
<footer class="foot"><div class="wrap"><a href="${base}/feeds/">${words.subscribe}</a>
${
  look.hasViews &&
  html`<a href="${base}/week/sheet/" rel="nofollow">${words.printWeek}</a>
<a href="${base}/embed/new">${words.embed}</a>`
}${look.hasSuggestions && html`<a href="${base}/suggest/" rel="nofollow">${words.suggest}</a>`}</div></footer>
`;
  return html`<!doctype html>
<html lang="${language.replace('_', '-')}"${isPaper && html` data-theme="light"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title !== '' && `${title} – `}${look.title}</title>
${IN_ONE_PIECE}
<link rel="stylesheet" href="${base}${files.style.path}">
${files.brand && html`<link rel="stylesheet" href="${base}${files.brand.path}">\n`}<link rel="icon" href="${base}${files.icon.path}" type="${files.icon.type}">
<link rel="apple-touch-icon" href="${base}${files.touchIcon.path}">
<script src="${base}${files.script.path}" defer></script>
${head}
</head>
<body>
${body}${END}
${spriteFor(body.markup)}</body>
</html>
`.markup;
}

/** The link to the page above, before everything else. Pages in the navigation need none. */
function wayUp({ base, words }: Look, { view, up }: LookPage): Html | false {
  if (!up && view) return false;
  const { href, shown } = up ?? { href: `${base}/`, shown: words.allEvents };
  return html`<p class="crumb">${safeLink({ href }, html`← ${shown}`)}</p>\n`;
}

function mast(look: Look, { view, ways = {}, hero, find }: LookPage): Html {
  const { base, home, title, words, hasViews } = look;
  const entries = hasViews
    ? VIEWS.map(([name, path]) => entry(base + (ways[name] ?? path), words[name], name === view))
    : [entry(home, words.whatIsOn, false), entry(`${base}/feeds/`, words.subscribe, view === 'subscribe')];
  return html`<header class="mast"><div class="wrap">
<div class="top">${safeLink({ class: 'brand', href: home }, html`${logoOf(look)}${title}`)}
<nav aria-label="${words.views}"><ul>${entries}</ul></nav>
${hasViews && searchField(look, find)}</div>
${hero && html`<div class="hero">${hero}</div>`}</div></header>`;
}

/** The name is beside it, so `alt` is empty. */
const logoOf = ({ files: { logo } }: Look): Html | undefined =>
  logo && safeElement('img', { src: logo.address, alt: '', width: logo.width, height: logo.height });

// Search engines need not follow the endlessly many choices.
const entry = (href: string, shown: string, isHere: boolean): Html =>
  html`<li>${safeLink(
    { href, ...(href.includes('?') && { rel: 'nofollow' }), ...(isHere && { 'aria-current': 'page' }) },
    shown,
  )}</li>`;

function searchField({ base, words }: Look, find: LookPage['find']): Html {
  const of = find && html` form="${find.form}"`;
  const field = html`<label class="vh" for="q">${words.searchEvents}</label>
<input id="q" type="search" name="search" value="${find?.search}" placeholder="${words.search}"${of}>
<button aria-label="${words.search}"${of}>${icon('find')}</button>`;
  return find
    ? html`<div class="find">${field}</div>`
    : html`<form class="find" role="search" action="${base}/">${field}</form>`;
}

/** A page without contents: what it is instead, why, and where to go on. `sign` is decorative. */
export const blank = (sign: string, title: string, text: HtmlPart, links?: Html): Html =>
  html`<div class="blank"><p class="big" aria-hidden="true">${sign}</p><h1>${title}</h1><p>${text}</p>${links && html`<div class="row">${links}</div>`}</div>`;
