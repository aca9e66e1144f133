import { EVERYTHING, selectionOf, selectionQuery, type Excess, type Selection } from '../../../selection/selection.ts';

/** What a frame on another site shows, and how. */
export interface Embedded {
  readonly selection: Selection;
  /** The maximum number of events. */
  readonly count: number;
  /** '' follows the visitor's device. */
  readonly theme: Theme;
}

const THEMES = ['', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const COUNTS = [5, 10, 20, 50] as const;
const COUNT = 10;
const COUNT_MAX = 50;

/** Parses an address; impossible values are ignored. */
export function embeddedOf(query: URLSearchParams): Embedded | { readonly excess: Excess } {
  const selection = selectionOf(query);
  if ('excess' in selection) return selection;
  const count = Number.parseInt(query.get('count') ?? '', 10) || COUNT;
  const theme = THEMES.find((known) => known === query.get('theme')) ?? '';
  return { selection, count: Math.min(COUNT_MAX, Math.max(1, count)), theme };
}

/** The shortest query for what is shown. */
export function embedQuery({ selection, count, theme }: Embedded): string {
  const query = selectionQuery(selection);
  if (count !== COUNT) query.set('count', String(count));
  if (theme !== '') query.set('theme', theme);
  return query.toString();
}

export const ALL: Embedded = { selection: EVERYTHING, count: COUNT, theme: '' };
