import { expect, it } from 'vitest';
import type { Outcome, Plan, SiteEvent } from '../../../src/sync/model/plan.ts';
import { planUndo } from '../../../src/sync/decisions/undo.ts';
import { refsReplaced } from '../../../src/sync/links/link.ts';
import { draftOf, policyOf } from '../../support/drafts.ts';
import { syncing } from '../../support/syncing.ts';

/** The answer to a write that left an event as it is now. */
const answerWith = (post: Pick<SiteEvent, 'id' | 'values'> | undefined): Outcome => ({
  kind: 'done',
  id: post?.id ?? 0,
  slug: '',
  values: { ...post?.values },
});

/** The plan that undoes actions on one event, each of which got the same answer. */
const undoOf = (
  { site, ledger }: Pick<ReturnType<typeof syncing>, 'site' | 'ledger'>,
  { actions, refs }: Pick<Plan, 'actions' | 'refs'>,
  outcome: Outcome,
  movedRefs: ReadonlySet<string> = new Set(),
): Plan =>
  planUndo({
    run: 'town-1',
    done: actions.map((action) => ({ action, outcome })),
    refs,
    movedRefs,
    snapshot: site.snapshot(),
    onSite: (slug) => site.snapshot().events.get(slug),
    ledger,
    policy: policyOf(),
  });

it('an undo does not bring back a value that a password hid from the run, and names it', () => {
  const { site, ledger, run } = syncing();
  const fields = { title: 'Concert', description: 'Tonight', tags: ['live'], cost: '5' };
  run([draftOf('1', fields)]);
  const [shown] = site.events;
  const slug = shown?.slug ?? '';
  site.protect(slug, true);
  const done = run([draftOf('1', { title: 'Recital', description: 'Tomorrow', tags: ['quiet'], cost: '5' })]);
  const outcome = answerWith(shown);
  const whileHidden = undoOf({ site, ledger }, done, outcome);
  site.protect(slug, false);
  for (const plan of [whileHidden, undoOf({ site, ledger }, done, outcome)]) {
    expect(plan.actions.map((action) => action.fields)).toEqual([{ title: 'Concert' }]);
    expect(plan.ledger[slug]?.entry.fields).toMatchObject({ title: { by: 'person' }, description: { by: 'feed' } });
    expect(plan.problems.map(({ code, message }) => [code, message])).toEqual([
      ['values-hidden', expect.stringContaining('former description, tags')],
    ]);
  }
});

it('an undo writes nothing if all that the run replaced was hidden from it, and says so', () => {
  const { site, ledger, run } = syncing();
  run([draftOf('1', { title: 'Concert', description: 'Tonight', cost: '5' })]);
  const [shown] = site.events;
  const slug = shown?.slug ?? '';
  site.protect(slug, true);
  const done = run([draftOf('1', { title: 'Concert', description: 'Tomorrow', cost: '7' })]);
  const outcome = answerWith(shown);
  site.protect(slug, false);
  site.edit(slug, { cost: '9' });
  const plan = undoOf({ site, ledger }, done, outcome);
  expect(plan.actions).toEqual([]);
  // The cost is not named, because a person has changed it since.
  expect(plan.problems.map(({ code, message }) => [code, message])).toEqual([
    [
      'values-hidden',
      expect.stringMatching(/^"Concert" cannot get back its former description: the site did not show/),
    ],
  ]);
});

it('an undo names what it leaves alone as well as the links that are lost', () => {
  const { site, ledger, run } = syncing();
  const fields = { title: 'Concert', description: 'Tonight', venue: [{ venue: 'Old hall' }] };
  run([draftOf('1', fields)]);
  const { actions, refs } = run([
    draftOf('1', { ...fields, title: 'Recital', description: 'Tomorrow', venue: [{ venue: 'New hall' }] }),
  ]);
  const updates = actions.filter((action) => action.resource === 'events');
  const [shown] = site.events;
  const outcome = answerWith(shown);
  if (shown) shown.values.title = 'Edited by a person';
  const moved = new Set(updates.flatMap(refsReplaced));
  const plan = undoOf({ site, ledger }, { actions: updates, refs }, outcome, moved);
  expect(plan.actions).toMatchObject([{ kind: 'update', fields: { description: 'Tonight' } }]);
  expect(plan.problems.map(({ code }) => code)).toEqual(['changed-since', 'links-lost']);
  expect(plan.skipped).toBe(1);
});
