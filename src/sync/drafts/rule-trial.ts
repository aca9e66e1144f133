import { textFromHtml } from '../../html/text.ts';
import { VENUE_PARTS, type EventFields, type VenueDraft } from '../model/draft.ts';
import { MARKUP_FIELDS } from '../model/fields.ts';
import type { JoinedVenue } from './joined-venues.ts';
import { shortened } from '../../html/shortened.ts';

/** The position of a rule in a source's settings: `['set', 0]`, `['categories', 'map', 'Konzert']`. */
export type RulePath = readonly (string | number)[];

/** An event before and after a rule. */
export interface TouchedEvent {
  readonly title: string;
  /** Its start in its own zone; only the day for all-day events. */
  readonly start: string;
  readonly changes: readonly { readonly field: string; readonly before: string; readonly after: string }[];
}

export interface RuleTouch {
  readonly path: RulePath;
  readonly count: number;
  /** Whether the rule leaves events out. */
  readonly leavesOut: boolean;
  readonly first: readonly TouchedEvent[];
}

/** How often a name occurs in a feed. */
export interface NameCount {
  readonly name: string;
  readonly count: number;
}

/** The most frequent names, and the number of others. */
export interface NameCounts {
  readonly first: readonly NameCount[];
  readonly more: number;
}

/** The effect that a source's rules would have on the events of its feed. */
export interface RuleTrial {
  readonly events: number;
  /** The number of events that are not left out. */
  readonly through: number;
  /** The number of events that no rule changes or leaves out. */
  readonly untouched: number;
  readonly rules: readonly RuleTouch[];
  /** The feed's own categories that the source's `map` does not contain. */
  readonly categories: NameCounts;
  /** The feed's own venues that no rule renames. */
  readonly venues: NameCounts;
  readonly joined: readonly JoinedVenue[];
}

const NAMES_MAX = 200;
const TEXT_MAX = 300;

/** Compares an event before and after rules. */
export function touched(before: EventFields, after: EventFields): TouchedEvent {
  const [old, now] = [new Map(Object.entries({ ...before })), new Map(Object.entries({ ...after }))];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  return {
    title: after.title,
    start: after.all_day ? after.start_date.slice(0, 10) : after.start_date,
    changes: names
      .map((field) => ({ field, before: shown(field, old.get(field)), after: shown(field, now.get(field)) }))
      .filter((change) => change.before !== change.after),
  };
}

/** A field's value for people. */
function shown(field: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((each) => shown(field, each)).join(', ');
  if (typeof value === 'object') {
    const { organizer, ...venue } = value as Partial<VenueDraft> & { readonly organizer?: string };
    return organizer ?? venueInWords(venue);
  }
  const text = MARKUP_FIELDS.some((name) => name === field) ? textFromHtml(String(value)) : String(value);
  return shortened(text, TEXT_MAX);
}

function venueInWords({ venue = '', ...rest }: Partial<VenueDraft>): string {
  const parts = VENUE_PARTS.flatMap((part) => rest[part] ?? []);
  return parts.length === 0 ? venue : `${venue} (${parts.join(', ')})`;
}

/** Counts how often names occur. */
export function nameCounter(): { readonly add: (names: readonly string[]) => void; readonly names: () => NameCounts } {
  const counts = new Map<string, number>();
  return {
    add: (names) => {
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    names: () => ({
      first: [...counts]
        .map(([name, count]) => ({ name, count }))
        .toSorted((one, other) => other.count - one.count)
        .slice(0, NAMES_MAX),
      more: Math.max(0, counts.size - NAMES_MAX),
    }),
  };
}
