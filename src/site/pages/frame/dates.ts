import { dayAfter } from '../../../time.ts';
import { remembered } from '../../../remembered.ts';

/** A calendar day, as `2027-01-10`. */
export type Day = string;
/** `2027-01` */
export type Month = string;

const msOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** The first and last month for which there is a page. */
export const MONTHS = { first: '1900-01', last: '2999-12' } as const;

const FORMS = {
  day: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  weekdayAndDay: { weekday: 'long', day: 'numeric', month: 'long' },
  shortMonth: { month: 'short' },
  longDay: { day: 'numeric', month: 'long' },
  longDayOfYear: { day: 'numeric', month: 'long', year: 'numeric' },
  briefDay: { weekday: 'short', day: 'numeric', month: 'short' },
  shortDay: { day: 'numeric', month: 'short' },
  month: { month: 'long', year: 'numeric' },
  long: { weekday: 'long' },
  short: { weekday: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** A date format in a language. Its results are remembered, as pages name the same days again and again. */
interface Format {
  readonly format: Intl.DateTimeFormat;
  readonly say: (day: Day) => string;
  /** The name of a day's month, as inflected in this format. */
  readonly month: (day: Day) => string;
}

// Creating an Intl format takes longer than formatting a hundred days.
const formats = new Map<string, Format>();

function formatOf(language: string, form: keyof typeof FORMS): Format {
  const key = `${language} ${form}`;
  const made = formats.get(key) ?? makeFormat(language, form);
  formats.set(key, made);
  return made;
}

function makeFormat(language: string, form: keyof typeof FORMS): Format {
  const format = new Intl.DateTimeFormat(localeOf(language), { ...FORMS[form], timeZone: 'UTC' });
  const partsOf = (day: Day): readonly Intl.DateTimeFormatPart[] => format.formatToParts(msOf(day));
  return {
    format,
    say: remembered((day) => format.format(msOf(day))),
    month: remembered((day) => partsOf(day).find(({ type }) => type === 'month')?.value ?? ''),
  };
}

const inWords = (day: Day, language: string, form: keyof typeof FORMS): string => formatOf(language, form).say(day);

/** "Saturday, 10 January 2027" */
export const dayInWords = (day: Day, language: string): string => inWords(day, language, 'day');
/** "10 January" */
export const longDayInWords = (day: Day, language: string): string => inWords(day, language, 'longDay');
/** "Saturday, 10 January" */
export const weekdayAndDayInWords = (day: Day, language: string): string => inWords(day, language, 'weekdayAndDay');
/** "Jan" */
export const shortMonthInWords = (month: Month, language: string): string =>
  inWords(`${month}-01`, language, 'shortMonth');
/** "23 – 29 November", "16 – 22 Nov", or with the year */
export const daysInWords = (
  first: Day,
  last: Day,
  language: string,
  form: 'longDay' | 'longDayOfYear' | 'shortDay',
): string => formatOf(language, form).format.formatRange(msOf(first), msOf(last));
/** Whether a date without its year, on a page about `about` and later, would be mistaken for an earlier one. */
export const needsYear = (day: Day, about: Day): boolean => day > dayAfter(about, YEARLESS_DAYS);
// Nearly a year: most people would confuse a day with the same one next year.
const YEARLESS_DAYS = 330;
/** "10 January", "10 Jan" or "Sat, 10 Jan", with the year if it is needed. */
export function dayFrom(about: Day, day: Day, language: string, form: 'longDay' | 'shortDay' | 'briefDay'): string {
  const words = inWords(day, language, form);
  return needsYear(day, about) ? `${words} ${yearOf(day)}` : words;
}
/** "Sat, 10 Jan" */
export const briefDayInWords = (day: Day, language: string): string => inWords(day, language, 'briefDay');
/** "10 Jan" */
export const shortDayInWords = (day: Day, language: string): string => inWords(day, language, 'shortDay');
/** "January", inflected as after a day's number. */
export const monthOfDay = (day: Day, language: string, month: 'long' | 'short'): string =>
  formatOf(language, month === 'long' ? 'longDay' : 'shortDay').month(day);
export const yearOf = (day: Day): string => day.slice(0, 4);
/** "January 2027" */
export const monthInWords = (month: Month, language: string): string => inWords(`${month}-01`, language, 'month');
/** "Mo": the first two letters of the short weekday. */
export const initialsOfWeekday = (day: Day, language: string): string =>
  weekdayInWords(day, language, 'short').slice(0, 2);
/** "Mon" and "Monday" */
export const weekdayInWords = (day: Day, language: string, weekday: 'long' | 'short'): string =>
  inWords(day, language, weekday);

/**
 * English dates are written the British way, to match the 24-hour times beside them. Languages unknown to Intl are
 * treated as English.
 */
export function localeOf(language: string): string {
  if (/^en$/i.test(language)) return 'en-GB';
  try {
    return Intl.getCanonicalLocales(language.replace('_', '-'))[0] ?? 'en-GB';
  } catch {
    return 'en-GB';
  }
}
