import type { Event } from '../../../contract/representation.ts';
import type { Queryable } from '../../../db/database.ts';
import { daysOf } from '../../../selection/days.ts';
import { EVERYTHING, type ListName, type Selection } from '../../../selection/selection.ts';
import { dayAfter } from '../../../time.ts';
import type { SiteSettings } from '../../context.ts';
import type { At } from '../../kept.ts';
import { chosenEvents, countChosen, firstChosen, type Chosen, type ChosenTotals } from '../../store/chosen-events.ts';
import { comingFacets, readFacets, type Facets } from '../../store/coming-facets.ts';
import { mappedThings, type Mapped } from '../../store/mapped-things.ts';
import { namedLike, type NamedLike } from '../../store/named-like.ts';
import type { EventTables } from '../../store/series.ts';
import type { Day } from '../frame/dates.ts';

type Found = ChosenTotals & { readonly events: readonly Event[] };
interface Part {
  readonly limit: number;
  readonly offset: number;
}

/** Finds public events, as an anonymous visitor. */
export interface Finder extends Pick<EventTables, 'seriesOf' | 'daysAround'> {
  readonly today: Day;
  readonly events: (selection: Selection, part: Part) => Promise<Found>;
  /** The same without the events that `lasting` finds. */
  readonly daily: (selection: Selection, part: Part) => Promise<Found>;
  /** Events longer than a week that are on in the first days of a list; they are shown separately. */
  readonly lasting: (selection: Selection, limit: number) => Promise<Found>;
  readonly count: (selection: Selection) => Promise<number>;
  /** The next featured events with an image. */
  readonly highlights: (limit: number) => Promise<readonly Event[]>;
  /** The filters that upcoming events allow. */
  readonly facets: () => Promise<Facets>;
  /** The filters that narrow a selection further. */
  readonly facetsOf: (selection: Selection) => Promise<Facets>;
  /** Items whose names match a text. */
  readonly named: (kind: ListName, text: string, limit: number) => Promise<readonly NamedLike[]>;
  /** The pages of categories, places and organizers with upcoming events. */
  readonly mapped: (part: Part) => Promise<{ readonly total: number; readonly things: readonly Mapped[] }>;
}

/** If a list has no end, longer events that begin within this many days are shown separately. */
const APART_DAYS = 7;

/** Returns a finder for one page of the site at a revision. */
export function finderOf(
  { db, settings, now }: { readonly db: Queryable; readonly settings: SiteSettings; readonly now: number },
  { seriesOf, daysAround }: EventTables,
  today: Day,
  at: At,
): Finder {
  const ctx = { db, caller: null, now, settings, ...at };
  const chosen = (selection: Selection, areWanted?: boolean): Chosen => {
    const days = daysOf(selection, today);
    const by = days.last ?? dayAfter(days.first, APART_DAYS - 1);
    return { ...selection, days, ...(areWanted !== undefined && { lasting: { areWanted, by } }) };
  };
  return {
    today,
    seriesOf,
    daysAround,
    events: (selection, part) => chosenEvents(chosen(selection), part, ctx),
    daily: (selection, part) => chosenEvents(chosen(selection, false), part, ctx),
    lasting: (selection, limit) => chosenEvents(chosen(selection, true), { limit, offset: 0 }, ctx),
    count: async (selection) => {
      const parts = [false, true].map((areWanted) => countChosen(chosen(selection, areWanted), ctx));
      return (await Promise.all(parts)).reduce((sum, count) => sum + count, 0);
    },
    highlights: (limit) => firstChosen({ ...chosen(EVERYTHING, false), isHighlight: true }, limit, ctx),
    facets: () => comingFacets([chosen(EVERYTHING, false), chosen(EVERYTHING, true)], ctx),
    facetsOf: (selection) => readFacets([chosen(selection, false), chosen(selection, true)], ctx),
    named: (kind, text, limit) => namedLike(db, kind, text, limit),
    mapped: (part) => mappedThings(chosen(EVERYTHING), part, ctx),
  };
}
