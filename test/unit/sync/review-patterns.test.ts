import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changePatternInWords } from '../../../src/sync/review/change-pattern.ts';
import type { EventFacts } from '../../../src/sync/review/event-facts.ts';
import { answersTo } from '../../../src/sync/review/answers.ts';
import {
  removalPattern,
  removalPatternInWords,
  type RemovalPattern,
} from '../../../src/sync/review/removal-pattern.ts';
import { feedBefore, reviewOf, type Review } from '../../../src/sync/review/review.ts';
import { reviewTitle, whatVisitorsNotice, whyHeld, type Reader } from '../../../src/sync/review/review-in-words.ts';
import { plainText } from '../../../src/sync/review/emphasized-text.ts';
import type { EventDraft } from '../../../src/sync/model/draft.ts';
import { dayAfter } from '../../../src/time.ts';
import { planChanges } from '../../../src/sync/plan/plan-changes.ts';
import { draftOf, NOW, policyOf, readingOf } from '../../support/drafts.ts';
import { repetitions } from '../../support/repetitions.ts';
import { syncing } from '../../support/syncing.ts';

// What the events of a held plan have in common, and how a person is told.

const READER: Reader = { source: 'theatre', now: NOW, zone: 'Europe/Warsaw' };
const HALL = [{ venue: 'Great Hall' }];
const CELLAR = [{ venue: 'Cellar' }];

/** A season: a play each Saturday from 9 January on, puppets every other Sunday, a talk on the 12th of each month. */
const season = (): EventDraft[] => [
  ...each(16, (index) =>
    draftOf(`play${index}`, {
      title: 'Dziady',
      start_date: `${dayAfter('2027-01-09', 7 * index)} 19:00:00`,
      venue: HALL,
      categories: ['Theatre'],
    }),
  ),
  ...each(8, (index) =>
    draftOf(`puppet${index}`, {
      title: 'Puppets',
      start_date: `${dayAfter('2027-01-10', 14 * index)} 11:00:00`,
      venue: CELLAR,
      categories: ['Children'],
    }),
  ),
  ...each(6, (index) =>
    draftOf(`talk${index}`, {
      title: `Talk ${index}`,
      start_date: `2027-0${index + 1}-12 18:00:00`,
      venue: HALL,
      categories: ['Talks'],
    }),
  ),
];
const each = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const startOf = ({ fields }: EventDraft): string => fields.start_date;

/** The review of what the season becomes. */
function reviewFor(
  change: (drafts: readonly EventDraft[]) => readonly EventDraft[],
  first: readonly EventDraft[] = season(),
): Review {
  const { run, plan, ledger } = syncing();
  const policy = { missing: { action: 'trash', after: 1 } } as const;
  run(first, policy);
  return reviewOf({ plan: plan(change(first), policy), ledger, now: NOW });
}

describe('what is gone from a feed', () => {
  test.each<[string, (draft: EventDraft) => boolean, string]>([
    [
      'a series from a day on',
      ({ fields }) => fields.title === 'Dziady' && startOf({ fields } as EventDraft) > '2027-02-28',
      'all “Dziady”, every Saturday from 6 March on',
    ],
    ['a whole series', ({ fields }) => fields.title === 'Puppets', 'all “Puppets”, every Sunday'],
    ['all after a day', (draft) => startOf(draft) > '2027-03-01', 'all after 27 February'],
    ['all before a day', (draft) => startOf(draft) < '2027-02-01', 'all before 6 February'],
    ['a month', (draft) => startOf(draft).startsWith('2027-02'), 'all of February'],
    ['a place', ({ fields }) => fields.venue === HALL, 'all at Great Hall'],
    [
      'a category of several titles',
      ({ fields }) => fields.categories?.includes('Talks') === true,
      'all of category Talks',
    ],
    ['a weekday', (draft) => weekdayOf(startOf(draft)) === 'Friday', 'all on Fridays'],
    ['everything', () => true, 'all there were'],
    [
      'all dates of a series but one in between',
      ({ fields }) => fields.title === 'Dziady' && !startOf({ fields } as EventDraft).startsWith('2027-02-06'),
      '15 of the 16 “Dziady”',
    ],
    ['events with nothing in common', ({ rungs }) => /[a-z][26]$/.test(rungs.uid ?? ''), 'of no common kind'],
  ])('%s', (_, isGone, said) => {
    const { gone } = reviewFor((drafts) => drafts.filter((draft) => !isGone(draft)));
    expect(gone.count).toBe(season().filter(isGone).length);
    expect(gone.count).toBeGreaterThan(1);
    expect(removalPatternInWords(gone.pattern, '2027-01-01')).toBe(said);
  });

  const facts = fc
    .record({
      title: fc.constantFrom('Choir', 'Jazz', 'choir!'),
      day: fc.integer({ min: 0, max: 400 }),
      venue: fc.constantFrom('', 'Hall', 'Cellar'),
      categories: fc.subarray(['Music', 'Children']),
    })
    .map(({ day, ...own }): EventFacts => ({
      ...own,
      slug: '',
      start: `${dayAfter('2027-01-01', day)} 19:00:00`,
      startsAt: Date.UTC(2027, 0, 1 + day),
    }));

  test('has a pattern only if that fits all of it, and nothing that stays', () => {
    const seen = new Map<RemovalPattern['kind'], number>();
    fc.assert(
      fc.property(fc.array(facts, { minLength: 1, maxLength: 4 }), fc.array(facts, { maxLength: 5 }), (gone, stays) => {
        const inOrder = gone.toSorted((one, other) => one.startsAt - other.startsAt);
        const pattern = removalPattern(inOrder, stays);
        seen.set(pattern.kind, (seen.get(pattern.kind) ?? 0) + 1);
        if (pattern.kind === 'none') return;
        // Only the pattern "part" also fits events that stay.
        const [count, left] = pattern.kind === 'part' ? [pattern.count, pattern.of - pattern.count] : [gone.length, 0];
        expect(gone.filter((one) => fits(pattern, one))).toHaveLength(count);
        expect(count).toBe(gone.length);
        expect(stays.filter((one) => fits(pattern, one))).toHaveLength(left);
      }),
      { numRuns: repetitions(20_000) },
    );
    expect([...seen.keys()].toSorted()).toEqual([
      'after',
      'before',
      'category',
      'everything',
      'month',
      'none',
      'part',
      'span',
      'title',
      'venue',
      'weekday',
    ]);
  });
});

