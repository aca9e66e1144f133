import type { Wall } from '../../../src/time.ts';
import { calendarOf, componentsOf, wallAt } from '../kept-events.ts';
import type { Doing, RuleName, Seed, Settings } from './history.ts';

type Change = Extract<Doing, { kind: 'change one' }>['change'];

/** An event or a series as a publisher keeps it. */
export interface Item extends Omit<Seed, 'series' | 'state'> {
  uid: string;
  state: string;
  series: {
    readonly every: 1 | 7;
    readonly count: number;
    readonly without: readonly number[];
    readonly changed: Readonly<Record<number, Change>>;
  } | null;
}
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A feed as its publisher keeps it, and the operator's rules for it. */
export interface Source {
  items: Mutable<Item>[];
  gone: Mutable<Item>[];
  rules: Set<RuleName>;
  uids: number;
}

/** A feed without events. */
export const newSource = (rules: readonly RuleName[]): Source => ({
  items: [],
  gone: [],
  rules: new Set(rules),
  uids: 0,
});

/** The item at an index, which wraps around. */
export const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)];

const itemOf = ({ series, ...rest }: Seed, uid: string): Mutable<Item> => ({
  ...rest,
  uid,
  series: series && { ...series, without: [], changed: {} },
});

/** Adds an event or a series to a feed. */
export function addItem(source: Source, seed: Seed): void {
  source.items.push(itemOf(seed, `uid-${(source.uids += 1)}`));
}

/** Applies an action to the feed or the rules. False if the action concerns neither. */
export function changeSource(source: Source, doing: Doing): boolean {
  const item = 'at' in doing ? pick(source.items, doing.at) : undefined;
  switch (doing.kind) {
    case 'add':
      addItem(source, doing.seed);
      return true;
    case 'bring back':
      source.items.push(...source.gone.splice(-1));
      return true;
    case 'shuffle':
      source.items = shuffled(source.items, doing.by);
      return true;
    case 'rule':
      if (!source.rules.delete(doing.name)) source.rules.add(doing.name);
      return true;
    case 'drop':
    case 'retitle':
    case 'move':
    case 'rewrite':
    case 'place':
    case 'organize':
    case 'state':
    case 'sort':
    case 'renew UID':
    case 'reuse UID':
    case 'series':
    case 'single':
    case 'leave out':
    case 'change one':
      if (item) changeItem(source, item, doing);
      return true;
    default:
      return false;
  }
}

function changeItem(source: Source, item: Mutable<Item>, doing: Doing): void {
  switch (doing.kind) {
    case 'drop':
      source.items = source.items.filter((each) => each !== item);
      source.gone.push(item);
      return;
    case 'retitle':
      item.title = doing.title;
      return;
    case 'move':
      item.day += doing.days;
      item.hour += doing.hours;
      return;
    case 'rewrite':
      item.text = doing.text;
      return;
    case 'place':
      item.place = doing.place;
      return;
    case 'organize':
      item.organizer = doing.organizer;
      return;
    case 'state':
      item.state = doing.state;
      return;
    case 'sort':
      item.categories = doing.categories;
      return;
    case 'renew UID':
      item.uid = `uid-${(source.uids += 1)}`;
      return;
    case 'reuse UID':
      source.items = source.items.filter((each) => each !== item);
      source.items.push(itemOf(doing.seed, item.uid));
      return;
    case 'series':
      item.series = { every: doing.every, count: doing.count, without: [], changed: {} };
      return;
    case 'single':
      item.series = null;
      return;
    case 'leave out':
      if (item.series && item.series.without.length + 1 < item.series.count)
        item.series = {
          ...item.series,
          without: [...new Set([...item.series.without, doing.index % item.series.count])],
        };
      return;
    case 'change one':
      if (item.series)
        item.series = {
          ...item.series,
          changed: { ...item.series.changed, [doing.index % item.series.count]: doing.change },
        };
      return;
  }
}

/** A permutation that `by` determines. */
export function shuffled<T>(all: readonly T[], by: number): T[] {
  let state = by + 1;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647);
  return all
    .map((one) => [next(), one] as const)
    .sort(([one], [other]) => one - other)
    .map(([, one]) => one);
}

const ZONE = 'Europe/Warsaw';

/** The local time at which an event starts. */
export const wallOf = (item: Pick<Item, 'day' | 'hour'>): Wall => wallAt(item);

/** Always the last event, so that the feed covers the same period whatever else is added or removed. */
const LAST: Item = {
  uid: 'last',
  title: 'Rock 9',
  place: '',
  text: '',
  organizer: '',
  state: 'CONFIRMED',
  categories: [],
  day: 200,
  hour: 10,
  hours: 1,
  series: null,
};

/** The feed's text. */
export function feedText(items: readonly Item[], by?: number): string {
  const components = [...items, LAST].flatMap((item) => componentsOf({ ...item, zone: ZONE }));
  return calendarOf(by === undefined ? components : shuffled(components, by));
}

const SETS: Readonly<Partial<Record<RuleName, string>>> = {
  split: '{ when: [{ field: venue, matches: "^(.+?), (\\\\d[^,]*)" }], venue: "{1}", address: "{2}" }',
  city: '{ city: Leeds, only_where_empty: true }',
  zip: '{ when: [{ field: venue, matches: "Hall" }], zip: "LS1", country: UK }',
  title: '{ when: [{ field: title, matches: "^Jazz (.+)$" }], title: "Music {1}" }',
  cost: '{ cost: free, only_where_empty: true }',
  tag: '{ when: [{ field: description, matches: "kids" }], add_tags: [family], add_categories: [Family] }',
  described: '{ description: "Come in", only_where_empty: true }',
  website: '{ when: [{ field: categories, matches: Music }], website: "https://music.example/", featured: true }',
};

/** The source's configuration. */
export function yamlOf(rules: ReadonlySet<RuleName>, { missing, authority }: Settings): string {
  const has = (name: RuleName): boolean => rules.has(name);
  const sets = Object.entries(SETS).flatMap(([name, text]) => (has(name as RuleName) ? [text] : []));
  const map = has('map') ? 'map: { "Film & TV": Film }, add: [Town]' : '';
  const words = has('words') ? 'words: { Children: [kids] }' : '';
  const ignore = has('ignore') ? 'unknown: ignore' : '';
  const lines = [
    'url: https://town.example/feed.ics',
    'timezone: Europe/Warsaw',
    `missing: { action: ${missing}, after: 1 }`,
    `authority: ${authority}`,
    ...(has('draft') ? ['status: draft'] : []),
    ...(has('skip') ? ['skip: [{ field: title, matches: "^Kino" }]'] : []),
    ...(has('only') ? ['only: [{ field: title, matches: "Jazz|Music|Kino|Rock" }]'] : []),
    `venue: { ${[...(has('default') ? ['default: Main Library'] : []), ...(has('alias') ? ['aliases: { Park: Town Hall }'] : [])].join(', ')} }`,
    `organizer: { ${has('organizer') ? 'default: City Library, aliases: { jc: Jazz Club }' : ''} }`,
    `categories: { ${[map, words, ignore].filter((part) => part !== '').join(', ')} }`,
    ...(sets.length > 0 ? [`set: [${sets.join(', ')}]`] : []),
  ];
  return `builtin: { timezone: Europe/Warsaw }\nsources:\n  town:\n${lines.map((line) => `    ${line}\n`).join('')}`;
}
