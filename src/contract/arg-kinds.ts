import { arg, invalid, notOfType, tooLong, value, type Arg, type ArgAbout, type Reading } from './arg.ts';
import { dateTimeFromText, NEVER, type DateTime } from './date-time.ts';
import { eventZone } from './event-zone.ts';
import { HTML_MAX, INTEGER_MAX, LINE_MAX } from './limits.ts';

/** What the declaration of an argument adds to its kind, usually a description. */
type About = Omit<ArgAbout, 'type'>;

const TYPES = { string: 'string', integer: 'integer', boolean: 'boolean' } as const;
const TINY = 1e-12;
const TRUE = /^(?:true|1|yes|on|y)$/i;

/** A non-empty JSON string: names, titles, search terms. */
export const text = (about: About): Arg<string, 'optional'> => filledText(about, LINE_MAX);

/** Like `text`, but with markup, and therefore longer. */
export const html = (about: About): Arg<string, 'optional'> => filledText(about, HTML_MAX);

const filledText = (about: About, max: number): Arg<string, 'optional'> =>
  arg(
    { type: TYPES.string, ...about },
    (raw) => {
      if (raw === null) return notOfType('string');
      return typeof raw === 'string' && raw !== '' ? within(max, raw) : invalid('Expected a text that is not empty.');
    },
    { type: 'string', minLength: 1, maxLength: max },
  );

/** A JSON string or nothing: '' and null clear the field. */
export const clearableText = (about: About): Arg<string, 'optional'> => anyOrNoText(about, LINE_MAX);

/** Like `clearableText`, but with markup, and therefore longer. */
export const clearableHtml = (about: About): Arg<string, 'optional'> => anyOrNoText(about, HTML_MAX);

const anyOrNoText = (about: About, max: number): Arg<string, 'optional'> =>
  arg(
    { type: TYPES.string, ...about },
    (raw) => {
      if (raw === null) return value('');
      return typeof raw === 'string' ? within(max, raw) : notOfType('string');
    },
    { type: 'string', nullable: true, maxLength: max },
  );

/** Like `text`, but accepts '', which answers show for none. */
export const textOrNone = (about: About): Arg<string, 'optional'> => {
  const given = text(about);
  return {
    ...given,
    parse: (raw, context) => (raw === '' ? value('') : given.parse(raw, context)),
    schema: { type: 'string', maxLength: LINE_MAX },
  };
};

/** Like `text`, but only checks the published type. */
export const anyText = (about: About): Arg<string, 'optional'> =>
  arg(
    { type: TYPES.string, ...about },
    (raw) => (typeof raw === 'string' ? within(LINE_MAX, raw) : notOfType('string')),
    { type: 'string', maxLength: LINE_MAX },
  );

const within = (max: number, text: string): Reading<string> => (text.length > max ? tooLong(max) : value(text));

/** A whole number above zero. */
export const positiveInteger = (about: About): Arg<number, 'optional'> =>
  arg({ type: TYPES.integer, ...about }, (raw) => positive(raw), { type: 'integer', minimum: 1 });

/** An id or none, given as 0 (which answers show), '' or null. All of these give 0. */
export const clearableId = (about: About): Arg<number, 'optional'> =>
  arg(
    { type: TYPES.integer, ...about },
    (raw) => (raw === null || raw === '' || raw === 0 || raw === '0' ? value(0) : positive(raw)),
    { type: 'integer', nullable: true, minimum: 0 },
  );

/** An id in a path. An impossible id becomes 0, so that the lookup finds nothing. */
export const pathId = (about: About): Arg<number, 'optional'> =>
  arg(
    { type: TYPES.integer, ...about },
    (raw) => {
      const reading = positive(raw);
      return reading.kind === 'invalid' && /^\d+$/.test(String(raw)) ? value(0) : reading;
    },
    { type: 'integer', minimum: 1 },
  );

/** The size of a page, above zero and silently limited to `max`, as on real sites. */
export const pageSize = (max: number, about: About): Arg<number, 'optional'> =>
  arg(
    { type: TYPES.integer, ...about },
    (raw, { atOnce }) => {
      const reading = positive(raw);
      return reading.kind === 'value' ? value(Math.min(reading.value, atOnce?.items ?? max)) : reading;
    },
    { type: 'integer', minimum: 1 },
  );

/** A finite number, published without a type. */
export const decimal = (about: About, limit: number): Arg<number, 'optional'> =>
  arg(about, (raw) => decimalWithin(raw, limit), { type: 'number', format: 'double', minimum: -limit, maximum: limit });

/** A number that may be cleared with '' or null. */
export const clearableDecimal = (about: About, limit: number): Arg<number | null, 'optional'> =>
  arg<number | null>(
    { type: 'number', ...about },
    (raw) => (raw === null || raw === '' ? value(null) : decimalWithin(raw, limit)),
    { type: 'number', format: 'double', minimum: -limit, maximum: limit, nullable: true },
  );

export const flag = (about: About): Arg<boolean, 'optional'> =>
  arg({ type: TYPES.boolean, ...about }, (raw) => {
    if (/^(?:true|1)$/i.test(String(raw))) return value(true);
    return /^(?:false|0)$/i.test(String(raw)) ? value(false) : notOfType('boolean');
  });

/**
 * A boolean in words, published as a string. JSON booleans are refused, and anything but `true 1 yes on y` means false.
 */
export const flagInWords = (about: About): Arg<boolean, 'optional'> =>
  arg({ type: TYPES.string, ...about }, (raw) => {
    if (raw === null) return value(true);
    return typeof raw === 'string' ? value(TRUE.test(raw)) : notOfType('string');
  });

