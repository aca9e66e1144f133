import path from 'node:path';
import { foldedWords } from '../../ascii.ts';
import { calledInName } from '../../files/upload-name.ts';
import { DAY_MS, isZone } from '../../time.ts';
import { slugOfName } from '../../sync/model/slug.ts';
import type { FoundFeed } from './discover.ts';

/** A suggested name and settings for a source. */
export interface Suggestion {
  readonly name: string;
  /** A duration in the configuration's notation. */
  readonly every: string;
  /** Absent if the site's zone will do. */
  readonly timezone?: string;
  readonly language?: string;
}

/** What is known apart from the feed. */
interface Around {
  readonly taken: readonly string[];
  readonly siteTimezone: string;
  /** The languages that the site keeps apart; the first is that of events without one. */
  readonly languages: readonly string[];
}

export function suggestSource(
  { address, preview }: Pick<FoundFeed, 'address' | 'preview'>,
  { taken, siteTimezone, languages }: Around,
): Suggestion {
  const zone = preview.timezone;
  const language =
    languages.length > 1
      ? languageOf(
          preview.reading.drafts.map(({ fields }) => `${fields.title} ${fields.description ?? ''}`),
          languages,
        )
      : undefined;
  return {
    name: freeName(nameFor(address, preview.name), taken),
    every: everyFor(preview.refreshMs),
    ...(zone !== null && zone !== siteTimezone && isZone(zone) ? { timezone: zone } : {}),
    ...(language === undefined || language === languages[0] ? {} : { language }),
  };
}

const NAME_MAX = 40;
// Names of calendars that nobody has named.
const SAYS_NOTHING =
  /^(?:my-|our-|public-|main-|the-)?(?:calendar|kalender|kalendarz|agenda|events?|termine|programme?|feed|ical|ics|basic|home|default|untitled)?$/;
// Hosts with the calendars of many people.
const HOSTS_OF_MANY =
  /(?:^|\.)(?:google|outlook|office|office365|live|icloud|teamup|meetup|lu|luma|dropbox|github|githubusercontent|nextcloud|libcal|trumba|sched)\.[a-z]{2,}$/;

function nameFor(address: string, calendar: string | null): string {
  const named = slugOfName(calendar ?? '')
    .slice(0, NAME_MAX)
    .replace(/-+$/, '');
  const host = URL.parse(address.replace(/^webcal(s?):/i, 'http$1:'))?.hostname ?? '';
  const hosted = slugOfName(
    host.replace(/^(?:www|calendar|events?|ical|feeds?)\./, '').replace(/\.(?:co\.|com\.|org\.)?[a-z]{2,}$/, ''),
  );
  const file = path.basename(address);
  const placed = host === '' ? (calledInName(file) ?? slugOfName(file.replace(/\.\w+$/, ''))) : hosted;
  const isTelling = !SAYS_NOTHING.test(named) && /[a-z]/.test(named);
  if (isTelling && (HOSTS_OF_MANY.test(host) || hosted === '' || named.length <= 24)) return named;
  return /[a-z]/.test(placed) ? placed.slice(0, NAME_MAX).replace(/-+$/, '') : 'source';
}

/** A name that no source has; `taken` includes former names. */
function freeName(name: string, taken: readonly string[]): string {
  const isTaken = (wanted: string): boolean => taken.includes(wanted);
  if (!isTaken(name)) return name;
  for (let number = 2; ; number += 1) if (!isTaken(`${name}-${number}`)) return `${name}-${number}`;
}

const HOUR_MS = 3_600_000;
/** The intervals to choose from. */
export const INTERVALS: readonly (readonly [every: string, ms: number, words: string])[] = [
  ['15m', HOUR_MS / 4, 'every 15 minutes'],
  ['1h', HOUR_MS, 'every hour'],
  ['6h', 6 * HOUR_MS, 'every 6 hours'],
  ['24h', DAY_MS, 'once a day'],
];

/** A feed that asks to be left alone for long is read as often as it allows; for others, every hour is enough. */
function everyFor(refreshMs: number | null): string {
  const allowed = INTERVALS.filter(([, ms]) => ms <= (refreshMs ?? HOUR_MS) && ms >= HOUR_MS);
  return allowed.at(-1)?.[0] ?? '1h';
}

// Small words that are typical of one of these languages.
const SMALL_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: ['the', 'and', 'with', 'for', 'from', 'of', 'at'],
  de: ['und', 'der', 'die', 'das', 'mit', 'für', 'im', 'vom', 'zum'],
  pl: ['i', 'w', 'z', 'na', 'dla', 'oraz', 'się', 'do'],
  fr: ['et', 'les', 'des', 'du', 'pour', 'avec', 'le', 'aux'],
  es: ['y', 'los', 'las', 'del', 'para', 'con', 'el', 'por'],
  it: ['e', 'della', 'il', 'per', 'con', 'dei', 'nel', 'gli'],
  nl: ['het', 'een', 'van', 'voor', 'met', 'en', 'op', 'bij'],
  cs: ['se', 'na', 'pro', 've', 'od', 'ze', 'při', 'je'],
  uk: ['та', 'для', 'від', 'на', 'у', 'з', 'що', 'до'],
};
const TEXTS_MAX = 50;
const WORDS_MIN = 8;

/** The language with the most small words in some texts; undefined if it is not clear. */
function languageOf(texts: readonly string[], languages: readonly string[]): string | undefined {
  const words = foldedWords(texts.slice(0, TEXTS_MAX).join(' ').slice(0, 20_000)).split(' ');
  const counts = languages
    .map((language) => {
      const small = new Set((SMALL_WORDS[language.slice(0, 2).toLowerCase()] ?? []).map(foldedWords));
      return { language, count: words.filter((word) => small.has(word)).length };
    })
    .toSorted((one, other) => other.count - one.count);
  const [first, second] = counts;
  return first && first.count >= WORDS_MIN && first.count >= 2 * (second?.count ?? 0) ? first.language : undefined;
}
