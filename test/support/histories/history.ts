import fc from 'fast-check';
import { doing, keptTimes } from '../kept-events.ts';

// What happens to a source, its rules and its site, as plain data. `at` selects one of the existing items, whatever its
// value.

const TITLES = ['Jazz', 'Kino', 'Rock & Roll <3', 'Żółć'] as const;
const PLACES = [
  'Town Hall',
  'Town Hall, 12 High Street',
  'Town Hall, 7 Main Road, Leeds',
  'Park',
  'Café "Ą" & Co, 3 Long Lane',
  '',
] as const;

const title = fc.tuple(fc.constantFrom(...TITLES), fc.integer({ min: 1, max: 4 })).map(([name, n]) => `${name} ${n}`);
const place = fc.constantFrom(...PLACES);
const text = fc.constantFrom('As always', 'It\'s new -- and "better"...', 'a < b & c for kids', '');
const state = fc.constantFrom('CONFIRMED', 'CONFIRMED', 'TENTATIVE', 'CANCELLED');
const categories = fc.subarray(['Music', 'Film & TV', 'Kids']);
const organizer = fc.constantFrom('', 'Jazz Club', 'jc', 'Kids & Co');
const at = fc.nat(30);

export const seed = fc.record({
  title,
  place,
  text,
  organizer,
  state: fc.constantFrom('CONFIRMED', 'CONFIRMED', 'CONFIRMED', 'CANCELLED'),
  categories,
  ...keptTimes,
});
export type Seed = typeof seed extends fc.Arbitrary<infer T> ? T : never;

/** What the publisher does. */
const published = fc.oneof(
  { weight: 4, arbitrary: doing('add', { seed }) },
  { weight: 3, arbitrary: doing('drop', { at }) },
  { weight: 2, arbitrary: doing('bring back', {}) },
  { weight: 3, arbitrary: doing('retitle', { at, title }) },
  {
    weight: 3,
    arbitrary: doing('move', { at, days: fc.integer({ min: -3, max: 9 }), hours: fc.integer({ min: -2, max: 2 }) }),
  },
  { weight: 2, arbitrary: doing('rewrite', { at, text }) },
  { weight: 4, arbitrary: doing('place', { at, place }) },
  { weight: 2, arbitrary: doing('organize', { at, organizer }) },
  { weight: 2, arbitrary: doing('state', { at, state }) },
  { weight: 2, arbitrary: doing('sort', { at, categories }) },
  { weight: 1, arbitrary: doing('renew UID', { at }) },
  { weight: 2, arbitrary: doing('reuse UID', { at, seed }) },
  {
    weight: 2,
    arbitrary: doing('series', {
      at,
      every: fc.constantFrom(1 as const, 7 as const),
      count: fc.integer({ min: 1, max: 6 }),
    }),
  },
  { weight: 2, arbitrary: doing('single', { at }) },
  { weight: 2, arbitrary: doing('leave out', { at, index: fc.nat(5) }) },
  {
    weight: 3,
    arbitrary: doing('change one', {
      at,
      index: fc.nat(5),
      change: fc.record({
        hours: fc.constantFrom(0, 0, 1, 25, -2),
        title: fc.option(title, { nil: undefined }),
        place: fc.option(place, { nil: undefined }),
        state: fc.option(fc.constant('CANCELLED' as const), { nil: undefined, freq: 4 }),
      }),
    }),
  },
  { weight: 1, arbitrary: doing('shuffle', { by: fc.nat(1000) }) },
  { weight: 1, arbitrary: doing('days', { days: fc.integer({ min: 1, max: 9 }) }) },
);

export const RULES = [
  'skip',
  'only',
  'split',
  'city',
  'zip',
  'alias',
  'default',
  'words',
  'map',
  'ignore',
  'title',
  'cost',
  'tag',
  'described',
  'organizer',
  'website',
  'draft',
] as const;
export type RuleName = (typeof RULES)[number];

