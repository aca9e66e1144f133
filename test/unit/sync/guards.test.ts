import { describe, expect, test } from 'vitest';
import { draftOf } from '../../support/drafts.ts';
import { manyDrafts, syncing } from '../../support/syncing.ts';
import type { EventDraft } from '../../../src/sync/model/draft.ts';
import type { Policy } from '../../../src/sync/model/plan.ts';

// What holds a run; test/unit/sync/plan-gone.test.ts has the cases of removals.

const changed = (count: number, change: (index: number) => Partial<EventDraft['fields']>, of = 10): EventDraft[] =>
  Array.from({ length: of }, (_, index) =>
    draftOf(`u${index}`, { title: `Event ${index}`, ...(index < count ? change(index) : {}) }),
  );
/** Why a feed is held if there are ten events on the site. */
function heldFor(drafts: readonly EventDraft[]): string | null {
  const { run } = syncing();
  expect(run(manyDrafts(10)).held).toBeNull();
  return run(drafts).held;
}
const LATER = { start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 23:30:00' };

/** Five events in January and five in July, at these hours. */
const season = (winter: number, summer: number): EventDraft[] =>
  Array.from({ length: 10 }, (_, index) =>
    draftOf(`u${index}`, {
      title: `Event ${index}`,
      start_date: index < 5 ? `2027-01-1${index} ${winter}:00:00` : `2027-07-1${index} ${summer}:00:00`,
    }),
  );

describe('most events at once', () => {
  test.each<[string, readonly EventDraft[], RegExp | null]>([
    [
      'shifted by one offset',
      changed(6, () => LATER),
      /move 6 of 10 upcoming events by one and the same offset: 1 hour later/,
    ],
    ['shifted back by days', changed(10, () => ({ start_date: '2027-02-27 18:00:00' })), /10 of 10 .* 2 days earlier/],
    ['half of them shifted', changed(5, () => LATER), null],
    ['shifted by various offsets', changed(10, (index) => ({ start_date: `2027-03-${10 + index} 18:00:00` })), null],
    ['with other ends only', changed(10, () => ({ end_date: '2027-03-01 23:30:00' })), null],
    [
      'shifted by an hour or two',
      changed(10, (index) => ({ start_date: `2027-03-01 ${19 + (index % 2)}:00:00` })),
      /move 10 of 10 upcoming events 1 hour later or 2 hours later, as a time zone does/,
    ],
    [
      'shifted back by an hour or two',
      changed(8, (index) => ({ start_date: `2027-03-01 ${16 + (index % 2)}:00:00` })),
      /move 8 of 10 upcoming events 2 hours earlier or 1 hour earlier/,
    ],
    [
      'half of them shifted by one hour or two',
      changed(5, (index) => ({ start_date: `2027-03-01 ${19 + (index % 2)}:00:00` })),
      null,
    ],
    [
      'each shifted within the day on its own',
      changed(10, (index) => ({ start_date: `2027-03-01 ${String(7 + index).padStart(2, '0')}:00:00` })),
      null,
    ],
    [
      'in another zone',
      changed(8, () => ({ timezone: 'Europe/London' })),
      /time zone of 8 of 10 upcoming events from Europe\/Warsaw to Europe\/London/,
    ],
    [
      'in various other zones',
      changed(8, (index) => ({ timezone: index % 4 === 0 ? 'Europe/Kyiv' : 'Europe/London' })),
      /time zone of 8 of 10 upcoming events, of 6 of them from Europe\/Warsaw to Europe\/London/,
    ],
    [
      'at the same instants in another zone',
      changed(10, () => ({ start_date: '2027-03-01 17:00:00', end_date: '2027-03-01 22:00:00', timezone: 'UTC' })),
      null,
    ],
    [
      'half of them in various other zones',
      changed(5, (index) => ({ timezone: index % 2 === 0 ? 'Europe/Kyiv' : 'Europe/London' })),
      null,
    ],
    [
      'with other titles',
      changed(7, (index) => ({ title: `Busy ${index}` })),
      /7 of 10 upcoming events another title, such as "Busy \d" instead of "Event \d"/,
    ],
    ['half of them with other titles', changed(5, () => ({ title: 'Busy' })), null],
    ['as drafts', changed(3, () => ({ status: 'draft' })).concat(manyDrafts(20).slice(10)), null],
    [
      'as drafts, and more than may go at once',
      changed(4, () => ({ status: 'draft' })),
      /make 4 of 10 upcoming events invisible to visitors \(status draft\); more than 3 and more than 20 %/,
    ],
    ['cancelled', manyDrafts(10).map((draft) => ({ ...draft, state: 'cancelled' })), null],
    ['with another description', changed(10, () => ({ description: '<p>New</p>' })), null],
  ])('%s', (_, drafts, reason) => {
    expect(heldFor(drafts) ?? 'not held').toMatch(reason ?? /^not held$/);
  });

  test('shifted by one hour in winter and two in summer', () => {
    const { run } = syncing();
    expect(run(season(18, 18)).held).toBeNull();
    expect(run(season(19, 20)).held).toMatch(
      /move 10 of 10 upcoming events 1 hour later or 2 hours later, as a time zone does/,
    );
    expect(run(season(17, 16)).held).toMatch(/move 10 of 10 upcoming events 2 hours earlier or 1 hour earlier/);
  });

  test('a change of only a few events is not held', () => {
    const { run } = syncing();
    run(manyDrafts(3));
    expect(run(changed(3, () => LATER, 3)).held).toBeNull();
  });
});

const strange = (count: number): EventDraft[] => Array.from({ length: count }, (_, index) => draftOf(`new${index}`));

describe('a flood', () => {
  test('of new events is held, but a first run is not one', () => {
    const { run, ledger } = syncing();
    expect(run(manyDrafts(10)).held).toBeNull();
    const held = run(manyDrafts(111));
    expect(held.held).toMatch(/create 101 new events at once, beside the 10 upcoming/);
    expect(ledger.size).toBe(10);
    expect(run(manyDrafts(110)).held).toBeNull();
    expect(syncing().run(manyDrafts(500)).held).toBeNull();
    // Three new events for each known one are growth.
    expect(run(manyDrafts(440)).held).toBeNull();
  });
  test('is recognized even if all events that the source had are over', () => {
    const { run, ledger } = syncing();
    const past = { start_date: '2026-12-01 18:00:00' };
    run(
      manyDrafts(10).map((draft) => draftOf(draft.rungs.uid!, past)),
      { now: Date.UTC(2026, 10, 1) },
    );
    expect(run(strange(101)).held).toMatch(
      /create 101 new events at once, beside the 10 events that this source has had, none of them still to come/,
    );
    expect(ledger.size).toBe(10);
    // A new season is not a flood.
    expect(run(strange(100)).held).toBeNull();
  });
});

/** An event without a UID, a number of days after the first of March. */
const nameless = (title: string, day: number): EventDraft => {
  const start = `${new Date(Date.UTC(2027, 2, 1 + day)).toISOString().slice(0, 10)} 18:00:00`;
  return draftOf(
    '',
    { title, start_date: start },
    { rungs: { uid: null, recurrenceId: null, url: null, fingerprint: `${title}|${start}` } },
  );
};

describe('a replacement of most events', () => {
  const DAY_MS = 86_400_000;
  const programme = (title: string, from: number, count = 10): EventDraft[] =>
    Array.from({ length: count }, (_, index) => nameless(`${title} ${index}`, from + index));
  const concerts = programme('Concert', 0);
  const keep = { missing: { action: 'keep', after: 3 } } as const;
  const FIRST_OF_MARCH = Date.UTC(2027, 2, 1, 12);

  test.each<[string, readonly EventDraft[], Partial<Policy>, RegExp | null]>([
    [
      'with other titles',
      programme('Busy', 0),
      {},
      new RegExp(
        String.raw`^10 of 10 upcoming events are gone from the feed, such as "Concert \d", and 10 others have come ` +
          String.raw`instead, such as "Busy \d"\. Approving creates those beside the old ones, which go to the trash ` +
          String.raw`once the feed has lacked them for 3 good fetches\. They may be the same events under new names: ` +
          String.raw`of those that are gone, there are again 10 with the same start under another title\.$`,
      ),
    ],
    ['a week later', programme('Concert', 7), {}, /^10 of 10 .* and 10 others have come instead.* 3 good fetches\.$/],
    [
      'with other titles, where what is gone stays',
      programme('Busy', 0),
      keep,
      /^10 of 10 .* beside the old ones, which stay\. They may be the same/,
    ],
    ['six of them', [...programme('Busy', 0, 6), ...concerts.slice(6)], {}, /^6 of 10/],
    ['half of them', [...programme('Busy', 0, 5), ...concerts.slice(5)], {}, null],
    ['most are gone, and few have come', [...programme('Busy', 0, 2), ...concerts.slice(8)], {}, null],
    ['most are gone, and many more have come', [...programme('Busy', 0, 25), ...concerts.slice(8)], {}, null],
    [
      'past events by later ones',
      [...concerts.slice(7), ...programme('Jazz', 10, 7)],
      { now: FIRST_OF_MARCH + 7 * DAY_MS },
      null,
    ],
    ['this week by the next one, where what is gone stays', programme('Jazz', 10), keep, null],
  ])('%s', (_, drafts, policy, reason) => {
    const { run } = syncing();
    expect(run(concerts).held).toBeNull();
    expect(run(drafts, policy).held ?? 'not held').toMatch(reason ?? /^not held$/);
  });

  test('does not count events that a feed drops on their day', () => {
    const { run } = syncing();
    run(Array.from({ length: 6 }, (_, index) => nameless(`Course ${index}`, 0)));
    expect(run(programme('Course', 1, 6), { now: FIRST_OF_MARCH }).held).toBeNull();
  });

  test('is held at each fetch if UIDs and titles have changed together, until the old events are back', () => {
    const { run, plan } = syncing();
    run(manyDrafts(10));
    const moved = manyDrafts(10).map((draft, index) =>
      draftOf(`new${index}`, { title: `[Library] ${draft.fields.title}` }),
    );
    for (let fetches = 0; fetches < 4; fetches += 1)
      expect(run(moved).held).toMatch(/^10 of 10 upcoming events are gone/);
    expect(plan(manyDrafts(10))).toMatchObject({ held: null, actions: [] });
  });
});
