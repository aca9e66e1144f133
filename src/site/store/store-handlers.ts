import type { SetHandlers, SiteHandlers, StatementHandlers } from '../handlers.ts';
import { eventHandlers, eventSets, eventStatements } from './events.ts';
import { listEvents } from './events-list.ts';
import { organizerHandlers, venueHandlers } from './linked-handlers.ts';
import { categoryHandlers, tagHandlers } from './term-handlers.ts';

/** The handlers of the five resources, on PostgreSQL. */
export const storeHandlers: Omit<SiteHandlers, 'readEmbed' | 'readEmbedProxy'> = {
  listEvents,
  ...eventHandlers,
  ...venueHandlers,
  ...organizerHandlers,
  ...categoryHandlers,
  ...tagHandlers,
};

/** What batches can carry out as a set. */
export const storeSets: SetHandlers = eventSets;

/** What batches can carry out in one statement. */
export const storeStatements: StatementHandlers = eventStatements;
