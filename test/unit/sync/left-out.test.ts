import { expect, test } from 'vitest';
import { absencesOf } from '../../../src/sync/event/held-absences.ts';
import type { EventDraft } from '../../../src/sync/model/draft.ts';
import type { Policy } from '../../../src/sync/model/plan.ts';
import { draftOf } from '../../support/drafts.ts';
import { manyDrafts, syncing, actionsInWords } from '../../support/syncing.ts';

// What a person leaves out of a plan stays as it is on the site until the feed changes it again.

const POLICY: Partial<Policy> = { missing: { action: 'trash', after: 1 } };
const OTHERS = manyDrafts(10);
const titled = (title: string): EventDraft => draftOf('u0', { title, venue: [{ venue: 'Hall' }] });

/** Ten events on the site; then a plan that a person approves without the event of some slug. */
function approvedWithout(
  drafts: readonly EventDraft[],
  isLeftOut: (title: string) => boolean,
): ReturnType<typeof syncing> {
  const all = syncing();
  all.run(OTHERS, POLICY);
  const plan = all.plan(drafts, POLICY);
  const slugs = plan.actions.flatMap((action) => ('slug' in action && isLeftOut(action.title) ? [action.slug] : []));
  expect(slugs).toHaveLength(1);
  all.approve(plan, slugs);
  return all;
}
const onSite = ({ site }: ReturnType<typeof syncing>): readonly unknown[] =>
  site.events
    .filter(({ status }) => status !== 'trash')
    .map(({ values }) => values.title)
    .toSorted();

test('an event whose removal is left out stays until the feed has it again and drops it again', () => {
  const kept = approvedWithout(OTHERS.slice(5), (title) => title === 'Event 4');
  expect(onSite(kept)).toEqual(['Event 4', 'Event 5', 'Event 6', 'Event 7', 'Event 8', 'Event 9']);
  expect(actionsInWords(kept.run(OTHERS.slice(5), POLICY))).toEqual([]);
  expect(actionsInWords(kept.run(OTHERS.slice(4), POLICY))).toEqual([]);
  expect(actionsInWords(kept.run(OTHERS.slice(5), POLICY))).toEqual(['remove Event 4']);
});

test('an event whose removal is left out has its absences cleared, even those counted while it was held', () => {
  const all = syncing();
  all.run(OTHERS, POLICY);
  const plan = all.plan(OTHERS.slice(5), POLICY);
  const [kept] = plan.actions.flatMap((action) => ('slug' in action ? [action.slug] : []));
  all.ledger.set(kept!, { ...all.ledger.get(kept!)!, heldMissing: 4 });
  all.approve(plan, [kept!]);
  expect(all.ledger.get(kept!)).toMatchObject({ pinned: true, missing: 0 });
  expect(absencesOf(all.ledger.get(kept!)!)).toBe(0);
});

test('a change that is left out is not made until the feed changes the event again', () => {
  const kept = approvedWithout([titled('Other'), ...OTHERS.slice(1)], (title) => title === 'Other');
  expect(onSite(kept)).toContain('Event 0');
  expect(actionsInWords(kept.run([titled('Other'), ...OTHERS.slice(1)], POLICY))).toEqual([]);
  const again = kept.run([titled('Another'), ...OTHERS.slice(1)], POLICY);
  expect(actionsInWords(again)).toEqual(['update Another']);
  expect(again.conflicts).toEqual([]);
  expect(onSite(kept)).toContain('Another');
});

test('a new event that is left out stays away, like one that a person has removed', () => {
  const strange = draftOf('new', { title: 'Strange' });
  const kept = approvedWithout([...OTHERS, strange], (title) => title === 'Strange');
  expect(actionsInWords(kept.run([...OTHERS, strange], POLICY))).toEqual([]);
  expect(actionsInWords(kept.run([...OTHERS, draftOf('new', { title: 'Stranger' })], POLICY))).toEqual([]);
  expect([...kept.ledger.values()].filter(({ state }) => state === 'ignored')).toMatchObject([{ id: null }]);
});

test('an event whose return is left out stays in the trash', () => {
  const all = syncing();
  all.run(OTHERS, POLICY);
  all.run(OTHERS.slice(1), POLICY);
  const plan = all.plan(OTHERS, POLICY);
  expect(actionsInWords(plan)).toEqual(['update Event 0']);
  all.approve(
    plan,
    plan.actions.flatMap((action) => ('slug' in action ? [action.slug] : [])),
  );
  expect(actionsInWords(all.run(OTHERS, POLICY))).toEqual([]);
  expect(onSite(all)).not.toContain('Event 0');
});

test('a venue that only left-out events need is not created; other changes are made', () => {
  const all = syncing();
  all.run(OTHERS, POLICY);
  const plan = all.plan([titled('Other'), draftOf('u1', { title: 'Renamed' }), ...OTHERS.slice(2)], POLICY);
  expect(actionsInWords(plan).toSorted()).toEqual(['create venues:Hall', 'update Other', 'update Renamed']);
  const slugs = plan.actions.flatMap((action) => ('slug' in action && action.title === 'Other' ? [action.slug] : []));
  const approved = all.approve(plan, slugs);
  expect(approved.problems.filter(({ code }) => code === 'left-out')).toEqual([
    { code: 'left-out', where: { slug: slugs[0] }, message: expect.stringMatching(/^"Other" was left out/) as string },
  ]);
  expect(all.site.venues).toEqual([]);
  expect(onSite(all)).toContain('Renamed');
});

test('many events that are left out are counted, and the first five are named', () => {
  const all = syncing();
  all.run(OTHERS, POLICY);
  const plan = all.plan(OTHERS.slice(7), POLICY);
  const left = plan.actions.flatMap((action) => ('slug' in action ? [action] : []));
  const { problems } = all.approve(
    plan,
    left.map(({ slug }) => slug),
  );
  const named = left.slice(0, 5).map(({ title, slug }) => `"${title}" (${slug})`);
  const report = problems.filter(({ code }) => code === 'left-out').map(({ message }) => message);
  expect(report).toEqual([
    expect.stringMatching(/^7 events were left out, as it was decided: .* and 2 more\. /) as string,
  ]);
  expect(report[0]).toContain(named.join(', '));
});
