import type { SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';

/**
 * The duplicate that a create made because its slug was taken by an event of ours that is in no list; the site has
 * appended a number to the duplicate's slug. `first` is the id of the event with the slug itself. Null if there is no
 * duplicate. Throws AppError; `site-forbidden` if it may not be read.
 */
export async function readTwin(client: SiteClient, slug: string, first: number): Promise<Event | null> {
  const twin = await client.read('events', { slug: `${slug}-2` });
  return twin && twin.id !== first ? twin : null;
}
