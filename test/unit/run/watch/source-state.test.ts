import { describe, expect, test } from 'vitest';
import { sourceState, type SourceFacts, type StateWord } from '../../../../src/run/watch/source-state.ts';
import { stateAsText } from '../../../../src/run/watch/state-in-words.ts';
import type { MustAct } from '../../../../src/run/watch/who-acts.ts';

const ZONE = 'Europe/Warsaw';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const at = (text: string): number => Date.parse(`${text}+01:00`);
const NOW = at('2026-11-24T14:08');

const WELL: SourceFacts = {
  site: 'builtin',
  source: 'city-library',
  lastRun: {
    run: 'city-library-1',
    state: 'unchanged',
    startedAt: at('2026-11-24T13:56'),
    finishedAt: at('2026-11-24T13:56'),
  },
  isRunning: false,
  goodAt: at('2026-11-24T13:56'),
  tookMs: 2_000,
  failures: null,
  held: null,
  conflicts: 0,
  kept: 130,
  coming: 121,
  missing: 0,
  changedAt: at('2026-11-23T09:00'),
  usualGapMs: 2 * DAY,
  dueAt: at('2026-11-24T14:20'),
  nextAt: at('2026-11-24T14:20'),
  pause: null,
  workerAt: NOW - 3_000,
};

const failing = (code: string, since: string, message = 'The server answers 403.'): Partial<SourceFacts> => ({
  failures: { count: 3, since: at(since), run: 'run-1', code: code as never, message },
  nextAt: at('2026-11-24T16:00'),
});
const held: NonNullable<SourceFacts['held']> = {
  run: 'run-2',
  since: at('2026-11-24T13:31'),
  why: 'This would remove 17 of 70.',
  reasons: [{ kind: 'removals', count: 17, all: 70, message: 'This would remove 17 of 70.' }],
};
const pause = { since: NOW - DAY, until: at('2026-12-01T00:00'), reason: 'their site is being rebuilt.', by: 'clerk' };
const overdue = { dueAt: at('2026-11-24T13:40') };

interface Row {
  readonly name: string;
  readonly facts: Partial<SourceFacts>;
  readonly word: StateWord;
  readonly mustAct: MustAct;
  readonly since: number | null;
  readonly says: string;
}

