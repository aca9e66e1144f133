import { beforeEach, describe, expect, it } from 'vitest';
import { planChanges } from '../../../src/sync/plan/plan-changes.ts';
import type { Plan, SiteEvent } from '../../../src/sync/model/plan.ts';
import { draftOf, policyOf, readingOf } from '../../support/drafts.ts';
import { syncing, actionsInWords } from '../../support/syncing.ts';

// The ledger is lost, and the feed has dropped events meanwhile: only their keys show whose they are.

let { site, ledger, run, approve } = syncing();
beforeEach(() => {
  ({ site, ledger, run, approve } = syncing());
});

const MISSING = { missing: { action: 'trash', after: 2 } } as const;
const both = [draftOf('1', { title: 'Jazz' }), draftOf('2', { title: 'Kino', start_date: '2027-03-02 18:00:00' })];
const [, kino] = both;
const jazz = () => site.events.find(({ values }) => values.title === 'Jazz')!;

function lost(): void {
  run(both, MISSING);
  ledger.clear();
}

describe('an event that the feed has dropped', () => {
  it('is reported, recognized and removed like any other', () => {
    lost();
    const plan = run([kino!], MISSING);
    expect(plan.actions).toEqual([]);
    expect(plan.problems).toMatchObject([
      {
        code: 'found-without-ledger',
        where: { slug: jazz().slug },
        message: expect.stringContaining(
          'One event of this source is on the site that the feed does not have',
        ) as string,
      },
    ]);
    expect(ledger.get(jazz().slug)).toMatchObject({ title: 'Jazz', id: jazz().id, state: 'kept', missing: 1 });
    expect(actionsInWords(run([kino!], MISSING))).toEqual(['remove Jazz']);
    expect(run([kino!], MISSING)).toMatchObject({ actions: [], problems: [] });
  });

  it('keeps its page when it comes back, and the site stays as it is where they differ', () => {
    lost();
    run([kino!], MISSING);
    const { id, slug } = jazz();
    const back = [draftOf('1', { title: 'Blues' }), kino!];
    expect(run(back, MISSING)).toMatchObject({
      actions: [],
      conflicts: [{ slug, field: 'title', feed: 'Blues', site: 'Jazz' }],
    });
    expect(site.events.find((event) => event.id === id)!.values.title).toBe('Jazz');
    expect(site.events).toHaveLength(2);
    expect([...ledger.values()].map(({ identity }) => identity).sort()).toEqual(['1', '2']);
    expect(run([draftOf('1', { title: 'Blues', cost: '5' }), kino!], MISSING)).toMatchObject({
      actions: [{ fields: { cost: '5' } }],
      conflicts: [],
    });
  });

  it('that a person had withdrawn comes back withdrawn, also out of our trash', () => {
    run(both, MISSING);
    site.edit(jazz().slug, { status: 'draft' });
    ledger.clear();
    for (let round = 0; round < 2; round += 1) run([kino!], MISSING);
    expect(jazz().status).toBe('trash');
    run(both, MISSING);
    expect(jazz().status).toBe('draft');
  });

  it.each([
    { name: 'once it is over', reading: {}, policy: { now: Date.UTC(2027, 5, 1) } },
    { name: 'if it is later than what the feed covers', reading: { coversUntil: Date.UTC(2027, 1, 1) }, policy: {} },
    { name: 'while a part of the feed cannot be read', reading: { unread: [{ where: {} }] }, policy: {} },
  ])('is left alone $name', ({ reading, policy }) => {
    lost();
    for (let round = 0; round < 4; round += 1) {
      const { actions, problems } = run([kino!], { ...MISSING, ...policy }, reading as object);
      expect([actions, problems.filter(({ code }) => code === 'found-without-ledger')]).toEqual([[], []]);
    }
    expect(ledger.get(jazz().slug)?.state).toBe('kept');
  });

  it('waits for a person if there are many such events', () => {
    const many = Array.from({ length: 10 }, (_, index) => draftOf(`u${index}`, { title: `Event ${index}` }));
    run(many, MISSING);
    ledger.clear();
    run(many.slice(0, 4), MISSING);
    expect(run(many.slice(0, 4), MISSING).held).toContain('This would remove 6 of 10 upcoming events');
  });

  it('is not one of another source, which stays unknown', () => {
    run(both, { ...MISSING, source: 'other' });
    ledger.clear();
    expect(run([draftOf('9')], MISSING).problems).toEqual([]);
    expect(ledger.size).toBe(1);
  });

  it('is not one that people made, which stays unknown', () => {
    const byHand = (id: number, slug: string): SiteEvent => ({
      ...like('Jazz'),
      id,
      slug,
      values: { ...like('Jazz').values, end_date: '2027-03-01 20:00:00' },
    });
    // The last word of the last one has the form of a key.
    const slugs = ['jazz', 'library-jazz', 'jazz-night-2027-03-01', 'jazz-transformation'];
    for (const [index, slug] of slugs.entries())
      site.events.push({ ...byHand(index + 1, slug), status: 'publish', modified: '2027-01-01 00:00:00' });
    const before = structuredClone(site.events);
    for (let round = 0; round < 3; round += 1) {
      const plan = run([draftOf('9', { title: 'Chess' })], MISSING);
      expect([plan.problems, actionsInWords(plan)]).toEqual([[], round === 0 ? ['create Chess'] : []]);
    }
    expect([...ledger.values()].map(({ title }) => title)).toEqual(['Chess']);
    expect(site.events.slice(0, slugs.length)).toEqual(before);
  });
});

