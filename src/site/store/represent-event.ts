import type { Event } from '../../contract/representation.ts';
import { abbreviationAt, wallFromInstant } from '../../time.ts';
import type { HandlerContext } from '../context.ts';
import { collectionUrl } from './addresses.ts';
import { costDetails, costText, type Cost } from './cost.ts';
import { dateDetails } from './event-times.ts';
import type { Related } from './related.ts';
import { renderBody, renderTitle, renderWebsite } from './render.ts';
import { representOrganizer, representVenue } from './represent-linked.ts';
import { globalIds, representImage, representPost } from './represent-post.ts';
import { representEventTerm } from './represent-term.ts';
import { mayRead } from './rights.ts';
import type { EventRow, TermRow } from './tables.ts';

/** An event as it is answered; `related` holds what it refers to. Venues and organizers that the caller may not see are left out. */
export function representEvent(row: EventRow, related: Related, { caller, settings }: Pick<HandlerContext, 'caller' | 'settings'>): Event {
  const post = representPost(row, 'events', settings);
  const image = row.image_id === null ? undefined : related.images.get(row.image_id);
  const cost: Cost = { values: row.cost_values, symbol: row.cost_symbol, position: row.cost_position as Cost['position'] };
  const terms = (ids: readonly number[]) => found(ids, related.terms).sort(byName).map((term) => representEventTerm(term, settings));
  const venues = found(row.venue_ids, related.venues).filter((venue) => mayRead(caller, venue)).map((venue) => representVenue(venue, related.images, settings));
  const organizers = found(row.organizer_ids, related.organizers).filter((organizer) => mayRead(caller, organizer));
  return {
    id: row.id, ...globalIds(settings, row.id), ...post,
    rest_url: `${collectionUrl(settings, 'events')}/${row.id}`,
    title: renderTitle(row.title), description: renderBody(row.description), excerpt: renderBody(row.excerpt), slug: row.slug,
    image: image ? representImage(image) : false,
    ...times(row),
    cost: costText(cost), cost_details: costDetails(cost),
    website: row.website === null ? post.url : renderWebsite(row.website),
    show_map: row.show_map, show_map_link: row.show_map_link, hide_from_listings: row.hide_from_listings, sticky: row.sticky, featured: row.featured,
    categories: terms(row.category_ids), tags: terms(row.tag_ids),
    venue: venues.length === 1 && venues[0] ? venues[0] : venues,
    organizer: organizers.map((organizer) => representOrganizer(organizer, related.images, settings)),
    custom_fields: [],
  };
}

function times(row: EventRow) {
  const { all_day, start_wall: start_date, end_wall: end_date, timezone } = row;
  const [utc_start_date, utc_end_date] = [wallFromInstant(row.start_at.getTime(), 'UTC'), wallFromInstant(row.end_at.getTime(), 'UTC')];
  return {
    all_day,
    start_date, start_date_details: dateDetails(start_date), end_date, end_date_details: dateDetails(end_date),
    utc_start_date, utc_start_date_details: dateDetails(utc_start_date), utc_end_date, utc_end_date_details: dateDetails(utc_end_date),
    timezone, timezone_abbr: abbreviationAt(row.start_at.getTime(), timezone),
  };
}

const found = <R>(ids: readonly number[], rows: ReadonlyMap<number, R>): R[] => ids.map((id) => rows.get(id)).filter((row) => row !== undefined);

const byName = (one: TermRow, other: TermRow): number => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : one.name.toLowerCase() > other.name.toLowerCase() ? 1 : one.id - other.id);
