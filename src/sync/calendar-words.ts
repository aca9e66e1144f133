import type { CalendarEvent } from '../ical/calendar.ts';
import { textOf } from '../ical/event-from-component.ts';
import { decodeEntities, escapeHtml, htmlFromText, safeHtml, textFromHtml } from '../html.ts';

const DESCRIPTION_MAX = 200_000;
const TITLE_MAX = 500;
const MARKUP = /<(?:a|b|br|div|em|h[1-6]|i|img|li|ol|p|span|strong|table|u|ul|html|body|font)\b[^>]*>/i;
const BLOCKS = /<(?:br|p|div|li|h[1-6]|table|ul|ol|blockquote|pre)\b/i;
const ENTITY = /&(?:#\d{1,6}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i;

/** The properties whose text is longer than what is published of it, with that many characters. */
export function cutTexts({ texts }: CalendarEvent): readonly { readonly name: string; readonly max: number }[] {
  const limits = [['SUMMARY', TITLE_MAX], ['DESCRIPTION', DESCRIPTION_MAX], ['STYLED-DESCRIPTION', DESCRIPTION_MAX], ['X-ALT-DESC', DESCRIPTION_MAX]] as const;
  return limits.filter(([name, max]) => textOf(texts, name).length > max).map(([name, max]) => ({ name, max }));
}

/** SUMMARY as one line of plain text; '' where there is none. */
export function titleFromEvent({ texts }: CalendarEvent): string {
  const written = textOf(texts, 'SUMMARY').slice(0, TITLE_MAX * 4);
  const plain = MARKUP.test(written) ? textFromHtml(written) : ENTITY.test(written) ? decodeEntities(written) : written;
  return plain.replace(/\s+/g, ' ').trim().slice(0, TITLE_MAX);
}

/** The description as safe HTML: X-ALT-DESC or STYLED-DESCRIPTION where they hold something, else DESCRIPTION as text or HTML. '' for none. */
export function descriptionFromEvent({ texts }: CalendarEvent): string {
  for (const { text, parameters } of [...(texts['STYLED-DESCRIPTION'] ?? []), ...(texts['X-ALT-DESC'] ?? [])]) {
    const isHtml = /html/i.test(parameters['FMTTYPE'] ?? '') || MARKUP.test(text);
    if (isHtml && textFromHtml(bodyOf(text)) !== '') return safeHtml(bodyOf(text).slice(0, DESCRIPTION_MAX));
  }
  const written = textOf(texts, 'DESCRIPTION').slice(0, DESCRIPTION_MAX);
  if (!MARKUP.test(written)) return htmlFromText(ENTITY.test(written) ? decodeEntities(written) : written);
  return safeHtml(BLOCKS.test(written) ? written : written.replace(/\n/g, '<br />\n'));
}

const bodyOf = (html: string): string => /<body\b[^>]*>([\s\S]*?)(?:<\/body>|$)/i.exec(html)?.[1] ?? html;

/** A line at the end of a description that shows an address, unless it is in there already. */
export const withLink = (html: string, address: string): string =>
  html.includes(escapeHtml(address)) || html.includes(address) ? html : [html, `<p><a href="${escapeHtml(address)}">${escapeHtml(address)}</a></p>`].filter((part) => part !== '').join('\n');

const BUSY_WORDS = /^(?:busy|free|tentative|away|out of office|working elsewhere|unavailable|private|booked|beschäftigt|gebucht|frei|occupé|ocupado|zajęty|bezet|privé|privat)$/i;

/** Whether an event shows only that someone is busy: such feeds hold times without words. */
export const isBusyOnly = (event: CalendarEvent): boolean =>
  BUSY_WORDS.test(textOf(event.texts, 'SUMMARY')) && ['DESCRIPTION', 'LOCATION', 'URL', 'X-ALT-DESC'].every((name) => textOf(event.texts, name) === '');
