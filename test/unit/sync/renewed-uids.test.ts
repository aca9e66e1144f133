import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/sync/model/draft.ts';
import { identifyDrafts } from '../../../src/sync/identity/identify-drafts.ts';
import { NOW, draftOf } from '../../support/drafts.ts';
import { repetitions } from '../../support/repetitions.ts';
import { syncing, actionsInWords } from '../../support/syncing.ts';

// UIDs are renewed, and one more thing has changed: the place or the title. The pages stay.

let { site, ledger, run, approve } = syncing();
beforeEach(() => {
  ({ site, ledger, run, approve } = syncing());
});

const FREE = { hold: { share: 1, moreThan: 1_000 }, missing: { action: 'trash', after: 1 } } as const;
const TITLES = [
  'Jazz night',
  'Choir rehearsal',
  'Flea market',
  'Book fair',
  'Chess open',
  'Film club',
  'Poetry slam',
  'Tango evening',
];

interface Row {
  readonly title: string;
  readonly place: string | null;
  readonly day: number;
  readonly hour?: number;
}
const draft = (uid: string, { title, place, day, hour = 18 }: Row): EventDraft => {
  const start = `2027-03-${String(day).padStart(2, '0')} ${hour}:00:00`;
  return draftOf(
    uid,
    { title, start_date: start, venue: place === null ? [] : [{ venue: place }] },
    { rungs: { uid, recurrenceId: null, url: null, fingerprint: `${title}|${start}|${place ?? ''}` } },
  );
};
/** A feed of `rows`; each `build` gives every event another UID. */
const feed = (build: string, rows: readonly Row[]): EventDraft[] =>
  rows.map((row, index) => draft(`${build}-${index}@x`, row));
const rows: readonly Row[] = TITLES.map((title, index) => ({ title, place: 'Town Hall', day: index + 1 }));
const changed = (at: number, change: Partial<Row>): Row[] =>
  rows.map((row, index) => (index === at ? { ...row, ...change } : row));
const pages = () => site.events.filter(({ status }) => status !== 'trash').map(({ id, slug }) => [id, slug]);

describe('the pages stay', () => {
  it.each<[string, readonly Row[], number]>([
    ['when one place changes', changed(2, { place: 'School yard' }), 1],
    ['when one title changes', changed(2, { title: 'Flea market (indoors)' }), 1],
    ['when an event loses its place', changed(2, { place: null }), 1],
    [
      'when the place has another name in the whole feed',
      rows.map((row) => ({ ...row, place: 'Town Hall, Main Street 1' })),
      8,
    ],
    [
      'when half of the events change one thing each',
      rows.map((row, index) =>
        index > 3
          ? row
          : { ...row, ...(index % 2 === 0 ? { place: 'School yard' } : { title: `${row.title}!? (new)` }) },
      ),
      4,
    ],
  ])('%s', (_, now, updates) => {
    run(feed('a', rows));
    const before = pages();
    const plan = run(feed('b', now));
    expect(plan.held).toBeNull();
    expect(actionsInWords(plan).filter((each) => !each.startsWith('create venues:'))).toEqual(
      expect.arrayContaining(Array.from({ length: updates }, () => expect.stringMatching(/^update /) as string)),
    );
    expect(plan.actions.filter(({ resource }) => resource === 'events')).toHaveLength(updates);
    expect(pages()).toEqual(before);
    expect(run(feed('b', now)).actions).toEqual([]);
    expect(run(feed('c', now)).actions).toEqual([]);
    expect(pages()).toEqual(before);
  });

  it('when an event gains a place', () => {
    run(feed('a', changed(2, { place: null })));
    const before = pages();
    const plan = run(feed('b', changed(2, { place: 'School yard' })));
    expect(plan).toMatchObject({ held: null, conflicts: [] });
    expect(actionsInWords(plan).toSorted()).toEqual(['create venues:School yard', 'update Flea market']);
    expect(pages()).toEqual(before);
    expect(run(feed('c', changed(2, { place: 'School yard' }))).actions).toEqual([]);
    expect(pages()).toEqual(before);
  });

  it('when all titles change, once the hold for that is approved', () => {
    run(feed('a', rows));
    const before = pages();
    const plan = run(
      feed(
        'b',
        rows.map((row) => ({ ...row, title: `Live: ${row.title}` })),
      ),
    );
    expect(plan.held).toMatch(/^This would give 8 of 8 upcoming events another title, such as "Live: Jazz night"/);
    approve(plan);
    expect(pages()).toEqual(before);
  });

  it('with the ledger lost, while the differences wait for a person', () => {
    run(feed('a', rows));
    const before = pages();
    ledger.clear();
    const plan = run(
      feed(
        'b',
        changed(2, { place: 'School yard' }).map((row, index) =>
          index === 4 ? { ...row, title: 'Chess blitz' } : row,
        ),
      ),
    );
    expect(plan.held).toMatch(
      /^The ledger of this source was lost, and 2 of its events on the site differ from the feed, such as "Flea market" \(in all: venue, title\)/,
    );
    approve(plan);
    expect([pages(), ledger.size]).toEqual([before, 8]);
    expect(site.events[4]!.values.title).toBe('Chess open');
  });
});

