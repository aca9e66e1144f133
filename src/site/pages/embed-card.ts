import type { Event } from '../../contract/representation.ts';
import { escapeHtml } from '../../html/references.ts';
import { safeHtml } from '../../html/sanitize.ts';
import { beginningOf, textFromHtml } from '../../html/text.ts';
import { inline, langOf, venueOf } from './event-list.ts';
import { addressParts, isGone, whenInWords } from './event-page.ts';
import { sourceHash, type Frame } from './layout.ts';
import type { Read } from './read.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1c1e; --soft: #5a5a62; --paper: #fff; --line: #d9d9de; --accent: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --ink: #f2f2f4; --soft: #b3b3bb; --paper: #161618; --line: #3a3a40; --accent: #8ab8ff; } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
article { min-height: 100vh; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .5rem; display: flex; flex-direction: column; gap: .4rem; }
h1 { margin: 0; font-size: 1.25rem; line-height: 1.25; } a { color: var(--accent); } p { margin: 0; } .soft, footer { color: var(--soft); font-size: .9rem; } footer { margin-top: auto; padding-top: .5rem; }
img { width: 100%; max-height: 9rem; object-fit: cover; border-radius: .4rem; } 
@media (max-height: 26rem) { img { max-height: 6.25rem; } h1, .about, .where { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; } }
@media (max-height: 17rem) { body { font-size: .9rem; line-height: 1.35; } article { padding: .6rem .8rem; gap: .25rem; } h1 { font-size: 1rem; } img, .about { display: none; } .where { -webkit-line-clamp: 1; } footer { padding-top: 0; } }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
const POLICY = `default-src 'none'; style-src ${sourceHash(STYLE)}; img-src http: https:; base-uri 'none'; form-action 'none'; frame-ancestors *`;
const EXCERPT_MAX = 180;

export interface Card {
  readonly status: number;
  readonly html: string;
  readonly policy: string;
}

/** `/event/{slug}/embed/`: an event on a card for the frames of other sites. Its links open in a tab of their own. */
export async function embedCard(frame: Frame, read: Read, slug: string): Promise<Card> {
  const found = await read<Event>(`/events/by-slug/${slug}`);
  if (found.ok)
    return card(
      frame,
      200,
      textFromHtml(found.value.title),
      body(frame, found.value),
      `<link rel="canonical" href="${escapeHtml(found.value.url)}">`,
    );
  const isTrashed = await isGone(read, slug, found.code);
  const { words, settings } = frame;
  return card(
    frame,
    isTrashed ? 410 : 404,
    isTrashed ? words.gone : words.notFound,
    `<h1>${isTrashed ? words.gone : words.notFound}</h1>
<p><a href="${escapeHtml(settings.publicUrl)}/" target="_blank" rel="noopener">${words.whatIsOn}</a></p>`,
    '',
  );
}

function body(frame: Frame, event: Event): string {
  const venue = venueOf(event);
  const text = beginningOf(event.excerpt || event.description).replace(/\s+/g, ' ');
  const short =
    text.length > EXCERPT_MAX
      ? `${text
          .slice(0, EXCERPT_MAX)
          .replace(/\s+\S*$/, '')
          .toWellFormed()} …`
      : text;
  return `${event.image ? `<img src="${escapeHtml(event.image.url)}" alt="">` : ''}
<h1${langOf(frame, event)}><a href="${escapeHtml(event.url)}" target="_blank" rel="noopener">${inline(event.title)}</a></h1>
<p>${whenInWords(event, frame)}</p>
${venue ? `<p class="soft where">${[safeHtml(venue.venue), ...addressParts(venue)].join(', ')}</p>` : ''}
${short === '' ? '' : `<p class="about"${langOf(frame, event)}>${escapeHtml(short)}</p>`}`;
}

const card = (
  { settings, language, base }: Frame,
  status: number,
  title: string,
  main: string,
  head: string,
): Card => ({
  status,
  policy: POLICY,
  html: `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} – ${escapeHtml(settings.title)}</title>
<link rel="icon" href="${base}/assets/icon.svg" type="image/svg+xml">
${head}
<style>${STYLE}</style>
</head>
<body><article>
${main}
<footer><a href="${escapeHtml(settings.publicUrl)}/" target="_blank" rel="noopener">${escapeHtml(settings.title)}</a></footer>
</article></body>
</html>
`,
});
