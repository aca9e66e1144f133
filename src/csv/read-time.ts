import { foldedWords } from '../ascii.ts';
import { plainWhen } from './plain-when.ts';

const HOURS: Readonly<Record<string, string>> = {
  ...named('12:00:00', 'noon midday mittag mittags midi mediodia mezzogiorno middag poludnie полдень 正午'),
  ...named('00:00:00', 'midnight mitternacht minuit medianoche mezzanotte middernacht polnoc'),
};

/** Words before a bare hour, in languages that count 24 of them; a number after these is an hour. */
export const AT_HOUR = String.raw`um|godz\.?|kl\.?|klo|klockan|klokken|às|(?:d?alle )?ore|alle|dalle|saat|ora|orele`;
/**
 * Words before a time that add nothing: about, from, at. In languages that count 24 hours, a number after them is an
 * hour.
 */
const LEAD = new RegExp(
  [
    String.raw`^(?:at|from|(${AT_HOUR}|ab|ca\.?|von|vom|od|o|v|ve|g\.|h\.?|om|vanaf|fra|från|à partir de|dès|à`,
    String.raw`a las|desde las|de|das|as|в|с|о|з|із|στις|από|la|de la))\s+(?=\d)`,
  ].join('|'),
  'u',
);
/** Words between a start and an end. */
export const UNTIL = 'bis|to|until|till|til|do|t/m|až|a|à|au|al|hasta|até|ate|tot|до|έως|μέχρι|până la';
/** Remarks after a time that the end is open. */
const OPEN_END = new RegExp(
  String.raw`(?:\s*[-–—→]|\s+(?:${UNTIL}))\s*(?:\?|\.{3}|…|late|close|open end|ende offen|offen|ende|end|fin)$|\s*[-–—→]\s*$|\s+onwards?$`,
  'u',
);
/** A remark in brackets after a time, such as when the doors open. Not the name of a clock, which changes the time. */
const ASIDE = /\s*\((?=[^()]*\p{Ll})[^()]*\)$/u;
const LENGTH_MAX = 60;
const CLOCK = new RegExp(
  [
    String.raw`^(\d{1,2})(?:\s?(?:[:.hu]|uhr)\s?(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?`,
    String.raw`\s*(?:([ap])\.?\s?(?:m\.?)?|uhr|uur|u|h|hrs?\.?|hs\.?|horas?|heures?|godz\.?|hod\.?|hodin|óra(?:kor|tól)?|ч\.?|часов|год\.?)?$`,
  ].join(''),
);

/**
 * A time of day as `18:30:00`, or `24:00:00` for the end of a day; null for anything else. Reads 19:30, 7:30 PM, 7 p.
 * m., 19.30 Uhr, 19h30, 20u, noon and a spreadsheet's fraction of a day.
 */
export function timeFromText(text: string): string | null {
  if (text.length > LENGTH_MAX) return null;
  const said = plainWhen(text).normalize('NFKC').trim().replace(ASIDE, '');
  const plain = said.toLowerCase().replace(/\s+/g, ' ').replace(OPEN_END, '');
  const lead = LEAD.exec(plain);
  const trimmed = plain.slice(lead?.[0].length ?? 0);
  if (/^0?[.,]\d+$/.test(trimmed)) return clock(...fromFraction(Number(trimmed.replace(',', '.'))));
  const named = HOURS[foldedWords(trimmed).replace(/^12 (?:00 )?/, '')];
  if (named !== undefined) return named;
  const match = CLOCK.exec(trimmed);
  // A bare number is not a time.
  return match && (lead?.[1] !== undefined || !/^\d+$/.test(trimmed)) ? fromClock(match) : null;
}

/** What people write in a column of times if the time or length is not known yet. */
const NOT_SAID = new Set(
  [
    'tba|tbd|tbc|n a|na|n n|nn|none|unknown|to be announced|to be confirmed|to be decided|to be determined|late|close',
    'offen|noch offen|open end|ende offen|unbekannt|folgt|k a|wird noch bekannt gegeben|a confirmer|a definir|a preciser',
    'meddelas senare|ej klart|tillkannages senare|meddeles senere|kommer senere|ilmoitetaan myohemmin|myohemmin|avoin',
    'kesobb|hamarosan|bude upresneno|upresnime|a confirmar|a anunciar|da stabilire|da stabilirsi|wkrotce',
    'por confirmar|por determinar|por definir|da definire|da confermare|do ustalenia|nog niet bekend|nog te bepalen',
  ].flatMap((words) => words.split('|')),
);

