import { expect, it } from 'vitest';
import { mayBeLeft, planForget } from '../../../src/sync/decisions/forget.ts';
import type { EventDraft } from '../../../src/sync/model/draft.ts';
import type { Plan, Policy } from '../../../src/sync/model/plan.ts';
import { draftOf, policyOf } from '../../support/drafts.ts';
import { applyPlan } from '../../support/site-model.ts';
import { syncing, actionsInWords, undoOf } from '../../support/syncing.ts';

const { site, ledger, run } = syncing();
const onSite = (slug: string) => site.snapshot().events.get(slug);
const undo = (plan: Plan): Plan =>
  undoOf(
    { site, ledger },
    plan,
    plan.actions.map((action) => ({ action, outcome: { kind: 'done', id: 1, slug: '', values: {} } })),
  );

const gone = (action: Policy['missing']['action']): Partial<Policy> => ({ missing: { action, after: 1 } });

it('a forgotten event that was deleted from the trash comes back as we wrote it, not as the site rendered it', () => {
  run([draftOf('1', { title: 'It is "on"', tags: ['music'] })]);
  expect(site.events[0]?.values.title).toBe('It is “on”');
  const forgotten = planForget([...ledger.values()], site.snapshot(), onSite, policyOf());
  expect(actionsInWords(forgotten)).toEqual(['remove It is "on"']);
  applyPlan(site, forgotten, ledger);
  expect([...ledger.values()].map(({ state }) => state)).toEqual(['removed']);
  site.events.splice(0, 1);
  expect(undo(forgotten).actions).toMatchObject([
    { kind: 'create', fields: { title: 'It is "on"', tags: ['tags:music'] } },
  ]);
});

it('a forgotten event that was created again under another name of its source does not come back beside it', () => {
  run([draftOf('1', { title: 'It is on' })]);
  const forgotten = planForget([...ledger.values()], site.snapshot(), onSite, policyOf());
  applyPlan(site, forgotten, ledger);
  const [known] = ledger.values();
  ledger.set('it-is-on-anew', { ...known!, slug: 'it-is-on-anew', state: 'kept' });
  expect(undo(forgotten)).toMatchObject({
    actions: [],
    problems: [
      { code: 'changed-since', message: expect.stringContaining('was created again as it-is-on-anew:') as string },
    ],
  });
});

it('forgetting also removes withdrawn and cancelled events, but leaves alone what people have taken off', () => {
  const { site, ledger, run } = syncing();
  const onSite = (slug: string) => site.snapshot().events.get(slug);
  const last = draftOf('9', { title: 'Last', start_date: '2027-12-01 10:00:00', end_date: '2027-12-01 12:00:00' });
  const own = [
    draftOf('1', { title: 'Withdrawn' }),
    draftOf('2', { title: 'Cancelled' }),
    draftOf('3', { title: 'Off' }),
  ];
  const [withdrawn, cancelled, off] = own as [EventDraft, EventDraft, EventDraft];
  run([withdrawn, cancelled, off, draftOf('4', { title: 'Ours' }), last]);
  run([withdrawn, cancelled, off, last], gone('trash'));
  run([cancelled, off, last], gone('draft'));
  run([off, last], gone('cancel'));
  const slugOf = (title: string): string => [...ledger.values()].find((entry) => entry.title === title)!.slug;
  site.edit(slugOf('Off'), { status: 'trash' });
  const hidden = planForget(
    [...ledger.values()],
    { ...site.snapshot(), unread: new Map([[slugOf('Off'), 'forbidden']]) },
    () => undefined,
    policyOf(),
  );
  expect(hidden.ledger[slugOf('Off')]).toBeUndefined();
  const forgotten = planForget([...ledger.values()], site.snapshot(), onSite, policyOf());
  expect(actionsInWords(forgotten).toSorted()).toEqual(['remove Cancelled', 'remove Last', 'remove Withdrawn']);
  applyPlan(site, forgotten, ledger);
  expect([...ledger.values()].filter(mayBeLeft)).toEqual([]);
  expect(ledger.get(slugOf('Off'))?.state).toBe('ignored');
  expect(actionsInWords(planForget([...ledger.values()], site.snapshot(), onSite, policyOf()))).toEqual([]);
  // Undone, each has its former status again.
  const { actions } = undoOf(
    { site, ledger },
    forgotten,
    forgotten.actions.map((action) => ({ action, outcome: { kind: 'done', id: 1, slug: '', values: {} } })),
  );
  const statuses = actions.map((action) => ('title' in action ? [action.title, action.fields['status']] : []));
  expect(Object.fromEntries(statuses)).toEqual({ Withdrawn: 'draft', Cancelled: 'publish', Last: 'publish' });
});
