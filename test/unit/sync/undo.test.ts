import { expect, it } from 'vitest';
import { planUndo } from '../../../src/sync/decisions/undo.ts';
import { refsReplaced } from '../../../src/sync/links/link.ts';
import { draftOf, policyOf } from '../../support/drafts.ts';
import { syncing } from '../../support/syncing.ts';

it('what an undo leaves alone is named beside the links that are lost', () => {
  const { site, ledger, run } = syncing();
  const fields = { title: 'Concert', description: 'Tonight', venue: [{ venue: 'Old hall' }] };
  run([draftOf('1', fields)]);
  const { actions, refs } = run([
    draftOf('1', { ...fields, title: 'Recital', description: 'Tomorrow', venue: [{ venue: 'New hall' }] }),
  ]);
  const updates = actions.filter((action) => action.resource === 'events');
  const [shown] = site.events;
  const values = { ...shown?.values };
  if (shown) shown.values.title = 'Edited by a person';
  const plan = planUndo({
    run: 'town-1',
    done: updates.map((action) => ({ action, outcome: { kind: 'done', id: shown?.id ?? 0, slug: '', values } })),
    refs,
    movedRefs: new Set(updates.flatMap(refsReplaced)),
    snapshot: site.snapshot(),
    onSite: (slug) => site.snapshot().events.get(slug),
    ledger,
    policy: policyOf(),
  });
  expect(plan.actions).toMatchObject([{ kind: 'update', fields: { description: 'Tonight' } }]);
  expect(plan.problems.map(({ code }) => code)).toEqual(['changed-since', 'links-lost']);
  expect(plan.skipped).toBe(1);
});
