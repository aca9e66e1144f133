import { addressPart } from '../../ascii.ts';
import type { SiteSettings } from '../context.ts';

export type PostKind = 'events' | 'venues' | 'organizers';
const PAGES = { events: 'event', venues: 'venue', organizers: 'organizer' } as const;

/** The address of a collection in the interface, such as `…/events`. */
export const collectionUrl = ({ publicUrl, namespace }: SiteSettings, collection: string): string =>
  `${publicUrl}/api/${namespace}/${collection}`;

/** The address of a post's public page; posts that are not public are addressed by id only. */
export function pageUrl(
  settings: SiteSettings,
  kind: PostKind,
  { id, slug, status }: { readonly id: number; readonly slug: string; readonly status: string },
): string {
  const isPublic = slug !== '' && (status === 'publish' || status === 'private');
  return isPublic
    ? `${settings.publicUrl}/${PAGES[kind]}/${addressPart(slug)}/`
    : `${settings.publicUrl}/?post_type=calendar_${kind}&p=${id}`;
}

/** The address of a term's public page. */
export const termUrl = (settings: SiteSettings, taxonomy: 'categories' | 'tags', slug: string): string =>
  `${settings.publicUrl}/${taxonomy === 'categories' ? 'category' : 'tag'}/${addressPart(slug)}/`;

/** A globally unique id made of the site's host and path and the post's id. */
export function globalId({ publicUrl }: SiteSettings, id: number): string {
  const place = places.get(publicUrl) ?? placeOf(publicUrl);
  places.set(publicUrl, place);
  return `${place}?id=${id}`;
}

// A process has one or two sites.
const places = new Map<string, string>();

function placeOf(publicUrl: string): string {
  const { hostname, pathname } = new URL(publicUrl);
  return `${hostname}${pathname.replace(/\/$/, '')}`;
}