/** Whether a cell gives no time: it is empty, a dash, a question mark, or `tba`. */
export const isNoTime = (cell: string): boolean => /^[-–—?.\s]*$/.test(cell) || NOT_SAID.has(foldedWords(cell));

/** The time in a cell of a time column, which may also be written `0800`. */
export const timeFromCell = (cell: string): string | null => timeFromText(cell) ?? timeFromText(spelledOut(cell));

/** The two times in a cell of a time column, which may also be written `1900-2100`. */
export const timesFromCell = (cell: string): ReturnType<typeof timesFromText> =>
  timesFromText(cell) ?? timesFromText(spelledOut(cell));

const spelledOut = (cell: string): string => cell.replace(COMPACT, '$1:$2');
const COMPACT = /(?<![\d:.,])(\d{1,2})([0-5]\d)(?![\d:.,])/g;

/** The time matched by CLOCK; `half` is the a of AM or the p of PM. */
function fromClock([, hours = '', minutes = '0', seconds = '0', half]: RegExpExecArray): string | null {
  if (half === undefined) return clock(Number(hours), Number(minutes), Number(seconds));
  if (Number(hours) < 1 || Number(hours) > 12) return null;
  return clock((Number(hours) % 12) + (half === 'p' ? 12 : 0), Number(minutes), Number(seconds));
}

/** The two times of `19:30 – 21:00`; null for anything else. */
export function timesFromText(text: string): readonly [start: string, end: string] | null {
  const [first = '', second = '', ...more] = plainWhen(text.slice(0, LENGTH_MAX)).split(BETWEEN_TIMES);
  // What makes the first number an hour applies to the second one, too: kl. 19–21.
  const [lead = ''] = LEAD.exec(first.trim().toLowerCase()) ?? [];
  const end = timeFromText(second) ?? timeFromText(`${lead}${second}`);
  const start = end === null ? null : firstTime(first, second, end);
  return more.length > 0 || start === null || end === null ? null : [start, end];
}

const BETWEEN_TIMES = new RegExp(String.raw`\s*[-–—→~〜～]\s*|\s+(?:${UNTIL}|às|as|alle)\s+`, 'iu');

/**
 * The first of two times. What follows the second applies to the first as well if it has nothing of its own (19-21 Uhr,
 * 7:30–9 pm), except a half of the day that would make it the later one (10–2 pm).
 */
function firstTime(first: string, second: string, end: string): string | null {
  if (!/\d$/.test(first.trimEnd())) return timeFromText(first);
  const [, unit = '', half] = UNIT.exec(second.trimEnd().toLowerCase()) ?? [];
  const start = timeFromText(`${first} ${unit}`) ?? timeFromText(first);
  if (half === undefined || start === null || start <= end) return start;
  return timeFromText(`${first} ${half === 'p' ? 'am' : 'pm'}`) ?? start;
}

const UNIT = /\d\s*(uhr|uur|h|u|([ap])\.?\s?(?:m\.?)?)$/u;

/** Whether a time is written with AM or PM. */
export const isTwelveHour = (text: string): boolean => /\d\s*[ap]\.?\s?m\b/i.test(text);

function named(time: string, words: string): Readonly<Record<string, string>> {
  return Object.fromEntries(words.split(' ').map((word) => [word, time]));
}

function fromFraction(fraction: number): [number, number, number] {
  const minutes = Math.round(fraction * 1440);
  return [Math.floor(minutes / 60), minutes % 60, 0];
}

function clock(hours: number, minutes: number, seconds: number): string | null {
  if ((hours > 23 && !(hours === 24 && minutes === 0 && seconds === 0)) || minutes > 59 || seconds > 59) return null;
  return [hours, minutes, seconds].map((part) => String(part).padStart(2, '0')).join(':');
}
