import { isIP } from 'node:net';
import { nestedRepetition } from '../sync/drafts/nested-repetition.ts';
import { isZone } from '../time.ts';
import { readCron } from './cron.ts';
import {
  clockInstead,
  colorInstead,
  cronInstead,
  durationInstead,
  feedInstead,
  isColor,
  languageInstead,
  logoInstead,
  mailboxInstead,
  mailServerInstead,
  percentInstead,
  publicInstead,
  regexInstead,
  webInstead,
  zoneInstead,
} from './write-instead.ts';

/**
 * A kind of text: the message if a text does not match, a pattern for editors, and a parser (undefined: does not
 * match).
 */
export interface Kind<T> {
  readonly expected: string;
  readonly pattern: string;
  readonly read: (text: string) => T | undefined;
  /** Suggests what to write instead of a wrong text, if that can be guessed. */
  readonly instead?: (text: string) => string | undefined;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const when =
  (holds: (text: string) => boolean) =>
  (text: string): string | undefined =>
    holds(text) ? text : undefined;

/** A daily time span, in minutes since midnight. It extends past midnight if it does not end after it begins. */
export interface DayHours {
  readonly from: number;
  readonly to: number;
}

const CLOCK = '^([01]?\\d|2[0-3]):[0-5]\\d$';

/** Every kind of text in the configuration, by name. */
export const KINDS = {
  duration: {
    expected: 'a duration such as 30d, 12h, 15m or 90s',
    pattern: '^\\d{1,6}[smhdw]$',
    read: readDuration,
    instead: durationInstead,
  },
  percent: {
    expected: 'a percentage such as 20%',
    pattern: '^\\d+(\\.\\d+)?%$',
    read: readPercent,
    instead: percentInstead,
  },
  cron: {
    expected: 'a cron expression of five fields such as "*/15 6-22 * * *" (minute, hour, day, month, day of the week)',
    pattern: '^\\S+(\\s+\\S+){4,5}$',
    read: readCron,
    instead: cronInstead,
  },
  zone: {
    expected: 'a time zone such as Europe/Warsaw or UTC',
    pattern: '^[A-Za-z+-]',
    read: when(isZone),
    instead: zoneInstead,
  },
  regex: {
    expected: 'a regular expression, with (?i) in front where case does not matter',
    pattern: '',
    read: when((text) => isRegex(text) && nestedRepetition(text) === undefined),
    instead: regexInstead,
  },
  feed: {
    expected: 'an address beginning with https:, http:, webcal: or file:',
    pattern: '^([Hh][Tt][Tt][Pp][Ss]?|[Ww][Ee][Bb][Cc][Aa][Ll][Ss]?)://.|^[Ff][Ii][Ll][Ee]:.',
    read: when(isFeed),
    instead: feedInstead,
  },
  logo: {
    expected: 'a picture such as file:logo.svg or https://town.example/logo.svg',
    pattern: '^[Hh][Tt][Tt][Pp][Ss]://.|^[Ff][Ii][Ll][Ee]:.',
    read: when((text) => /^(?:https:\/\/|file:)./i.test(text)),
    instead: logoInstead,
  },
  site: {
    expected: '"builtin" or the address of an API root such as https://example.org/wp-json',
    pattern: '^builtin$|^[Hh][Tt][Tt][Pp][Ss]?://.',
    read: (text: string) => (text === 'builtin' ? text : readWeb(text)),
    instead: webInstead,
  },
  web: {
    expected: 'an address beginning with https: or http:',
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://.',
    read: readWeb,
    instead: webInstead,
  },
  publicUrl: {
    expected: 'an address such as https://calendar.example.org, or "" for none',
    pattern: '^$|^[Hh][Tt][Tt][Pp][Ss]?://[^?#]+$',
    read: (text: string) => (text === '' ? text : readPublic(text)),
    instead: publicInstead,
  },
  network: {
    expected: 'an address or a network such as 10.0.0.0/8 or fd00::/8',
    pattern: '^[0-9a-fA-F:.]+(/\\d+)?$',
    read: when(isNetwork),
  },
  language: {
    expected: 'a language such as en, pl or pt-BR',
    pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$',
    read: when((text) => /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/.test(text)),
    instead: languageInstead,
  },
  namespace: {
    expected: 'a namespace such as calendar/events/v1',
    pattern: '^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)+$',
    read: when((text) => /^[\w.-]+(\/[\w.-]+)+$/.test(text)),
  },
  mailbox: {
    expected: 'a mail address such as clerk@town.example',
    pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
    read: when(isMailbox),
    instead: mailboxInstead,
  },
  mailServer: {
    expected: 'the address of a mail server such as smtp://mail.example.org:587 or smtps://mail.example.org',
    pattern: '^smtps?://.',
    read: readMailServer,
    instead: mailServerInstead,
  },
  clock: { expected: 'a time of the day such as 08:00', pattern: CLOCK, read: readClock, instead: clockInstead },
  hours: {
    expected: 'hours of the day such as 22:00-07:00',
    pattern: `${CLOCK.slice(0, -1)}-${CLOCK.slice(1)}`,
    read: readHours,
  },
  color: {
    expected: 'a colour: a CSS name such as teal, or #rrggbb',
    pattern: '^[A-Za-z]+$|^#[0-9A-Fa-f]{6}$',
    read: when(isColor),
    instead: colorInstead,
  },
} satisfies Record<string, Kind<string | number | DayHours>>;

export type KindName = keyof typeof KINDS;
export type KindValue<K extends KindName> = NonNullable<ReturnType<(typeof KINDS)[K]['read']>>;

function readDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * (UNITS_MS[unit] as number);
}

function readPercent(text: string): number | undefined {
  const share = /^\d+(\.\d+)?%$/.test(text) ? Number.parseFloat(text) / 100 : Number.NaN;
  return share <= 1 ? share : undefined;
}

function isRegex(text: string): boolean {
  try {
    return new RegExp(text.replace(/^\(\?i\)/, ''), 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function isFeed(text: string): boolean {
  if (/^file:./i.test(text)) return !/^file:\/\/[^/]/i.test(text);
  return parsedWeb(text.replace(/^webcal(s?):/i, 'http$1:')) !== null;
}

// Removes the trailing slash, so that paths can be appended.
function readWeb(text: string): string | undefined {
  return parsedWeb(text)?.username === '' ? text.replace(/\/+$/, '') : undefined;
}

/** `URL` also accepts `https:x.example`, but links to our pages begin with the text as written and would lead nowhere. */
const parsedWeb = (text: string): URL | null => (/^https?:\/\//i.test(text) ? URL.parse(text) : null);

/** An address that pages can be placed below. */
const readPublic = (text: string): string | undefined => (/[?#]/.test(text) ? undefined : readWeb(text));

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  return (
    version !== 0 &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  );
}

function readClock(text: string): number | undefined {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute);
}

function readHours(text: string): DayHours | undefined {
  const [begin, end, ...more] = text.split(/\s*[-–]\s*/).map(readClock);
  if (begin === undefined || end === undefined || more.length > 0 || begin === end) return undefined;
  return { from: begin, to: end };
}

// A bare address that is safe in a mail header: no name, comment, quotes or separators.
function isMailbox(text: string): boolean {
  return (
    text.length <= 254 && /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text)
  );
}

function readMailServer(text: string): string | undefined {
  const url = URL.parse(text);
  const isPlain = url !== null && url.username === '' && url.pathname.length <= 1 && url.search === '';
  return isPlain && /^smtps?:$/.test(url.protocol) && url.hostname !== '' ? text.replace(/\/+$/, '') : undefined;
}
