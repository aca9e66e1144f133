import { inQuotes } from '../../look/words/in-quotes.ts';
import { countInWords, grouped } from '../../count-in-words.ts';
import { sameJson } from '../model/json.ts';
import type { Json, UpdateEvent } from '../model/plan.ts';
import { isLinked, type FieldName } from '../model/fields.ts';
import { nameOfRef } from '../links/link.ts';
import { withoutPrefix } from '../../contract/cancelled-title.ts';
import { offsetInWords } from '../plan/mass-change.ts';
import type { ChangedFacts } from './event-facts.ts';
import { shortened } from '../../html/shortened.ts';

/** What changes of events have in common; `count` events out of `of` that change in this respect. */
export type ChangePattern =
  /** The start moves by the same number of minutes on the event's own clock. */
  | { readonly kind: 'shift'; readonly minutes: number; readonly count: number; readonly of: number }
  /** By one offset, or by an hour more: winter and summer times. */
  | { readonly kind: 'shifts'; readonly minutes: number; readonly count: number; readonly of: number }
  /** All titles now begin or end with a text, or (`lost`) no longer do. */
  | {
      readonly kind: 'prefix' | 'suffix';
      readonly text: string;
      readonly lost: boolean;
      readonly count: number;
      readonly of: number;
    }
  /** Titles change in various ways. */
  | { readonly kind: 'titles'; readonly from: string; readonly to: string; readonly count: number }
  /** One field changes from the same value to the same other one. */
  | {
      readonly kind: 'same';
      readonly field: string;
      readonly from: Json;
      readonly to: Json;
      readonly count: number;
      readonly of: number;
    }
  /** One field changes, with various values. */
  | { readonly kind: 'field'; readonly field: string; readonly count: number };

/** The fewest events that can have a pattern. */
const MANY = 2;

/** The patterns in changes of times, of titles, and of other fields. */
export function changePatterns(changed: readonly ChangedFacts[]): readonly ChangePattern[] {
  return [shiftIn(changed), titlesIn(changed), ...fieldsIn(changed)].filter((found) => found !== null);
}

/** The number of minutes by which an event's start moves on its own clock. */
const minutesOf = ({ before, after, action }: ChangedFacts): number => {
  // Clocks of different zones cannot be compared, but instants can.
  const [from, to] = action.changes['timezone']
    ? [before.startsAt, after.startsAt]
    : [clockOf(before.start), clockOf(after.start)];
  return (to - from) / 60_000;
};
const clockOf = (wall: string): number => Date.parse(`${wall.replace(' ', 'T')}Z`);
const SUMMER_MINUTES = 60;

function shiftIn(changed: readonly ChangedFacts[]): ChangePattern | null {
  const minutes = changed.map(minutesOf).filter((each) => each !== 0 && !Number.isNaN(each));
  const of = minutes.length;
  if (of < MANY) return null;
  const one = commonest(minutes);
  const two = commonest(minutes.flatMap((each) => [each, each - SUMMER_MINUTES]));
  if (one.count < of && two.count === of) return { kind: 'shifts', minutes: two.value, count: of, of };
  return one.count > of / 2 ? { kind: 'shift', minutes: one.value, count: one.count, of } : null;
}

function commonest(values: readonly number[]): { readonly value: number; readonly count: number } {
  const groups = [...Map.groupBy(values, (value) => value)];
  const [value = 0, own = []] = groups.toSorted(([, one], [, other]) => other.length - one.length)[0] ?? [];
  return { value, count: own.length };
}

interface Titles {
  readonly from: string;
  readonly to: string;
}

function titlesIn(changed: readonly ChangedFacts[]): ChangePattern | null {
  const titles = changed.flatMap(({ action: { changes } }): readonly Titles[] => {
    const { from, to } = changes['title'] ?? {};
    return typeof from === 'string' && typeof to === 'string' && withoutPrefix(from) !== withoutPrefix(to)
      ? [{ from, to }]
      : [];
  });
  const [first] = titles;
  if (first === undefined || titles.length < MANY) return null;
  const count = titles.length;
  const text = AFFIXES.flatMap((kind) =>
    [false, true].flatMap((lost) => {
      const common = commonAffix(kind, lost ? titles.map(({ from, to }) => ({ from: to, to: from })) : titles);
      return common === undefined ? [] : [{ kind, text: common, lost, count, of: count } as const];
    }),
  )[0];
  return text ?? { kind: 'titles', ...first, count };
}

