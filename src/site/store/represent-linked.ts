import type { Image, Organizer, Venue } from '../../contract/event-parts.ts';
import type { SiteSettings } from '../context.ts';
import { renderBody, renderTitle } from './render.ts';
import { globalIds, representImage, representPost } from './represent-post.ts';
import type { ImageRow, OrganizerRow, PostRow, VenueRow } from './tables.ts';

/** A venue as answered; empty fields are left out. */
export function representVenue(row: VenueRow, images: ReadonlyMap<number, ImageRow>, settings: SiteSettings): Venue {
  const { address, city, country, province, state, zip, phone, website, stateprovince } = row;
  return {
    id: row.id,
    ...representPost(row, 'venues', settings),
    venue: renderTitle(row.title),
    ...body(row, images, settings),
    ...present({ address, city, country, province, state, zip, phone, website, stateprovince }),
    ...(row.geo_lat !== null && row.geo_lng !== null && { geo_lat: row.geo_lat, geo_lng: row.geo_lng }),
    show_map: row.show_map,
    show_map_link: row.show_map_link,
    ...globalIds(settings, row.id),
  };
}

/** An organizer as answered; empty fields are left out. */
export function representOrganizer(
  row: OrganizerRow,
  images: ReadonlyMap<number, ImageRow>,
  settings: SiteSettings,
): Organizer {
  const { phone, website, email } = row;
  return {
    id: row.id,
    ...representPost(row, 'organizers', settings),
    organizer: renderTitle(row.title),
    ...body(row, images, settings),
    ...present({ phone, website, email }),
    ...globalIds(settings, row.id),
  };
}

function body(
  row: PostRow,
  images: ReadonlyMap<number, ImageRow>,
  settings: SiteSettings,
): { description?: string; excerpt?: string; image?: Image; slug: string } {
  const image = row.image_id === null ? undefined : images.get(row.image_id);
  return {
    ...present({ description: renderBody(row.description), excerpt: renderBody(row.excerpt) }),
    slug: row.slug,
    ...(image && { image: representImage(image, settings) }),
  };
}

const present = <F extends Readonly<Record<string, string>>>(fields: F): Partial<F> =>
  // Object.fromEntries loses the names.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Partial<F>;
