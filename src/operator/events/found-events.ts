import { html, type Html } from '../../html/template.ts';
import { listEvents, type EventFilter, type EventsListed } from '../../run/events/list-events.ts';
import { SEARCHED_MAX, titledOnSites, type TitledOnSites } from '../../run/events/titled-on-sites.ts';
import type { Asked } from '../frame/operator.ts';

/** Events of a list, and the sites whose titles were not all searched. */
export interface EventsFound extends EventsListed, Pick<TitledOnSites, 'silent' | 'cut'> {}

const NOT_SEARCHED: TitledOnSites = { events: [], silent: [], cut: [] };

/** Lists events. A search looks in the titles of the feeds and in those on the sites. */
export async function findEvents(
  { operator }: Pick<Asked, 'operator'>,
  filter: EventFilter,
  part: Parameters<typeof listEvents>[2],
): Promise<EventsFound> {
  const { events: titled, ...notAll } =
    filter.search === undefined ? NOT_SEARCHED : await titledOnSites(operator.sites(), filter.search);
  const listed = await listEvents(operator.context.database.query(), { ...filter, titled }, part);
  const titles = new Map(titled.map(({ site, id, title }) => [`${id} ${site}`, title]));
  return {
    ...listed,
    events: listed.events.map((event) => ({ ...event, title: titles.get(`${event.id} ${event.site}`) ?? event.title })),
    ...notAll,
  };
}

/** Notes why the search may miss an event that was retitled on its site. */
export const searchGapsNote = ({ silent, cut }: EventsFound): Html => html`
  ${silent.length > 0 && html`<p class="small">${silent.join(', ')} did not answer: titles that were typed there are not searched.</p>`}
  ${
    cut.length > 0 &&
    html`<p class="small">
      These words occur in more than ${SEARCHED_MAX} events of ${cut.join(', ')}. Titles that were typed there are
      searched in the first ${SEARCHED_MAX} only; more words find the others.
    </p>`
  }
`;
