import { nestedRepetition } from '../sync/drafts/nested-repetition.ts';
import { calendarColor, COLOR_NAMES } from '../ical/write/write-color.ts';
import { cronFault, readCron } from './cron.ts';
import { languageNamed } from './language-names.ts';
import { nearest } from './nearest.ts';

// Suggestions for values in a wrong form. Each function returns a sentence that says what to write, or undefined.

/** A text quoted so that YAML reads it unchanged. */
export const quotedText = (text: string): string =>
  text.includes('"') || text.includes('\\') ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;

const UNITS: Readonly<Record<string, string>> = {
  sec: 's',
  second: 's',
  min: 'm',
  minute: 'm',
  hr: 'h',
  hour: 'h',
  day: 'd',
  week: 'w',
};
/** Units without a letter in durations, in days. */
const DAYS: Readonly<Record<string, number>> = { mo: 30, month: 30, y: 365, yr: 365, year: 365 };

/** For "1 hour", "60", or a cron expression instead of a duration. */
export function durationInstead(text: string): string | undefined {
  const [, count = '', unit = ''] = /^(\d+)\s*([a-z]*?)s?$/i.exec(text.trim()) ?? [];
  const letter = UNITS[unit.toLowerCase()] ?? (/^[smhdw]$/i.test(unit) ? unit.toLowerCase() : undefined);
  if (count.length > 6) return 'Its number has six digits at most.';
  const days = DAYS[unit.toLowerCase()];
  if (days !== undefined) return `Write ${Number(count) * days}d.`;
  if (letter !== undefined) return `Write ${Number(count)}${letter}.`;
  if (count !== '') return `Write ${count}m for minutes, ${count}h for hours or ${count}d for days.`;
  if (readCron(text) !== undefined) return `That is a cron expression: write cron: "${text}" instead of this key.`;
  return undefined;
}

/** For "20" or "0.2". */
export function percentInstead(text: string): string | undefined {
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(number) || number > 100) return undefined;
  return `Write ${number > 0 && number < 1 ? Math.round(number * 1000) / 10 : number}%.`;
}

/** For a duration or a named schedule; otherwise what is wrong with the cron expression. */
export function cronInstead(text: string): string | undefined {
  if (/^\d{1,6}[smhdw]$/.test(text)) return `That is a duration: write every: ${text} instead of this key.`;
  if (text.startsWith('@'))
    return 'Write its five fields: "0 * * * *" for every hour, "0 3 * * *" for every night at three.';
  return cronFault(text);
}

/** For "Warsaw" or "Europe/Warschau". */
export function zoneInstead(text: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone');
  const cities = new Map(zones.map((zone) => [zone.slice(zone.lastIndexOf('/') + 1), zone]));
  const city = nearest(text.replaceAll(' ', '_').slice(text.lastIndexOf('/') + 1), [...cities.keys()]);
  const meant = nearest(text, zones) ?? (city === undefined ? undefined : cities.get(city));
  return meant === undefined ? 'Write it as continent and city, as in Europe/Warsaw.' : `Did you mean ${meant}?`;
}

export const NO_HOME = '"~" stands for a home directory only in a shell: write the whole path, from "/" on.';

/** For an address without https:, a path, or typographic quotes. */
export function feedInstead(text: string): string | undefined {
  const plain = withoutFineQuotes(text);
  if (plain !== text) return `Those are not the quotes that YAML knows: write "${plain}".`;
  if (text.startsWith('~/')) return `Write file: and the path. ${NO_HOME}`;
  if (/^(?:\.{0,2}\/|[A-Za-z]:[\\/])/.test(text))
    return `Write file:${text.replaceAll('\\', '/').replace(/^\.\//, '')} instead.`;
  if (/^[\w-]+(?:\.[\w-]+)*\.(?:ics|ical|csv)$/i.test(text)) return `Write file:${text} instead.`;
  return webInstead(text);
}

/** For an address without https:. */
export function webInstead(text: string): string | undefined {
  const plain = withoutFineQuotes(text);
  if (plain !== text) return `Those are not the quotes that YAML knows: write "${plain}".`;
  if (/^https?:\/\/[^/]*@/i.test(text)) return 'Take the user and the password out of the address.';
  if (text.startsWith('//')) return `Write https:${text} instead.`;
  if (/^https?:[^/]/i.test(text) || /^https?:\/[^/]/i.test(text))
    return `Two slashes follow the colon: write ${text.replace(/:\/?/, '://')} instead.`;
  return /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)/.test(text) ? `Write https://${text} instead.` : undefined;
}

