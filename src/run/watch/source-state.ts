import type { ProblemCode } from '../../codes.ts';
import { DAY_MS } from '../../time.ts';
import type { RunState } from '../state/records.ts';
import type { HoldReason } from '../../sync/model/plan.ts';
import { mustActOn, type MustAct } from './who-acts.ts';

/** What a source can be, the one to look at first before the others. */
export const STATE_WORDS = ['held', 'failing', 'late', 'stale', 'new', 'paused', 'well'] as const;
export type StateWord = (typeof STATE_WORDS)[number];

/** A source that nothing reads by itself. Times in epoch milliseconds; `until` null: until somebody resumes it. */
export interface SourcePause {
  readonly since: number;
  readonly until: number | null;
  readonly reason: string | null;
  /** Who paused it; null: the configuration file says so. */
  readonly by: string | null;
}

/** What is known of a source. All times in epoch milliseconds. */
export interface SourceFacts {
  /** The key of its site. */
  readonly site: string;
  readonly source: string;
  readonly lastRun: {
    readonly run: string;
    readonly state: RunState;
    readonly startedAt: number;
    readonly finishedAt: number | null;
  } | null;
  /** A living process is at work on it. */
  readonly isRunning: boolean;
  readonly goodAt: number | null;
  /** How long its last run took, from its start. */
  readonly tookMs: number;
  /** Its failures in a row. */
  readonly failures: {
    readonly count: number;
    readonly since: number;
    readonly run: string;
    readonly code: ProblemCode | null;
    readonly message: string | null;
  } | null;
  /** Its plan that waits: why, as the plan says it, and as values, the most telling reason first. */
  readonly held: {
    readonly run: string;
    readonly since: number;
    readonly why: string;
    readonly reasons?: readonly HoldReason[];
    /** The run that it takes back, if that is what it is for. */
    readonly undoes?: string | null;
    /** When somebody last decided on an earlier plan of this source; null if nobody did. */
    readonly decidedBefore?: number | null;
  } | null;
  readonly conflicts: number;
  /** Its events on the site, and those of them that are not over. */
  readonly kept: number;
  readonly coming: number;
  /** Of those, how many the last good readings of the feed did not have. */
  readonly missing: number;
  /** Why its feed gives no event, as its last run says. */
  readonly noEventsBecause?: string | null;
  /** When a sync last changed the site, and how long it usually takes from one such change to the next. */
  readonly changedAt: number | null;
  readonly usualGapMs: number | null;
  /** When its schedule, publisher's wish and own waiting time first asked for a run since the last one. */
  readonly dueAt: number | null;
  /** When it is read next. */
  readonly nextAt: number | null;
  readonly pause: SourcePause | null;
  /** When a worker was last alive. */
  readonly workerAt: number | null;
}

/** How a source is, since when, whose turn it is, and when it is read next. */
export interface SourceState {
  readonly word: StateWord;
  readonly since: number | null;
  readonly mustAct: MustAct;
  readonly next: number | null;
}

/** A run may begin later than it is due: the queue is busy, and a process may be restarting. */
const GRACE_MS_MIN = 5 * 60_000;
const STALE_AFTER_GAPS = 3;
/** Nobody publishes on weekends and holidays. */
const STALE_MS_MIN = 7 * DAY_MS;
/** A worker reports every few seconds. */
const WORKER_SILENT_MS = 60_000;

/** How long after it is due a run may begin. */
const graceOf = ({ tookMs }: Pick<SourceFacts, 'tookMs'>): number => Math.max(GRACE_MS_MIN, 3 * tookMs);

/** Whether no worker has reported lately. */
export const isWorkerSilent = (workerAt: number | null, now: number): boolean =>
  workerAt === null || now - workerAt > WORKER_SILENT_MS;

const isLate = (facts: SourceFacts, now: number): boolean =>
  !facts.isRunning && facts.dueAt !== null && now > facts.dueAt + graceOf(facts);

/** Since when nothing has changed for much longer than usual; null if that is not so. */
function quietSince({ changedAt, usualGapMs }: SourceFacts, now: number): number | null {
  if (changedAt === null || usualGapMs === null) return null;
  return now - changedAt > Math.max(STALE_MS_MIN, STALE_AFTER_GAPS * usualGapMs) ? changedAt : null;
}

/** Why a source counts as stale; undefined if it does not. */
export function staleness(facts: SourceFacts, now: number): { readonly quietSince: number | null } | undefined {
  const since = quietSince(facts, now);
  return since === null && facts.coming > 0 ? undefined : { quietSince: since };
}

/** A row of the table: whether the word fits, and what else follows. */
interface Rule {
  readonly word: StateWord;
  readonly fits: (facts: SourceFacts, now: number) => boolean;
  readonly since: (facts: SourceFacts, now: number) => number | null;
  readonly mustAct: (facts: SourceFacts, now: number) => MustAct;
}

const nobody = (): MustAct => 'nobody';

// The first that fits. No other can hide that nobody looks, except those that wait for somebody anyway.
const RULES: readonly Rule[] = [
  {
    word: 'paused',
    fits: ({ pause }) => pause !== null,
    since: ({ pause }) => pause?.since ?? null,
    mustAct: nobody,
  },
  {
    word: 'held',
    fits: ({ held }) => held !== null,
    since: ({ held }) => held?.since ?? null,
    mustAct: () => 'you',
  },
  {
    word: 'failing',
    fits: ({ failures }) => failures !== null,
    since: ({ failures }) => failures?.since ?? null,
    mustAct: ({ failures }, now) => (failures ? mustActOn(failures.code, now - failures.since) : 'nobody'),
  },
  { word: 'late', fits: isLate, since: ({ dueAt }) => dueAt, mustAct: () => 'developer' },
  { word: 'new', fits: ({ goodAt }) => goodAt === null, since: () => null, mustAct: nobody },
  {
    word: 'stale',
    fits: (facts, now) => staleness(facts, now) !== undefined,
    since: (facts, now) => staleness(facts, now)?.quietSince ?? facts.changedAt,
    mustAct: () => 'you',
  },
  { word: 'well', fits: () => true, since: ({ goodAt }) => goodAt, mustAct: nobody },
];

/** How a source is now (epoch milliseconds). */
export function sourceState(facts: SourceFacts, now: number): SourceState {
  const rule = RULES.find(({ fits }) => fits(facts, now));
  if (!rule) throw new TypeError('the last rule fits everything');
  return { word: rule.word, since: rule.since(facts, now), mustAct: rule.mustAct(facts, now), next: facts.nextAt };
}
