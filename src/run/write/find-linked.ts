import type { SiteClient } from '../../client/site-client.ts';
import type { Action, Outcome, SiteOrganizer, SiteVenue } from '../../sync/model/plan.ts';
import { slugOfName } from '../../sync/model/slug.ts';
import { LISTS } from '../site/site-lists.ts';
import { isOpen } from '../../sync/plan/report.ts';
import type { Item } from '../state/batches.ts';

type CreateVenue = Extract<Action, { resource: 'venues' }>;

/** A venue or organizer to be written, and its outcome so far. */
export interface Linking {
  readonly item: Item;
  readonly outcome: Outcome | null;
}

/**
 * Takes into account what other runs have created since the plan: an existing venue or organizer is used, and a venue
 * whose name is now taken in another city becomes `Name (City)`. Call it right before the creates, while nobody else
 * creates any of `namesIn`.
 */
export async function findLinked<T extends Linking>(client: SiteClient, linking: readonly T[]): Promise<readonly T[]> {
  const has = (resource: string): boolean => linking.some(({ item: { action } }) => action.resource === resource);
  const venues = has('venues') ? await LISTS.venues(client) : [];
  const organizers = has('organizers') ? await LISTS.organizers(client) : [];
  return linking.map((each) => {
    const { action } = each.item;
    const item = action.resource === 'venues' ? { ...each.item, action: named(action, venues) } : each.item;
    const outcome = isOpen(each.outcome) ? found(item.action, venues, organizers) : each.outcome;
    return { ...each, item, outcome };
  });
}

/** All names that venues and organizers may get; names that count as the same occur once. */
export function namesIn(items: readonly Pick<Item, 'action'>[]): readonly string[] {
  const names = items.flatMap(({ action }) => {
    if (action.resource === 'organizers') return [action.fields.organizer];
    if (action.resource !== 'venues') return [];
    const { venue, city } = action.fields;
    return [venue, ...(city === undefined ? [] : [inCity(venue, city)])];
  });
  return [...new Set(names.map((name) => slugOfName(name) || name))];
}

const inCity = (venue: string, city: string): string => `${venue} (${city})`;

/** The action with a name that is free or belongs to the same venue. */
function named(action: CreateVenue, venues: readonly SiteVenue[]): CreateVenue {
  const { venue, city } = action.fields;
  const isTaken = venues.some((one) => sameName(one.venue, venue)) && !venues.some((one) => isVenue(one, venue, city));
  return isTaken && city !== undefined && !venue.endsWith(`(${city})`)
    ? { ...action, fields: { ...action.fields, venue: inCity(venue, city) } }
    : action;
}

function found(action: Action, venues: readonly SiteVenue[], organizers: readonly SiteOrganizer[]): Outcome | null {
  const there = oldest(alike(action, venues, organizers));
  return there ? { kind: 'done', id: there.id, slug: there.slug, values: {} } : null;
}

function alike(
  action: Action,
  venues: readonly SiteVenue[],
  organizers: readonly SiteOrganizer[],
): readonly (SiteVenue | SiteOrganizer)[] {
  if (action.resource === 'venues')
    return venues.filter((one) => isVenue(one, action.fields.venue, action.fields.city));
  if (action.resource === 'organizers')
    return organizers.filter((one) => sameName(one.organizer, action.fields.organizer));
  return [];
}

const isVenue = (one: SiteVenue, name: string, city = ''): boolean =>
  sameName(one.venue, name) && ((one.city ?? '') === '' || city === '' || sameName(one.city ?? '', city));

const sameName = (one: string, other: string): boolean =>
  one === other || (slugOfName(one) !== '' && slugOfName(one) === slugOfName(other));
const oldest = <T extends { id: number }>(all: readonly T[]): T | undefined =>
  all.toSorted((one, other) => one.id - other.id)[0];
