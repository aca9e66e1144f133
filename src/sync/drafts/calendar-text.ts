import { isBlank } from '../../ascii.ts';
import { textOf, type CalendarEvent } from '../../ical/read/calendar.ts';
import { htmlFromDataUri } from '../../ical/read/data-uri.ts';
import type { TextValue } from '../../ical/read/values.ts';
import { HTML_MAX } from '../../contract/limits.ts';
import { isHtml } from '../../html/is-html.ts';
import { withoutEscapes } from '../../html/references.ts';
import { safeHtml } from '../../html/sanitize.ts';
import { html } from '../../html/template.ts';
import { htmlFromText, textFromHtml } from '../../html/text.ts';
import { TITLE_MAX, type CutText } from './text-limits.ts';
import { startOf } from '../../html/shortened.ts';

// Matches standalone tags and tags around words. In a sentence about HTML, a tag has blanks around it or is never
// closed.
const TITLE_MARKUP =
  /<(a|b|div|em|font|h[1-6]|i|p|small|span|strong|sub|sup|u)\b[^<>]*>[^\s<](?:[^<]*[^\s<])?<\/\1\s*>|\S<br\s*\/?>|<br\s*\/?>\S/i;
const BLOCKS = /<(?:br|p|div|li|h[1-6]|table|ul|ol|blockquote|pre)[\s/>]/i;

/** The properties whose text is too long to publish whole, with the number of characters kept. */
export const cutTexts = ({ texts }: CalendarEvent): readonly CutText[] =>
  LIMITS.filter(({ name, max }) => textOf(texts, name).length > max);

const LIMITS: readonly CutText[] = [
  { name: 'SUMMARY', max: TITLE_MAX },
  { name: 'DESCRIPTION', max: HTML_MAX },
  { name: 'STYLED-DESCRIPTION', max: HTML_MAX },
  { name: 'X-ALT-DESC', max: HTML_MAX },
];

/** The words of a short text that contains HTML; undefined if it contains none. */
export const withoutMarkup = (text: string): string | undefined =>
  text.includes('<') && TITLE_MARKUP.test(text) ? textFromHtml(text) : undefined;

/** SUMMARY as one line of plain text, preferably in `language`; '' if there is none. */
export function titleFromEvent({ texts }: CalendarEvent, language?: string): string {
  const written = (inLanguage(texts['SUMMARY'], language)?.text.trim() ?? '').slice(0, TITLE_MAX * 4);
  const plain = withoutMarkup(written) ?? withoutEscapes(written);
  return isBlank(plain) ? '' : startOf(plain.replace(/\s+/g, ' ').trim(), TITLE_MAX);
}

/**
 * The description as safe HTML: from STYLED-DESCRIPTION (RFC 9073), X-ALT-DESC or an ALTREP with inline text, else from
 * DESCRIPTION as text or HTML; preferably in `language`. '' if there is none.
 */
export function descriptionFromEvent({ texts }: CalendarEvent, language?: string): string {
  const description = inLanguage(texts['DESCRIPTION'], language);
  const written = [
    htmlOf(inLanguage(texts['STYLED-DESCRIPTION'], language)),
    htmlOf(inLanguage(texts['X-ALT-DESC'], language)),
    htmlFromDataUri(description?.parameters['ALTREP'] ?? ''),
  ].filter((each) => each !== undefined && each !== '');
  const html = written.map((each) => bodyOf(each ?? '')).find((body) => textFromHtml(body) !== '');
  return html === undefined
    ? htmlFromDescription(withoutMeetingMarks(description?.text ?? '').trim())
    : safeHtml(startOf(html, HTML_MAX));
}

/**
 * Removes the marks that Google puts around meeting details, the lines that Outlook draws around them (wider than a
 * page), and what Google writes for the event's editor only. The lines with the meeting's address and telephone numbers
 * stay.
 */
function withoutMeetingMarks(written: string): string {
  const text = written.includes('__________') ? written.replace(DRAWN_LINE, '') : written;
  if (!text.includes('-::~:~::')) return text;
  return text.replace(MEETING_PART, (_, part: string) =>
    part
      .split(LINE_ENDS)
      .filter((line) => TELLS_HOW_TO_JOIN.test(line) && !TELLS_THE_EDITOR.test(line))
      .join(/<br/i.test(part) ? '<br />' : '\n'),
  );
}

