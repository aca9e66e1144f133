import type { Event } from '../../../contract/representation.ts';
import { addressPart } from '../../../ascii.ts';
import { html, type Html } from '../../../html/template.ts';
import { textFromHtml } from '../../../html/text.ts';
import { BRAND } from '../../../look/files.ts';
import { dayWithHours } from '../event/event-times.ts';
import { shortDayInWords, weekdayInWords } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import type { Read } from '../frame/read.ts';
import { placesLine, townOf } from '../frame/places.ts';
import { CARD, cardSvg, type CardTexts } from './card-svg.ts';
import { canDraw, draw } from './draw-card.ts';

/** Tags for `<head>` with the image that social networks show for an event without one of its own. */
export function cardMeta({ settings: { publicUrl } }: Frame, { slug, title }: Event): Html | undefined {
  if (!canDraw()) return undefined;
  return html`<meta property="og:image" content="${publicUrl}/event/${addressPart(slug)}/card.png">
<meta property="og:image:width" content="${CARD.width}"><meta property="og:image:height" content="${CARD.height}">
<meta property="og:image:alt" content="${textFromHtml(title)}">
<meta name="twitter:card" content="summary_large_image">
`;
}

/** Draws the image of a public event, or returns a status if there is none. `slug` is written as in addresses. */
export async function sharePicture(frame: Frame, read: Read, slug: string): Promise<Uint8Array | 404 | 503> {
  const found = canDraw() ? await read<Event>(`/events/by-slug/${slug}`) : undefined;
  if (!found?.ok) return 404;
  return (await draw(cardSvg(textsOf(frame, found.value), frame.settings.brand ?? BRAND))) ?? 503;
}

function textsOf(frame: Frame, event: Event): CardTexts {
  const { language, settings } = frame;
  const day = event.start_date.slice(0, 10);
  return {
    title: textFromHtml(event.title),
    when: textFromHtml(dayWithHours(event, frame).markup),
    place: textFromHtml(placesLine(event, townOf)?.markup ?? ''),
    calendar: settings.title,
    month: shortDayInWords(day, language)
      .replace(/[\d.\s]+/g, ' ')
      .trim(),
    day: String(Number(day.slice(8))),
    weekday: weekdayInWords(day, language, 'short'),
  };
}
