import type { SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';

/**
 * The duplicate that a create made because the slug was taken by an event of ours that no list shows; the site has
 * appended a number to its slug. `first` is the id of the event that has the slug itself. Null if there is none. Throws
 * AppError, `site-forbidden` where it may not be read.
 */
export async function readTwin(client: SiteClient, slug: string, first: number): Promise<Event | null> {
  const twin = await client.read('events', { slug: `${slug}-2` });
  return twin && twin.id !== first ? twin : null;
}