const fold = (title: string): string => title.toLowerCase().replace('!', '');
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const weekdayOf = (start: string): string | undefined =>
  WEEKDAYS[new Date(`${start.slice(0, 10)}T00:00:00Z`).getUTCDay()];

/** Whether an event is one of those that a pattern names. */
function fits(pattern: RemovalPattern, { title, start, venue, categories }: EventFacts): boolean {
  const day = start.slice(0, 10);
  switch (pattern.kind) {
    case 'everything':
      return true;
    case 'title':
      return fold(title) === fold(pattern.title) && day >= (pattern.from ?? '');
    case 'after':
      return day > pattern.day;
    case 'before':
      return day < pattern.day;
    case 'month':
      return day.startsWith(pattern.month);
    case 'span':
      return day >= pattern.from && day <= pattern.to;
    case 'venue':
      return venue === pattern.venue;
    case 'category':
      return categories.includes(pattern.category);
    case 'weekday':
      return weekdayOf(day) === pattern.weekday;
    case 'part':
      return fold(title) === fold(pattern.title);
    case 'none':
      return false;
  }
}

const changed =
  (change: (draft: EventDraft) => Partial<EventDraft['fields']>) =>
  (drafts: readonly EventDraft[]): readonly EventDraft[] =>
    drafts.map((draft) => draftOf(draft.rungs.uid ?? '', { ...draft.fields, ...change(draft) }));
const later = (start: string, hours: number): string =>
  new Date(Date.parse(`${start.replace(' ', 'T')}Z`) + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

describe('what changes in a feed', () => {
  test.each<[string, (draft: EventDraft) => Partial<EventDraft['fields']>, readonly string[]]>([
    ['an hour', (draft) => ({ start_date: later(startOf(draft), 1) }), ['exactly one hour later, all of them']],
    // The clocks change in between, but by the clock it is still a week.
    ['a week', (draft) => ({ start_date: later(startOf(draft), -168) }), ['exactly 7 days earlier, all of them']],
    [
      'an hour in most events',
      (draft) => ({ start_date: later(startOf(draft), draft.fields.title === 'Puppets' ? 3 : 1) }),
      ['exactly one hour later, 22 of 30'],
    ],
    [
      'an hour in winter and two in summer',
      (draft) => ({ start_date: later(startOf(draft), startOf(draft) < '2027-03-01' ? 1 : 2) }),
      ['one hour later or 2 hours later, as with a time zone that is misread in winter and in summer, all of them'],
    ],
    [
      'a prefix',
      ({ fields }) => ({ title: `Postponed – ${fields.title}` }),
      ['30 titles begin with “Postponed –” now'],
    ],
    ['a suffix', ({ fields }) => ({ title: `${fields.title} (sold out)` }), ['30 titles end with “(sold out)” now']],
    [
      'other titles',
      ({ rungs }) => ({ title: `Busy ${rungs.uid}` }),
      ['30 events would get another title, such as “Busy play0” instead of “Dziady”'],
    ],
    [
      'another place',
      ({ fields }) => (fields.venue === HALL ? { venue: [{ venue: 'Main Hall' }] } : {}),
      ['22 events would have “Main Hall” instead of “Great Hall” as venue'],
    ],
    [
      'other descriptions',
      ({ rungs }) => ({ description: `<p>About ${rungs.uid}</p>` }),
      ['30 events would get another description'],
    ],
    ['nothing', () => ({}), []],
  ])('by %s', (_, change, said) => {
    expect(reviewFor(changed(change)).changes.map(changePatternInWords)).toEqual(said);
  });

  test('a text that is put before all titles is found as their prefix, whatever the titles are', () =>
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{1,5}$/),
        fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 2, maxLength: 5 }),
        (text, titles) => {
          const { run, plan, ledger } = syncing();
          run(titles.map((title, index) => draftOf(`u${index}`, { title: `T${title}` })));
          const after = plan(titles.map((title, index) => draftOf(`u${index}`, { title: `${text}x T${title}` })));
          const { changes } = reviewOf({ plan: after, ledger, now: NOW });
          expect(changes).toMatchObject([{ kind: 'prefix', text: `${text}x `, count: titles.length }]);
        },
      ),
      { numRuns: repetitions(200) },
    ));
});

