import { clockName } from '../../contract/event-zone.ts';
import type { EventTerm } from '../../contract/event-parts.ts';
import type { Event } from '../../contract/representation.ts';
import { mapWithPauses } from '../../pauses.ts';
import { wallFromInstant } from '../../time.ts';
import type { HandlerContext, SiteSettings } from '../context.ts';
import { collectionUrl } from './addresses.ts';
import { costDetails, costOf, costText } from './cost.ts';
import { blanked, tryPassword } from './event-password.ts';
import { dateDetails } from './event-times.ts';
import type { Parts } from './kept-at.ts';
import { plainAnswer } from './plain-fields.ts';
import type { Related } from './related.ts';
import { renderBody, renderTitle } from './render.ts';
import { representOrganizer, representVenue } from './represent-linked.ts';
import { globalIds, representImage, representPost } from './represent-post.ts';
import { representEventTerm } from './represent-term.ts';
import { mayRead } from './rights.ts';
import type { EventRow, PostRow } from './tables.ts';

type Seen = Pick<HandlerContext, 'caller' | 'settings' | 'password' | 'tries' | 'now'>;

/**
 * Represents events as answered; `related` has what they refer to. Leaves out venues and organizers that the caller may
 * not see, and everything that a password hides unless the given one opens it.
 */
export const representEvents = async (rows: readonly EventRow[], related: Related, ctx: Seen): Promise<Event[]> =>
  representEventsOf(rows, await representParts(related, ctx), ctx);

/** The same with references that are already represented. */
export const representEventsOf = (rows: readonly EventRow[], parts: Parts, ctx: Seen): Promise<Event[]> =>
  mapWithPauses(rows, (row) => {
    const event = representEvent(row, parts, ctx.settings);
    return tryPassword(row, ctx).isOpen ? event : blanked(event);
  });

/** Represents what events refer to, once for all events of a page. */
export async function representParts(
  { venues, organizers, terms, images }: Related,
  { caller, settings }: Seen,
): Promise<Parts> {
  const seen = <R extends PostRow>(rows: ReadonlyMap<number, R>): R[] =>
    [...rows.values()].filter((row) => mayRead(caller, row));
  return {
    venues: new Map(
      await mapWithPauses(seen(venues), (venue) => [venue.id, representVenue(venue, images, settings)] as const),
    ),
    organizers: new Map(
      await mapWithPauses(
        seen(organizers),
        (organizer) => [organizer.id, representOrganizer(organizer, images, settings)] as const,
      ),
    ),
    terms: new Map([...terms.values()].map((term) => [term.id, representEventTerm(term, settings)])),
    images: new Map(images),
  };
}

function representEvent(row: EventRow, related: Parts, settings: SiteSettings): Event {
  const post = representPost(row, 'events', settings);
  const image = row.image_id === null ? undefined : related.images.get(row.image_id);
  const cost = costOf(row);
  const venues = found(row.venue_ids, related.venues);
  return {
    id: row.id,
    ...globalIds(settings, row.id),
    ...post,
    rest_url: `${collectionUrl(settings, 'events')}/${row.id}`,
    title: renderTitle(row.title),
    description: renderBody(row.description),
    excerpt: renderBody(row.excerpt),
    slug: row.slug,
    image: image ? representImage(image, settings) : false,
    ...times(row),
    cost: costText(cost, settings.currency),
    cost_details: costDetails(cost),
    ...plainAnswer(row, post.url),
    categories: found(row.category_ids, related.terms).sort(byName),
    tags: found(row.tag_ids, related.terms).sort(byName),
    venue: venues.length === 1 && venues[0] ? venues[0] : venues,
    organizer: found(row.organizer_ids, related.organizers),
    custom_fields: [],
  };
}

function times(row: EventRow) {
  const { all_day, start_wall: start_date, end_wall: end_date, timezone } = row;
  const [utc_start_date, utc_end_date] = [
    wallFromInstant(row.start_at.getTime(), 'UTC'),
    wallFromInstant(row.end_at.getTime(), 'UTC'),
  ];
  return {
    all_day,
    start_date,
    start_date_details: dateDetails(start_date),
    end_date,
    end_date_details: dateDetails(end_date),
    utc_start_date,
    utc_start_date_details: dateDetails(utc_start_date),
    utc_end_date,
    utc_end_date_details: dateDetails(utc_end_date),
    timezone,
    timezone_abbr: clockName(timezone, row.start_at.getTime()),
  };
}

const found = <R>(ids: readonly number[], rows: ReadonlyMap<number, R | undefined>): R[] =>
  ids.map((id) => rows.get(id)).filter((row) => row !== undefined);

function byName(one: EventTerm, other: EventTerm): number {
  const [name, otherName] = [one.name.toLowerCase(), other.name.toLowerCase()];
  if (name === otherName) return one.id - other.id;
  return name < otherName ? -1 : 1;
}
