import type { Place, Shown } from './place.ts';

/** A history under way, and what people know that they have done in it. */
export interface Living {
  readonly place: Place;
  /** Post id → column → what a person wrote. */
  readonly edits: Map<number, Map<string, unknown>>;
  /** Post id → column that an operator has locked → what it shows. */
  readonly locks: Map<number, Map<string, unknown>>;
  /** Events that a person has made their own, as they are. */
  readonly own: Map<number, string>;
  /** Events that a person has taken off the site. */
  readonly off: Set<number>;
  /** Events that somebody has written or decided about. */
  readonly touched: Set<number>;
  /** How often what was checked. */
  readonly tally: Map<string, number>;
  /** For names that are new. */
  number: number;
  /** The last run that wrote something, and the site before and after it. */
  written: { readonly run: string; readonly before: readonly Shown[]; readonly after: readonly Shown[] } | undefined;
  /** Feed or rules were changed since the last run. */
  isDue: boolean;
}

/** A history that begins. */
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

/** Says that something was checked once more. */
export function count({ tally }: Living, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1);
}

export const isLive = ({ status }: Shown): boolean => status !== 'trash';

/** What of an event is compared between sites: all but ids. */
export const comparable = ({ id: _id, venue_ids: _ids, ...rest }: Shown): string => JSON.stringify(rest);

/** An event by itself, whatever becomes of its venue. */
export const bareOf = (post: Shown): string => comparable({ ...post, venues: undefined });

/** What is on a site and not in its trash, an event a line. */
export const linesOf = (all: readonly Shown[], line = comparable): readonly string[] =>
  all.filter(isLive).map(line).toSorted();

/** In what two sites differ. */
export function differences(wanted: readonly string[], found: readonly string[]): object | undefined {
  const [one, other] = [new Set(wanted), new Set(found)];
  const [lacking, more] = [wanted.filter((line) => !other.has(line)), found.filter((line) => !one.has(line))];
  return lacking.length + more.length === 0 && wanted.length === found.length ? undefined : { lacking, more };
}
