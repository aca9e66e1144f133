import { isGone } from '../../client/questions.ts';
import type { SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { AppError } from '../../error.ts';
import { isPublic } from './calendar-content.ts';
import type { ExportedContents } from './exported-contents.ts';
import { readIfAllowed } from './vanished-events.ts';

/** The result of forgetting an event. */
export interface Forgotten {
  /** Whether it was public until now and has been moved to the site's trash. */
  readonly trashed: boolean;
  /** The UIDs under which subscribers have it. */
  readonly uids: readonly string[];
}

/** Where an event is forgotten. */
interface Forgetting {
  readonly client: SiteClient;
  readonly contents: ExportedContents;
  /** Forgets what the site's pages still say about an event that was removed, if they say anything. */
  readonly forgetPage?: (slug: string) => Promise<void>;
}

/** Whether a site or a feed has an event that could be forgotten. Throws AppError if the site cannot be asked. */
export const hasEvent = async (
  { client, contents }: Pick<Forgetting, 'client' | 'contents'>,
  slug: string,
): Promise<boolean> => (await readIfAllowed(client, { slug })) !== null || contents.has(slug);

/**
 * Forgets an event that should not have been published: moves it to the site's trash if it is still public, and shows
 * it to subscribers as cancelled, without any of its text. Undefined if neither the site nor a feed has such an event.
 * Throws AppError if the site refuses; even then the feeds no longer contain it.
 */
export async function forgetEvent(
  { client, contents, forgetPage }: Forgetting,
  slug: string,
  now: number,
): Promise<Forgotten | undefined> {
  const event = await readIfAllowed(client, { slug });
  // Its text is deleted first, so that no feed shows it any more, whatever the site answers.
  const uids = await contents.forget({ slug, id: event?.id }, now);
  await forgetPage?.(slug);
  if (!event) return uids.length > 0 ? { trashed: false, uids } : undefined;
  if (!(await isShown(client, event))) return { trashed: false, uids };
  await trash(client, event);
  await forgetPage?.(slug);
  return { trashed: true, uids: [...new Set([...uids, ...(await contents.forget({ slug, id: event.id }, now))])] };
}

/** Whether everybody may see it. A single read shows an editor all of a protected event; only a list blanks it. */
async function isShown(client: SiteClient, event: Event): Promise<boolean> {
  if (!isPublic(event)) return false;
  for await (const listed of client.list('events', { status: 'publish', include: String(event.id) }))
    if (listed.id === event.id) return isPublic(listed);
  // An event hidden from lists still has a page.
  return true;
}

async function trash(client: SiteClient, { id, url }: Event): Promise<void> {
  const [answer] = await client.write([{ method: 'DELETE', path: `/events/${id}` }]);
  if (answer?.kind === 'answered' && (answer.status < 300 || isGone(answer.status, answer.body))) return;
  const why =
    answer?.kind === 'answered' ? `the site answered ${answer.status}` : (answer?.message ?? 'the site did not answer');
  throw new AppError(
    'event-not-trashed',
    `The event could not be moved to the trash: ${why}. It is still public at ${url}, and will be in the feeds again: take it off there by hand.`,
  );
}
