import { describe, expect, test } from 'vitest';
import { attachedEntry, planDetach } from '../../../src/sync/decisions/detach.ts';
import { planDismiss } from '../../../src/sync/decisions/dismiss.ts';
import { planRestore } from '../../../src/sync/decisions/restore.ts';
import { mayBeLeft } from '../../../src/sync/decisions/forget.ts';
import { isInOurTrash, wantedBack } from '../../../src/sync/event/life.ts';
import type { LedgerEntry, Outcome, Plan } from '../../../src/sync/model/plan.ts';
import { draftOf, policyOf } from '../../support/drafts.ts';
import { applyPlan } from '../../support/site-model.ts';
import { syncing, actionsInWords, undoOf } from '../../support/syncing.ts';

const MOVED = { title: 'Event u1', start_date: '2027-05-01 10:00:00', end_date: '2027-05-01 12:00:00' };
const DRAFT = draftOf('u1', { description: '<p>One</p>', venue: [{ venue: 'Hall' }] });

/** Takes an event off the site that a person has withdrawn, and may have made their own. */
function dismissed({ isOwn = false, isSeen = false } = {}) {
  const world = syncing();
  const { site, ledger, run } = world;
  run([DRAFT]);
  const entry = (): LedgerEntry => [...ledger.values()][0]!;
  const { slug } = entry();
  const onSite = () => site.snapshot().events.get(slug)!;
  if (isOwn) applyPlan(site, planDetach(entry()), ledger);
  // Sites show a status among an event's values.
  site.edit(slug, { status: 'draft' });
  site.events[0]!.values.status = 'draft';
  if (isSeen) run([DRAFT]);
  const dismissal = planDismiss(entry(), onSite(), site.snapshot(), policyOf());
  applyPlan(site, dismissal, ledger);
  const post = site.events[0]!;
  post.values.status = 'trash';
  // As real sites do.
  post.values.venue = [];
  const restore = (): Plan => planRestore(entry(), onSite(), site.snapshot(), policyOf());
  const undo = (plan: Plan): Plan =>
    undoOf(
      world,
      plan,
      plan.actions.map((action) => ({
        action,
        change: plan.ledger[slug] ?? null,
        outcome: { kind: 'done', id: post.id, slug, values: post.values } satisfies Outcome,
      })),
    );
  return { ...world, entry, dismissal, restore, undo };
}

const sentIn = ({ actions }: Plan): unknown => actions.map(({ kind, fields }) => [kind, fields]);
const AS_IT_WAS = [['update', { status: 'draft', venue: ['venues:Hall'] }]];

describe.each([{ isSeen: false }, { isSeen: true }])(
  'an event that a person had withdrawn comes back withdrawn: %o',
  (how) => {
    test('when a person wants it back and its feed has it', () => {
      const { ledger, entry, run, plan } = dismissed(how);
      expect(actionsInWords(run([DRAFT]))).toEqual([]);
      ledger.set(entry().slug, wantedBack(entry()));
      expect(plan([DRAFT]).actions).toMatchObject([{ fields: { status: 'draft' } }]);
    });

    test('when it is restored without its feed', () => {
      expect(sentIn(dismissed(how).restore())).toEqual(AS_IT_WAS);
    });

    test('when the run that took it off is undone', () => {
      const { undo, dismissal } = dismissed(how);
      expect(sentIn(undo(dismissal))).toEqual(AS_IT_WAS);
    });
  },
);

describe('an event that we withdrew, and that people took off and put back', () => {
  const WITHDRAWING = { missing: { action: 'draft', after: 1 } } as const;

  /** Withdrawn, dismissed, and put back by hand with a status, before the feed has it again. */
  function putBack(status: string) {
    const world = syncing();
    const { site, ledger, run } = world;
    const others = [draftOf('u2'), draftOf('u3')];
    run([DRAFT, ...others]);
    const entry = (): LedgerEntry => [...ledger.values()].find(({ uid }) => uid === 'u1')!;
    const { slug } = entry();
    const post = site.events.find((each) => each.slug === slug)!;
    const setStatus = (to: string): void => {
      site.edit(slug, { status: to });
      post.values.status = to;
    };
    expect(actionsInWords(run(others, WITHDRAWING))).toEqual(['remove Event u1']);
    post.values.status = 'draft';
    const snapshot = site.snapshot();
    applyPlan(site, planDismiss(entry(), snapshot.events.get(slug), snapshot, policyOf()), ledger);
    setStatus(status);
    const [gone, back] = [run(others, WITHDRAWING), run([DRAFT, ...others], WITHDRAWING)];
    return { gone, back, post, again: () => run([DRAFT, ...others], WITHDRAWING) };
  }

  test('is published again once its feed has it again', () => {
    const { gone, back, post, again } = putBack('draft');
    expect(actionsInWords(gone)).toEqual([]);
    expect(sentIn(back)).toEqual([['update', { status: 'publish' }]]);
    post.values.status = post.status;
    expect([post.status, actionsInWords(again())]).toEqual(['publish', []]);
  });

  test('keeps any other status with which they put it back', () => {
    const { gone, back, post } = putBack('private');
    expect([actionsInWords(gone), actionsInWords(back), post.status]).toEqual([[], [], 'private']);
  });
});

