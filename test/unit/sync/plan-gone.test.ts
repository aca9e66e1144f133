import { beforeEach, describe, expect, it } from 'vitest';
import { lockFields } from '../../../src/sync/decisions/lock.ts';
import { howRemoved } from '../../../src/sync/event/life.ts';
import { FIELD_NAMES } from '../../../src/sync/model/fields.ts';
import type { EventDraft, FeedReading } from '../../../src/sync/model/draft.ts';
import type { Policy } from '../../../src/sync/model/plan.ts';
import { FORMATS } from '../../../src/sync/formats/formats.ts';
import type { FormatName } from '../../../src/sync/formats/format-kinds.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';
import { draftOf, NOW } from '../../support/drafts.ts';
import { calendarOf, eventOf } from '../../support/read-ical.ts';
import { applyPlan, type SiteModel } from '../../support/site-model.ts';
import { manyDrafts, syncing, actionsInWords } from '../../support/syncing.ts';

let { site, ledger, plan, run } = syncing();
beforeEach(() => {
  ({ site, ledger, plan, run } = syncing());
});

const only = (): SiteModel['events'][number] => {
  const [event, ...others] = site.events;
  if (!event || others.length > 0) throw new Error(`${site.events.length} events`);
  return event;
};

const row = (title: string, day: string): string => `${title},2027-${day} 18:00,2027-${day} 19:00`;

