import type { Place, Shown } from './place.ts';

/** A running history, and what people have done in it. */
export interface Living {
  readonly place: Place;
  /** Post id → column → what a person wrote. */
  readonly edits: Map<number, Map<string, unknown>>;
  /** Post id → column that an operator has locked → its value. */
  readonly locks: Map<number, Map<string, unknown>>;
  /** Post id → an event that a person has taken over, as it looks. */
  readonly own: Map<number, string>;
  /** Ids of events that a person has removed from the site. */
  readonly off: Set<number>;
  /** Ids of events that somebody has edited or decided about. */
  readonly touched: Set<number>;
  /** How often each check was made. */
  readonly tally: Map<string, number>;
  /** A counter for unique names. */
  number: number;
  /** The last run that wrote something, with the site before and after it. */
  written: { readonly run: string; readonly before: readonly Shown[]; readonly after: readonly Shown[] } | undefined;
  /** The feed or the rules have changed since the last run. */
  isDue: boolean;
}

/** The state at the beginning of a history. */
export const newLiving = (place: Place, tally: Map<string, number>): Living => ({
  place,
  edits: new Map(),
  locks: new Map(),
  own: new Map(),
  off: new Set(),
  touched: new Set(),
  tally,
  number: 0,
  written: undefined,
  isDue: false,
});

/** Counts one more check. */
export function count({ tally }: Living, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1);
}

export const isLive = ({ status }: Shown): boolean => status !== 'trash';

/** The parts of an event that are compared between sites: everything except ids. */
export const comparable = ({ id: _id, venue_ids: _ids, ...rest }: Shown): string => JSON.stringify(rest);

/** An event without its venue's data. */
export const bareOf = (post: Shown): string => comparable({ ...post, venues: undefined });

/** One line for each event that is not in the trash. */
export const linesOf = (all: readonly Shown[], line = comparable): readonly string[] =>
  all.filter(isLive).map(line).toSorted();

/** The differences between two sites; undefined if there are none. */
export function differences(wanted: readonly string[], found: readonly string[]): object | undefined {
  const [one, other] = [new Set(wanted), new Set(found)];
  const [lacking, more] = [wanted.filter((line) => !other.has(line)), found.filter((line) => !one.has(line))];
  return lacking.length + more.length === 0 && wanted.length === found.length ? undefined : { lacking, more };
}
