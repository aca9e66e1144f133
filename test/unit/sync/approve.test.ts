import { expect, test } from 'vitest';
import { attachedEntry, detachedEntry, planFor } from '../../../src/sync/decisions/detach.ts';
import { conflictsIn, EMPTY_PLAN } from '../../../src/sync/decisions/settle.ts';
import type { EventDraft } from '../../../src/sync/model/draft.ts';
import { draftOf } from '../../support/drafts.ts';
import { manyDrafts, syncing } from '../../support/syncing.ts';

// What the ledger says of a source's events once a person has approved a held plan.

const renamed = (count: number): EventDraft[] =>
  Array.from({ length: count }, (_, index) => draftOf(`u${index}`, { title: `By the feed ${index}` }));

/** Ten events, the first renamed by a person; then a held plan that renames them all. */
function heldWithConflict(): ReturnType<typeof syncing> & {
  readonly held: ReturnType<ReturnType<typeof syncing>['plan']>;
} {
  const all = syncing();
  all.run(manyDrafts(10));
  edit(all, 'By hand');
  const held = all.plan(renamed(10));
  expect(held).toMatchObject({ held: expect.any(String) as string, conflicts: [{ field: 'title', site: 'By hand' }] });
  return { ...all, held };
}

function edit({ site }: ReturnType<typeof syncing>, title: string): void {
  site.edit(site.events.find(({ values }) => ['Event 0', 'By hand'].includes(String(values.title)))!.slug, { title });
}

const inConflict = ({ ledger }: ReturnType<typeof syncing>): readonly unknown[] =>
  [...ledger.values()].flatMap((entry) => conflictsIn(entry));

test('a conflict is recorded at once', () => {
  const all = heldWithConflict();
  all.approve(all.held);
  expect(inConflict(all)).toEqual(['title']);
  expect(all.plan(renamed(10)).actions).toEqual([]);
});

test('a conflict that was settled on the site before the approval is not recorded', () => {
  const all = heldWithConflict();
  edit(all, 'By the feed 0');
  all.approve(all.held);
  expect(inConflict(all)).toEqual([]);
  all.run(renamed(10));
  expect(inConflict(all)).toEqual([]);
});

test("an approved undo makes an event a person's own, or its feed's again, without a write", () => {
  const all = syncing();
  all.run(manyDrafts(2));
  const [own, other] = [...all.ledger.values()];
  const { ledger } = planFor(detachedEntry(own!));
  const counted = { entry: { ...other!, missing: 1 }, pendingFields: [] };
  all.approve({ ...EMPTY_PLAN, ledger: { ...ledger, [other!.slug]: counted }, held: 'It would move many.' });
  expect(all.ledger.get(own!.slug)?.state).toBe('detached');
  const again = { entry: attachedEntry(all.ledger.get(own!.slug)!), pendingFields: [] };
  all.approve({ ...EMPTY_PLAN, ledger: { [own!.slug]: again }, held: 'It would move many.' });
  expect(all.ledger.get(own!.slug)?.state).toBe('kept');
  // Absences are left for the next run to count.
  expect(all.ledger.get(other!.slug)).toEqual(other);
});
