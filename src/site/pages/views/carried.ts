import type { LookPage } from '../../../look/document.ts';
import { daysOf } from '../../../selection/days.ts';
import { EVERYTHING, selectionQuery, type Selection } from '../../../selection/selection.ts';
import { mondayOf, type Day } from '../frame/dates.ts';

// What is over, empty or a choice is of use to people only; and nobody announces anything for more than two years.
const KNOWN_MONTHS = 24;
const MONTH_DAYS = 31;

/** Whether a neighbour of what is shown may be led to although nothing begins there. */
export const isNear = (day: Day, today: Day): boolean =>
  Math.abs(Date.parse(day) - Date.parse(today)) <= KNOWN_MONTHS * MONTH_DAYS * 86_400_000;

type Categories = Pick<Selection, 'categories'>;

/** A path of these pages, with the categories that are chosen. */
export function withCategories(path: string, { categories }: Categories): string {
  const query = selectionQuery({ ...EVERYTHING, categories });
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The list from a day on, from the root. */
export const listFrom = (day: Day, { categories }: Categories): string =>
  `/?${selectionQuery({ ...EVERYTHING, categories, from: day })}`;

/** Where the views show what is chosen on a page that is about some days: its categories, around the same day. */
export function viewsOf(choice: Categories, day: Day, today: Day): NonNullable<LookPage['ways']> {
  const isOther = day !== today && isNear(day, today);
  const monday = isOther && mondayOf(day) !== mondayOf(today) ? `${mondayOf(day)}/` : '';
  const month = isOther && day.slice(0, 7) !== today.slice(0, 7) ? `${day.slice(0, 7)}/` : '';
  return {
    list: isOther && day > today ? listFrom(day, choice) : withCategories('/', choice),
    week: withCategories(`/week/${monday}`, choice),
    month: withCategories(`/month/${month}`, choice),
  };
}

/** The same for what the list is asked for. */
export const viewsOfList = (selection: Selection, today: Day): NonNullable<LookPage['ways']> =>
  viewsOf(selection, daysOf(selection, today).first, today);
