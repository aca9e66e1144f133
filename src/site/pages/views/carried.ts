import type { LookPage } from '../../../look/document.ts';
import { daysOf } from '../../../selection/days.ts';
import { selectionQuery, type Selection, type Undated } from '../../../selection/selection.ts';
import { mondayOf } from '../../../time.ts';
import type { Day } from '../frame/dates.ts';

// Empty pages, past ones and selections are only useful to people, and nobody announces anything more than two years
// ahead.
const KNOWN_MONTHS = 24;
const MONTH_DAYS = 31;

/** Whether to link to a neighbouring page even though nothing begins there. */
export const isNear = (day: Day, today: Day): boolean =>
  Math.abs(Date.parse(day) - Date.parse(today)) <= KNOWN_MONTHS * MONTH_DAYS * 86_400_000;

/** The path of one of these pages, with the selection. */
export const withChoice = (path: string, chosen: Undated): string => withSelection(path, { ...chosen, ...ANY_DAY });
const ANY_DAY = { when: '', from: '' } as const;

function withSelection(path: string, selection: Selection): string {
  const query = selectionQuery(selection);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The path of the list from a day on, with the selection. */
export const listFrom = (day: Day, chosen: Undated): string => withSelection('/', { ...chosen, when: '', from: day });

/** The addresses of the views from a page about some days: the same selection, around the same day. */
export function viewsOf(chosen: Undated, day: Day, today: Day): NonNullable<LookPage['ways']> {
  const isOther = day !== today && isNear(day, today);
  const monday = isOther && mondayOf(day) !== mondayOf(today) ? `${mondayOf(day)}/` : '';
  const month = isOther && day.slice(0, 7) !== today.slice(0, 7) ? `${day.slice(0, 7)}/` : '';
  return {
    list: isOther && day > today ? listFrom(day, chosen) : withChoice('/', chosen),
    week: withChoice(`/week/${monday}`, chosen),
    month: withChoice(`/month/${month}`, chosen),
  };
}

/** The same from the list. */
export const viewsOfList = (selection: Selection, today: Day): NonNullable<LookPage['ways']> =>
  viewsOf(selection, daysOf(selection, today).first, today);
