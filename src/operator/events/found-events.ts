import { listEvents, type EventFilter, type EventsListed } from '../../run/events/list-events.ts';
import { titledOnSites } from '../../run/events/titled-on-sites.ts';
import type { Asked } from '../frame/operator.ts';

/** Events of a list, with the titles that they were found by. */
export interface EventsFound extends EventsListed {
  /** The sites that could not be asked what their visitors read. */
  readonly silent: readonly string[];
}

/** Lists events; those that are searched for by the titles of their feeds and by those that visitors see. */
export async function findEvents(
  { operator }: Pick<Asked, 'operator'>,
  filter: EventFilter,
  part: Parameters<typeof listEvents>[2],
): Promise<EventsFound> {
  const { events: titled, silent } =
    filter.search === undefined ? { events: [], silent: [] } : await titledOnSites(operator.sites(), filter.search);
  const listed = await listEvents(operator.context.database.query(), { ...filter, titled }, part);
  const titles = new Map(titled.map(({ site, id, title }) => [`${id} ${site}`, title]));
  return {
    ...listed,
    events: listed.events.map((event) => ({ ...event, title: titles.get(`${event.id} ${event.site}`) ?? event.title })),
    silent,
  };
}