describe('another event is one with', () => {
  const kinds = (now: readonly EventDraft[]): readonly string[] =>
    run(now, FREE)
      .actions.filter(({ resource }) => resource === 'events')
      .map(({ kind }) => kind)
      .toSorted();

  it.each<[string, Row]>([
    ['another title and another place', { title: 'Opera', place: 'School yard', day: 3 }],
    ['another title and another start', { title: 'Opera', place: 'Town Hall', day: 20 }],
    ['the same title, but neither the start nor the place', { title: 'Flea market', place: 'School yard', day: 20 }],
  ])('%s', (_, row) => {
    run(feed('a', rows));
    expect(kinds(feed('b', changed(2, row)))).toEqual(['create', 'remove']);
  });

  it('another title and another description or end, at the same place and start', () => {
    run(feed('a', rows));
    const [text, end] = [{ description: '<p>Verdi</p>' }, { end_date: '2027-03-03 21:00:00' }];
    for (const [build, fields] of [
      ['b', text],
      ['c', end],
    ] as const) {
      const [opera] = [draft(`${build}-2@x`, { title: `Opera ${build}`, place: 'Town Hall', day: 3 })];
      const other = {
        ...opera,
        fields: { ...opera.fields, ...fields },
        ...('end_date' in fields ? { endsAt: opera.endsAt - 3_600_000 } : {}),
      };
      expect(kinds(feed(build, rows).with(2, other))).toEqual(['create', 'remove']);
    }
  });

  it('another title where the feed gives no place', () => {
    run(
      feed(
        'a',
        rows.map((row) => ({ ...row, place: null })),
      ),
    );
    expect(
      kinds(
        feed(
          'b',
          changed(2, { title: 'Opera' }).map((row) => ({ ...row, place: null })),
        ),
      ),
    ).toEqual(['create', 'remove']);
  });

  it('several candidates for its former self', () => {
    const two = (one: string, other: string): Row[] => [
      ...rows,
      { title: 'Yoga', place: one, day: 20 },
      { title: 'Yoga', place: other, day: 20 },
    ];
    run(feed('a', two('Room 1', 'Room 2')));
    expect(kinds(feed('b', two('Hall 1', 'Hall 2')))).toEqual(['create', 'create', 'remove', 'remove']);
  });

  it('the place and start of one that left the feed before, or that a person removed', () => {
    run(feed('a', rows));
    run(feed('a', rows).toSpliced(2, 1), FREE);
    const other: Row = { title: 'Opera', place: 'Town Hall', day: 3 };
    expect(kinds([...feed('a', rows).toSpliced(2, 1), draft('b', other)])).toEqual(['create']);
    site.edit(site.events.find(({ values }) => values.title === 'Book fair')!.slug, { status: 'trash' });
    run([...feed('a', rows).toSpliced(2, 1), draft('b', other)], FREE);
    expect(
      kinds([
        ...feed('a', rows).toSpliced(2, 2),
        draft('b', other),
        draft('c', { title: 'Ballet', place: 'Town Hall', day: 4 }),
      ]),
    ).toEqual(['create']);
  });
});

