import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../src/sync/model/draft.ts';
import { planChanges } from '../../../src/sync/plan/plan-changes.ts';
import type { Rung } from '../../../src/sync/model/identity.ts';
import type { LedgerEntry, Plan } from '../../../src/sync/model/plan.ts';
import { instantFromWall } from '../../../src/time.ts';
import { draftOf, policyOf, readingOf } from '../../support/drafts.ts';
import { applyPlan } from '../../support/site-model.ts';
import { syncing, actionsInWords } from '../../support/syncing.ts';

// Identities move, events keep their slugs. Guards are lifted: they are about numbers, not about identity.

const FREE = { hold: { share: 1, moreThan: 1_000 } };
const digits = (wall: string): string => wall.replace(/[-:]/g, '').replace(' ', 'T');
/** An occurrence of a series on a day of March 2027, at an hour. */
const occurrence = (uid: string, day: number, hour = 18): EventDraft => {
  const start = `2027-03-${String(day).padStart(2, '0')} ${String(hour).padStart(2, '0')}:00:00`;
  const title = `Series ${uid}`;
  return draftOf(
    uid,
    { title, start_date: start },
    {
      rungs: { uid, recurrenceId: digits(start), url: null, fingerprint: `${title}|${start}` },
      startsAt: instantFromWall(start, 'Europe/Warsaw'),
    },
  );
};
const series = (uid: string, days: readonly number[], hour = 18): EventDraft[] =>
  days.map((day) => occurrence(uid, day, hour));
const single = (uid: string, day: number, hour = 18): EventDraft => {
  const draft = occurrence(uid, day, hour);
  return { ...draft, rungs: { ...draft.rungs, recurrenceId: null } };
};
const renewed = (drafts: readonly EventDraft[], round: number): EventDraft[] =>
  drafts.map((draft, index) => ({ ...draft, rungs: { ...draft.rungs, uid: `new-${round}-${index}` } }));
/** Two events that differ only in their UIDs. */
const twins = (uid: string): EventDraft[] => [1, 2].map((number) => draftOf(`${uid}${number}`, { title: 'Twins' }));
const WEEKS = [1, 8, 15, 22];

/** Slugs before and after a second feed, by start. */
function twoFeeds(
  first: readonly EventDraft[],
  second: readonly EventDraft[],
): { plan: Plan; before: readonly string[]; after: readonly string[] } {
  const { run, ledger, plan } = syncing();
  const slugs = (): string[] =>
    [...ledger.values()].toSorted((one, other) => one.startsAt - other.startsAt).map(({ slug }) => slug);
  run(first, FREE);
  const before = slugs();
  const changed = run(second, FREE);
  expect(plan(second, FREE).actions).toEqual([]);
  return { plan: changed, before, after: slugs() };
}

describe('events keep their slugs', () => {
  test.each<[string, readonly EventDraft[], readonly EventDraft[]]>([
    ['when a series is moved by an hour', series('s', WEEKS), series('s', WEEKS, 19)],
    [
      'when a series is moved by a day',
      series('s', WEEKS),
      series(
        's',
        WEEKS.map((day) => day + 1),
      ),
    ],
    [
      'when one of a series is moved, and the rest stays',
      series('s', WEEKS),
      [...series('s', [1, 8, 22]), occurrence('s', 16)],
    ],
    ['when UIDs are renewed', series('s', WEEKS), renewed(series('s', WEEKS), 1)],
    ['when UIDs are renewed and all is moved by an hour', series('s', WEEKS), renewed(series('s', WEEKS, 19), 1)],
    [
      'when UIDs are renewed and RECURRENCE-IDs are gone',
      series('s', WEEKS),
      renewed(series('s', WEEKS), 1).map((draft) => ({ ...draft, rungs: { ...draft.rungs, recurrenceId: null } })),
    ],
  ])('%s', (_, first, second) => {
    const { plan, before, after } = twoFeeds(first, second);
    expect(after).toEqual(before);
    expect(actionsInWords(plan).filter((each) => !each.startsWith('update'))).toEqual([]);
  });

  test('when a single event becomes a series, and back', () => {
    const { plan, before, after } = twoFeeds([single('s', 8)], series('s', WEEKS));
    expect(actionsInWords(plan)).toEqual(['create Series s', 'create Series s', 'create Series s']);
    expect(after[1]).toBe(before[0]);
    const back = twoFeeds(series('s', WEEKS), [single('s', 8)]);
    expect(back.after).toEqual(back.before);
    expect(back.plan.actions).toEqual([]);
  });

  test('when another one of its series starts at the same time, by its title', () => {
    const same = occurrence('s', 8);
    const rungs = { ...same.rungs, recurrenceId: '20270308T170000' };
    const { plan, before, after } = twoFeeds(
      [single('s', 8)],
      [{ ...same, rungs, fields: { ...same.fields, title: 'Another' } }, same],
    );
    expect(actionsInWords(plan)).toEqual(['create Another']);
    expect(after).toEqual(expect.arrayContaining([...before]));
  });

  test('when the zone of a series is corrected, by the instants', () => {
    const inUtc = series('s', WEEKS).map((draft) => ({
      ...draft,
      rungs: { ...draft.rungs, recurrenceId: digits(draft.fields.start_date).replace('T18', 'T17') },
    }));
    const { plan, before, after } = twoFeeds(series('s', WEEKS), inUtc);
    expect([plan.actions, after]).toEqual([[], before]);
  });

  test('but a distant new date in a series is another event', () => {
    const { plan } = twoFeeds(series('s', [1, 8, 15]), series('s', [8, 15, 22, 29]));
    expect(actionsInWords(plan)).toEqual(['create Series s', 'create Series s']);
    expect(actionsInWords(twoFeeds(series('t', [1, 8, 15]), series('t', [8, 15, 29])).plan)).toContain(
      'create Series t',
    );
  });

  test('a new event with an identity that another has left gets a key of its own', () => {
    const { run, ledger } = syncing();
    run(series('s', [1, 2]), FREE);
    run(series('s', [1, 3]), FREE);
    run(series('s', [1, 2, 3]), FREE);
    expect(ledger.size).toBe(3);
    expect(new Set([...ledger.values()].map(({ key }) => key)).size).toBe(3);
  });
});

