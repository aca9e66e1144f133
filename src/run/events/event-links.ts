import type { Event } from '../../contract/representation.ts';
import type { SiteSetup } from '../state/context.ts';

/** The addresses where visitors see an event and where it is edited; null if there is no such page. */
export interface EventLinks {
  readonly page: string | null;
  readonly editor: string | null;
}

export const NO_LINKS: EventLinks = { page: null, editor: null };

/** The addresses of an event on its site. */
export async function eventLinksOf(
  { key, client }: SiteSetup,
  { id, url, rest_url: own, status }: Pick<Event, 'id' | 'url' | 'rest_url' | 'status'>,
): Promise<EventLinks> {
  // A draft has an address, too, but nobody can open it.
  const page = status === 'publish' ? url : null;
  // Derived from the REST address, because a draft has no page.
  if (key === BUILTIN) return { page, editor: `${own.slice(0, own.lastIndexOf('/api/'))}/edit/event/${id}/` };
  return { page, editor: editorAt((await client.abilities()).root, id) };
}

/** The key of the built-in site. */
const BUILTIN = 'builtin';

/** The address for editing a post on a WordPress site, derived from the address of the site's interface. */
function editorAt(root: string, id: number): string {
  const url = new URL(root);
  const home = url.pathname.replace(/(?:\/index\.php)?(?:\/wp-json(?:\/.*)?)?\/*$/, '');
  return `${url.origin}${home}/wp-admin/post.php?post=${id}&action=edit`;
}