describe('what people have edited', () => {
  const wanted = [
    draftOf('1', {
      title: 'Jazz "live"',
      description: '<p>Trio</p>',
      cost: '10',
      categories: ['Music'],
      venue: [{ venue: 'Hall' }],
    }),
    kino!,
  ];
  const FEED = { authority: { default: 'feed', fields: {} } } as const;
  const page = () => site.events.find(({ slug }) => slug.startsWith('jazz-'))!;
  const shown = () => structuredClone(page());

  function edited(values: Parameters<typeof site.edit>[1], policy = {}): ReturnType<typeof shown> {
    run(wanted, policy);
    site.edit(page().slug, values);
    ledger.clear();
    return shown();
  }

  it.each<[string, Parameters<typeof site.edit>[1]]>([
    ['a description', { description: '<p>By hand</p>' }],
    ['a time', { start_date: '2027-03-01 19:00:00' }],
    ['a title', { title: 'By hand' }],
    ['a cost', { cost: '99' }],
    ['another venue', { venue: [999] }],
    ['an added category', { categories: [100, 999] }],
    ['a withdrawn event', { status: 'draft' }],
    ['all of it', { description: '<p>By hand</p>', status: 'private', categories: [999] }],
  ])('stays, is listed and waits for a person: %s', (_, values) => {
    const before = edited(values);
    const held = run(wanted);
    expect(held.held).toMatch(
      /^The ledger of this source was lost, and 1 of its events on the site differs from the feed, such as "Jazz "live"" \(in all: /,
    );
    expect(new Set(held.conflicts.map(({ field }) => field))).toEqual(new Set(Object.keys(values)));
    expect([shown(), ledger.size, held.actions]).toEqual([before, 0, []]);
    approve(held);
    expect(shown()).toEqual(before);
    // From then on it is a conflict like any other: nothing is written, and nothing waits.
    expect(run(wanted)).toMatchObject({ actions: [], conflicts: [], held: null, ledger: {} });
    expect(ledger.get(before.slug)!.fields).toMatchObject(
      Object.fromEntries(Object.keys(values).map((field) => [field, { by: 'person', conflict: true }])),
    );
    run([draftOf('1', { ...wanted[0]!.fields, website: 'https://jazz.example/' }), kino!]);
    expect(shown().values).toEqual({ ...before.values, website: 'https://jazz.example/' });
  });

  it('is overwritten where the feed decides, once a person approves; a draft is not published', () => {
    edited({ cost: '99', status: 'draft' }, FEED);
    const held = run(wanted, FEED);
    expect(held).toMatchObject({
      held: expect.stringContaining('(in all: status, cost)') as string,
      actions: [{ fields: { cost: '10' } }],
      conflicts: [{ field: 'status', feed: 'publish', site: 'draft' }],
    });
    approve(held);
    for (let round = 0; round < 2; round += 1) {
      expect(page()).toMatchObject({ status: 'draft', values: { cost: '10' } });
      expect(run(wanted, FEED)).toMatchObject({ actions: [], held: null });
    }
  });

  it('stays where the site decides, and holds nothing', () => {
    const before = edited({ cost: '99' });
    expect(run(wanted, { authority: { default: 'site', fields: {} } })).toMatchObject({
      held: null,
      actions: [],
      conflicts: [],
    });
    expect(shown()).toEqual(before);
  });

  it('stays in an event that is marked as cancelled', () => {
    edited({ title: 'By hand', description: '<p>By hand</p>' });
    const cancelled = [{ ...wanted[0]!, state: 'cancelled' as const }, kino!];
    const held = run(cancelled);
    expect(held).toMatchObject({
      actions: [{ kind: 'create', ref: 'tags:cancelled' }, { fields: { title: 'Cancelled: By hand' } }],
      conflicts: [{ field: 'title' }, { field: 'description' }],
      reasons: [{ kind: 'ledger-lost', count: 1, all: 2 }],
    });
    approve(held);
    expect(page().values).toMatchObject({ title: 'Cancelled: By hand', description: '<p>By hand</p>' });
    run(wanted);
    expect(page().values).toMatchObject({ title: 'By hand', tags: [] });
  });

  it("holds nothing where only the site's rendering differs", () => {
    const before = edited({});
    expect(before.values.title).toBe('Jazz “live”');
    expect(run(wanted)).toMatchObject({ held: null, actions: [], conflicts: [], unchanged: 2 });
  });

  it('holds nothing where a person has done what the feed says by now', () => {
    const by = { title: 'Jazz at noon', description: '<p>Quartet</p>', cost: '12' };
    edited(by);
    const before = structuredClone(site.events);
    const now = [draftOf('1', { ...wanted[0]!.fields, ...by }), kino!];
    expect(run(now)).toMatchObject({ held: null, actions: [], conflicts: [], problems: [], unchanged: 2 });
    expect(site.events).toEqual(before);
    run([draftOf('1', { ...wanted[0]!.fields, ...by, cost: '15' }), kino!]);
    expect(page().values).toMatchObject({ ...by, cost: '15' });
  });

  it('is not overwritten where the site does not show the field', () => {
    edited({});
    const { description: _hidden, cost: _too, ...values } = page().values;
    page().values = values;
    expect(run(wanted)).toMatchObject({ held: null, actions: [], conflicts: [] });
    page().values = { ...values, description: '<p>By hand</p>', cost: '10' };
    expect(run(wanted)).toMatchObject({ actions: [], conflicts: [] });
  });
});

const like = (title: string): SiteEvent => ({
  id: 7,
  slug: 'a-page-by-hand',
  status: 'publish',
  values: { title, start_date: '2027-03-01 18:00:00', timezone: 'Europe/Warsaw', venue: [] },
});

describe('an event that others made', () => {
  const planned = (strangers: readonly SiteEvent[]): Plan =>
    planChanges({ reading: readingOf(both), snapshot: { ...site.snapshot(), strangers }, ledger, policy: policyOf() });

  it('holds the first run if it is like one of the feed, and the hold says how to take it over', () => {
    const plan = planned([like('JAZZ!')]);
    expect(plan.held).toBe(
      '1 of 2 events looks like one that the site already has, made by others (same title, start and place). ' +
        '"npm run -s calsyncd -- adopt library" takes it over; approving creates it a second time.',
    );
    expect(plan.reasons).toMatchObject([{ kind: 'made-by-others', count: 1, all: 2 }]);
    expect(actionsInWords(plan)).toEqual(['create Jazz', 'create Kino']);
  });

  it('holds nothing if it is like none, or if the event of the feed is already known', () => {
    expect(planned([like('Chess')]).held).toBeNull();
    lost();
    expect(planned([like('Jazz')]).held).toBeNull();
    run(both);
    site.events.pop();
    expect(planned([like('Jazz')]).held).toBeNull();
  });
});