describe('feeds whose identities change', () => {
  const many = series(
    'a',
    Array.from({ length: 10 }, (_, index) => index + 1),
  );
  /** Runs of feeds one after another, each on the rung that the one before has reached. */
  function runs(feeds: readonly (readonly EventDraft[])[]): readonly Plan[] {
    const { site, ledger } = syncing();
    let rung: Rung = 'uid';
    return feeds.map((drafts) => {
      const plan = planChanges({
        reading: readingOf(drafts),
        snapshot: site.snapshot(),
        ledger,
        policy: policyOf(FREE),
        rung,
      });
      applyPlan(site, plan, ledger);
      rung = plan.rung!;
      return plan;
    });
  }

  test('step down to the address, then to title, start and place, and say so; no event is made twice', () => {
    const withUrls = (round: number): EventDraft[] =>
      renewed(many, round).map((draft, index) => ({
        ...draft,
        rungs: { ...draft.rungs, url: `https://feed.example/${round < 3 ? '' : round}/${index}` },
      }));
    const plans = runs([1, 2, 2, 3, 4, 5].map(withUrls));
    expect(
      plans.map(({ rung, actions, problems }) => [rung, actions.length, problems.map(({ code }) => code)]),
    ).toEqual([
      ['uid', 10, []],
      ['url', 0, ['identities-change']],
      ['url', 0, []],
      ['fingerprint', 0, ['identities-change']],
      ['fingerprint', 0, []],
      ['fingerprint', 0, []],
    ]);
    expect(plans[1]!.problems[0]!.message).toContain('10 of 10 events came with other UIDs');
  });

  test('stay on their rung if only a few identities are renewed, or if events change', () => {
    const few = [...renewed(many.slice(0, 4), 1), ...many.slice(4)];
    expect(runs([many, few]).map(({ rung }) => rung)).toEqual(['uid', 'uid']);
    expect(
      runs([many, many.map((draft) => ({ ...draft, fields: { ...draft.fields, title: 'Other' } }))]).map(
        ({ rung }) => rung,
      ),
    ).toEqual(['uid', 'uid']);
  });
});

describe('with the ledger lost', () => {
  test('events that had moved are found again, and not written again', () => {
    const { run, ledger, site } = syncing();
    run(series('s', WEEKS), FREE);
    run(series('s', WEEKS, 19), FREE);
    ledger.clear();
    const { actions, held } = run(series('s', WEEKS, 19), FREE);
    expect({ actions, held, posts: site.events.length, known: ledger.size }).toEqual({
      actions: [],
      held: null,
      posts: 4,
      known: 4,
    });
    expect(run(series('s', WEEKS, 20), FREE).actions.map(({ kind }) => kind)).toEqual([
      'update',
      'update',
      'update',
      'update',
    ]);
  });

  test('events that cannot be paired one to one are held', () => {
    const { run, ledger, site } = syncing();
    run(twins('a'), FREE);
    ledger.clear();
    expect(run(twins('b'), FREE).held).toMatch(/ledger of this source was lost, and 2 of its events/);
    expect(site.events).toHaveLength(2);
  });
});

