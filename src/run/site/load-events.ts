import type { SiteClient } from '../../client/site-client.ts';
import { AppError } from '../../error.ts';
import type { LedgerEntry, SiteEvent, Snapshot } from '../../sync/model/plan.ts';
import { keyOfSlug, sourceKeyIn } from '../../sync/model/slug.ts';
import { loadSnapshot, type Unlisted } from './planning-of.ts';

/**
 * What the site now holds under some slugs, whatever their dates, in the trash or not. Throws AppError where one of
 * them may not be read.
 */
export async function loadEvents(
  client: SiteClient,
  ledger: ReadonlyMap<string, LedgerEntry>,
  slugs: readonly string[],
): Promise<Snapshot> {
  // Events that a person removed are looked for just as thoroughly.
  const entries = slugs
    .flatMap((slug) => ledger.get(slug) ?? [])
    .map((entry): LedgerEntry => ({ ...entry, state: 'kept' }));
  const snapshot = await loadSnapshot(
    client,
    new Map(entries.map((entry) => [entry.slug, entry])),
    Number.NEGATIVE_INFINITY,
    slugs,
    entries.length > 0 ? undefined : unlistedOf(slugs),
  );
  const [why] = snapshot.unread?.values() ?? [];
  if (why !== undefined) throw new AppError('site-forbidden', why);
  return snapshot;
}

function unlistedOf([slug = '']: readonly string[]): Unlisted | undefined {
  const characters = sourceKeyIn(slug);
  return characters === undefined ? undefined : { isOwn: (key) => key.startsWith(characters), isStranger: () => false };
}

/** Finds an event in a snapshot by its slug, else by its key, which survives whatever servers append. */
export function eventIn({ events }: Snapshot): (slug: string) => SiteEvent | undefined {
  const byKey = new Map([...events.values()].map((event) => [keyOfSlug(event.slug) ?? event.slug, event]));
  return (slug) => events.get(slug) ?? byKey.get(keyOfSlug(slug) ?? slug);
}