const ruled = doing('rule', { name: fc.constantFrom(...RULES) });

const EDITS = [
  'title',
  'description',
  'cost',
  'featured',
  'website',
  'when',
  'categories',
  'tags',
  'venue',
  'no venue',
  'organizer',
  'hide',
  'withdraw',
  'publish',
] as const;
export type EditName = (typeof EDITS)[number];

/** What people do on the site. */
const edited = fc.oneof(
  { weight: 8, arbitrary: doing('edit', { at, what: fc.constantFrom(...EDITS) }) },
  { weight: 2, arbitrary: doing('trash', { at }) },
  { weight: 2, arbitrary: doing('untrash', { at }) },
  {
    weight: 4,
    arbitrary: doing('venue', { at, what: fc.constantFrom('rename', 'address', 'city', 'trash', 'untrash', 'add') }),
  },
);

const field = fc.constantFrom('title', 'description', 'start_date', 'venue', 'categories', 'status');

/** What operators decide. */
const decided = fc.oneof(
  doing('settle', { at, field, winner: fc.constantFrom('feed', 'site') }),
  doing('lock', { at, field }),
  doing('unlock', { at }),
  doing('dismiss', { at }),
  doing('restore', { at }),
  doing('detach', { at }),
  doing('attach', { at }),
  { weight: 2, arbitrary: doing('undo', {}) },
  doing('undo event', { at }),
  doing('adopt', { seed }),
);

const everything = fc.oneof(
  { weight: 10, arbitrary: published },
  { weight: 4, arbitrary: ruled },
  { weight: 5, arbitrary: edited },
  { weight: 4, arbitrary: decided },
);
export type Doing = typeof everything extends fc.Arbitrary<infer T> ? T : never;

const ofSource: fc.Arbitrary<Doing> = fc.oneof({ weight: 10, arbitrary: published }, { weight: 4, arbitrary: ruled });
const is =
  (...kinds: readonly Doing['kind'][]) =>
  ({ kind }: Doing): boolean =>
    kinds.includes(kind);
// A cancelled occurrence that is left out stays on the site as it was, and that may differ between two histories.
const isCancelling = (doing: Doing): boolean => JSON.stringify(doing).includes('CANCELLED');
// Nor does an event that has been moved into the past come off.
const isMovingBack = (doing: Doing): boolean => doing.kind === 'move' && doing.days < 0;

/** Which actions a history consists of. */
export const ACTIONS = {
  /** Publisher, operator and people do anything. */
  everything,
  /** Without undo, which would apply to another last run when a history is run in another way. */
  withoutUndo: everything.filter((doing) => !is('undo', 'undo event')(doing)),
  /** Only the feed and the rules change. */
  source: ofSource.filter((doing) => !isCancelling(doing) && !is('days')(doing)),
  /** Only the feed and the rules change, events keep their UIDs and are not moved to earlier days. */
  steadySource: ofSource.filter(
    (doing) => !isCancelling(doing) && !isMovingBack(doing) && !is('renew UID', 'reuse UID')(doing),
  ),
} as const;

const settings = fc.record({
  missing: fc.constantFrom('trash', 'trash', 'draft', 'cancel', 'keep'),
  authority: fc.constantFrom('preserve', 'preserve', 'preserve', 'feed', 'site'),
});
export type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

export interface History {
  readonly settings: Settings;
  readonly rules: readonly RuleName[];
  readonly first: readonly Seed[];
  /** The source is synced after each step. */
  readonly steps: readonly (readonly Doing[])[];
}

/** Histories of at most `most` steps. */
export const historyOf = (of: fc.Arbitrary<Doing>, most: number): fc.Arbitrary<History> =>
  fc.record({
    settings,
    rules: fc.subarray([...RULES], { maxLength: 4 }),
    first: fc.array(seed, { minLength: 1, maxLength: 5 }),
    steps: fc.array(fc.array(of, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: most, size: 'max' }),
  });
