import { expect, it } from 'vitest';
import type { Plan } from '../../../src/sync/model/plan.ts';
import { planUndo } from '../../../src/sync/decisions/undo.ts';
import { refsReplaced } from '../../../src/sync/links/link.ts';
import { draftOf, policyOf } from '../../support/drafts.ts';
import { syncing } from '../../support/syncing.ts';

it('a value that a password hid from the run does not come back, is not written, and is named', () => {
  const { site, ledger, run } = syncing();
  const fields = { title: 'Concert', description: 'Tonight', tags: ['live'], cost: '5' };
  run([draftOf('1', fields)]);
  const [shown] = site.events;
  const slug = shown?.slug ?? '';
  site.protect(slug, true);
  const { actions, refs } = run([
    draftOf('1', { title: 'Recital', description: 'Tomorrow', tags: ['quiet'], cost: '5' }),
  ]);
  const values = { ...shown?.values };
  const undone = (): Plan =>
    planUndo({
      run: 'town-1',
      done: actions.map((action) => ({ action, outcome: { kind: 'done', id: shown?.id ?? 0, slug: '', values } })),
      refs,
      movedRefs: new Set(),
      snapshot: site.snapshot(),
      onSite: (name) => site.snapshot().events.get(name),
      ledger,
      policy: policyOf(),
    });
  const whileHidden = undone();
  site.protect(slug, false);
  for (const plan of [whileHidden, undone()]) {
    expect(plan.actions.map((action) => action.fields)).toEqual([{ title: 'Concert' }]);
    expect(plan.ledger[slug]?.entry.fields).toMatchObject({ title: { by: 'person' }, description: { by: 'feed' } });
    expect(plan.problems.map(({ code, message }) => [code, message])).toEqual([
      ['values-hidden', expect.stringContaining('former description, tags')],
    ]);
  }
});

it('nothing is said to come back where all that a run replaced was hidden from it', () => {
  const { site, ledger, run } = syncing();
  run([draftOf('1', { title: 'Concert', description: 'Tonight', cost: '5' })]);
  const [shown] = site.events;
  const slug = shown?.slug ?? '';
  site.protect(slug, true);
  const { actions, refs } = run([draftOf('1', { title: 'Concert', description: 'Tomorrow', cost: '7' })]);
  const values = { ...shown?.values };
  site.protect(slug, false);
  site.edit(slug, { cost: '9' });
  const plan = planUndo({
    run: 'town-1',
    done: actions.map((action) => ({ action, outcome: { kind: 'done', id: shown?.id ?? 0, slug: '', values } })),
    refs,
    movedRefs: new Set(),
    snapshot: site.snapshot(),
    onSite: (name) => site.snapshot().events.get(name),
    ledger,
    policy: policyOf(),
  });
  expect(plan.actions).toEqual([]);
  // The cost that a person has chosen since is not missed.
  expect(plan.problems.map(({ code, message }) => [code, message])).toEqual([
    [
      'values-hidden',
      expect.stringMatching(/^"Concert" cannot get back its former description: the site did not show/),
    ],
  ]);
});

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