const AFFIXES = ['prefix', 'suffix'] as const;

/** The text that was added before or after every title. */
function commonAffix(kind: (typeof AFFIXES)[number], titles: readonly Titles[]): string | undefined {
  const added = ({ from, to }: Titles): string | undefined => {
    if (from === '' || to.length <= from.length) return undefined;
    if (kind === 'prefix') return to.endsWith(from) ? to.slice(0, -from.length) : undefined;
    return to.startsWith(from) ? to.slice(from.length) : undefined;
  };
  const texts = new Set(titles.map(added));
  const [text] = texts;
  return texts.size === 1 ? text : undefined;
}

/** Fields whose changes are described separately. */
const TOLD: ReadonlySet<string> = new Set([
  'title',
  'start_date',
  'end_date',
  'timezone',
  'status',
] satisfies FieldName[]);

function fieldsIn(changed: readonly ChangedFacts[]): readonly ChangePattern[] {
  const changes = changed.flatMap(({ action }) =>
    Object.entries(action.changes).flatMap(([field, change]) => (TOLD.has(field) ? [] : [{ field, ...change }])),
  );
  return [...Map.groupBy(changes, ({ field }) => field)].flatMap(([field, own]): readonly ChangePattern[] => {
    const [first] = own;
    if (first === undefined || own.length < MANY) return [];
    const count = own.filter(({ from, to }) => sameJson(from, first.from) && sameJson(to, first.to)).length;
    return count > own.length / 2
      ? [{ kind: 'same', field, from: shown(field, first.from), to: shown(field, first.to), count, of: own.length }]
      : [{ kind: 'field', field, count: own.length }];
  });
}

/** A value as people read it: names instead of refs. */
const shown = (field: string, value: Json): Json =>
  isLinked(field) && Array.isArray(value) ? value.map((ref) => nameOfRef(String(ref))) : value;

/** Whether one pattern describes everything that the updates change. */
export const isAllOneThing = (updates: readonly UpdateEvent[], pattern: ChangePattern): boolean =>
  'field' in pattern &&
  pattern.count === updates.length &&
  updates.every(({ changes }) => Object.keys(changes).every((field) => field === pattern.field));

/** A pattern in words, such as "exactly one hour later, all of them". */
export function changePatternInWords(pattern: ChangePattern): string {
  switch (pattern.kind) {
    case 'shift':
      return `exactly ${offsetOf(pattern.minutes)}, ${allOf(pattern)}`;
    case 'shifts':
      return (
        `${offsetOf(pattern.minutes)} or ${offsetOf(pattern.minutes + SUMMER_MINUTES)}, as with a time zone that ` +
        `is misread in winter and in summer, ${allOf(pattern)}`
      );
    case 'prefix':
    case 'suffix': {
      const where = pattern.kind === 'prefix' ? ['begin', 'before'] : ['end', 'after'];
      return pattern.lost
        ? `${grouped(pattern.count)} titles lose the ${inQuotes(pattern.text.trim())} ${where[1]} them`
        : `${grouped(pattern.count)} titles ${where[0]} with ${inQuotes(pattern.text.trim())} now`;
    }
    case 'titles':
      return `${grouped(pattern.count)} events would get another title, such as ${inQuotes(pattern.to)} instead of ${inQuotes(pattern.from)}`;
    case 'same':
      return `${countInWords(pattern.count, 'event')} would have ${inWords(pattern.to)} instead of ${inWords(pattern.from)} as ${fieldInWords(pattern.field)}`;
    case 'field':
      return `${countInWords(pattern.count, 'event')} would get another ${fieldInWords(pattern.field)}`;
  }
}

const allOf = ({ count, of }: { readonly count: number; readonly of: number }): string =>
  count === of ? 'all of them' : `${grouped(count)} of ${grouped(of)}`;

/** An offset in words, such as "one hour later". */
export const offsetOf = (minutes: number): string => offsetInWords(minutes).replace(/^1 /, 'one ');

const FIELD_WORDS: Readonly<Record<string, string>> = { image: 'picture', cost: 'price', website: 'web address' };

/** A field's name for people. */
export const fieldInWords = (field: string): string => FIELD_WORDS[field] ?? field.replaceAll('_', ' ');

const WORDS_MAX = 60;

function inWords(value: Json): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'nothing';
  const text = Array.isArray(value) ? value.map(String).join(', ') : String(value);
  return inQuotes(shortened(text, WORDS_MAX));
}
