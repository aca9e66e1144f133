import type { Resource, SiteClient } from '../../client/site-client.ts';
import { siteOrganizerOf, siteTermOf, siteVenueOf } from '../../sync/compare/site-values.ts';
import { FIELDS, LINKED_FIELDS, isLinked, type LinkedField } from '../../sync/model/fields.ts';
import type { Json, LedgerEntry, SiteEvent } from '../../sync/model/plan.ts';
import { nullIfForbidden } from '../site/event-reads.ts';

/** The names behind the ids, refs or drafts of a linked field. */
export type NamesOfField = (field: LinkedField, value: Json | undefined) => readonly string[];

/** A limit that events do not reach in practice; each read is a request. */
const READS_MAX = 20;

/**
 * The names of what an event links to, or linked to after our last write. Asks the site for names that it no longer
 * shows.
 */
export async function linkedNames(
  client: SiteClient,
  { fields }: LedgerEntry,
  onSite: SiteEvent | undefined,
): Promise<NamesOfField> {
  const known = new Map(LINKED_FIELDS.map((field) => [field, shownNames(field, onSite)]));
  const unknown = LINKED_FIELDS.flatMap((field) =>
    idsIn(fields[field]?.returned)
      .filter((id) => known.get(field)?.has(id) === false)
      .map((id) => ({ field, id })),
  );
  for (const { field, id } of unknown.slice(0, READS_MAX)) {
    const name = await NAMES[field](client, id);
    if (name !== undefined) known.get(field)?.set(id, name);
  }
  return namesFrom(known);
}

/** The names that are known without asking the site. */
export const knownNames = (onSite: SiteEvent | undefined): NamesOfField =>
  namesFrom(new Map(LINKED_FIELDS.map((field) => [field, shownNames(field, onSite)])));

const namesFrom =
  (known: ReadonlyMap<LinkedField, ReadonlyMap<number, string>>): NamesOfField =>
  (field, value) =>
    Array.isArray(value) ? value.map((one) => nameIn(one, known.get(field))) : [];

/** The name for an id of the site, a ref of a plan, or a feed's name or venue. */
function nameIn(value: Json, known: ReadonlyMap<number, string> | undefined): string {
  if (typeof value === 'number') return known?.get(value) ?? `#${value}`;
  if (typeof value === 'string') return value.replace(REF, '');
  const named = value as { readonly venue?: string; readonly organizer?: string } | null;
  return named?.venue ?? named?.organizer ?? '';
}

const REF = new RegExp(`^(?:${LINKED_FIELDS.map((field) => FIELDS[field].linked).join('|')}):`);

function shownNames(field: LinkedField, onSite: SiteEvent | undefined): Map<number, string> {
  if (field === 'categories' || field === 'tags')
    return new Map((onSite?.terms?.[field] ?? []).map(({ id, name }) => [id, name]));
  return new Map(Object.entries(onSite?.names?.[field] ?? {}).map(([id, name]) => [Number(id), name]));
}

const idsIn = (value: Json | undefined): readonly number[] =>
  Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];

/** Reads the name of what a field links to; undefined if it is gone or may not be read. */
const NAMES: Readonly<Record<LinkedField, (client: SiteClient, id: number) => Promise<string | undefined>>> = {
  categories: async (client, id) => nameIfFound(await readOne(client, 'categories', id), siteTermOf, 'name'),
  tags: async (client, id) => nameIfFound(await readOne(client, 'tags', id), siteTermOf, 'name'),
  venue: async (client, id) => nameIfFound(await readOne(client, 'venues', id), siteVenueOf, 'venue'),
  organizer: async (client, id) => nameIfFound(await readOne(client, 'organizers', id), siteOrganizerOf, 'organizer'),
};

const readOne = async <R extends Resource>(client: SiteClient, resource: R, id: number) =>
  client.read(resource, { id }).catch(nullIfForbidden);

const nameIfFound = <Found, Named extends object>(
  found: Found | null,
  read: (found: Found) => Named,
  name: keyof Named,
): string | undefined => (found === null ? undefined : String(read(found)[name]));

/** A value for people: names for what is linked, anything else unchanged. */
export const namedValue = (names: NamesOfField, field: string, value: Json | undefined): Json =>
  isLinked(field) && Array.isArray(value) ? names(field, value) : (value ?? null);