const ROWS: readonly Row[] = [
  {
    name: 'read in time',
    facts: {},
    word: 'well',
    mustAct: 'nobody',
    since: WELL.goodAt,
    says: '121 coming events · 12 min ago, next 14:20',
  },
  {
    name: 'well, with conflicts',
    facts: { conflicts: 2 },
    word: 'well',
    mustAct: 'nobody',
    since: WELL.goodAt,
    says: '121 coming events · 12 min ago, next 14:20 · 2 conflicts',
  },
  {
    name: 'well, though its feed has lost some',
    facts: { missing: 28 },
    word: 'well',
    mustAct: 'nobody',
    since: WELL.goodAt,
    says: '121 coming events · 12 min ago, next 14:20 · 28 missing from the feed',
  },
  {
    name: 'never read',
    facts: { lastRun: null, goodAt: null, coming: 0, kept: 0, changedAt: null, usualGapMs: null },
    word: 'new',
    mustAct: 'nobody',
    since: null,
    says: 'Not read yet. First run today at 14:20.',
  },
  {
    name: 'read for the first time just now',
    facts: {
      lastRun: null,
      goodAt: null,
      coming: 0,
      kept: 0,
      changedAt: null,
      usualGapMs: null,
      isRunning: true,
    },
    word: 'new',
    mustAct: 'nobody',
    since: null,
    says: 'The first run is under way.',
  },
  {
    name: 'overdue beyond its grace',
    facts: overdue,
    word: 'late',
    mustAct: 'developer',
    since: overdue.dueAt,
    says: 'The developer must act: a run was due at 13:40, but no worker has taken it.',
  },
  {
    name: 'overdue, and no worker has run since',
    facts: { ...overdue, workerAt: at('2026-11-24T13:05') },
    word: 'late',
    mustAct: 'developer',
    since: overdue.dueAt,
    says: 'The developer must act: a run was due at 13:40, but no worker has run since 13:05.',
  },
  {
    name: 'overdue, but running',
    facts: { ...overdue, isRunning: true },
    word: 'well',
    mustAct: 'nobody',
    since: WELL.goodAt,
    says: '121 coming events · 12 min ago, next 14:20',
  },
  {
    name: 'due within the grace of five minutes',
    facts: { dueAt: NOW - 4 * MINUTE },
    word: 'well',
    mustAct: 'nobody',
    since: WELL.goodAt,
    says: '121 coming events · 12 min ago, next 14:20',
  },
  {
    name: 'due within three times what a run takes',
    facts: { dueAt: NOW - 25 * MINUTE, tookMs: 10 * MINUTE },
    word: 'well',
    mustAct: 'nobody',
    since: WELL.goodAt,
    says: '121 coming events · 12 min ago, next 14:20',
  },
  {
    name: 'refused',
    facts: failing('feed-forbidden', '2026-11-22T08:15'),
    word: 'failing',
    mustAct: 'publisher',
    since: at('2026-11-22T08:15'),
    says: 'The publisher must act: the address may not be read, since Sunday 08:15. Next try at 16:00.',
  },
  {
    name: 'a busy server, which passes',
    facts: failing('feed-busy', '2026-11-24T13:35'),
    word: 'failing',
    mustAct: 'nobody',
    since: at('2026-11-24T13:35'),
    says: 'No action is needed: the server refuses because it is asked too often, or is busy, since 13:35. Next try at 16:00.',
  },
  {
    name: 'a server that has been busy for days',
    facts: failing('feed-busy', '2026-11-22T08:15'),
    word: 'failing',
    mustAct: 'publisher',
    since: at('2026-11-22T08:15'),
    says: 'The publisher must act: the server refuses because it is asked too often, or is busy, since Sunday 08:15. Next try at 16:00.',
  },
  {
    name: 'a column that is gone',
    facts: failing('column-gone', '2026-11-24T11:02', 'The table has no column “Beginn” any more.'),
    word: 'failing',
    mustAct: 'you',
    since: at('2026-11-24T11:02'),
    says: 'You must act: the table has no column “Beginn” any more, since 11:02. Next try at 16:00.',
  },
  {
    name: 'a site that is away',
    facts: failing('site-unreachable', '2026-11-23T08:15', 'The site does not answer.'),
    word: 'failing',
    mustAct: 'site',
    since: at('2026-11-23T08:15'),
    says: 'The site must act: the site does not answer, since yesterday 08:15. Next try at 16:00.',
  },
  {
    name: 'an error of this program',
    facts: failing('unexpected', '2026-11-24T13:35', 'x is not a function.'),
    word: 'failing',
    mustAct: 'developer',
    since: at('2026-11-24T13:35'),
    says: 'The developer must act: x is not a function, since 13:35. Next try at 16:00.',
  },
  {
    name: 'failing, and overdue',
    facts: { ...failing('feed-gone', '2026-11-24T11:02'), ...overdue },
    word: 'failing',
    mustAct: 'publisher',
    since: at('2026-11-24T11:02'),
    says: 'The publisher must act: the feed has been taken down, since 11:02. Next try at 16:00.',
  },
  {
    name: 'a plan that waits, also when later runs fail',
    facts: { held, ...failing('feed-gone', '2026-11-24T13:50') },
    word: 'held',
    mustAct: 'you',
    since: held.since,
    says: 'You must decide: the feed of city-library has lost 17 of its 70 coming events.',
  },
  {
    name: 'nothing new for three times the usual gap',
    facts: { changedAt: at('2026-09-03T12:00'), usualGapMs: 6 * DAY },
    word: 'stale',
    mustAct: 'you',
    since: at('2026-09-03T12:00'),
    says: 'Reads well, but nothing new since 3 Sept; usually every 6 days.',
  },
  {
    name: 'nothing new over a weekend, though it usually changes each hour',
    facts: { changedAt: NOW - 3 * DAY, usualGapMs: HOUR },
    word: 'well',
    mustAct: 'nobody',
    since: WELL.goodAt,
    says: '121 coming events · 12 min ago, next 14:20',
  },
  {
    name: 'no event ahead',
    facts: { coming: 0 },
    word: 'stale',
    mustAct: 'you',
    since: WELL.changedAt,
    says: 'No coming events.',
  },
  {
    name: 'a table without known columns',
    facts: {
      kept: 0,
      coming: 0,
      noEventsBecause:
        'No column was recognized as title; the file\'s columns are "foo", "bar". Name them under columns in the configuration.',
    },
    word: 'stale',
    mustAct: 'you',
    since: WELL.changedAt,
    says: 'Nothing of it is on the site: no column was recognized as title; the file\'s columns are "foo", "bar".',
  },
  {
    name: 'stale, but overdue',
    facts: { coming: 0, ...overdue },
    word: 'late',
    mustAct: 'developer',
    since: overdue.dueAt,
    says: 'The developer must act: a run was due at 13:40, but no worker has taken it.',
  },
  {
    name: 'paused, whatever else it is',
    facts: { pause, held, ...overdue },
    word: 'paused',
    mustAct: 'nobody',
    since: pause.since,
    says: 'Until 1 Dec, by clerk: “their site is being rebuilt”.',
  },
  {
    name: 'paused with no end and no reason',
    facts: { pause: { ...pause, until: null, reason: null } },
    word: 'paused',
    mustAct: 'nobody',
    since: pause.since,
    says: 'Until somebody resumes it, by clerk.',
  },
  {
    name: 'paused by the file',
    facts: { pause: { since: NOW, until: null, reason: null, by: null } },
    word: 'paused',
    mustAct: 'nobody',
    since: NOW,
    says: 'By the configuration file.',
  },
];

describe('the state of a source', () => {
  test.each(ROWS)('$name: $word', ({ facts, word, mustAct, since, says }) => {
    const all = { ...WELL, ...facts };
    const state = sourceState(all, NOW);
    expect(state).toEqual({ word, mustAct, since, next: all.nextAt });
    expect(stateAsText(all, state, { now: NOW, zone: ZONE })).toBe(says);
  });

  test('no source is well or stale once a run is overdue', () => {
    const words = [{}, { coming: 0 }, { goodAt: null }].map(
      (facts) => sourceState({ ...WELL, ...facts, ...overdue }, NOW).word,
    );
    expect(words).toEqual(['late', 'late', 'late']);
  });
});
