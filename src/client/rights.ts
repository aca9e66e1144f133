import { routeAddress } from './address.ts';
import type { Answer } from './answer.ts';
import { ask, type Line } from './ask.ts';
import type { Abilities, Rights } from './site-client.ts';

/** Why a site shows only published events, and what to do. */
export const NO_RIGHTS =
  'the user may not change events, or the site does not see who asks. Make an application password of an ' +
  'editor, and write it as username and application_password; some web servers drop the Authorization header.';

/**
 * What the user of the credentials may do to events, found out without writing anything: from what WordPress says about
 * its user, else from the methods that the interface's routes allow. `unknown` if neither says, or cannot be asked now.
 */
export async function findRights(line: Line, site: Abilities): Promise<Rights> {
  // A site that takes calendar writes in batches is not WordPress.
  const byUser = site.batch ? 'unknown' : await byCapabilities(line, site);
  return byUser === 'unknown' ? byAllowedMethods(line, site) : byUser;
}

/**
 * All users may read their own capabilities, in all releases, but plugins may close these routes. A user with neither
 * capability may still have all rights (super administrators of a network), which only the interface knows.
 */
async function byCapabilities(line: Line, { root }: Abilities): Promise<Rights> {
  const answer = await read(line, routeAddress(root, '/wp/v2/users/me', { context: 'edit', _fields: 'capabilities' }));
  const { capabilities } = (answer?.body ?? {}) as { capabilities?: Readonly<Record<string, unknown>> };
  if (answer?.status !== 200 || typeof capabilities !== 'object') return 'unknown';
  if (capabilities['publish_tribe_events']) return 'publish';
  return capabilities['edit_tribe_events'] ? 'edit' : 'unknown';
}

/**
 * Managing categories requires the right to publish events (before release 6.15.19, to edit them). Each answer lists
 * what this user may do on its route.
 */
async function byAllowedMethods(line: Line, { root, namespace }: Abilities): Promise<Rights> {
  const allowed = async (resource: string): Promise<string | null> =>
    (await read(line, routeAddress(root, `/${namespace}/${resource}`, { per_page: '1' })))?.headers.get('allow') ??
    null;
  const categories = await allowed('categories');
  if (categories === null) return 'unknown';
  if (allowsPost(categories)) return 'publish';
  const events = await allowed('events');
  if (events === null) return 'unknown';
  return allowsPost(events) ? 'edit' : 'nothing';
}

const allowsPost = (methods: string): boolean => /\bPOST\b/i.test(methods);

async function read(line: Line, url: URL): Promise<Answer | undefined> {
  const reply = await ask(line, { method: 'GET', url });
  return reply.kind === 'answer' ? reply.answer : undefined;
}
