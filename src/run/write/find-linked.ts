import type { SiteClient } from '../../client/site-client.ts';
import type { Action, Outcome, SiteOrganizer, SiteVenue } from '../../sync/model/plan.ts';
import { slugOfName } from '../../sync/model/slug.ts';
import { itemsAddedTo, readList, type ListItem } from '../site/site-lists.ts';
import { isOpen } from '../../sync/plan/report.ts';
import type { Item } from '../state/batches.ts';
import type { GrowingList, ListedByRuns } from '../state/listed-names.ts';

type CreateVenue = Extract<Action, { resource: 'venues' }>;

/** A venue or organizer to be written, and its outcome so far. */
export interface LinkedItem {
  readonly item: Item;
  readonly outcome: Outcome | null;
}

/** A site, and what a run has read of it so far. */
export interface LinkedLookup {
  readonly client: SiteClient;
  readonly run: string;
  readonly listed: ListedByRuns;
}

/**
 * Takes into account what other runs have created since the plan: an existing venue or organizer is used, and a venue
 * whose name is now taken in another city becomes `Name (City)`. Call it right before the creates, while nobody else
 * creates any of `namesIn`.
 */
export async function findLinked<T extends LinkedItem>(at: LinkedLookup, linking: readonly T[]): Promise<readonly T[]> {
  const has = (resource: string): boolean => linking.some(({ item: { action } }) => action.resource === resource);
  const wanted = namesIn(linking.map(({ item }) => item));
  const venues = has('venues') ? await byName(at, 'venues', wanted) : new Map<string, readonly SiteVenue[]>();
  const organizers = has('organizers') ? await byName(at, 'organizers', wanted) : new Map<string, SiteOrganizer[]>();
  return linking.map((each) => {
    const { action } = each.item;
    const item = action.resource === 'venues' ? { ...each.item, action: named(action, venues) } : each.item;
    const outcome = isOpen(each.outcome) ? found(item.action, venues, organizers) : each.outcome;
    return { ...each, item, outcome };
  });
}

type ByName<T> = ReadonlyMap<string, readonly T[]>;

/**
 * The items of a list that may have one of the names. An earlier batch of the run has usually read the list, and then
 * only what was added since can have a new name. If the list had one of them already, its item may have been renamed or
 * deleted meanwhile, so the whole list is read again.
 */
async function byName<L extends GrowingList>(
  { client, run, listed }: LinkedLookup,
  list: L,
  wanted: readonly string[],
): Promise<ByName<ListItem<L>>> {
  const before = listed.of(run, list);
  const isNew = before !== undefined && !wanted.some((name) => before.names.has(name));
  const added = isNew ? await itemsAddedTo(client, list, before.ids) : undefined;
  const items = added ?? (await readList(client, list));
  const found = Map.groupBy(items, (item) => sameNames(nameOf(item)));
  const ids = items.map(({ id }) => id);
  listed.keep(run, list, {
    ids: new Set(added ? [...(before?.ids ?? []), ...ids] : ids),
    names: new Set(added ? [...(before?.names ?? []), ...found.keys()] : found.keys()),
  });
  return found;
}

const nameOf = (item: SiteVenue | SiteOrganizer): string => ('venue' in item ? item.venue : item.organizer);

/** A form of a name that is equal for names that count as the same. */
const sameNames = (name: string): string => slugOfName(name) || name;

/** All names that venues and organizers may get; names that count as the same occur once. */
export function namesIn(items: readonly Pick<Item, 'action'>[]): readonly string[] {
  const names = items.flatMap(({ action }) => {
    if (action.resource === 'organizers') return [action.fields.organizer];
    if (action.resource !== 'venues') return [];
    const { venue, city } = action.fields;
    return [venue, ...(city === undefined ? [] : [inCity(venue, city)])];
  });
  return [...new Set(names.map(sameNames))];
}

const inCity = (venue: string, city: string): string => `${venue} (${city})`;

/** The action with a name that is free or belongs to the same venue. */
function named(action: CreateVenue, venues: ByName<SiteVenue>): CreateVenue {
  const { venue, city } = action.fields;
  const isTaken = venues.has(sameNames(venue)) && venuesOf(venues, venue, city).length === 0;
  return isTaken && city !== undefined && !venue.endsWith(`(${city})`)
    ? { ...action, fields: { ...action.fields, venue: inCity(venue, city) } }
    : action;
}

function found(action: Action, venues: ByName<SiteVenue>, organizers: ByName<SiteOrganizer>): Outcome | null {
  const there = oldest(alike(action, venues, organizers));
  return there ? { kind: 'done', id: there.id, slug: there.slug, values: {} } : null;
}

function alike(
  action: Action,
  venues: ByName<SiteVenue>,
  organizers: ByName<SiteOrganizer>,
): readonly (SiteVenue | SiteOrganizer)[] {
  if (action.resource === 'venues') return venuesOf(venues, action.fields.venue, action.fields.city);
  if (action.resource === 'organizers') return organizers.get(sameNames(action.fields.organizer)) ?? [];
  return [];
}

/** The venues of a name that are, or may be, in a city. */
const venuesOf = (venues: ByName<SiteVenue>, name: string, city = ''): readonly SiteVenue[] =>
  (venues.get(sameNames(name)) ?? []).filter(
    (one) => (one.city ?? '') === '' || city === '' || sameNames(one.city ?? '') === sameNames(city),
  );

const oldest = <T extends { id: number }>(all: readonly T[]): T | undefined =>
  all.toSorted((one, other) => one.id - other.id)[0];
