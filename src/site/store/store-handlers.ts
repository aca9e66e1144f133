import type { SetHandlers, SiteHandlers } from '../handlers.ts';
import { eventHandlers, eventSets } from './events.ts';
import { listEvents } from './events-list.ts';
import { organizerHandlers, venueHandlers } from './linked-handlers.ts';
import { categoryHandlers, tagHandlers } from './term-handlers.ts';

/** The handlers of the five resources, using PostgreSQL. */
export const storeHandlers: Omit<SiteHandlers, 'readEmbed' | 'readEmbedProxy'> = {
  listEvents,
  ...eventHandlers,
  ...venueHandlers,
  ...organizerHandlers,
  ...categoryHandlers,
  ...tagHandlers,
};

/** What batches may carry out as a set. */
export const storeSets: SetHandlers = eventSets;
