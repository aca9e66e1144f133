import { describe, expect, test } from 'vitest';
import { ALERT_KIND_NAMES } from '../../../src/config/alerts/alert-kinds.ts';
import { dueMessages, type DueMessage, type Situation } from '../../../src/alerts/decide/due-messages.ts';
import { dayNumber, nextStageAfter, stageAfter } from '../../../src/alerts/decide/reminders.ts';
import type { Submission, Submissions, ReportedEpisode, SourceWithState } from '../../../src/alerts/model/episode.ts';
import type { Receiver } from '../../../src/alerts/model/receiver.ts';
import { failuresSince, watchedSource } from '../../support/watched-source.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** A Monday, at noon in Warsaw. */
const NOON = Date.parse('2027-01-11T11:00:00Z');

const NOTHING_SUBMITTED: Submissions = { items: [], counts: { 'handed-in': 0, suggestions: 0 } };

const at = (time: string): number => Date.parse(`2027-01-11T${time}:00+01:00`);
const receiver = (given: Partial<Receiver> = {}): Receiver => ({
  name: 'clerk',
  channel: 'mail',
  hears: ALERT_KIND_NAMES,
  sources: [],
  afterMs: 0,
  quiet: undefined,
  digestAt: 8 * 60,
  ...given,
});
const situation = (watched: readonly SourceWithState[], given: Partial<Situation> = {}): Situation => ({
  now: NOON,
  zone: 'Europe/Warsaw',
  watched,
  submissions: NOTHING_SUBMITTED,
  receivers: [receiver()],
  told: [],
  lately: [],
  checkingSince: NOON - DAY,
  digested: new Map([['clerk', '2027-01-11']]),
  backup: null,
  backupsTold: new Map(),
  ...given,
});
const inShort = ({ receiver: { name }, kind, episodes }: DueMessage): string =>
  `${name}: ${kind} ${episodes.map(({ source, stage }) => `${source} ${stage}`).join(', ')}`.trim();
const due = (watched: readonly SourceWithState[], given: Partial<Situation> = {}): readonly string[] =>
  dueMessages(situation(watched, given)).due.map(inShort);
const told = (kind: ReportedEpisode['kind'], since: number, given: Partial<ReportedEpisode> = {}): ReportedEpisode => ({
  receiver: 'clerk',
  kind,
  site: 'builtin',
  source: 'cinema',
  about: '',
  since,
  stage: 0,
  messageId: '<first@x>',
  ...given,
});
const taken = (count: number, kind = 'failing'): Partial<Situation> => ({
  lately: Array.from({ length: count }, () => ({ receiver: 'clerk', kind })),
});
const cinema = (facts: Parameters<typeof watchedSource>[2] = {}): SourceWithState =>
  watchedSource('cinema', NOON, facts);
const held = { run: 'cinema-held', since: NOON - HOUR, why: 'This would remove 17 of 70 upcoming events.' };
const conflicts = (...slugs: readonly string[]): SourceWithState =>
  watchedSource(
    'cinema',
    NOON,
    {},
    slugs.map((slug) => ({ source: 'cinema', slug, title: slug, fields: ['title'], since: NOON - MINUTE })),
  );