describe('an event that we had trashed stays off although its feed has it again', () => {
  const LATER = draftOf('u2', { start_date: '2027-06-01 18:00:00' });
  const ONCE = { missing: { action: 'trash', after: 1 } } as const;

  /** An event that its source has trashed because the feed lacked it. */
  function trashed() {
    const world = syncing();
    const { site, ledger, run } = world;
    run([DRAFT, LATER]);
    const [slug] = [...ledger.keys()] as [string];
    expect(actionsInWords(run([LATER], ONCE))).toEqual(['remove Event u1']);
    const onSite = () => site.snapshot().events.get(slug)!;
    return { ...world, slug, onSite };
  }

  test('when a person has dismissed it', () => {
    const { site, ledger, run, slug, onSite } = trashed();
    applyPlan(site, planDismiss(ledger.get(slug)!, onSite(), site.snapshot(), policyOf()), ledger);
    expect(actionsInWords(run([DRAFT, LATER]))).toEqual([]);
    expect(onSite().status).toBe('trash');
  });

  test('when the run that brought it back was undone', () => {
    const world = trashed();
    const { site, ledger, run, slug, onSite } = world;
    const revival = run([DRAFT, LATER]);
    expect(onSite().status).toBe('publish');
    const outcome: Outcome = { kind: 'done', id: onSite().id, slug, values: onSite().values };
    const back = undoOf(
      world,
      revival,
      revival.actions.map((action) => ({ action, outcome })),
    );
    applyPlan(site, back, ledger);
    expect(onSite().status).toBe('trash');
    for (const drafts of [[DRAFT, LATER], [LATER], [DRAFT, LATER]]) expect(actionsInWords(run(drafts))).toEqual([]);
    expect(onSite().status).toBe('trash');
  });
});

describe("an event that is a person's own stays theirs", () => {
  test('while it is off the site, whatever its feed says', () => {
    const { run, entry } = dismissed({ isOwn: true });
    for (const drafts of [[draftOf('u1', { title: 'Another' })], [], [DRAFT]]) {
      expect(actionsInWords(run(drafts))).toEqual([]);
      expect(entry().state).toBe('detached');
    }
  });

  test.each(['restore', 'undo'] as const)('when it comes back: %s', (by) => {
    const { site, ledger, entry, restore, undo, dismissal, run } = dismissed({ isOwn: true });
    const back = by === 'restore' ? restore() : undo(dismissal);
    expect(sentIn(back)).toEqual(AS_IT_WAS);
    applyPlan(site, back, ledger);
    expect(entry()).toMatchObject({ state: 'detached' });
    expect(entry().pinned).toBeUndefined();
    expect(actionsInWords(run([draftOf('u1', { title: 'Another' })]))).toEqual([]);
    // Undoing that takes it off again, and leaves it theirs.
    expect(actionsInWords(undo(back))).toEqual(['remove Another']);
    applyPlan(site, undo(back), ledger);
    expect(entry()).toMatchObject({ state: 'detached' });
  });

  test('but what was done to it before it became theirs is not undone', () => {
    const { undo, dismissal, ledger, entry } = dismissed();
    ledger.set(entry().slug, { ...attachedEntry(entry()), state: 'detached' });
    expect(undo(dismissal)).toMatchObject({ actions: [], problems: [{ code: 'changed-since' }] });
  });
});

