import { inQuotes, isolated } from '../../look/words/in-quotes.ts';
import { foldedWords } from '../../ascii.ts';
import { grouped } from '../../count-in-words.ts';
import { dayInWords, dayOf, monthInWords, monthOf, weekdayOf, type Weekday } from './days.ts';
import type { EventFacts } from './event-facts.ts';

/** What the events to be removed have in common, unlike those that stay. */
export type RemovalPattern =
  | { readonly kind: 'everything' }
  /** `from`: only events from this day on; `weekday`: all of them are on this weekday. */
  | { readonly kind: 'title'; readonly title: string; readonly from?: string; readonly weekday?: Weekday }
  /** All of them are after the last day that stays, or before the first one. */
  | { readonly kind: 'after' | 'before'; readonly day: string }
  | { readonly kind: 'month'; readonly month: string }
  /** All events between two days. */
  | { readonly kind: 'span'; readonly from: string; readonly to: string }
  | { readonly kind: 'venue'; readonly venue: string }
  | { readonly kind: 'category'; readonly category: string }
  | { readonly kind: 'weekday'; readonly weekday: Weekday }
  /** All have the same title, as do some that stay: `count` of `of` events with this title are removed. */
  | { readonly kind: 'part'; readonly title: string; readonly count: number; readonly of: number }
  | { readonly kind: 'none' };

interface Compared {
  readonly gone: readonly EventFacts[];
  readonly stays: readonly EventFacts[];
}

/**
 * The pattern of the events to be removed, among all upcoming events. A pattern holds for every event that is removed
 * and for none that stays, except `part`, which says that it is only a part.
 */
export function removalPattern(gone: readonly EventFacts[], stays: readonly EventFacts[]): RemovalPattern {
  if (gone.length === 0) return { kind: 'none' };
  if (stays.length === 0) return { kind: 'everything' };
  const compared = { gone, stays };
  return FINDERS.map((find) => find(compared)).find((found) => found !== null) ?? { kind: 'none' };
}

type Finder = (compared: Compared) => RemovalPattern | null;

// The most telling pattern comes first. A single event trivially shares everything with itself, so only dates are
// considered for it.
const FINDERS: readonly Finder[] = [ofTitle, beyond, ofVenue, ofCategory, ofMonth, ofWeekday, ofSpan, partOfTitle];

function ofTitle({ gone, stays }: Compared): RemovalPattern | null {
  const title = commonOf(gone, (each) => [foldedWords(each.title)]);
  const [first] = gone;
  if (title === undefined || first === undefined || gone.length < 2) return null;
  const same = stays.filter((each) => foldedWords(each.title) === title);
  // If all that stays has this title, too, the title explains nothing.
  if (same.length === stays.length) return null;
  const from = dayOf(first.start);
  const isCut = same.length > 0 && same.every(({ start }) => dayOf(start) < from);
  if (same.length > 0 && !isCut) return null;
  const weekday = commonOf(gone, ({ start }) => [weekdayOf(dayOf(start))]);
  return { kind: 'title', title: first.title, ...(isCut ? { from } : {}), ...(weekday ? { weekday } : {}) };
}

function partOfTitle({ gone, stays }: Compared): RemovalPattern | null {
  const title = commonOf(gone, (each) => [foldedWords(each.title)]);
  const [first] = gone;
  if (title === undefined || first === undefined || gone.length < 2) return null;
  const left = stays.filter((each) => foldedWords(each.title) === title).length;
  return { kind: 'part', title: first.title, count: gone.length, of: gone.length + left };
}

function beyond({ gone, stays }: Compared): RemovalPattern | null {
  const [left, kept] = [gone, stays].map((list) => list.map(({ start }) => dayOf(start)).toSorted());
  const [first = '', last = ''] = [left?.[0], left?.at(-1)];
  const [earliest = '', latest = ''] = [kept?.[0], kept?.at(-1)];
  if (latest < first) return { kind: 'after', day: latest };
  return last < earliest ? { kind: 'before', day: earliest } : null;
}

function ofSpan({ gone, stays }: Compared): RemovalPattern | null {
  const days = gone.map(({ start }) => dayOf(start)).toSorted();
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const isWhole = stays.every(({ start }) => dayOf(start) < from || dayOf(start) > to);
  return isWhole && gone.length > 1 ? { kind: 'span', from, to } : null;
}

function ofVenue(compared: Compared): RemovalPattern | null {
  const venue = onlyOf(compared, (each) => (each.venue === '' ? [] : [each.venue]));
  return venue === undefined ? null : { kind: 'venue', venue };
}

function ofCategory(compared: Compared): RemovalPattern | null {
  const category = onlyOf(compared, ({ categories }) => categories);
  return category === undefined ? null : { kind: 'category', category };
}

function ofMonth(compared: Compared): RemovalPattern | null {
  const month = onlyOf(compared, ({ start }) => [monthOf(start)]);
  return month === undefined ? null : { kind: 'month', month };
}

function ofWeekday(compared: Compared): RemovalPattern | null {
  const weekday = onlyOf(compared, ({ start }) => [weekdayOf(dayOf(start))]);
  return weekday === undefined ? null : { kind: 'weekday', weekday };
}

/** A value that all removed events have and no remaining one. */
function onlyOf<T extends string>(
  { gone, stays }: Compared,
  valuesOf: (each: EventFacts) => readonly T[],
): T | undefined {
  if (gone.length < 2) return undefined;
  const kept = new Set(stays.flatMap(valuesOf));
  return commonIn(gone, valuesOf).find((value) => !kept.has(value));
}

const commonOf = <T extends string>(
  list: readonly EventFacts[],
  valuesOf: (each: EventFacts) => readonly T[],
): T | undefined => commonIn(list, valuesOf)[0];

function commonIn<T extends string>(
  list: readonly EventFacts[],
  valuesOf: (each: EventFacts) => readonly T[],
): readonly T[] {
  const [first, ...others] = list;
  if (first === undefined) return [];
  const sets = others.map((each) => new Set(valuesOf(each)));
  return valuesOf(first).filter((value) => sets.every((set) => set.has(value)));
}

/** A pattern in words, such as "all “Dziady, Part Two”, every Saturday from 6 March on". */
export function removalPatternInWords(pattern: RemovalPattern, today: string): string {
  switch (pattern.kind) {
    case 'everything':
      return 'all there were';
    case 'title':
      return titleInWords(pattern, today);
    case 'after':
    case 'before':
      return `all ${pattern.kind} ${dayInWords(pattern.day, today)}`;
    case 'month':
      return `all of ${monthInWords(pattern.month, today)}`;
    case 'span':
      return `all from ${dayInWords(pattern.from, today)} to ${dayInWords(pattern.to, today)}`;
    case 'venue':
      return `all at ${isolated(pattern.venue)}`;
    case 'category':
      return `all of category ${isolated(pattern.category)}`;
    case 'weekday':
      return `all on ${pattern.weekday}s`;
    case 'part':
      return `${grouped(pattern.count)} of the ${grouped(pattern.of)} ${inQuotes(pattern.title)}`;
    case 'none':
      return 'of no common kind';
  }
}

function titleInWords({ title, from, weekday }: Extract<RemovalPattern, { kind: 'title' }>, today: string): string {
  const when = [
    ...(weekday === undefined ? [] : [`every ${weekday}`]),
    ...(from === undefined ? [] : [`from ${dayInWords(from, today)} on`]),
  ].join(' ');
  return `all ${inQuotes(title)}${when === '' ? '' : `, ${when}`}`;
}
