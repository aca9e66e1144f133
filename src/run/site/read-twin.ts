import type { SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';

/**
 * The second event that a create made beside one of ours which no list shows: the site has appended a number to its
 * slug. `first` is the
 * id of the one under the slug itself. Null where there is none. Throws AppError, `site-forbidden` where it may not be
 * read.
 */
export async function readTwin(client: SiteClient, slug: string, first: number): Promise<Event | null> {
  const twin = await client.read('events', { slug: `${slug}-2` });
  return twin && twin.id !== first ? twin : null;
}