describe('laws', () => {
  const day = fc.integer({ min: 1, max: 28 });
  const hours = fc.integer({ min: 8, max: 20 });
  const feed = fc
    .array(
      fc.record({
        uid: fc.constantFrom('a', 'b', 'c', 'd'),
        days: fc.uniqueArray(day, { minLength: 1, maxLength: 6 }),
        hour: hours,
      }),
      { maxLength: 4 },
    )
    .map((parts) =>
      [...new Map(parts.map((part) => [part.uid, part])).values()].flatMap(({ uid, days, hour }) =>
        series(uid, days, hour),
      ),
    );

  test('renewed UIDs make nothing, remove nothing and change no slug', () => {
    fc.assert(
      fc.property(feed, (drafts) => {
        const { plan, before, after } = twoFeeds(drafts, renewed(drafts, 1));
        expect([plan.actions, after]).toEqual([[], before]);
      }),
    );
  });

  test('series that move as a whole make nothing and remove nothing', () => {
    fc.assert(
      fc.property(feed, fc.integer({ min: 1, max: 3 }), (drafts, hoursLater) => {
        const moved = drafts.map((draft) =>
          occurrence(
            draft.rungs.uid!,
            Number(draft.fields.start_date.slice(8, 10)),
            Number(draft.fields.start_date.slice(11, 13)) + hoursLater,
          ),
        );
        const { plan, before, after } = twoFeeds(drafts, moved);
        expect(actionsInWords(plan).filter((each) => !each.startsWith('update'))).toEqual([]);
        expect(after.toSorted()).toEqual(before.toSorted());
      }),
    );
  });

  test('whatever the feed becomes, each of its events is on the site once', () => {
    // A feed without any event is held.
    const some = feed.filter((drafts) => drafts.length > 0);
    fc.assert(
      fc.property(some, some, some, (...feeds) => {
        const { run, plan, site, ledger } = syncing();
        for (const drafts of feeds) {
          run(drafts, { ...FREE, missing: { action: 'trash', after: 1 } }, { coversUntil: Number.POSITIVE_INFINITY });
          const shown = site.events
            .filter(({ status }) => status === 'publish')
            .map(({ values }) => `${String(values.title)} ${String(values.start_date)}`)
            .toSorted();
          expect(shown).toEqual(drafts.map(({ fields }) => `${fields.title} ${fields.start_date}`).toSorted());
          expect(plan(drafts, FREE).actions).toEqual([]);
          expect(new Set([...ledger.values()].map(({ key }) => key)).size).toBe(ledger.size);
        }
      }),
    );
  });
});

/** A row of a table, known by its title, start and place. */
const row = (title: string, description = 'Bring a friend.', venue = 'Hall'): EventDraft => {
  const start = '2027-03-10 18:00:00';
  return draftOf(
    '',
    { title, description, start_date: start, venue: [{ venue }] },
    { rungs: { uid: null, recurrenceId: null, url: null, fingerprint: `${title}|${start}|${venue}` } },
  );
};

describe('rows without UIDs that people have taken off, or made their own', () => {
  const OTHERS = ['A', 'B'].map((title) => row(title, 'Other', `Room ${title}`));
  /** The events that are created once a row's title has changed. */
  function retitled(
    state: LedgerEntry['state'],
    before: EventDraft,
    ...after: readonly EventDraft[]
  ): readonly string[] {
    const { run, ledger } = syncing();
    run([before, ...OTHERS], FREE);
    const entry = [...ledger.values()].find(({ title }) => title === before.fields.title)!;
    ledger.set(entry.slug, { ...entry, state });
    const created = actionsInWords(run([...after, ...OTHERS], FREE)).filter((each) => each.startsWith('create'));
    expect(run([...after, ...OTHERS], FREE).actions).toEqual([]);
    return created;
  }

  test.each([
    ['Concert', 'Concert (sold out)'],
    ['Summer concert', 'Summer concert of the choir'],
    ['Concrt of the choir', 'Concert of the choir'],
  ])('stay so under another form of the title: %s → %s', (before, after) => {
    expect(retitled('detached', row(before), row(after))).toEqual([]);
    expect(retitled('ignored', row(before), row(after))).toEqual([]);
  });

  test.each<[string, EventDraft, readonly EventDraft[]]>([
    ['another title', row('Film about birds'), [row('Film about fish')]],
    ['another number', row('Yoga course 1'), [row('Yoga course 2')]],
    ['another description', row('Concert'), [row('Concert (sold out)', 'Another')]],
    ['no place', row('Concert', 'Text', ''), [row('Concert (sold out)', 'Text', '')]],
    ['two candidates', row('Concert'), [row('Concert (sold out)'), row('Concert, second night')]],
  ])('do not stop a row that may be another event: %s', (_what, before, after) => {
    for (const state of ['detached', 'ignored'] as const)
      expect(retitled(state, before, ...after)).toHaveLength(after.length);
  });
});
