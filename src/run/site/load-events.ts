import type { SiteClient } from '../../client/site-client.ts';
import { AppError } from '../../error.ts';
import type { LedgerEntry, SiteEvent, Snapshot } from '../../sync/model/plan.ts';
import { keyOfSlug, sourceKeyIn } from '../../sync/model/slug.ts';
import { eventsOf, loadSnapshot, type EventsOnSite, type UnlistedTests } from './load-snapshot.ts';

/**
 * What the site now has under some slugs, whatever their dates and whether trashed or not, and the lists for looking up
 * names. Throws AppError if one of the events may not be read.
 */
export async function loadEvents(
  client: SiteClient,
  ledger: ReadonlyMap<string, LedgerEntry>,
  slugs: readonly string[],
): Promise<Snapshot> {
  return readable(await loadSnapshot(...readOf(client, ledger, slugs)));
}

/** The event that the site now has for an entry of the ledger. Throws AppError if it may not be read. */
export async function eventOnSite(client: SiteClient, entry: LedgerEntry): Promise<SiteEvent | undefined> {
  const { slug } = entry;
  return eventIn(readable(await eventsOf(...readOf(client, new Map([[slug, entry]]), [slug]))))(slug);
}

function readOf(
  client: SiteClient,
  ledger: ReadonlyMap<string, LedgerEntry>,
  slugs: readonly string[],
): [SiteClient, ReadonlyMap<string, LedgerEntry>, number, readonly string[], UnlistedTests | undefined] {
  // Events that a person removed are searched for just as thoroughly.
  const entries = slugs
    .flatMap((slug) => ledger.get(slug) ?? [])
    .map((entry): LedgerEntry => ({ ...entry, state: 'kept' }));
  return [
    client,
    new Map(entries.map((entry) => [entry.slug, entry])),
    Number.NEGATIVE_INFINITY,
    slugs,
    entries.length > 0 ? undefined : unlistedOf(slugs),
  ];
}

function readable<T extends EventsOnSite>(read: T): T {
  const [why] = read.unread?.values() ?? [];
  if (why !== undefined) throw new AppError('site-forbidden', why);
  return read;
}

function unlistedOf([slug = '']: readonly string[]): UnlistedTests | undefined {
  const characters = sourceKeyIn(slug);
  return characters === undefined ? undefined : { isOwn: (key) => key.startsWith(characters), isStranger: () => false };
}

/** Finds an event in a snapshot by its slug, else by its key, which survives whatever servers append. */
export function eventIn({ events }: Pick<Snapshot, 'events'>): (slug: string) => SiteEvent | undefined {
  const byKey = new Map([...events.values()].map((event) => [keyOfSlug(event.slug) ?? event.slug, event]));
  return (slug) => events.get(slug) ?? byKey.get(keyOfSlug(slug) ?? slug);
}
