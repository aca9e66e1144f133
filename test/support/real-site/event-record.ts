import { abbreviationAt } from '../../../src/time.ts';
import { linkedRecord } from './linked.ts';
import type { EventPost, LinkedPost } from './store.ts';
import { globalId, postDates, utcWall, type Site } from './site.ts';
import { termInEvent } from './terms.ts';
import { costOf, paragraphs, texturized } from './text.ts';
import { detailsOf } from './wall.ts';

/** An event as the site shows it: rendered, with its terms, venue and organizers. */
export function eventRecord(site: Site, event: EventPost): object {
  const url =
    event.status === 'publish' || event.status === 'private'
      ? `${site.home}/event/${event.slug}/`
      : `${site.home}/?post_type=tribe_events&p=${event.id}`;
  const [utcStart, utcEnd] = [utcWall(event.utcStart), utcWall(event.utcEnd)];
  return {
    id: event.id,
    ...globalId(site, event.id),
    author: event.author,
    status: event.status,
    ...postDates(site, event),
    url,
    rest_url: `${site.root}/${site.namespace}/events/${event.id}`,
    title: texturized(event.title),
    description: paragraphs(event.description),
    excerpt: paragraphs(event.excerpt),
    slug: event.slug,
    image: imageOf(site, event.image),
    all_day: event.allDay,
    start_date: event.start,
    start_date_details: detailsOf(event.start),
    end_date: event.end,
    end_date_details: detailsOf(event.end),
    utc_start_date: utcStart,
    utc_start_date_details: detailsOf(utcStart),
    utc_end_date: utcEnd,
    utc_end_date_details: detailsOf(utcEnd),
    timezone: event.timezone,
    timezone_abbr: abbreviationAt(event.utcStart, event.timezone),
    ...costOf(event.cost),
    website: event.website === undefined ? url : event.website.replace(/&(?!#?\w+;)/g, '&amp;'),
    show_map: event.show_map,
    show_map_link: event.show_map_link,
    hide_from_listings: event.hide_from_listings,
    sticky: event.sticky,
    featured: event.featured,
    categories: termsIn(site, event.categories),
    tags: termsIn(site, event.tags),
    venue: linkedIn(site, [event.venue])[0] ?? [],
    organizer: linkedIn(site, event.organizer),
    custom_fields: [],
  };
}

const termsIn = (site: Site, ids: readonly number[]): object[] =>
  ids
    .flatMap((id) => site.store.terms.get(id) ?? [])
    .sort((one, other) => one.name.localeCompare(other.name))
    .map((term) => termInEvent(site, term));

const linkedIn = (site: Site, ids: readonly number[]): object[] =>
  ids
    .map((id) => site.store.posts.get(id))
    .filter((post): post is LinkedPost => post !== undefined && post.type !== 'events' && post.status !== 'trash')
    .map((post) => linkedRecord(site, post));

// A picture is copied into the library under a partly random name.
function imageOf(site: Site, address: string): object | false {
  if (address === '') return false;
  const [name = 'picture', extension = 'png'] = (new URL(address).pathname.split('/').at(-1) ?? '').split('.');
  const id = 10_000 + [...site.images].indexOf(address);
  return {
    url: `${site.home}/wp-content/uploads/2026/11/${name}-x${id}.${extension}`,
    id,
    extension,
    width: 320,
    height: 200,
    filesize: 665,
  };
}
