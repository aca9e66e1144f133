import { beforeEach, describe, expect, it } from 'vitest';
import { planChanges } from '../../../src/sync/plan-changes.ts';
import type { Plan, SiteEvent } from '../../../src/sync/plan.ts';
import { draftOf, policyOf, readingOf } from '../../support/drafts.ts';
import { syncing, words } from '../../support/syncing.ts';

// The ledger is lost, and the feed has left events meanwhile: only their keys tell whose they are.

let { site, ledger, run } = syncing();
beforeEach(() => { ({ site, ledger, run } = syncing()); });

const MISSING = { missing: { action: 'trash', after: 2 } } as const;
const both = [draftOf('1', { title: 'Jazz' }), draftOf('2', { title: 'Kino', start_date: '2027-03-02 18:00:00' })];
const [, kino] = both;
const jazz = () => site.events.find(({ values }) => values.title === 'Jazz')!;

function lost(): void {
  run(both, MISSING);
  ledger.clear();
}

describe('an event that the feed has left', () => {
  it('is told, known again, and goes like any other', () => {
    lost();
    const plan = run([kino!], MISSING);
    expect(plan.actions).toEqual([]);
    expect(plan.problems).toMatchObject([{ code: 'found-without-ledger', where: { slug: jazz().slug }, message: expect.stringContaining('One event of this source is on the site that the feed does not have') as string }]);
    expect(ledger.get(jazz().slug)).toMatchObject({ title: 'Jazz', id: jazz().id, state: 'kept', missing: 1 });
    expect(words(run([kino!], MISSING))).toEqual(['remove Jazz']);
    expect(run([kino!], MISSING)).toMatchObject({ actions: [], problems: [] });
  });

  it('goes on as it was when it comes back, under another title too', () => {
    lost();
    run([kino!], MISSING);
    const { id } = jazz();
    run([draftOf('1', { title: 'Blues' }), kino!], MISSING);
    expect(site.events.find((event) => event.id === id)!.values.title).toBe('Blues');
    expect(site.events).toHaveLength(2);
    expect([...ledger.values()].map(({ identity }) => identity).sort()).toEqual(['1', '2']);
  });

  it.each([
    { name: 'that is over', reading: {}, policy: { now: Date.UTC(2027, 5, 1) } }, { name: 'beyond what the feed covers', reading: { coversUntil: Date.UTC(2027, 1, 1) }, policy: {} },
    { name: 'while a part of the feed cannot be read', reading: { unread: [{ where: {} }] }, policy: {} },
  ])('is left alone $name', ({ reading, policy }) => {
    lost();
    for (let round = 0; round < 4; round += 1) {
      const { actions, problems } = run([kino!], { ...MISSING, ...policy }, reading as object);
      expect([actions, problems.filter(({ code }) => code === 'found-without-ledger')]).toEqual([[], []]);
    }
    expect(ledger.get(jazz().slug)?.state).toBe('kept');
  });

  it('waits for a person where it is many of them', () => {
    const many = Array.from({ length: 10 }, (_, index) => draftOf(`u${index}`, { title: `Event ${index}` }));
    run(many, MISSING);
    ledger.clear();
    run(many.slice(0, 4), MISSING);
    expect(run(many.slice(0, 4), MISSING).held).toContain('This would remove 6 of 10 upcoming events');
  });

  it('is nobody else\'s: events of another source and of people stay unknown', () => {
    run(both, { ...MISSING, source: 'other' });
    ledger.clear();
    expect(run([draftOf('9')], MISSING).problems).toEqual([]);
    expect(ledger.size).toBe(1);
  });
});

const like = (title: string): SiteEvent => ({ id: 7, slug: 'a-page-by-hand', status: 'publish', values: { title, start_date: '2027-03-01 18:00:00', timezone: 'Europe/Warsaw', venue: [] } });

describe('an event that others made', () => {
  const planned = (strangers: readonly SiteEvent[]): Plan => planChanges({ reading: readingOf(both), snapshot: { ...site.snapshot(), strangers }, ledger, policy: policyOf() });

  it('and that is like one of the feed holds the first run, which tells how to take it over', () => {
    const plan = planned([like('JAZZ!')]);
    expect(plan.held).toBe('1 of 2 events looks like one that the site already has, made by others (same title, start and place). "npm run -s calsyncd -- adopt library" takes it over; approving makes it a second time.');
    expect(words(plan)).toEqual(['create Jazz', 'create Kino']);
  });

  it('holds nothing where it is not like one, or where the event of the feed is known', () => {
    expect(planned([like('Chess')]).held).toBeNull();
    lost();
    expect(planned([like('Jazz')]).held).toBeNull();
    run(both);
    site.events.pop();
    expect(planned([like('Jazz')]).held).toBeNull();
  });
});
