import { isDay } from '../time.ts';
import { isWhen, type When } from './days.ts';

/** What somebody wants to see of the calendar, in the list or in a feed. All conditions apply. */
export interface Selection {
  readonly search: string;
  readonly when: When;
  /** The first day of an open-ended range, if it is not today; '' for today. */
  readonly from: string;
  /** Slugs; an event needs one from each list that is not empty. */
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly places: readonly string[];
  readonly organizers: readonly string[];
  readonly free: boolean;
  /** '' for all. */
  readonly language: string;
}

/** A selection without its days, for pages that have their own. */
export type Undated = Omit<Selection, 'when' | 'from'>;

/** What is chosen by name, with the parameter for each. */
export const LISTS = { categories: 'category', tags: 'tag', places: 'place', organizers: 'organizer' } as const;
export type ListName = keyof typeof LISTS;
// Object.keys returns plain strings.
export const LIST_NAMES = Object.keys(LISTS) as readonly ListName[];

/** The parameters of a selection, in the order of addresses. */
export const SELECTION_PARAMS: readonly string[] = [
  'search',
  'when',
  'from',
  ...Object.values(LISTS),
  'free',
  'language',
];

/** Limits for what one address may ask for. */
export const SEARCH_MAX = 200;
export const LIST_MAX = 12;
export const NAME_MAX = 200;

export const EVERYTHING: Selection = {
  search: '',
  when: '',
  from: '',
  categories: [],
  tags: [],
  places: [],
  organizers: [],
  free: false,
  language: '',
};

export const isEverything = (selection: Undated): boolean =>
  selectionQuery({ ...selection, when: '', from: '' }).size === 0;

/** Why an address asks for too much. */
export type Excess = 'search' | 'list';

/** Reads the selection from an address; empty or impossible parts are ignored. */
export function selectionOf(query: URLSearchParams): Selection | { readonly excess: Excess } {
  const search = lastOf(query, 'search').replace(/\s+/g, ' ');
  if (search.length > SEARCH_MAX) return { excess: 'search' };
  const lists = LIST_NAMES.map((name) => [name, listIn(query, LISTS[name])] as const);
  if (lists.some(([, values]) => values.length > LIST_MAX || values.some(({ length }) => length > NAME_MAX)))
    return { excess: 'list' };
  const { categories = [], tags = [], places = [], organizers = [] } = Object.fromEntries(lists);
  return {
    ...timeIn(query),
    search,
    categories,
    tags,
    places,
    organizers,
    free: lastOf(query, 'free') === '1',
    language: lastOf(query, 'language').slice(0, NAME_MAX),
  };
}

/** The address of a selection. It contains only what is chosen, and the same selection always has the same address. */
export function selectionQuery(selection: Selection): URLSearchParams {
  const query = new URLSearchParams();
  const add = (name: string, values: readonly string[]): void => {
    for (const value of values) if (value !== '') query.append(name, value);
  };
  add('search', [selection.search]);
  add('when', [selection.when]);
  add('from', [selection.from]);
  for (const name of LIST_NAMES) add(LISTS[name], selection[name]);
  add('free', selection.free ? ['1'] : []);
  add('language', [selection.language]);
  return query;
}

/** The parameter for a typed name of something to choose. */
export const nameParam = (param: string): string => `${param}-name`;

/** The names typed in an address, with their kinds. */
export const typedNames = (query: URLSearchParams): readonly (readonly [kind: ListName, text: string])[] =>
  LIST_NAMES.map((kind) => [kind, lastOf(query, nameParam(LISTS[kind]))] as const).filter(([, text]) => text !== '');

/** An address in which typed names are replaced by the slugs that they stand for; names of nothing are dropped. */
export function withoutNames(
  query: URLSearchParams,
  chosen: readonly (readonly [kind: ListName, slug: string])[],
): URLSearchParams {
  const rest = new URLSearchParams(query);
  for (const param of Object.values(LISTS)) rest.delete(nameParam(param));
  for (const [kind, slug] of chosen) rest.append(LISTS[kind], slug);
  return rest;
}

// The list's form sends the current choice in a hidden field and after it the pressed button, if there is one. So a
// button takes precedence over the day in the date field, and a picked day over the former choice.
/** The time that an address asks for. */
export function timeIn(query: URLSearchParams): Pick<Selection, 'when' | 'from'> {
  const whens = query.getAll('when').map((text) => text.trim());
  const day = lastOf(query, 'from');
  const when = whens.at(-1) ?? '';
  if (isDay(day) && whens.length < 2) return { when: '', from: day };
  return { when: isWhen(when) ? when : '', from: '' };
}

const lastOf = (query: URLSearchParams, name: string): string => clean(query.getAll(name).at(-1) ?? '');

const listIn = (query: URLSearchParams, name: string): readonly string[] =>
  [...new Set(query.getAll(name).flatMap((text) => text.split(',').map(clean)))]
    .filter((text) => text !== '')
    .toSorted();

// PostgreSQL cannot store U+0000, so no name contains it.
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed().trim();