/** On three days the same event in each of two rooms. */
const rooms = (name: string): Row[] =>
  [1, 2, 3].flatMap((day) => [1, 2].map((number) => ({ title: 'Yoga', place: `${name} ${number}`, day })));

it('a hold says that the same events may have come back under new names', () => {
  run(feed('a', rooms('Room')));
  const named =
    'They may be the same events under new names: of those that are gone, there are again 6 with the same title and start at another place.';
  expect(run(feed('b', rooms('Hall')), { missing: { action: 'trash', after: 1 } }).held).toMatch(
    /^This would remove 6 of 6 .*/,
  );
  expect(run(feed('b', rooms('Hall')), { missing: { action: 'trash', after: 1 } }).held).toContain(named);
  expect(run(feed('b', rooms('Hall'))).held).toContain(named);
});

describe('laws', () => {
  const row = fc.record({
    title: fc.constantFrom('Jazz', 'Kino', 'Opera'),
    place: fc.constantFrom('Hall', 'Park', null),
    day: fc.integer({ min: 1, max: 4 }),
    hour: fc.constantFrom(18, 20),
  });
  /** A feed and its next state: some events unchanged, some renewed, some changed, some new. */
  const feeds = fc
    .array(row, { maxLength: 8 })
    .chain((first) =>
      fc.tuple(
        fc.constant(first),
        fc.tuple(
          ...first.map((old) =>
            fc.record({ row: fc.oneof(fc.constant(old), row), isRenewed: fc.boolean(), isGone: fc.boolean() }),
          ),
        ),
        fc.array(row, { maxLength: 3 }),
      ),
    )
    .map(([first, next, more]) => ({
      first: feed('a', first),
      next: [
        ...next.flatMap(({ row: now, isRenewed, isGone }, index) =>
          isGone ? [] : [draft(`${isRenewed ? 'b' : 'a'}-${index}@x`, now)],
        ),
        ...feed('c', more),
      ],
    }));
  const shuffled = feeds.chain(({ first, next }) =>
    fc.record({
      first: fc.constant(first),
      next: fc.constant(next),
      other: fc.shuffledSubarray(next, { minLength: next.length }),
    }),
  );

  it('no entry continues in two drafts, and the order of a feed does not matter', () => {
    fc.assert(
      fc.property(shuffled, ({ first, next, other }) => {
        const world = syncing();
        world.run(first, FREE);
        const identify = (drafts: readonly EventDraft[]) =>
          identifyDrafts({ drafts, ledger: world.ledger, source: 'library', rung: 'uid', now: NOW }).value;
        const slugs = identify(next).map(({ slug }) => slug);
        expect(new Set(slugs).size).toBe(next.length);
        const entries = identify(next).flatMap(({ entry }) => entry?.slug ?? []);
        expect(new Set(entries).size).toBe(entries.length);
        expect(world.plan(other, FREE).actions).toEqual(world.plan(next, FREE).actions);
      }),
      { numRuns: repetitions(500) },
    );
  });

  it('a second run changes nothing, and each event of the feed is on the site once', () => {
    fc.assert(
      fc.property(feeds, ({ first, next }) => {
        fc.pre(next.length > 0);
        const world = syncing();
        world.run(first, FREE);
        world.run(next, FREE);
        const shown = world.site.events
          .filter(({ status }) => status !== 'trash')
          .map(({ values }) => `${String(values.title)} ${String(values.start_date)}`)
          .toSorted();
        expect(shown).toEqual(next.map(({ fields }) => `${fields.title} ${fields.start_date}`).toSorted());
        expect(world.plan(next, FREE).actions).toEqual([]);
      }),
      { numRuns: repetitions(500) },
    );
  });
});