/** Like `flagInWords`, but also accepts a JSON boolean, as answers show it. */
export function flagAsShown(about: About): Arg<boolean, 'optional'> {
  const given = flagInWords(about);
  return {
    ...given,
    parse: (raw, context) => (typeof raw === 'boolean' ? value(raw) : given.parse(raw, context)),
    schema: { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
  };
}

/** A boolean without a published type. */
export const truth = (about: About): Arg<boolean, 'optional'> =>
  arg(about, (raw) => value(TRUE.test(String(raw))), { type: 'boolean' });

/** `strict_dates`: takes only words and refuses zero, as real sites do. */
export const strictTruth = (about: About): Arg<boolean, 'optional'> =>
  arg(
    about,
    (raw) => {
      if (TRUE.test(String(raw))) return value(true);
      return /^(?:false|no|off|n|)$/i.test(String(raw ?? '')) ? value(false) : invalid('Expected true or false.');
    },
    { type: 'boolean' },
  );

const EXAMPLE = '2027-01-10 18:00:00';
const DATE = { type: 'string', example: EXAMPLE };
const NO_DATE = invalid(`Expected a date that exists, such as ${EXAMPLE}.`);
const dateReading = (raw: unknown, now: number, timezone: string): Reading<DateTime> => {
  const read = dateTimeFromText(String(raw), { now, timezone });
  return read ? value(read) : NO_DATE;
};

/** A point in time as people and programs write it. JSON numbers have the wrong type; impossible dates are invalid. */
export const dateTime = (about: About): Arg<DateTime, 'optional'> =>
  arg(
    { type: TYPES.string, ...about },
    (raw, { now, timezone }) => {
      if (typeof raw === 'string') return dateReading(raw, now, timezone);
      return typeof raw === 'number' || raw === null ? notOfType('string') : NO_DATE;
    },
    DATE,
  );

/** A publication date. The value that answers show for unpublished drafts is accepted and ignored. */
export function publicationDate(about: About): Arg<DateTime | undefined, 'optional'> {
  const given = dateTime(about);
  return { ...given, parse: (raw, context) => (raw === NEVER ? value(undefined) : given.parse(raw, context)) };
}

/** Like `dateTime`, but without a published type, for filters. */
export const dateFilter = (about: About): Arg<DateTime, 'optional'> =>
  arg(
    about,
    (raw, { now, timezone }) =>
      typeof raw === 'string' || typeof raw === 'number' ? dateReading(raw, now, timezone) : NO_DATE,
    DATE,
  );

const NO_ZONE = invalid('Expected the name of a time zone, such as Europe/Warsaw, or an offset, such as UTC+2.');

/** A zone or an abbreviation such as `CEST`, as written; '' means the site's. */
export const timezone = (about: About): Arg<string, 'optional'> =>
  arg({ type: TYPES.string, ...about }, (raw) => {
    if (raw === null) return notOfType('string');
    return typeof raw === 'string' && isZoneOrEmpty(raw) ? value(raw) : NO_ZONE;
  });

const isZoneOrEmpty = (text: string): boolean =>
  text === '' || (text.length <= LINE_MAX && eventZone(text) !== undefined);

/** One of the site's languages; sites without languages accept and ignore any text. */
export const language = (about: About): Arg<string, 'optional'> =>
  arg({ type: TYPES.string, ...about, enum: ({ languages }) => languages }, (raw, { languages }) => {
    if (typeof raw !== 'string') return notOfType('string');
    return languages.length === 0 || languages.includes(raw) ? value(raw) : notInEnum(languages);
  });

/** One of a few words. */
export const oneOf = <const W extends string>(words: readonly W[], about: About): Arg<W, 'optional'> =>
  arg({ type: TYPES.string, ...about, enum: words }, (raw) => {
    if (typeof raw !== 'string') return notOfType('string');
    const word = words.find((one) => one === raw);
    return word === undefined ? notInEnum(words) : value(word);
  });

const notInEnum = (words: readonly string[]): Reading<never> => ({
  kind: 'mismatch',
  code: 'rest_not_in_enum',
  message: (name) => `${name} is not one of ${wordList(words)}.`,
});

/** `A, B, and C` */
export const wordList = (words: readonly string[]): string =>
  words.length < 3 ? words.join(' and ') : `${words.slice(0, -1).join(', ')}, and ${words.at(-1) ?? ''}`;

const NOT_POSITIVE = invalid(`Expected a whole number from 1 to ${INTEGER_MAX}.`);

/** A whole number from 1 to the largest that sites support, also as text (`"7"`, `2.0`). */
export function positive(raw: unknown): Reading<number> {
  const isWritten = typeof raw === 'string' && /^\s*\+?\d+(?:\.0+)?\s*$/.test(raw);
  const number = typeof raw === 'number' || isWritten ? Number(raw) : Number.NaN;
  return Number.isInteger(number) && number > 0 && number <= INTEGER_MAX ? value(number) : NOT_POSITIVE;
}

function decimalWithin(raw: unknown, limit: number): Reading<number> {
  const isWritten = typeof raw === 'string' && raw.trim() !== '';
  const number = typeof raw === 'number' || isWritten ? Number(raw) : Number.NaN;
  // Tiny numbers become zero, because PostgreSQL refuses to compute with the smallest ones.
  if (!(Math.abs(number) <= limit)) return invalid(`Expected a number from -${limit} to ${limit}.`);
  return value(Math.abs(number) < TINY ? 0 : number);
}
