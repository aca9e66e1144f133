import fc from 'fast-check';
import { doing, keptTimes } from '../kept-events.ts';

// What happens in the machine's world, as plain data. `at` selects one of the existing items, whatever its value;
// `source` selects one of two sources.

const TITLES = ['Jazz', 'Kino', 'It\'s "on" - live...', 'Rock & Roll <3', 'Żółć'] as const;
export const title = fc
  .tuple(fc.constantFrom(...TITLES), fc.integer({ min: 1, max: 4 }))
  .map(([name, number]) => `${name} ${number}`);
const venue = fc.constantFrom('Town Hall', 'Café "Ą" & Co', 'Park');
const text = fc.constantFrom('As always', 'It\'s new -- and "better"...', 'a < b & c');
const zone = fc.constantFrom('Europe/Warsaw', 'America/New_York', 'UTC', 'Asia/Kolkata');
const state = fc.constantFrom('CONFIRMED' as const, 'CONFIRMED' as const, 'TENTATIVE' as const, 'CANCELLED' as const);
const categories = fc.subarray(['Music', 'Film & TV', 'Kids']);
const at = fc.nat(30);
const edited = fc.constantFrom(
  'title' as const,
  'description' as const,
  'cost' as const,
  'featured' as const,
  'when' as const,
  'categories' as const,
);
const index = fc.nat(5);

export const seed = fc.record({
  title,
  venue,
  text,
  zone: fc.oneof({ weight: 3, arbitrary: fc.constant('Europe/Warsaw') }, zone),
  state: fc.constantFrom('CONFIRMED' as const, 'CONFIRMED' as const, 'CONFIRMED' as const, 'CANCELLED' as const),
  categories,
  ...keptTimes,
});
export type Seed = typeof seed extends fc.Arbitrary<infer T> ? T : never;

const source = fc.constantFrom(0, 0, 1);
/** What the publishers do. */
const publishing = fc.oneof(
  { weight: 4, arbitrary: doing('add', { source, seed }) },
  { weight: 3, arbitrary: doing('drop', { source, at }) },
  { weight: 2, arbitrary: doing('bring back', { source }) },
  { weight: 3, arbitrary: doing('retitle', { source, at, title }) },
  {
    weight: 4,
    arbitrary: doing('move', {
      source,
      at,
      days: fc.integer({ min: -3, max: 9 }),
      hours: fc.integer({ min: -2, max: 2 }),
    }),
  },
  { weight: 2, arbitrary: doing('rezone', { source, at, zone }) },
  { weight: 2, arbitrary: doing('rewrite', { source, at, text }) },
  { weight: 2, arbitrary: doing('replace', { source, at, venue }) },
  { weight: 2, arbitrary: doing('set state', { source, at, state }) },
  { weight: 2, arbitrary: doing('sort', { source, at, categories }) },
  { weight: 2, arbitrary: doing('renew UID', { source, at }) },
  { weight: 2, arbitrary: doing('renew all UIDs', { source }) },
  {
    weight: 3,
    arbitrary: doing('make a series', {
      source,
      at,
      every: fc.constantFrom(1 as const, 7 as const),
      count: fc.integer({ min: 1, max: 6 }),
    }),
  },
  { weight: 3, arbitrary: doing('make single', { source, at }) },
  { weight: 2, arbitrary: doing('leave out', { source, at, index }) },
  {
    weight: 2,
    arbitrary: doing('change one', {
      source,
      at,
      index,
      hours: fc.integer({ min: -3, max: 30 }),
      title: fc.option(title, { nil: undefined, freq: 2 }),
    }),
  },
  { weight: 1, arbitrary: doing('shift all', { source, hours: fc.constantFrom(-24, -1, 1, 24) }) },
  { weight: 1, arbitrary: doing('rule', { source, skips: fc.option(fc.constantFrom(...TITLES), { freq: 2 }) }) },
  {
    weight: 1,
    arbitrary: doing('publish', {
      source,
      how: fc.constantFrom('unreachable', 'a page', 'cut', 'empty', 'whole', 'whole'),
    }),
  },
);

