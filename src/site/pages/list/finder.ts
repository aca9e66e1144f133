import type { Queryable } from '../../../db/database.ts';
import { daysOf } from '../../../selection/days.ts';
import { EVERYTHING, type Selection } from '../../../selection/selection.ts';
import type { SiteSettings } from '../../context.ts';
import { chosenEvents, countChosen, type Chosen } from '../../store/chosen-events.ts';
import { comingFacets, type Facets } from '../../store/coming-facets.ts';
import type { Day } from '../frame/dates.ts';

type Found = Awaited<ReturnType<typeof chosenEvents>>;

/** Finds public events, as somebody who is not signed in. */
export interface Finder {
  readonly today: Day;
  readonly events: (selection: Selection, part: { readonly limit: number; readonly offset: number }) => Promise<Found>;
  readonly count: (selection: Selection) => Promise<number>;
  /** The next featured events that have a picture. */
  readonly highlights: (limit: number) => Promise<Found['events']>;
  /** What coming events can be narrowed to. */
  readonly facets: () => Promise<Facets>;
}

/** A finder for one page; `revision` is that of the site, if it is known since the page was asked for. */
export function finderOf(
  { db, settings, now }: { readonly db: Queryable; readonly settings: SiteSettings; readonly now: number },
  today: Day,
  revision: string | undefined,
): Finder {
  const ctx = { db, caller: null, now, settings, revision };
  const chosen = (selection: Selection): Chosen => ({ ...selection, days: daysOf(selection, today) });
  return {
    today,
    events: (selection, part) => chosenEvents(chosen(selection), part, ctx),
    count: (selection) => countChosen(chosen(selection), ctx),
    highlights: async (limit) => {
      const { events } = await chosenEvents({ ...chosen(EVERYTHING), isHighlight: true }, { limit, offset: 0 }, ctx);
      return events;
    },
    facets: () => comingFacets(chosen(EVERYTHING), ctx),
  };
}
