import { EVERYTHING, selectionQuery } from '../../selection/selection.ts';
import { pathOf, type FeedDefinition, type NewsForm } from '../definition/definition.ts';

/** Where programs fetch a feed, from the root, including its secret, if any. */
export const addressOf = (definition: FeedDefinition): string =>
  definition.access?.secret
    ? pathOf(definition).replace(/^\/feeds\//, `/feeds/~${encodeURIComponent(definition.access.secret.reveal())}/`)
    : pathOf(definition);

const withEnding = (definition: FeedDefinition, ending: string): string =>
  addressOf(definition).replace(/\.ics(?=\?|$)/, ending);

/** Its page, from the root. */
export const pageOf = (definition: FeedDefinition): string => withEnding(definition, '');

/** The same feed as a table or as news, from the root. */
export const fileOf = (definition: FeedDefinition, form: 'csv' | NewsForm): string =>
  withEnding(definition, `.${form}`);

/** The builder, with what is chosen in a feed on demand. */
export const builderOf = (definition: FeedDefinition): string => {
  const query = definition.onDemand ? pathOf(definition).split('?')[1] : undefined;
  return `/feeds/events${query === undefined || definition.id !== 'events' ? '' : `?${query}`}`;
};

/** The address with which programs open the calendar of this device. */
export const webcalOf = (address: string): string => address.replace(/^https?:/, 'webcal:');

/** The page that makes a frame for other sites, with what the feed contains, as far as that can be chosen there. */
export function embedOf({ categories, tags, venue, organizer, search, free, time, language }: FeedDefinition): string {
  const query = selectionQuery({
    ...EVERYTHING,
    ...time,
    categories: categories ?? [],
    tags: tags ?? [],
    places: venue ?? [],
    organizers: organizer ?? [],
    search: search ?? '',
    free: free ?? false,
    language: language ?? '',
  });
  return query.size === 0 ? '/embed/new' : `/embed/new?${query}`;
}