/** What people do on the site. */
const visiting = fc.oneof(
  { weight: 6, arbitrary: doing('edit', { at, field: edited }) },
  { weight: 1, arbitrary: doing('hide', { at }) },
  { weight: 1, arbitrary: doing('withdraw', { at }) },
  { weight: 2, arbitrary: doing('trash', { at }) },
  { weight: 2, arbitrary: doing('untrash', { at }) },
  { weight: 1, arbitrary: doing('erase', { at }) },
  { weight: 1, arbitrary: doing('add by hand', { at }) },
);

/** What goes wrong. */
const failing = fc.oneof(
  {
    weight: 6,
    arbitrary: doing('fault', {
      fault: fc.constantFrom(
        'lost',
        'hang-up',
        'mute',
        '429',
        '500',
        '500 done',
        '502 done',
        '503',
        'page',
        'page done',
        'warning',
      ),
      of: fc.constantFrom('any', 'POST', 'GET'),
      after: fc.nat(12),
      times: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: doing('go away', {
      isCarriedOut: fc.boolean(),
      after: fc.nat(6),
      times: fc.integer({ min: 1, max: 60 }),
    }),
  },
  { weight: 6, arbitrary: doing('kill', { source, full: fc.boolean(), effects: fc.integer({ min: 1, max: 90 }) }) },
  {
    weight: 4,
    arbitrary: doing('lose queue', { source, full: fc.boolean(), effects: fc.integer({ min: 1, max: 90 }) }),
  },
  { weight: 1, arbitrary: doing('lose ledger', { source }) },
  {
    weight: 2,
    arbitrary: doing('lose ledger beside edits', {
      source,
      edits: fc.array(
        fc.record({
          at,
          what: fc.oneof({ weight: 3, arbitrary: edited }, { weight: 2, arbitrary: fc.constant('withdraw' as const) }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      full: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: doing('change role', {
      role: fc.constantFrom(
        'contributor' as const,
        'contributor' as const,
        'editor' as const,
        'administrator' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: doing('back up', {}) },
  { weight: 1, arbitrary: doing('restore', {}) },
  { weight: 1, arbitrary: doing('freeze lists', {}) },
  { weight: 1, arbitrary: doing('thaw lists', {}) },
);

const working = fc.oneof(
  { weight: 12, arbitrary: doing('sync', { source, full: fc.boolean() }) },
  { weight: 3, arbitrary: doing('sync twice at once', { source, other: source }) },
  { weight: 2, arbitrary: doing('approve', {}) },
  { weight: 1, arbitrary: doing('reject', {}) },
  {
    weight: 3,
    arbitrary: doing('settle field', {
      at,
      field: fc.constantFrom('title', 'description', 'start_date'),
      winner: fc.constantFrom('feed', 'site'),
    }),
  },
  { weight: 3, arbitrary: doing('undo', { source, syncs: fc.boolean(), again: fc.boolean() }) },
  { weight: 1, arbitrary: doing('days pass', { days: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: doing('settle', {}) },
);

export const anyCommand = fc.oneof(
  { weight: 10, arbitrary: publishing },
  { weight: 4, arbitrary: visiting },
  { weight: 4, arbitrary: failing },
  { weight: 6, arbitrary: working },
);
export type Command = typeof anyCommand extends fc.Arbitrary<infer T> ? T : never;

/** A life: the settings of the sources, what they begin with, and what happens. */
export const life = fc.record({
  settings: fc.record({
    missing: fc.constantFrom('trash', 'trash', 'draft', 'cancel', 'keep'),
    after: fc.constantFrom(1, 2),
    authority: fc.constantFrom('preserve', 'preserve', 'preserve', 'feed', 'site'),
    /** The authority for a single field, which may differ from the default. */
    of: fc.constantFrom(
      '',
      '',
      '',
      'title feed',
      'title site',
      'start_date feed',
      'start_date site',
      'description feed',
      'categories site',
    ),
  }),
  first: fc.array(seed, { maxLength: 8 }),
  second: fc.array(seed, { maxLength: 3 }),
  commands: fc.array(anyCommand, { minLength: 1, maxLength: 40, size: 'max' }),
});
export type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;