test.each([
  ['new title, then new UID', [draftOf('u1', { title: 'B' }), draftOf('u2', { title: 'B' })]],
  ['new time, then new UID', [draftOf('u1', MOVED), draftOf('u2', MOVED)]],
])("an event that is a person's own is recognized by its latest form in the feed: %s", (_how, drafts) => {
  const { site, ledger, run } = syncing();
  run([draftOf('u1'), draftOf('other', { title: 'Other' })]);
  const entry = [...ledger.values()].find(({ uid }) => uid === 'u1')!;
  applyPlan(site, planDetach(entry), ledger);
  for (const draft of drafts) expect(actionsInWords(run([draft, draftOf('other', { title: 'Other' })]))).toEqual([]);
  expect(ledger.get(entry.slug)).toMatchObject({ state: 'detached', uid: 'u2' });
});

// A feed covers the time up to its latest start.
const LATER = draftOf('u9', { title: 'Later', start_date: '2027-12-01 10:00:00', end_date: '2027-12-01 12:00:00' });

describe('an event that is put into the trash by hand is restored as it was', () => {
  /** An event that `withdraw` has withdrawn, and that a person has then put into the trash. */
  function trashedByHand(withdraw: (world: ReturnType<typeof syncing>, slug: string) => void) {
    const world = syncing();
    const { site, ledger, run } = world;
    run([DRAFT, LATER]);
    const slug = [...ledger.keys()][0]!;
    withdraw(world, slug);
    const wasAt = site.events[0]!.values.venue;
    site.edit(slug, { status: 'trash' });
    // As real sites do.
    Object.assign(site.events[0]!.values, { status: 'trash', venue: [] });
    const entry = (): LedgerEntry => ledger.get(slug)!;
    const onSite = () => site.snapshot().events.get(slug)!;
    const restore = (): Plan => planRestore(entry(), onSite(), site.snapshot(), policyOf());
    return { ...world, wasAt, entry, onSite, restore };
  }

  test.each([{ isSeen: false }, { isSeen: true }])(
    'as a draft at the venue that a person chose, whether or not a run has seen it in the trash: %o',
    ({ isSeen }) => {
      const { site, entry, run, plan, restore, ledger } = trashedByHand(({ site, run }, slug) => {
        run([DRAFT, LATER, draftOf('u2', { venue: [{ venue: 'Garden' }] })]);
        const garden = site.venues.find(({ venue }) => venue === 'Garden')!.id;
        site.edit(slug, { status: 'draft', venue: [garden] });
        site.events[0]!.values.status = 'draft';
        run([DRAFT, LATER]);
      });
      if (isSeen) run([DRAFT, LATER]);
      expect(entry().state).toBe(isSeen ? 'ignored' : 'kept');
      expect(sentIn(restore())).toEqual([['update', { status: 'draft', venue: ['venues:Garden'] }]]);
      ledger.set(entry().slug, wantedBack(entry()));
      expect(plan([DRAFT, LATER]).actions[0]).toMatchObject({ fields: { status: 'draft', venue: ['venues:Garden'] } });
      expect(site.events[0]!.status).toBe('trash');
    },
  );

  test('as a draft after it left its feed, which can still bring it back', () => {
    const { site, ledger, entry, restore, run } = trashedByHand(({ run }) =>
      run([LATER], { missing: { action: 'draft', after: 1 } }),
    );
    expect(entry().state).toBe('removed');
    expect(isInOurTrash(entry())).toBe(false);
    const back = restore();
    expect(sentIn(back)).toEqual(AS_IT_WAS);
    applyPlan(site, back, ledger);
    expect(entry()).toMatchObject({ state: 'removed' });
    expect(entry().pinned).toBeUndefined();
    expect(actionsInWords(run([LATER], { missing: { action: 'draft', after: 1 } }))).toEqual([]);
    expect(run([DRAFT, LATER]).actions).toMatchObject([{ fields: { status: 'publish' } }]);
  });

  test.each([undefined, 'draft'])('unless we put it there, whatever status it had before: %s', (status) => {
    const world = syncing();
    const { site, ledger, run } = world;
    run([DRAFT, LATER]);
    const [slug] = [...ledger.keys()] as [string];
    if (status !== undefined) {
      site.edit(slug, { status });
      site.events[0]!.values.status = status;
    }
    run([LATER], { missing: { action: 'trash', after: 1 } });
    expect(isInOurTrash(ledger.get(slug)!)).toBe(true);
    // Nor does it count among the events that its source has left on the site.
    expect(mayBeLeft(ledger.get(slug)!)).toBe(false);
  });
});
