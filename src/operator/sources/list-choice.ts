import { STATE_WORDS, type StateWord } from '../../run/watch/source-state.ts';
import type { SourceFacts, SourceState } from '../../run/watch/source-state.ts';
import { inQuotes } from '../../look/words/in-quotes.ts';
import { startOf } from '../../html/shortened.ts';

/** A row of the list of sources. */
export interface Listed {
  readonly facts: SourceFacts;
  readonly state: SourceState;
  /** How many events its runs of the past week have changed. */
  readonly changes: number;
}

/** The list's filter, order and page, from its address. */
export interface ListChoice {
  readonly state: 'all' | 'you' | StateWord;
  readonly sort: Sort;
  /** Part of a source's name. */
  readonly find: string;
  /** Counted from 1. */
  readonly page: number;
}

/** The name of the filter that leaves out sources which need no attention. */
export const NEED_YOU = 'need you';

/** Includes the filter, so that tabs and bookmarks can be told apart. */
export const titleOf = ({ state, find }: ListChoice): string =>
  [
    'Sources',
    ...(state === 'all' ? [] : [state === 'you' ? NEED_YOU : state]),
    ...(find === '' ? [] : [inQuotes(find)]),
  ].join(', ');

export const SORTS = {
  turn: 'who must act',
  name: 'name',
  next: 'next check',
  changes: 'most changed',
} as const;
export type Sort = keyof typeof SORTS;

export const PER_PAGE = 40;

const isSort = (text: string): text is Sort => Object.hasOwn(SORTS, text);
const isFilter = (text: string): text is ListChoice['state'] =>
  text === 'you' || (STATE_WORDS as readonly string[]).includes(text);

/** Reads the choice from an address; missing or invalid parameters get their defaults. */
export function choiceOf(parameters: URLSearchParams): ListChoice {
  const state = parameters.get('state') ?? '';
  const sort = parameters.get('sort') ?? '';
  const page = Number(parameters.get('page'));
  return {
    state: isFilter(state) ? state : 'all',
    sort: isSort(sort) ? sort : 'turn',
    find: startOf((parameters.get('q') ?? '').trim(), 100),
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

/** The address of a choice, without parameters that have their default. */
export function addressOf(choice: Partial<ListChoice>): string {
  const { state = 'all', sort = 'turn', find = '', page = 1 } = choice;
  const query = new URLSearchParams([
    ...(state === 'all' ? [] : [['state', state] as [string, string]]),
    ...(sort === 'turn' ? [] : [['sort', sort] as [string, string]]),
    ...(find === '' ? [] : [['q', find] as [string, string]]),
    ...(page === 1 ? [] : [['page', String(page)] as [string, string]]),
  ]).toString();
  return `/sources/${query === '' ? '' : `?${query}`}`;
}

/** Whether a source needs the viewer to act. */
const needsYou = ({ facts, state }: Listed): boolean =>
  state.mustAct === 'you' || (state.word !== 'paused' && facts.conflicts > 0);

/** Whether the filter shows this source. */
export const matchesState = (listed: Listed, state: ListChoice['state']): boolean =>
  state === 'all' || (state === 'you' ? needsYou(listed) : listed.state.word === state);

const ORDERS: Readonly<Record<Sort, (one: Listed, other: Listed) => number>> = {
  turn: (one, other) => turnOf(one) - turnOf(other),
  name: () => 0,
  next: (one, other) => (one.state.next ?? Infinity) - (other.state.next ?? Infinity) || 0,
  changes: (one, other) => other.changes - one.changes,
};

const turnOf = ({ state }: Listed): number => STATE_WORDS.indexOf(state.word);

const byName = (one: Listed, other: Listed): number =>
  Number(one.facts.source > other.facts.source) - Number(one.facts.source < other.facts.source);

/** The sources that match a choice, sorted, on all pages. */
export function chosenSources(listed: readonly Listed[], { state, sort, find }: ListChoice): readonly Listed[] {
  const wanted = find.toLowerCase();
  return listed
    .filter((each) => matchesState(each, state) && each.facts.source.toLowerCase().includes(wanted))
    .toSorted((one, other) => ORDERS[sort](one, other) || byName(one, other));
}