describe('gone from the feed', () => {
  const both = [draftOf('1', { title: 'One' }), draftOf('2', { title: 'Two', start_date: '2027-03-02 18:00:00' })];
  const [one] = both as [EventDraft, EventDraft];

  it('counts good fetches, and removes after missing.after of them', () => {
    run(both);
    expect([run([one]), run([one])].flatMap(actionsInWords)).toEqual([]);
    const decided = run([one]);
    expect(decided.actions).toMatchObject([
      { kind: 'remove', how: 'trash', title: 'Two', because: 'gone from the feed for 3 good fetches' },
    ]);
    expect(site.events.map(({ status }) => status)).toEqual(['publish', 'trash']);
    expect(actionsInWords(run([one]))).toEqual([]);
  });

  it('a fetch that has the event starts the count again', () => {
    run(both);
    for (const drafts of [[one], [one], both, [one], [one]]) expect(actionsInWords(run(drafts))).toEqual([]);
    expect(actionsInWords(run([one]))).toEqual(['remove Two']);
  });

  it('nothing is counted while something in the feed could not be read', () => {
    run(both);
    for (let fetches = 0; fetches < 9; fetches += 1)
      expect(actionsInWords(run([one], {}, { unread: [{ line: 3 }] }))).toEqual([]);
    expect([...ledger.values()].map(({ missing }) => missing)).toEqual([0, 0]);
  });

  it('an event that a rule excludes is removed at once', () => {
    run(both);
    const excluded = [{ rungs: both[1]?.rungs ?? one.rungs, title: 'Two', because: 'left out by the rule skip' }];
    expect(run([one], {}, { excluded }).actions).toMatchObject([
      { kind: 'remove', title: 'Two', because: 'left out by the rule skip' },
    ]);
  });

  const left: readonly (readonly [string, Partial<Policy>, Partial<FeedReading>])[] = [
    ['in the past', { now: NOW + 365 * 86_400_000 }, {}],
    ['after what the feed covers', {}, { coversUntil: NOW }],
    ['moved out of the window', {}, { outside: ['2'] }],
    ['missing.action keep', { missing: { action: 'keep', after: 1 } }, {}],
  ];
  it.each(left)('is left alone: %s', (_name, policy, reading) => {
    run(both);
    for (let fetches = 0; fetches < 5; fetches += 1) expect(actionsInWords(run([one], policy, reading))).toEqual([]);
  });

  it('an occurrence that its series no longer has is gone, even if the series goes on beyond the window', () => {
    const [first, second] = ['20270301T180000', '20270308T180000'].map((id) =>
      draftOf('series', { title: id }, { rungs: { uid: 'series', recurrenceId: id, url: null, fingerprint: id } }),
    ) as [EventDraft, EventDraft];
    run([first, second]);
    const decided = run([first], { missing: { action: 'trash', after: 1 } }, { outside: ['series'] });
    expect(actionsInWords(decided)).toEqual(['remove 20270308T180000']);
  });

  describe('occurrences that a series no longer has', () => {
    const ids = ['20270301T180000', '20270308T180000'];
    const [first, last] = ids.map((id, week) =>
      draftOf(
        'series',
        { title: id, start_date: `2027-03-0${1 + 7 * week} 18:00:00` },
        { rungs: { uid: 'series', recurrenceId: id, url: null, fingerprint: id } },
      ),
    ) as [EventDraft, EventDraft];
    const policy = { missing: { action: 'trash', after: 1 } } as const;
    const wholeSeries = ['series'];
    const cases: readonly (readonly [string, readonly EventDraft[], Partial<FeedReading>, readonly string[]])[] = [
      [
        'are removed if the series ends earlier now',
        [first],
        { coversUntil: first.startsAt, wholeSeries },
        [`remove ${ids[1]}`],
      ],
      [
        'are removed if the series is a single event again',
        [draftOf('series', { title: String(ids[0]) })],
        { coversUntil: first.startsAt, wholeSeries },
        [`remove ${ids[1]}`],
      ],
      [
        'are removed if the series has nothing in the window any more',
        [one],
        { coversUntil: one.startsAt, outside: ['series'], wholeSeries },
        ids.map((id) => `remove ${id}`),
      ],
      [
        'stay beyond a window that has become shorter',
        [first],
        { coversUntil: first.startsAt, wholeSeries, windowTo: last.startsAt },
        [],
      ],
      [
        'stay while a part of the feed cannot be read',
        [first],
        { coversUntil: first.startsAt, wholeSeries, unread: [{ line: 3 }] },
        [],
      ],
      ['stay if the feed gives only single occurrences', [first], { coversUntil: first.startsAt }, []],
    ];
    it.each(cases)('%s', (_name, drafts, reading, expected) => {
      run([first, last], policy);
      expect(actionsInWords(run(drafts, policy, reading)).filter((word) => word.startsWith('remove'))).toEqual(
        expected,
      );
    });
  });

  describe('events beyond a window that has become shorter stay, without a word', () => {
    const feeds: readonly (readonly [string, FormatName, string, number])[] = [
      [
        'rows without UIDs',
        'csv',
        ['title,start,end', row('Jazz', '01-10'), row('Kino', '03-10'), row('Rock', '04-10')].join('\n'),
        3,
      ],
      [
        'a series, and an event that is later still',
        'ical',
        calendarOf(
          ...eventOf('UID:1', 'DTSTART:20270110T180000Z', 'SUMMARY:Jazz', 'RRULE:FREQ=MONTHLY;COUNT=4'),
          ...eventOf('UID:2', 'DTSTART:20270501T180000Z', 'SUMMARY:Rock'),
        ),
        5,
      ],
    ];
    it.each(feeds)('%s', (_name, format, text, count) => {
      const read = (to: number): FeedReading => {
        const body = { bytes: Buffer.from(text), contentType: null };
        const feed = FORMATS[format].read(body, { ...DRAFT_SETTINGS, window: { from: NOW, to } });
        if (feed.kind !== 'reading') throw new Error(feed.problem.message);
        return feed.reading;
      };
      const policy: Partial<Policy> = { missing: { action: 'trash', after: 1 } };
      const sync = (reading: FeedReading) => run(reading.drafts, policy, reading);
      sync(read(Date.UTC(2027, 5, 1)));
      const shorter = read(Date.UTC(2027, 1, 1));
      expect(sync(shorter)).toMatchObject({ actions: [], held: null, problems: shorter.problems });
      expect(site.events.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 'publish'));
    });
  });

  it('a removal by draft, cancel or trash is reverted when the event is back in the feed', () => {
    for (const action of ['draft', 'cancel', 'trash'] as const) {
      ({ site, ledger, plan, run } = syncing());
      const missing = { action, after: 1 };
      run(both, { missing });
      const shown = (): unknown => site.events.map((event) => structuredClone({ ...event, modified: undefined }));
      const before = shown();
      run([one], { missing });
      expect(site.events[1]).toMatchObject(
        {
          draft: { status: 'draft' },
          cancel: { status: 'publish', values: { title: 'Cancelled: Two' } },
          trash: { status: 'trash' },
        }[action],
      );
      expect([...ledger.values()].map(howRemoved)).toEqual([null, action]);
      expect(actionsInWords(run([one], { missing }))).toEqual([]);
      expect(run(both, { missing }).actions).toMatchObject([{ kind: 'update', because: 'back in the feed' }]);
      expect(shown()).toEqual(before);
      expect(actionsInWords(run(both, { missing }))).toEqual([]);
    }
  });

  const CHOICES = (['draft', 'cancel', 'trash'] as const).flatMap((action) =>
    (['publish', 'draft'] as const).flatMap((status) =>
      ([undefined, 'publish', 'draft', 'private'] as const).flatMap((theirs) =>
        ([undefined, ['status'], ['title', 'tags'], FIELD_NAMES] as const).flatMap((locked) =>
          (['preserve', 'site', 'feed'] as const).map((authority) => ({ action, status, theirs, locked, authority })),
        ),
      ),
    ),
  );
  it.each(CHOICES)(
    'comes back as it was: $action, the feed says $status, a person $theirs, locked $locked, authority $authority',
    ({ action, status, theirs, locked = [], authority }) => {
      const feed = both.map((draft) => ({ ...draft, fields: { ...draft.fields, status } }));
      const policy = { missing: { action, after: 1 }, authority: { default: authority, fields: {} } };
      run(feed, policy);
      const [, { slug }] = site.events as [unknown, SiteModel['events'][number]];
      applyPlan(site, lockFields(ledger.get(slug)!, locked), ledger);
      if (theirs) site.edit(slug, { status: theirs });
      run(feed, policy);
      const shown = (): unknown => site.events.map((event) => structuredClone({ ...event, modified: undefined }));
      const before = shown();
      for (let times = 0; times < 2; times += 1) {
        run(feed.slice(0, 1), policy);
        expect(actionsInWords(run(feed.slice(0, 1), policy))).toEqual([]);
        expect(run(feed, policy)).toMatchObject({ conflicts: [], held: null });
        expect(shown()).toEqual(before);
        expect(run(feed, policy)).toMatchObject({ conflicts: [], actions: [] });
      }
    },
  );

  it.each([
    ['as the feed had it', 'It is "on"'],
    ['as a person wrote it', 'By hand'],
  ])('a locked title comes back without the prefix, %s, although the feed has another by now', (_how, title) => {
    const missing = { action: 'cancel', after: 1 } as const;
    run([one, draftOf('2', { title: 'It is "on"' })], { missing });
    const { slug } = site.events.find(({ values }) => values.title === 'It is “on”')!;
    applyPlan(site, lockFields(ledger.get(slug)!, ['title']), ledger);
    if (title === 'By hand') site.edit(slug, { title });
    run([one], { missing });
    expect(run([one, draftOf('2', { title: 'Another' })], { missing }).actions).toMatchObject([{ fields: { title } }]);
    expect(actionsInWords(run([one, draftOf('2', { title: 'Another' })], { missing }))).toEqual([]);
  });

  it('an event that comes back keeps the status that a person gave it while it was withdrawn', () => {
    const missing = { action: 'draft', after: 1 } as const;
    run(both, { missing });
    site.edit(site.events[1]!.slug, { status: 'private' });
    run(both, { missing });
    run([one], { missing });
    site.edit(site.events[1]!.slug, { status: 'publish' });
    expect(run(both, { missing })).toMatchObject({ actions: [], conflicts: [] });
    expect(site.events[1]!.status).toBe('publish');
  });

  it("an event restored from a person's trash gets its current status in the feed", () => {
    run(both);
    site.edit(site.events[1]!.slug, { status: 'trash' });
    run(both);
    const [slug, entry] = [...ledger].find(([, { state }]) => state === 'ignored')!;
    // As when a person asks to have it back.
    ledger.set(slug, { ...entry, state: 'removed' });
    const back = [one, draftOf('2', { title: 'Two', start_date: '2027-03-02 18:00:00', status: 'private' })];
    expect(run(back)).toMatchObject({ actions: [{ kind: 'update', fields: { status: 'private' } }], conflicts: [] });
    expect(actionsInWords(run(back))).toEqual([]);
  });

  it('an event that is already marked as cancelled when it leaves the feed needs no write', () => {
    const missing = { action: 'cancel', after: 1 } as const;
    const cancelled = [...Array(5).keys()].map((n) => draftOf(`c${n}`, { title: `Off ${n}` }, { state: 'cancelled' }));
    run([one, ...cancelled], { missing });
    const shown = structuredClone(site.events);
    const left = run([one], { missing });
    expect([left.held, actionsInWords(left), site.events]).toEqual([null, [], shown]);
    expect([...ledger.values()].map(({ title, state }) => [title, state])).toEqual(
      expect.arrayContaining([['One', 'kept'], ...cancelled.map(({ fields }) => [fields.title, 'removed'])]),
    );
    expect(actionsInWords(run([one], { missing }))).toEqual([]);
    run([one, draftOf('c0', { title: 'Off 0' })], { missing });
    expect(site.events.find(({ values }) => values['title'] === 'Off 0')).toMatchObject({
      status: 'publish',
      values: { tags: [] },
    });
  });

  it('an event that its feed already gives as a draft when it leaves the feed needs no write', () => {
    const missing = { action: 'draft', after: 1 } as const;
    const drafts = [...Array(5).keys()].map((n) => draftOf(`d${n}`, { title: `Draft ${n}`, status: 'draft' }));
    run([one, ...drafts], { missing });
    const shown = structuredClone(site.events);
    const left = run([one], { missing });
    expect([left.held, actionsInWords(left), site.events]).toEqual([null, [], shown]);
    expect([...ledger.values()].map(({ title, state }) => [title, state])).toEqual(
      expect.arrayContaining([['One', 'kept'], ...drafts.map(({ fields }) => [fields.title, 'removed'])]),
    );
    expect(actionsInWords(run([one], { missing }))).toEqual([]);
    run([one, draftOf('d0', { title: 'Draft 0' })], { missing });
    expect(site.events.filter(({ status }) => status === 'publish').map(({ values }) => values.title)).toEqual([
      'One',
      'Draft 0',
    ]);
  });

  it('an event that a person withdrew stays withdrawn when it leaves the feed and comes back', () => {
    const missing = { action: 'draft', after: 1 } as const;
    run(both);
    site.edit(site.events[1]!.slug, { status: 'draft' });
    expect(actionsInWords(run([one], { missing }))).toEqual([]);
    expect([...ledger.values()].map(howRemoved)).toEqual([null, 'draft']);
    expect(run(both, { missing })).toMatchObject({ actions: [], conflicts: [] });
    expect(site.events.map(({ status }) => status)).toEqual(['publish', 'draft']);
  });

  it('an event cancelled because it is gone keeps the title of the feed, or the one that a person wrote', () => {
    const missing = { action: 'cancel', after: 1 } as const;
    const quoted = draftOf('2', { title: 'It is "on"' });
    run([one, quoted], { missing });
    expect(plan([one], { missing }).actions.at(-1)).toMatchObject({
      kind: 'remove',
      fields: { title: 'Cancelled: It is "on"' },
    });
    site.edit(site.events.find(({ values }) => values.title === 'It is “on”')!.slug, { title: 'By hand' });
    expect(plan([one], { missing }).actions.at(-1)).toMatchObject({
      kind: 'remove',
      fields: { title: 'Cancelled: By hand' },
    });
  });

  it('an event that a person removed is ignored even if the feed is empty and missing.action is keep', () => {
    const missing = { action: 'keep', after: 1 } as const;
    run(both, { missing });
    site.edit(site.events[1]!.slug, { status: 'trash' });
    expect(Object.values(plan([], { missing }).ledger).map(({ entry }) => [entry.title, entry.state])).toEqual([
      ['Two', 'ignored'],
    ]);
  });

  it('an event that we removed and the site has deleted since is created again under its slug', () => {
    const missing = { action: 'trash', after: 1 } as const;
    run(both, { missing });
    run([one], { missing });
    const [{ slug }] = site.events.splice(1, 1) as [SiteModel['events'][number]];
    const renamed = draftOf('2', { title: 'Renamed', start_date: '2027-03-02 18:00:00' });
    expect(run([one, renamed], { missing }).actions).toMatchObject([
      { kind: 'create', slug, title: 'Renamed', because: 'back in the feed' },
    ]);
    expect(site.events.at(-1)).toMatchObject({ slug, values: { title: 'Renamed' } });
  });
});

