import { beforeEach, describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/sync/model/draft.ts';
import type { LedgerEntry, SiteEvent } from '../../../src/sync/model/plan.ts';
import { draftOf } from '../../support/drafts.ts';
import { syncing, actionsInWords } from '../../support/syncing.ts';

// The site is restored to an older state: what we wrote since is gone, and nobody has edited anything.

type Values = SiteEvent['values'];
let { site, ledger, run } = syncing();
beforeEach(() => {
  ({ site, ledger, run } = syncing());
});

const jazz = (fields: Partial<EventDraft['fields']> = {}, more: Partial<EventDraft> = {}): EventDraft =>
  draftOf('1', { title: 'Jazz', description: 'Trio', ...fields }, more);
const shown = (): Values => site.events[0]!.values;
const edit = (values: Values): void => site.edit(site.events[0]!.slug, values);

/** Restores the site to a backup that is made after `backedUp` and before `since`. */
function restoredAfter(backedUp: () => void, since: () => void): void {
  run([jazz()]);
  backedUp();
  const backup = site.backup();
  since();
  site.restore(backup);
}
const nothing = (): void => undefined;

describe('what we wrote since the backup', () => {
  it('is written again, though the feed has not changed', () => {
    restoredAfter(nothing, () => run([jazz({ title: 'Blues', description: 'Duo' })]));
    const plan = run([jazz({ title: 'Blues', description: 'Duo' })]);
    expect(plan.actions).toMatchObject([
      {
        kind: 'update',
        fields: { title: 'Blues', description: 'Duo' },
        because: 'older on the site than it was: the site went back to an earlier state',
      },
    ]);
    expect(plan.conflicts).toEqual([]);
    expect(shown()).toMatchObject({ title: 'Blues', description: 'Duo' });
    expect(actionsInWords(run([jazz({ title: 'Blues', description: 'Duo' })]))).toEqual([]);
  });

  it('is written as the feed has it now, without a conflict', () => {
    restoredAfter(nothing, () => run([jazz({ title: 'Blues' })]));
    expect(run([jazz({ title: 'Swing' })])).toMatchObject({ conflicts: [], actions: [{ fields: { title: 'Swing' } }] });
  });

  it('is written again, whichever of our earlier writes the site went back to', () => {
    restoredAfter(nothing, () => {
      for (const title of ['Blues', 'Swing', 'Soul']) run([jazz({ title })]);
    });
    run([jazz({ title: 'Soul' })]);
    expect(shown().title).toBe('Soul');
  });

  it('is marked as cancelled again, even if the feed has no tags', () => {
    restoredAfter(nothing, () => run([jazz({}, { state: 'cancelled' })]));
    run([jazz({}, { state: 'cancelled' })]);
    expect(shown().title).toBe('Cancelled: Jazz');
    expect(shown().tags).toEqual([site.tags.find(({ name }) => name === 'cancelled')!.id]);
  });

  it('is not written again where the site decides', () => {
    restoredAfter(nothing, () => run([jazz({ title: 'Blues' })]));
    expect(actionsInWords(run([jazz({ title: 'Blues' })], { authority: { default: 'site', fields: {} } }))).toEqual([]);
  });
});

describe('what a person wrote stays theirs', () => {
  it('also if an undo gave back the same value as the backup has', () => {
    restoredAfter(nothing, () => {
      run([jazz({ title: 'Blues' })]);
      const [[slug, entry]] = [...ledger] as [[string, LedgerEntry]];
      const { title } = entry.fields as Required<LedgerEntry['fields']>;
      ledger.set(slug, { ...entry, fields: { ...entry.fields, title: { ...title, returned: 'Jazz', by: 'person' } } });
    });
    expect(actionsInWords(run([jazz({ title: 'Blues' })]))).toEqual([]);
    expect(shown().title).toBe('Jazz');
  });

  it.each([
    {
      name: 'before the backup, in another field than we wrote to since',
      backedUp: () => edit({ description: 'By hand' }),
      since: () => run([jazz({ title: 'Blues' })]),
      stays: { description: 'By hand', title: 'Blues' },
    },
    {
      name: 'before the backup, equal to an earlier value of ours',
      backedUp: () => {
        run([jazz({ description: 'Duo' })]);
        edit({ description: 'Trio' });
      },
      since: () => run([jazz({ title: 'Blues', description: 'Duo' })]),
      stays: { description: 'Trio', title: 'Blues' },
    },
    {
      name: 'before the backup, although the feed has overwritten it since',
      backedUp: () => edit({ title: 'By hand' }),
      since: () => run([jazz({ title: 'Blues' })], { authority: { default: 'feed', fields: {} } }),
      stays: { title: 'By hand' },
    },
  ])('$name', ({ backedUp, since, stays }) => {
    restoredAfter(backedUp, since);
    const last = jazz({
      title: 'Blues',
      description: 'description' in stays && stays.description === 'Trio' ? 'Duo' : 'Trio',
    });
    run([last]);
    expect(shown()).toMatchObject(stays);
    expect(actionsInWords(run([last]))).toEqual([]);
  });

  it('after the restore, even if equal to an earlier value of ours', () => {
    restoredAfter(nothing, () => run([jazz({ title: 'Blues' })]));
    edit({ title: 'Jazz' });
    expect(actionsInWords(run([jazz({ title: 'Blues' })]))).toEqual([]);
    expect(shown().title).toBe('Jazz');
  });
});

describe('what we removed since the backup', () => {
  it.each(['trash', 'draft', 'cancel'] as const)('is removed again (%s)', (action) => {
    const policy = { missing: { action, after: 1 } };
    run([jazz(), draftOf('2')]);
    const backup = site.backup();
    run([draftOf('2')], policy);
    const gone = { status: site.events[0]!.status, title: shown().title, tags: shown().tags };
    site.restore(backup);
    expect(run([draftOf('2')], policy).actions).toMatchObject([
      { kind: 'remove', how: action, because: expect.stringContaining('older state') as string },
    ]);
    expect({ status: site.events[0]!.status, title: shown().title, tags: shown().tags }).toEqual(gone);
    expect(actionsInWords(run([draftOf('2')], policy))).toEqual([]);
    expect([...ledger.values()].map(({ title, state }) => `${title} ${state}`).sort()).toEqual([
      'Event 2 kept',
      'Jazz removed',
    ]);
  });

  it('stays once a person has brought it back', () => {
    run([jazz(), draftOf('2')]);
    run([draftOf('2')], { missing: { action: 'trash', after: 1 } });
    edit({ status: 'publish' });
    expect(actionsInWords(run([draftOf('2')], { missing: { action: 'trash', after: 1 } }))).toEqual([]);
  });

  it('waits for a person if it is much at once', () => {
    const many = Array.from({ length: 10 }, (_, index) => draftOf(`${index}`));
    run(many);
    const backup = site.backup();
    for (let left = 9; left >= 4; left -= 1) run(many.slice(0, left), { missing: { action: 'trash', after: 1 } });
    site.restore(backup);
    expect(run(many.slice(0, 4), { missing: { action: 'trash', after: 1 } }).held).toContain(
      'This would remove 6 of 10 upcoming events',
    );
  });
});