describe('a new problem', () => {
  test.each<[string, SourceWithState, readonly string[]]>([
    ['one failure, just now', cinema({ failures: failuresSince(NOON - MINUTE, 1) }), []],
    ['two failures in a row', cinema({ failures: failuresSince(NOON - MINUTE, 2) }), ['clerk: failing cinema 0']],
    ['one failure, an hour ago', cinema({ failures: failuresSince(NOON - HOUR, 1) }), ['clerk: failing cinema 0']],
    ['a held run', cinema({ held }), ['clerk: held cinema 0']],
    ['a run that is due, and not read', cinema({ dueAt: NOON - HOUR }), ['clerk: late cinema 0']],
    ['a feed without anything ahead', cinema({ coming: 0 }), ['clerk: stale cinema 0']],
    ['conflicts, all in one message', conflicts('a', 'b'), ['clerk: conflict cinema 0, cinema 0']],
    ['no problem', cinema(), []],
    [
      'any problem of a paused source',
      cinema({
        held,
        failures: failuresSince(NOON - DAY),
        pause: { since: NOON, until: null, reason: null, by: 'me' },
      }),
      [],
    ],
  ])('%s', (_, watched, expected) => expect(due([watched])).toEqual(expected));

  test('is reported to receivers that want its kind, for the sources they look after', () => {
    const all = [cinema({ held }), watchedSource('theatre', NOON, { held })];
    const receivers = [
      receiver({ name: 'deaf', hears: ['failing'] }),
      receiver({ name: 'clerk', sources: ['theatre'] }),
      receiver({ name: 'all', hears: ['held'] }),
    ];
    expect(due(all, { receivers, digested: new Map() })).toEqual([
      'clerk: held theatre 0',
      'all: held cinema 0',
      'all: held theatre 0',
    ]);
  });

  test('is reported once it has lasted as long as a receiver wants', () => {
    const boss = [receiver({ name: 'clerk', afterMs: DAY })];
    expect(due([cinema({ failures: failuresSince(NOON - DAY + 1) })], { receivers: boss })).toEqual([]);
    expect(due([cinema({ failures: failuresSince(NOON - DAY) })], { receivers: boss })).toEqual([
      'clerk: failing cinema 0',
    ]);
  });

  test('waits to be gathered with others after three messages of its kind to a person', () => {
    const failing = ['a', 'b'].map((name) => watchedSource(name, NOON, { failures: failuresSince(NOON - MINUTE, 2) }));
    const both = ['clerk: failing a 0', 'clerk: failing b 0'];
    expect(due(failing, taken(2))).toEqual(both);
    expect(due(failing, taken(3))).toEqual([]);
    expect(due(failing, taken(9, 'held'))).toEqual(both);
    expect(due(failing, { ...taken(3), receivers: [receiver({ name: 'boss' })] })).toHaveLength(2);
    expect(due(failing, { ...taken(3), receivers: [receiver({ channel: 'webhook' })] })).toEqual(both);
  });

  test('a source is not late while a process that has just started catches up', () => {
    const late = cinema({ dueAt: NOON - 9 * HOUR });
    expect(due([late], { checkingSince: NOON - 9 * MINUTE })).toEqual([]);
    expect(due([late], { checkingSince: NOON - 10 * MINUTE })).toEqual(['clerk: late cinema 0']);
  });

  test('of more than three sources is reported in one message, except to programs', () => {
    const all = ['a', 'b', 'c', 'd'].map((name) => watchedSource(name, NOON, { dueAt: NOON - HOUR }));
    expect(due(all)).toEqual(['clerk: late a 0, b 0, c 0, d 0']);
    expect(due(all.slice(1))).toHaveLength(3);
    expect(due(all, { receivers: [receiver({ channel: 'webhook' })] })).toHaveLength(4);
  });

  test('a conflict is reported later to a receiver that wants only lasting problems', () => {
    const receivers = [receiver({ afterMs: HOUR })];
    expect(due([conflicts('a')], { receivers })).toEqual([]);
    expect(due([conflicts('a')], { receivers, now: NOON + HOUR })).toEqual(['clerk: conflict cinema 0']);
  });

  test('a conflict is reported once, and a later one separately', () => {
    const known = [told('conflict', NOON - HOUR, { about: 'a' })];
    expect(due([conflicts('a')], { told: known })).toEqual([]);
    const { due: news } = dueMessages(situation([conflicts('a', 'b')], { told: known }));
    expect(news.flatMap(({ episodes }) => episodes.map(({ about }) => about))).toEqual(['b']);
  });
});

describe('a lasting problem', () => {
  test.each([
    [47 * HOUR, []],
    [48 * HOUR, ['clerk: failing cinema 1']],
  ])('is reported again on day 3 (after %i ms)', (ms, expected) =>
    expect(due([cinema({ failures: failuresSince(NOON - ms) })], { told: [told('failing', NOON - ms)] })).toEqual(
      expected,
    ),
  );

  test('is reported again on day 3, on day 10, then each week', () => {
    const days = Array.from({ length: 40 }, (_, index) => index + 1);
    const reminded = days.filter((day) => stageAfter((day - 1) * DAY) > stageAfter((day - 1) * DAY - 1));
    expect(reminded).toEqual([3, 10, 17, 24, 31, 38]);
    expect([0, 1, 2, 3].map((stage) => dayNumber(nextStageAfter(stage)))).toEqual([3, 10, 17, 24]);
    expect(dayNumber(-MINUTE)).toBe(1);
  });

  test('leads to the latest reminder only if several were missed', () =>
    expect(
      due([cinema({ failures: failuresSince(NOON - 18 * DAY) })], { told: [told('failing', NOON - 18 * DAY)] }),
    ).toEqual(['clerk: failing cinema 3']));

  test('a failure whose beginning has left the history is not reported as a new one', () =>
    expect(
      due([cinema({ failures: failuresSince(NOON - DAY) })], { told: [told('failing', NOON - 3 * DAY, { stage: 1 })] }),
    ).toEqual([]));

  test('stale feeds and conflicts lead to no reminders', () => {
    expect(due([cinema({ coming: 0 })], { told: [told('stale', NOON - 30 * DAY)] })).toEqual([]);
    expect(due([conflicts('a')], { told: [told('conflict', NOON - 30 * DAY, { about: 'a' })] })).toEqual([]);
  });
});

