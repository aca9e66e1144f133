import { beforeEach, describe, expect, it } from 'vitest';
import type { LeftBehindEvent } from '../../../src/sync/event/other-name.ts';
import { planChanges } from '../../../src/sync/plan/plan-changes.ts';
import { draftOf, policyOf, readingOf } from '../../support/drafts.ts';
import { applyPlan } from '../../support/site-model.ts';
import { syncing, actionsInWords } from '../../support/syncing.ts';

// A source gets another name: its events keep the keys of the old one.

let { site, ledger, run, approve } = syncing();
beforeEach(() => {
  ({ site, ledger, run, approve } = syncing());
});

const both = [draftOf('1', { title: 'Jazz' }), draftOf('2', { title: 'Kino', start_date: '2027-03-02 18:00:00' })];

describe('without a ledger', () => {
  it('events created under the old name are recognized, even if title and time have changed since', () => {
    run(both, { source: 'lib' });
    ledger.clear();
    const [, kino] = both;
    const wanted = [draftOf('1', { title: 'Blues', start_date: '2027-03-05 18:00:00' }), kino!];
    const plan = run(wanted, { was: 'lib' });
    expect(plan).toMatchObject({
      actions: [],
      conflicts: [{ field: 'title', site: 'Jazz' }, { field: 'start_date' }, { field: 'end_date' }],
      held: expect.stringContaining('1 of its events on the site differs') as string,
    });
    approve(plan);
    expect(run(wanted)).toMatchObject({ actions: [], unchanged: 2, held: null });
    expect(site.events).toHaveLength(2);
  });

  it('an event that was missing when the source got its new name is recognized when it comes back', () => {
    run(both, { source: 'lib' });
    ledger.clear();
    run(both.slice(1), { was: 'lib' });
    const plan = run([draftOf('1', { title: 'Blues', start_date: '2027-04-05 18:00:00' }), ...both.slice(1)]);
    expect(plan).toMatchObject({
      actions: [],
      conflicts: [{ field: 'title', feed: 'Blues', site: 'Jazz' }, { field: 'start_date' }, { field: 'end_date' }],
    });
    expect(site.events.map(({ values }) => values.title)).toEqual(['Jazz', 'Kino']);
  });
});

describe('a new source with the old name', () => {
  it('creates events of its own, and leaves those of the renamed source alone', () => {
    run(both, { source: 'lib' });
    const others = new Set([...ledger.values()].map(({ key }) => key));
    const own = new Map<string, never>();
    const planned = (): ReturnType<typeof planChanges> =>
      planChanges({
        reading: readingOf(both.slice(0, 1)),
        snapshot: site.snapshot(),
        ledger: own,
        policy: policyOf({ source: 'lib' }),
        others,
      });
    const first = planned();
    expect(actionsInWords(first)).toEqual(['create Jazz']);
    expect(first.problems).toEqual([]);
    applyPlan(site, first, own);
    expect(planned().actions).toEqual([]);
    own.clear();
    expect([planned().actions, planned().problems]).toEqual([[], []]);
    expect(site.events).toHaveLength(3);
  });
});

describe('an event left by a source that is no longer configured', () => {
  const left = (title: string, start: string, uid = '1'): LeftBehindEvent => {
    run([draftOf(uid, { title, start_date: start })], { source: 'lib' });
    const [entry] = [...ledger.values()];
    ledger.clear();
    site.events.length = 0;
    return { ...entry!, source: 'lib' };
  };
  const held = (event: LeftBehindEvent): ReturnType<typeof planChanges> =>
    planChanges({
      reading: readingOf(both),
      snapshot: site.snapshot(),
      ledger,
      policy: policyOf({ source: 'library' }),
      left: [event],
    });

  it.each([
    { name: 'with another title', event: () => left('Blues', '2027-03-01 18:00:00') },
    { name: 'at another time', event: () => left('Jazz', '2027-05-01 18:00:00') },
  ])('holds a first plan that has it $name', ({ event }) => {
    expect(held(event())).toMatchObject({
      reasons: [{ kind: 'other-name', count: 1, all: 2 }],
      held: expect.stringMatching(/^1 of 2 events is on the site already, from the source "lib"/) as string,
    });
  });

  it.each([
    { name: 'an event that shares only its UID', event: () => left('Blues', '2027-05-01 18:00:00') },
    { name: 'an event with another UID', event: () => left('Jazz', '2027-03-01 18:00:00', '3') },
  ])('is not taken for $name', ({ event }) => {
    expect(held(event()).held).toBeNull();
  });
});
