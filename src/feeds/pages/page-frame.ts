import { createHash } from 'node:crypto';
import { safeLink } from '../../html/link.ts';
import { assumeSafeHtml, html, type Html } from '../../html/template.ts';
import type { PageWords } from '../words/page-words.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1c1e; --dim: #5a5a62; --paper: #fff; --line: #c9ccd3; --soft: #f3f5f8; --accent: #0b57a4; --on-accent: #fff; --good: #1a7f37; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #f2f2f4; --dim: #b3b3bb; --paper: #161618; --line: #48505c; --soft: #222226; --accent: #8ab8ff; --on-accent: #10151d; --good: #56d364; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { font: 1rem/1.55 system-ui, sans-serif; max-width: 48rem; margin: 0 auto; padding: 1rem 1rem 4rem; overflow-wrap: anywhere; background: var(--paper); color: var(--ink); }
nav { font-size: .95rem; } h1 { font-size: 1.7rem; line-height: 1.2; margin: 1rem 0 .5rem; } h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; } h3 { font-size: 1.1rem; margin: 0; }
a { color: var(--accent); } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; } .skip { position: absolute; left: -99rem; } .skip:focus { position: static; }
.card { border: 1px solid var(--line); border-left: .35rem solid var(--mark, var(--line)); border-radius: .5rem; padding: .9rem 1rem; margin: 1rem 0; } .card p { margin: .35rem 0; }
.dim { color: var(--dim); } .note { background: var(--soft); padding: .7rem .9rem; border-radius: .4rem; border-left: .3rem solid var(--accent); }
.row { display: flex; flex-wrap: wrap; gap: .5rem; margin: .8rem 0; align-items: end; } .row > label { flex: 1 1 15rem; }
label, legend { font-size: .95rem; } legend { font-weight: 600; padding: 0; }
input, select { width: 100%; font: inherit; padding: .45rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--soft); color: inherit; min-height: 2.75rem; }
input[type=checkbox] { width: 1.2rem; height: 1.2rem; min-height: 0; margin: 0; flex: none; accent-color: var(--accent); }
fieldset { border: 0; margin: 1rem 0; padding: 0; min-width: 0; } .choices { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: 0 1rem; max-height: 19rem; overflow: auto; margin-top: .4rem; padding: .25rem .6rem; border: 1px solid var(--line); border-radius: .4rem; }
.choices label { display: flex; gap: .6rem; align-items: center; min-height: 2.5rem; } .grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: .8rem 1rem; margin: 1rem 0; }
.button, button { display: inline-flex; align-items: center; min-height: 2.75rem; padding: .4rem 1rem; border-radius: .4rem; border: 1px solid var(--accent); font: inherit; cursor: pointer; background: transparent; color: var(--accent); text-decoration: none; }
.main { background: var(--accent); color: var(--on-accent); } summary { cursor: pointer; padding: .6rem 0; } details ol, details p { margin-top: 0; }
ol.events { list-style: none; margin: 0; padding: 0; } ol.events li { display: grid; grid-template-columns: 12.5rem 1fr; gap: 0 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line); } ol.events .dim { font-size: .92rem; } ol.events li > :first-child { grid-row: span 2; } ol.events .place { grid-column: 2; }
ul.links { list-style: none; padding: 0; margin: .4rem 0; display: flex; flex-wrap: wrap; gap: .5rem; } ul.links a { display: inline-block; padding: .3rem .8rem; border: 1px solid var(--line); border-radius: 1.2rem; text-decoration: none; }
ul.tests { list-style: none; padding: 0; } ul.tests li { padding: .35rem 0; } .good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; }
@media (max-width: 34rem) { ol.events li { grid-template-columns: 1fr; } ol.events li > :first-child { grid-row: auto; } ol.events .place { grid-column: 1; } .row .button, .row button { flex: 1 1 auto; justify-content: center; } }`;

// Without the script the address can still be selected and copied by hand. Its texts are in the page, so that the
// script is the same in every language.
const SCRIPT = `
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const field = document.getElementById(button.dataset.copy);
    const status = document.getElementById(button.dataset.copy + '-status');
    field.select();
    try { await navigator.clipboard.writeText(field.value); status.textContent = button.dataset.copied; }
    catch { status.textContent = document.execCommand('copy') ? button.dataset.copied : button.dataset.byHand; }
  });
}`;

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const POLICY = `default-src 'none'; style-src '${hashOf(STYLE)}'; style-src-attr 'unsafe-inline'; script-src '${hashOf(SCRIPT)}'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** What all pages of feeds have in common. */
export interface PageFrame {
  readonly words: PageWords;
  /** The public address of calsyncd, without a trailing slash; `base` is its path. */
  readonly publicUrl: string;
  readonly base: string;
  /** Where people look at the site: its front page. */
  readonly home: string;
}

export interface FramedPage {
  readonly title: string;
  readonly head?: Html;
  readonly main: Html;
  readonly status?: number;
  /** Must not be stored by any cache. */
  readonly isPrivate?: boolean;
}

const [STYLE_TEXT, SCRIPT_TEXT] = [assumeSafeHtml(STYLE), assumeSafeHtml(SCRIPT)];

/** A whole page. */
export function framedPage(
  { words, base, home }: PageFrame,
  { title, head, main, status = 200, isPrivate = false }: FramedPage,
): Response {
  const page = html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE_TEXT}</style>
${head}</head>
<body>
<a class="skip" href="#main">${words.skip}</a>
<nav aria-label="${words.pages}">
${safeLink({ href: home }, words.whatIsOn)} ·
<a href="${base}/feeds/">${words.feeds}</a> ·
<a href="${base}/feeds/events">${words.ownFeed}</a>
</nav>
<main id="main">
${main}
</main>
<script>${SCRIPT_TEXT}</script>
</body>
</html>
`;
  return new Response(page.markup, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': isPrivate ? 'no-store' : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': POLICY,
      ...(isPrivate ? { 'X-Robots-Tag': 'noindex' } : {}),
    },
  });
}

/** A configured colour as a mark beside a feed: an attribute. */
export const markOf = (color: string | undefined): Html | undefined =>
  color !== undefined && /^(?:#[0-9a-f]{6}|[a-z]+)$/i.test(color) ? html` style="--mark: ${color}"` : undefined;