describe('absent on the site', () => {
  it('an event that a person trashed stays there', () => {
    run([draftOf('1')]);
    only().status = 'trash';
    expect(run([draftOf('1', { title: 'New title' })])).toMatchObject({ actions: [], skipped: 1 });
    expect([...ledger.values()]).toMatchObject([{ state: 'ignored' }]);
    expect(run([draftOf('1', { title: 'Newer title' })])).toMatchObject({
      actions: [],
      skipped: 1,
      ledger: expect.anything(),
    });
  });

  it('an event that a person trashed and restored is kept in step again', () => {
    run([draftOf('1')]);
    only().status = 'trash';
    run([draftOf('1')]);
    only().status = 'publish';
    run([draftOf('1', { title: 'New title' })]);
    expect(only().values.title).toBe('New title');
  });

  it('a few events that are not found at all are ignored, and reported once', () => {
    run(manyDrafts(20));
    site.events.splice(0, 2);
    expect(run(manyDrafts(20))).toMatchObject({
      actions: [],
      skipped: 2,
      held: null,
      problems: [
        {
          code: 'not-found-on-site',
          message: expect.stringContaining(
            '2 events that were written before are not on the site any more, not even in its trash: "Event ',
          ),
        },
      ],
    });
    expect(run(manyDrafts(20))).toMatchObject({ actions: [], skipped: 2, held: null, problems: [] });
  });

  it('if no event of a small source is found, the site was lost or restored', () => {
    run(manyDrafts(2));
    site.events.splice(0, 2);
    const decided = plan(manyDrafts(2));
    expect(decided).toMatchObject({
      held: expect.stringMatching(
        /^Site lost or restored: 2 of 2 .* Approving creates them again\. If a person deleted them on purpose, move them to the trash afterwards/,
      ),
      problems: [],
    });
    expect(actionsInWords(decided).toSorted()).toEqual(['create Event 0', 'create Event 1']);
  });

  it('a missing only event, or missing events beside a trashed one, count as removed by a person', () => {
    run(manyDrafts(3));
    site.events[0]!.status = 'trash';
    site.events.splice(1, 2);
    expect(run(manyDrafts(3))).toMatchObject({
      held: null,
      actions: [],
      skipped: 3,
      problems: [{ code: 'not-found-on-site' }],
    });
    ({ site, ledger, plan, run } = syncing());
    run(manyDrafts(1));
    site.events.splice(0, 1);
    expect(run(manyDrafts(1))).toMatchObject({
      held: null,
      actions: [],
      skipped: 1,
      problems: [{ code: 'not-found-on-site', where: { slug: expect.stringContaining('event-0-') } }],
    });
  });

  it('if many events are not found, the site was lost or restored, and approving creates them again', () => {
    run(manyDrafts(20));
    site.events.splice(0, 12);
    const decided = run(manyDrafts(20));
    expect(decided.held).toBe(
      'Site lost or restored: 12 of 20 upcoming events that were written before are not found on the site any more. Approving creates them again.',
    );
    expect(decided.actions.map(({ kind }) => kind)).toEqual(Array.from({ length: 12 }, () => 'create'));
    applyPlan(site, decided, ledger);
    expect(plan(manyDrafts(20)).actions).toEqual([]);
  });
});

