import { expect, it } from 'vitest';
import { planForget } from '../../../src/sync/decisions/forget.ts';
import { planUndo } from '../../../src/sync/decisions/undo.ts';
import type { Plan } from '../../../src/sync/model/plan.ts';
import { draftOf, policyOf } from '../../support/drafts.ts';
import { applyPlan } from '../../support/site-model.ts';
import { syncing, words } from '../../support/syncing.ts';

const { site, ledger, run } = syncing();
const onSite = (slug: string) => site.snapshot().events.get(slug);
const undo = ({ actions, refs }: Plan): Plan =>
  planUndo({
    run: 'forget-1',
    done: actions.map((action) => ({ action, outcome: { kind: 'done', id: 1, slug: '', values: {} } })),
    refs,
    movedRefs: new Set(),
    snapshot: site.snapshot(),
    onSite,
    ledger,
    policy: policyOf(),
  });

it('what is forgotten, and deleted from the trash then, comes back as it was written, not as the site had rendered it', () => {
  run([draftOf('1', { title: 'It is "on"', tags: ['music'] })]);
  expect(site.events[0]?.values.title).toBe('It is “on”');
  const forgotten = planForget([...ledger.values()], site.snapshot(), onSite, policyOf());
  expect(words(forgotten)).toEqual(['remove It is "on"']);
  applyPlan(site, forgotten, ledger);
  expect([...ledger.values()].map(({ state }) => state)).toEqual(['removed']);
  site.events.splice(0, 1);
  expect(undo(forgotten).actions).toMatchObject([
    { kind: 'create', fields: { title: 'It is "on"', tags: ['tags:music'] } },
  ]);
});

it('what is forgotten, and has come anew under another name of its source, does not come back beside it', () => {
  run([draftOf('1', { title: 'It is on' })]);
  const forgotten = planForget([...ledger.values()], site.snapshot(), onSite, policyOf());
  applyPlan(site, forgotten, ledger);
  const [known] = ledger.values();
  ledger.set('it-is-on-anew', { ...known!, slug: 'it-is-on-anew', state: 'kept' });
  expect(undo(forgotten)).toMatchObject({
    actions: [],
    problems: [
      { code: 'changed-since', message: expect.stringContaining('has come anew as it-is-on-anew:') as string },
    ],
  });
});