describe('a person is told', () => {
  test('why a run is held, what visitors would notice, and what is likely', () => {
    const cut = reviewFor((drafts) =>
      drafts.filter((draft) => draft.fields.title !== 'Dziady' || startOf(draft) < '2027-02-28'),
    );
    const review: Review = { ...cut, feed: { now: 22, before: { count: 30, at: NOW - 20 * 3_600_000 } } };
    expect(reviewTitle(review, READER)).toBe('The feed of theatre has lost 8 of its 30 coming events');
    expect(plainText(whyHeld(review, READER))).toBe(
      'This run would remove 8 of 30 coming events (27 %; you allow 20 %). ' +
        'Yesterday the feed had 30, now it has 22. The missing ones are all “Dziady”, every Saturday from 6 March on.',
    );
    expect(whatVisitorsNotice(review, READER).map(plainText)).toEqual([
      '8 pages would say “no longer available”. Subscribed calendars would show them as cancelled, for 30 days.',
      'The first of what is gone is in 64 days: there is time to ask.',
    ]);
    expect(answersTo(review, READER)).toMatchObject([
      {
        act: 'reject',
        isLikely: true,
        title: 'Keep them, and ask theatre',
        text: 'They have something in common, and nothing has come instead: that is what a truncated feed looks like. Nothing is written.',
      },
      { act: 'approve', isLikely: false, title: 'They do not take place' },
      { act: 'later', isLikely: false },
    ]);
    expect(answersTo({ ...review, counts: { ...review.counts, new: 1 } }, READER)[0]?.text).toContain(
      'and little has come instead',
    );
  });

  test.each<[string, (drafts: readonly EventDraft[]) => readonly EventDraft[], RegExp, string | null]>([
    [
      'an empty feed',
      () => [],
      /^The feed is whole, but empty\. This run would remove all 30 coming events of it\.$/,
      'reject',
    ],
    [
      'misread times',
      changed((draft) => ({ start_date: later(startOf(draft), 1) })),
      /^This run would move 30 of 30 coming events: exactly one hour later, all of them\.$/,
      'reject',
    ],
    [
      'a week later',
      changed((draft) => ({ start_date: later(startOf(draft), 168) })),
      /exactly 7 days later, all of them\.$/,
      null,
    ],
    [
      'another zone',
      changed(() => ({ timezone: 'Europe/London' })),
      /^This run would move 30 of 30 coming events: exactly one hour later, all of them\.$/,
      'reject',
    ],
    [
      'marked titles',
      changed(({ fields }) => ({ title: `Postponed: ${fields.title}` })),
      /^This run would give 30 of 30 coming events another title: 30 titles begin with “Postponed:” now\.$/,
      'approve',
    ],
    ['hidden titles', changed(() => ({ title: 'Busy' })), /another title, such as “Busy” instead of/, 'reject'],
    [
      'hidden events',
      changed(() => ({ status: 'draft' })),
      /^30 of 30 coming events are public and would not be any more: .* another status now\.$/,
      null,
    ],
    [
      'a flood',
      (drafts) => [...drafts, ...each(200, (index) => draftOf(`flood${index}`))],
      /^This run would add 200 events at once, beside 30 coming ones\.$/,
      'reject',
    ],
  ])('of %s', (_, change, said, likely) => {
    const review = reviewFor(change);
    expect(plainText(whyHeld(review, READER))).toMatch(said);
    const first = answersTo(review, READER)[0];
    expect(first?.isLikely === true ? first.act : null).toBe(likely);
  });

  test('that events of a new source seem to be on the site already, and how to take them over', () => {
    const { site, ledger } = syncing();
    const values = { title: 'Jazz', start_date: '2027-03-01 18:00:00', timezone: 'Europe/Warsaw', venue: [] };
    const strangers = [{ id: 7, slug: 'by-hand', status: 'publish', values }];
    const reading = readingOf([draftOf('jazz', { title: 'Jazz' }), draftOf('choir', { title: 'Choir' })]);
    const snapshot = { ...site.snapshot(), strangers };
    const plan = planChanges({ reading, snapshot, ledger, policy: policyOf() });
    const review = reviewOf({ plan, ledger, now: NOW });
    expect(reviewTitle(review, READER)).toBe('1 event of theatre seems to be on the site already');
    expect(plainText(whyHeld(review, READER))).toBe(
      '1 of 2 events looks like one that others made: same title, start and place. Approving makes it a second time.',
    );
    expect(answersTo(review, READER)).toMatchObject([
      { act: 'adopt', isLikely: true, title: 'They are the same events' },
      { act: 'reject', title: 'Leave everything on the site as it is' },
      { act: 'approve', title: 'They are other events' },
    ]);
  });

  test('that pages would be hidden', () => {
    const review = reviewFor(changed(() => ({ status: 'private' })));
    expect(reviewTitle(review, READER)).toBe('30 of 30 coming events of theatre would no longer be public');
    expect(whatVisitorsNotice(review, READER).map(plainText)).toEqual([
      'Their pages would no longer be public. Subscribed calendars would show them as cancelled, for 30 days.',
    ]);
  });

  test.each([
    [1, '1 event would have another date or place. Subscribed calendars move it.'],
    [2, '2 events would have another date or place. Subscribed calendars move them.'],
  ])('how many events would move: %i', (moved, sentence) => {
    const review = reviewFor((drafts) =>
      drafts.map((draft, index) => (index < moved ? { ...draft, fields: { ...draft.fields, venue: CELLAR } } : draft)),
    );
    expect(whatVisitorsNotice(review, READER).map(plainText)).toContain(sentence);
  });

  test.each<[Partial<Review['gone']>, number, string]>([
    [
      { how: 'trash' },
      1,
      '1 page would say “no longer available”. Subscribed calendars would show it as cancelled, for 30 days.',
    ],
    [
      { how: 'draft' },
      1,
      '1 page would no longer be public. Subscribed calendars would show it as cancelled, for 30 days.',
    ],
    [{ isLater: true, count: 1 }, 0, '1 page would stay for now: it goes once the feed has lacked it often enough.'],
    [{ isLater: true, count: 2 }, 0, '2 pages would stay for now: they go once the feed has lacked them often enough.'],
  ])('how many pages would go: %j', (gone, remove, sentence) => {
    const { counts, ...review } = reviewFor((drafts) => drafts);
    const told = { ...review, counts: { ...counts, remove }, gone: { ...review.gone, ...gone } };
    expect(whatVisitorsNotice(told, READER).map(plainText)).toContain(sentence);
  });

  test('that most events are there again under new names', () => {
    const nameless = (rename: (title: string) => string): EventDraft[] =>
      season().map(({ fields: { venue: _venue, ...fields } }) => {
        const title = rename(fields.title);
        const rungs = { uid: null, recurrenceId: null, url: null, fingerprint: `${title}|${fields.start_date}` };
        return draftOf('', { ...fields, title }, { rungs });
      });
    const review = reviewFor(
      () => nameless(() => 'Reserved'),
      nameless((title) => title),
    );
    expect(plainText(whyHeld(review, READER))).toMatch(
      /They may be the same events under new names: there are again 30 with the same start under another title\.$/,
    );
    expect(answersTo(review, READER)[0]).toMatchObject({ act: 'approve', isLikely: true });
  });

  test('all reasons for a review, not only the first', () => {
    const drafts = changed(({ fields }) => ({ title: `Busy ${fields.title}` }))(
      season().filter((draft) => draft.fields.title !== 'Puppets'),
    );
    expect(reviewFor(() => drafts).reasons).toMatchObject([
      { kind: 'removals', count: 8, all: 30, limit: { share: 0.2, moreThan: 3 } },
      { kind: 'titles', count: 22, all: 30 },
    ]);
  });

  test('how many events the feed had when it last had what is gone', () => {
    const readings = [57, 56, 70, 71].map((coming, index) => ({ at: NOW - index, coming }));
    expect(feedBefore(readings, 56, 17)).toEqual({ count: 70, at: NOW - 2 });
    expect(feedBefore(readings, 56, 0)).toEqual({ count: 57, at: NOW });
    expect(feedBefore([], 56, 17)).toBeNull();
  });
});
