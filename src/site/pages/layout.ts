import { createHash } from 'node:crypto';
import { escapeHtml } from '../../html.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1c1e; --soft: #5a5a62; --paper: #fff; --line: #d9d9de; --accent: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --ink: #f2f2f4; --soft: #b3b3bb; --paper: #161618; --line: #3a3a40; --accent: #8ab8ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
header, main, footer { max-width: 46rem; margin: 0 auto; padding: 1rem; }
header { border-bottom: 1px solid var(--line); }
header a { font-weight: 700; font-size: 1.15rem; color: var(--ink); text-decoration: none; }
a { color: var(--accent); }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
h1 { line-height: 1.2; }
h2 { margin: 2rem 0 .25rem; font-size: 1.05rem; color: var(--soft); border-bottom: 1px solid var(--line); }
ol.events { list-style: none; margin: 0; padding: 0; }
ol.events li { display: grid; grid-template-columns: 5.5rem 1fr; gap: .25rem 1rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
ol.events time, .place, footer, .none { color: var(--soft); }
ol.events .place { display: block; font-size: .9rem; }
.description { overflow-wrap: anywhere; }
.description img, .image { max-width: 100%; height: auto; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; }
dt { color: var(--soft); } dd { margin: 0; }
nav.pages { display: flex; gap: 1rem; margin: 1.5rem 0; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

export interface PageText {
  readonly site: string;
  readonly language: string;
  readonly title: string;
  /** HTML that is safe already. */
  readonly head: string;
  readonly main: string;
}

/** A whole page as a response; nothing on it may load or run that is not its own style, a picture or JSON-LD. */
export function pageResponse({ site, language, title, head, main }: PageText, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === site ? escapeHtml(site) : `${title} – ${escapeHtml(site)}`}</title>
${head}
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><a href="/">${escapeHtml(site)}</a></header>
<main id="main">
${main}
</main>
<footer><a href="/feeds/">Subscribe with your calendar program</a></footer>
</body>
</html>
`;
  return new Response(html, { status, headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src http: https:; base-uri 'none'; form-action 'self'; frame-ancestors 'self'`,
    'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer-when-downgrade', ...headers,
  } });
}
