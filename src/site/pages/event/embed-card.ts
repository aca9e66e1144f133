import type { Event } from '../../../contract/representation.ts';
import { safeElement, safeLink } from '../../../html/link.ts';
import { assumeSafeHtml, html, type Html } from '../../../html/template.ts';
import { beginningOf, textFromHtml } from '../../../html/text.ts';
import { END, IN_ONE_PIECE } from '../../../look/in-one-piece.ts';
import { inline, langAttribute } from '../list/event-list.ts';
import { isGone } from './gone-page.ts';
import { whenInWords } from './event-times.ts';
import { sourceHash, type Frame } from '../frame/layout.ts';
import type { Read } from '../frame/read.ts';
import { addressParts, placesLine } from '../frame/places.ts';
import { shortenedToWords } from '../../../html/shortened.ts';

// Colours and fonts are those of all pages; this is the shape of the card.
const STYLE = `
body { font-size: 1rem; line-height: 1.45; overflow-wrap: anywhere; }
main {
  min-height: 100vh; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: var(--radius);
  display: flex; flex-direction: column; gap: .4rem;
}
h1 { margin: 0; font-size: 1.3rem; line-height: 1.25; } p { margin: 0; } footer { margin-top: auto; padding-top: .5rem; font-size: .9rem; }
img { width: 100%; max-height: 9rem; object-fit: cover; border-radius: var(--radius); }
@media (max-height: 26rem) {
  img { max-height: 6.25rem; }
  h1, .about, .where { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
}
@media (max-height: 17rem) {
  body { font-size: .9rem; line-height: 1.35; } main { padding: .6rem .8rem; gap: .25rem; } h1 { font-size: 1rem; }
  img, .about { display: none; } .where { -webkit-line-clamp: 1; } footer { padding-top: 0; }
}
`;
const POLICY = [
  "default-src 'none'",
  `style-src 'self' ${sourceHash(STYLE)}`,
  'img-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
].join('; ');
const EXCERPT_MAX = 180;

export interface Card {
  readonly status: number;
  readonly html: string;
  readonly policy: string;
}

/** `/event/{slug}/embed/`: an event as a card for frames on other sites. Its links open new tabs. */
export async function embedCard(frame: Frame, read: Read, slug: string): Promise<Card> {
  const found = await read<Event>(`/events/by-slug/${slug}`);
  if (found.ok) {
    const { title, url } = found.value;
    const canonical = safeElement('link', { rel: 'canonical', href: url });
    return card(frame, 200, textFromHtml(title), body(frame, found.value), canonical);
  }
  const { words, settings } = frame;
  const [status, title] = (await isGone(read, slug, found.code))
    ? ([410, words.gone] as const)
    : ([404, words.notFound] as const);
  const home = ownTab(`${settings.publicUrl}/`, words.whatIsOn);
  return card(
    frame,
    status,
    title,
    html`<h1>${title}</h1>
<p>${home}</p>`,
  );
}

const ownTab = (href: string, shown: Html | string): Html =>
  safeLink({ href, target: '_blank', rel: 'noopener' }, shown);

function body(frame: Frame, event: Event): Html {
  const place = placesLine(event, addressParts);
  const lang = langAttribute(frame, event);
  const about = excerptOf(event);
  return html`${event.image && safeElement('img', { src: event.image.url, alt: '' })}
<h1${lang}>${ownTab(event.url, inline(event.title))}</h1>
<p>${whenInWords(event, frame)}</p>
${place && html`<p class="dim where">${place}</p>`}
${about !== '' && html`<p class="about"${lang}>${about}</p>`}`;
}

const excerptOf = ({ excerpt, description }: Event): string =>
  shortenedToWords(beginningOf(excerpt || description).replace(/\s+/g, ' '), EXCERPT_MAX);

const STYLE_TEXT = assumeSafeHtml(STYLE);

const card = (
  { settings, language, base, look: { files } }: Frame,
  status: number,
  title: string,
  main: Html,
  head?: Html,
): Card => ({
  status,
  policy: POLICY,
  html: html`<!doctype html>
<html lang="${language.replace('_', '-')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${settings.title}</title>
${IN_ONE_PIECE}
<link rel="stylesheet" href="${base}${files.style.path}">
${files.brand && html`<link rel="stylesheet" href="${base}${files.brand.path}">\n`}<link rel="icon" href="${base}${files.icon.path}" type="${files.icon.type}">
${head}
<style>${STYLE_TEXT}</style>
</head>
<body><main>
${main}
<footer class="dim">${ownTab(`${settings.publicUrl}/`, settings.title)}</footer>
</main>
${END}</body>
</html>
`.markup,
});