/** For an address with a query or fragment, below which there can be no pages. */
export const publicInstead = (text: string): string | undefined =>
  /^https?:\/\/[^/?#@]+[^?#]*[?#]/i.test(text)
    ? `Its pages are below it: write ${text.replace(/[?#].*$/s, '')} instead.`
    : webInstead(text);

const withoutFineQuotes = (text: string): string =>
  text.replace(/^[\u2018-\u201f\u00ab\u00bb]+|[\u2018-\u201f\u00ab\u00bb]+$/g, '');

/** For "tael", "ff0000" or "#f00". */
export function colorInstead(text: string): string | undefined {
  if (/^#?[0-9a-f]{6}$/i.test(text)) return `Write "#${text.replace('#', '')}".`;
  if (/^#?[0-9a-f]{3}$/i.test(text)) return `Write "#${text.replace('#', '').replace(/./g, '$&$&')}".`;
  const meant = nearest(text, COLOR_NAMES);
  return meant === undefined ? 'Write one as "#1e90ff".' : `Did you mean ${meant}?`;
}

export const isColor = (text: string): boolean => calendarColor(text) !== undefined;

/** For "English" or "polski". */
export function languageInstead(text: string): string | undefined {
  const code = languageNamed(text);
  return code === undefined ? undefined : `Write ${code}.`;
}

/** V8's messages about regular expressions, with advice for each. */
const REGEX_ADVICE: readonly (readonly [RegExp, string])[] = [
  [/Unterminated group/, 'A "(" is never closed: write ")" where the group ends, or \\( for the character itself.'],
  [/Unmatched '\)'/, 'A ")" closes nothing: remove it, or write \\) for the character itself.'],
  [
    /Unterminated character class/,
    'A "[" is never closed: write "]" where the set ends, or \\[ for the character itself.',
  ],
  [
    /Nothing to repeat|Invalid quantifier/,
    'A "*", "+" or "?" has nothing before it to repeat: write .* for any text, or \\* for the character itself.',
  ],
  [
    /Lone quantifier brackets|Incomplete quantifier/,
    'A "{", "}" or "]" stands alone: write \\{, \\} or \\] for the character itself.',
  ],
  [/Invalid group|Invalid capture group/, 'What follows "(?" is unknown: (?i) can only be at the very beginning.'],
  [
    /Range out of order/,
    'A range in "[…]" runs backwards: write it from the lower character to the higher one, as in [a-z].',
  ],
  [
    /[Ii]nvalid escape|Invalid Unicode escape|Invalid property name/,
    'A backslash is followed by a letter that has no special meaning: remove the backslash, or write \\\\ for the character itself.',
  ],
  [/\\ at end of pattern/, 'It ends in a backslash: remove it, or write \\\\ for the character itself.'],
];

/** Why a regular expression is invalid or too slow. */
export function regexInstead(text: string): string | undefined {
  try {
    RegExp(text.replace(/^\(\?i\)/, ''), 'u');
    return slowInstead(text);
  } catch (error) {
    const reason = (error as Error).message;
    return (
      REGEX_ADVICE.find(([pattern]) => pattern.test(reason))?.[1] ??
      `${reason.slice(reason.lastIndexOf(': ') + 2)}: write a backslash before a character that stands for itself.`
    );
  }
}

/** Advice about an expression that takes practically for ever on some texts, which the feed controls. */
function slowInstead(text: string): string | undefined {
  const slow = nestedRepetition(text);
  if (slow === undefined) return undefined;
  const part = text.slice(slow.from, slow.to);
  return (
    `On some texts it would take practically for ever, because from character ${slow.from + 1} on something ` +
    `that repeats or has alternatives is itself repeated${part.length > 80 ? '' : `: ${part}`}. ` +
    'Take one of the signs out: (a+)+ finds the same as a+, and (a|b)+ the same as [ab]+.'
  );
}

/** For "Clerk <clerk@town.example>" or "mailto:clerk@town.example". */
export function mailboxInstead(text: string): string | undefined {
  const [, address] = /^(?:mailto:|.*<)\s*([^\s<>@]+@[^\s<>@]+?)\s*>?$/i.exec(text) ?? [];
  return address === undefined ? undefined : `Write ${address} alone.`;
}

/** For "mail.example.org:587", or an address with a user and a password. */
export function mailServerInstead(text: string): string | undefined {
  if (/^smtps?:\/\/[^/]*@/i.test(text)) return 'Write the user as username and the password as password beside it.';
  const [, host, port] = /^([\w-]+(?:\.[\w-]+)+)(?::(\d+))?$/.exec(text) ?? [];
  if (host === undefined) return undefined;
  return `Write ${port === '465' ? 'smtps' : 'smtp'}://${host}${port === undefined ? '' : `:${port}`} instead.`;
}

/** For "8", "8 am" or "8.30". */
export function clockInstead(text: string): string | undefined {
  const [, hour = '', minute = '00', half = ''] = /^(\d{1,2})(?:[.:h](\d{2}))?\s*([ap]m)?$/i.exec(text.trim()) ?? [];
  if (hour === '' || Number(hour) > 23 || Number(minute) > 59) return undefined;
  const shift = /pm/i.test(half) && Number(hour) < 12 ? 12 : 0;
  return `Write "${String(Number(hour) + shift).padStart(2, '0')}:${minute}".`;
}

/** For "logo.svg" or "http://town.example/logo.svg". */
export function logoInstead(text: string): string | undefined {
  if (/^http:/i.test(text)) return `Write ${text.replace(/^http/i, 'https')}.`;
  return /^[^:]+\.(?:svg|png|jpe?g|webp|gif|avif)$/i.test(text) ? `Write file:${text}.` : undefined;
}