describe('guards', () => {
  const missing = { action: 'trash', after: 1 } as const;
  const removals: readonly (readonly [string, number, number, boolean])[] = [
    ['3 of 3: not more than 3 events', 3, 3, false],
    ['4 of 20: not more than 20 %', 20, 4, false],
    ['5 of 20', 20, 5, true],
    ['4 of 4', 4, 4, true],
  ];
  it.each(removals)('mass removal: %s', (_name, all, gone, isHeld) => {
    run(manyDrafts(all), { missing });
    const decided = run([...manyDrafts(all).slice(gone), draftOf('new')], { missing });
    expect(decided.held !== null).toBe(isHeld);
    expect(decided.held ?? `${gone} of ${all} upcoming events`).toContain(`${gone} of ${all} upcoming events`);
    expect(decided.actions.filter(({ kind }) => kind === 'remove')).toHaveLength(gone);
  });

  it('an empty calendar is held if there was even a single event before', () => {
    run(manyDrafts(1));
    expect(run([])).toMatchObject({
      held: expect.stringContaining('without any event'),
      actions: [{ kind: 'remove' }],
    });
    expect(run([], {}, { unread: [{ line: 1 }] })).toMatchObject({ held: null, actions: [] });
    expect(run([], {}, { outside: ['0'] })).toMatchObject({ held: null, actions: [] });
  });

  it('a calendar that never had an event is not held', () =>
    expect(run([])).toMatchObject({ held: null, actions: [] }));
});