describe('a held plan that follows another one', () => {
  const first = NOON - 2 * HOUR;
  const next = (decidedBefore: number | null): SourceWithState => cinema({ held: { ...held, decidedBefore } });
  const known = { told: [told('held', first)] };

  test('is reported at once as a new problem if somebody rejected the first one', () => {
    const [message, ...more] = dueMessages(situation([next(first + MINUTE)], known)).due;
    expect(more).toEqual([]);
    expect(message).toMatchObject({ kind: 'held', episodes: [{ since: held.since, stage: 0, told: undefined }] });
    expect(due([next(first + MINUTE)], { told: [told('held', held.since)] })).toEqual([]);
  });

  test('is the same problem if nobody decided on the first one', () => {
    expect(due([next(null)], known)).toEqual([]);
    expect(due([next(first - MINUTE)], known)).toEqual([]);
  });
});

describe('a problem that is over', () => {
  test.each<[string, ReportedEpisode, SourceWithState, readonly string[]]>([
    ['a failure', told('failing', NOON - DAY), cinema(), ['clerk: recovered cinema 0']],
    ['not yet: it fails', told('failing', NOON - DAY), cinema({ failures: failuresSince(NOON - DAY) }), []],
    ['not yet: it has failed once more', told('late', NOON - DAY), cinema({ failures: failuresSince(NOON, 1) }), []],
    ['not while it is paused', told('failing', NOON - DAY), cinema({ pause: PAUSED }), []],
    ['a held plan', told('held', NOON - DAY), cinema(), ['clerk: recovered cinema 0']],
    [
      'a stale feed that fails has nothing new',
      told('stale', NOON - DAY),
      cinema({ coming: 0, failures: failuresSince(NOON, 1) }),
      [],
    ],
    ['the last conflict', told('conflict', NOON - DAY, { about: 'a' }), conflicts(), ['clerk: recovered cinema 0']],
    ['one conflict of two', told('conflict', NOON - DAY, { about: 'a' }), conflicts('b'), ['clerk: conflict cinema 0']],
  ])('%s', (_, known, watched, expected) => expect(due([watched], { told: [known] }).toSorted()).toEqual(expected));

  test('is reported only to receivers that were told of it and want recoveries', () => {
    const receivers = [
      receiver({ name: 'clerk' }),
      receiver({ name: 'other' }),
      receiver({ name: 'deaf', hears: ['failing'] }),
    ];
    const known = ['clerk', 'deaf'].map((name) => told('failing', NOON - DAY, { receiver: name }));
    const decision = dueMessages(situation([cinema()], { receivers, told: known }));
    expect(decision.due.map(inShort)).toEqual(['clerk: recovered cinema 0']);
    expect(decision.forgotten.map((each) => each.receiver)).toEqual(['deaf']);
  });

  test('a source or a receiver that no longer exists is forgotten silently', () => {
    const known = [told('failing', NOON, { source: 'gone' }), told('failing', NOON, { receiver: 'nobody' })];
    expect(dueMessages(situation([cinema()], { told: known }))).toMatchObject({
      due: [],
      forgotten: [{ receiver: 'nobody' }, { source: 'gone' }],
    });
  });

  test('late and failing end together, in one message', () =>
    expect(due([cinema()], { told: [told('late', NOON - DAY), told('failing', NOON - HOUR)] })).toEqual([
      'clerk: recovered cinema 0, cinema 0',
    ]));
});

const PAUSED = { since: NOON - HOUR, until: null, reason: null, by: 'clerk' };

describe('backups', () => {
  const backup = { since: NOON - HOUR, problem: 'the disk is full', lastGood: null };
  const backupsTold = new Map([['clerk', NOON - HOUR]]);
  const keys = (given: Partial<Situation>): readonly string[] =>
    dueMessages(situation([], given)).due.map(({ kind, key }) => `${kind}: ${key}`);

  test('are reported when they fail, and when they work again to those who were told', () => {
    expect(keys({ backup })).toEqual([`backup: backup ${NOON - HOUR} 0`]);
    expect(keys({ backupsTold })).toEqual([`recovered: recovered backup ${NOON - HOUR}`]);
    expect(keys({})).toEqual([]);
    expect(keys({ backupsTold, receivers: [receiver({ name: 'boss' })] })).toEqual([]);
    expect(keys({ backupsTold, receivers: [receiver({ hears: ['backup'] })] })).toEqual([]);
  });

  test('that fail again have not recovered in between', () =>
    expect(keys({ backup: { ...backup, since: NOON - MINUTE }, backupsTold })).toEqual([
      `backup: backup ${NOON - MINUTE} 0`,
    ]));
});

