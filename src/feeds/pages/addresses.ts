import { EVERYTHING, selectionQuery } from '../../selection/selection.ts';
import { pathOf, type FeedDefinition, type NewsForm } from '../definition/definition.ts';

/** The path that programs fetch a feed from, including its secret, if any. */
export const addressOf = (definition: FeedDefinition): string =>
  definition.access?.secret
    ? pathOf(definition).replace(/^\/feeds\//, `/feeds/~${encodeURIComponent(definition.access.secret.reveal())}/`)
    : pathOf(definition);

const withEnding = (definition: FeedDefinition, ending: string): string =>
  addressOf(definition).replace(/\.ics(?=\?|$)/, ending);

/** The path of a feed's page. */
export const pageOf = (definition: FeedDefinition): string => withEnding(definition, '');

/** The path of the same feed as a table or as news. */
export const fileOf = (definition: FeedDefinition, form: 'csv' | NewsForm): string =>
  withEnding(definition, `.${form}`);

/** The path of the builder; for a feed on demand with its choices. */
export const builderOf = (definition: FeedDefinition): string => {
  const query = definition.onDemand ? pathOf(definition).split('?')[1] : undefined;
  return `/feeds/events${query === undefined || definition.id !== 'events' ? '' : `?${query}`}`;
};

/** The address that makes a device open its calendar program. */
export const webcalOf = (address: string): string => address.replace(/^https?:/, 'webcal:');

/** The page that makes a frame for other sites, with the feed's filters as far as these can be chosen there. */
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