const DRAWN_LINE = /^_{10,}$/gm;
const MEETING_PART = /-::~:~::[~:]*::-(.*?)-::~:~::[~:]*::-/gs;
const LINE_ENDS = /\n|<br\s*\/?>/i;
const TELLS_HOW_TO_JOIN = /:\/\/|\d{3}/;
const TELLS_THE_EDITOR = /\bsupport\.google\.com\/|\bgoogle\.com\/calendar\/event\?/i;

function htmlFromDescription(long: string): string {
  const text = startOf(long, HTML_MAX);
  if (!isHtml(text)) return htmlFromText(withoutEscapes(text));
  return safeHtml(BLOCKS.test(text) ? text : text.replace(/\n/g, '<br />\n'));
}

/** The address of a description that is only available there (ALTREP, RFC 5545, 3.2.1), or ''. It is never fetched. */
export function descriptionElsewhere(event: CalendarEvent): string {
  const address =
    (event.texts['DESCRIPTION'] ?? [])
      .map(({ parameters }) => parameters['ALTREP'] ?? '')
      .find((written) => written !== '') ?? '';
  return address !== '' && descriptionFromEvent(event) === '' ? address : '';
}

/** Chooses a text by language: an exact match, else a variant of it, else one without a language, else the first. */
function inLanguage(values: readonly TextValue[] = [], language = ''): TextValue | undefined {
  const [only, ...more] = values;
  if (only === undefined) return undefined;
  if (more.length === 0) return isWritten(only) ? only : undefined;
  const written = values.filter(isWritten);
  if (written.length < 2) return written[0];
  const wanted = languageTag(language);
  return (
    (language === ''
      ? undefined
      : (written.find((value) => spoken(value) === wanted) ??
        written.find((value) => baseOf(spoken(value)) === baseOf(wanted)))) ??
    written.find((value) => spoken(value) === '') ??
    written[0]
  );
}

const isWritten = ({ text, parameters }: TextValue): boolean =>
  text.trim() !== '' || (parameters['ALTREP'] ?? '') !== '';

const languageTag = (written: string): string => written.toLowerCase().replace('_', '-');
const baseOf = (language: string): string => language.replace(/-.*$/s, '');
const spoken = ({ parameters }: TextValue): string => languageTag(parameters['LANGUAGE'] ?? '');

/** The HTML of a value, written inline or as a data URL; undefined if it is not HTML or is stored elsewhere. */
function htmlOf(value: TextValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  const { text, parameters } = value;
  const trimmed = text.trim();
  if (/^data:/i.test(trimmed)) return htmlFromDataUri(trimmed);
  if (parameters['VALUE']?.toUpperCase() === 'URI') return undefined;
  return /html/i.test(parameters['FMTTYPE'] ?? '') || isHtml(text) ? text : undefined;
}

const bodyOf = (html: string): string => /<body\b[^<>]*>([\s\S]*?)(?:<\/body>|$)/i.exec(html)?.[1] ?? html;

/** Adds a link to the end of a description, unless the address is already in it. */
export function withLink(description: string, address: string, label = address): string {
  const shown = html`${address}`;
  if (description.includes(shown.markup) || description.includes(address)) return description;
  const line = html`<p><a href="${address}">${label}</a></p>`.markup;
  return description === '' ? line : `${description}\n${line}`;
}

const BUSY_WORDS = new RegExp(
  '^(?:busy|free|tentative|away|out of office|working elsewhere|unavailable|private|booked|' +
    'beschäftigt|gebucht|frei|occupé|ocupado|zajęty|bezet|privé|privat)$',
  'i',
);

/** Whether an event only shows that someone is busy; such feeds hold times without text. */
export const isBusyOnly = (event: CalendarEvent): boolean =>
  BUSY_WORDS.test(textOf(event.texts, 'SUMMARY')) &&
  ['DESCRIPTION', 'LOCATION', 'URL', 'X-ALT-DESC'].every((name) => textOf(event.texts, name) === '');