describe('hours', () => {
  const quiet = { from: 22 * 60, to: 7 * 60 };

  test.each([
    ['21:59', 1],
    ['22:00', 0],
    ['03:00', 0],
    ['06:59', 0],
    ['07:00', 1],
  ])('quiet from 22 to 7, at %s', (time, count) =>
    expect(
      due([watchedSource('cinema', at(time), { held })], { now: at(time), receivers: [receiver({ quiet })] }),
    ).toHaveLength(count),
  );

  test.each([
    ['07:59', []],
    ['08:00', ['clerk: digest']],
    ['11:59', ['clerk: digest']],
    ['12:00', []],
  ])('a digest at 08:00, checked at %s', (time, expected) =>
    expect(due([], { now: at(time), digested: new Map([['clerk', '2027-01-10']]) })).toEqual(expected),
  );

  test.each([
    ['22:59', '2027-01-09', []],
    ['23:30', '2027-01-10', ['clerk: digest']],
    ['23:30', '2027-01-11', []],
    ['00:10', '2027-01-09', ['clerk: digest']],
    ['02:59', '2027-01-09', ['clerk: digest']],
    ['03:00', '2027-01-09', []],
    ['00:10', '2027-01-10', []],
    // The digest was at another time of day before.
    ['00:10', '2027-01-11', []],
  ])('a digest at 23:00, checked at %s, with the last one of %s', (time, last, expected) =>
    expect(
      due([], { now: at(time), receivers: [receiver({ digestAt: 23 * 60 })], digested: new Map([['clerk', last]]) }),
    ).toEqual(expected),
  );

  test('one digest a day', () =>
    expect(due([], { now: at('08:30'), digested: new Map([['clerk', '2027-01-11']]) })).toEqual([]));
});

const item = (kind: Submission['kind'], about: string, since = NOON - HOUR): Submission => ({
  kind,
  about,
  title: kind === 'handed-in' ? `Event ${about}` : null,
  since,
});
const submitted = (...items: readonly Submission[]): Submissions => ({
  items,
  counts: {
    'handed-in': items.filter(({ kind }) => kind === 'handed-in').length,
    suggestions: items.filter(({ kind }) => kind === 'suggestions').length,
  },
});
const wasTold = (kind: Submission['kind'], about: string): ReportedEpisode =>
  told(kind, NOON - HOUR, { source: '', about });

describe('events that authors hand in and visitors suggest', () => {
  const abouts = (submissions: Submissions, given: Partial<Situation> = {}): readonly string[] =>
    dueMessages(situation([cinema()], { submissions, ...given })).due.map(
      ({ kind, episodes }) => `${kind} ${episodes.map(({ about }) => about).join(', ')}`,
    );

  test('are reported once each, with all new ones of a kind in one message', () => {
    const all = submitted(item('handed-in', '7'), item('suggestions', '1'), item('suggestions', '2'));
    expect(abouts(all)).toEqual(['handed-in 7', 'suggestions 1, 2']);
    expect(abouts(all, { told: [wasTold('suggestions', '1'), wasTold('handed-in', '7')] })).toEqual(['suggestions 2']);
  });

  test('are settled when none of their kind waits, and one decided earlier is forgotten silently', () => {
    const known = [wasTold('suggestions', '1'), wasTold('suggestions', '2')];
    expect(abouts(submitted(item('suggestions', '2')), { told: known })).toEqual([]);
    const decision = dueMessages(
      situation([cinema()], { submissions: submitted(item('suggestions', '2')), told: known }),
    );
    expect(decision.forgotten.map(({ about }) => about)).toEqual(['1']);
    expect(abouts(submitted(), { told: known })).toEqual(['recovered 1, 2']);
  });

  test.each<[string, Partial<Receiver>]>([
    ['wants other kinds', { hears: ['failing', 'recovered'] }],
    ['looks after one source', { sources: ['cinema'] }],
    ['wants only lasting problems', { afterMs: 2 * HOUR }],
    ['has quiet hours', { quiet: { from: 0, to: 1439 } }],
  ])('are not reported to a receiver that %s', (_, given) =>
    expect(abouts(submitted(item('suggestions', '1')), { receivers: [receiver(given)] })).toEqual([]),
  );
});
