import type { ProblemCode } from '../../codes.ts';
import { DAY_MS } from '../../time.ts';
import type { RunState } from '../state/records.ts';
import type { HoldReason } from '../../sync/model/plan.ts';
import { mustActOn, type MustAct } from './who-acts.ts';

/** The states of a source, the most urgent first. */
export const STATE_WORDS = ['held', 'failing', 'late', 'stale', 'new', 'paused', 'well'] as const;
export type StateWord = (typeof STATE_WORDS)[number];

/**
 * A source that is not read automatically. Times are in epoch milliseconds; `until` is null if it is paused until
 * resumed.
 */
export interface SourcePause {
  readonly since: number;
  readonly until: number | null;
  readonly reason: string | null;
  /** Who paused it; null for the configuration file. */
  readonly by: string | null;
}

/** The facts about a source. All times are in epoch milliseconds. */
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
  /** Whether a living process is working on it. */
  readonly isRunning: boolean;
  readonly goodAt: number | null;
  /** How long its last run took, from its start. */
  readonly tookMs: number;
  /** Its consecutive failures. */
  readonly failures: {
    readonly count: number;
    readonly since: number;
    readonly run: string;
    readonly code: ProblemCode | null;
    readonly message: string | null;
  } | null;
  /** Its held plan: the reason in the plan's words, and all reasons as values, the most telling first. */
  readonly held: {
    readonly run: string;
    readonly since: number;
    readonly why: string;
    readonly reasons?: readonly HoldReason[];
    /** The run that the plan undoes, if any. */
    readonly undoes?: string | null;
    /** When a person last decided on an earlier plan of this source; null if nobody has. */
    readonly decidedBefore?: number | null;
  } | null;
  readonly conflicts: number;
  /** The number of its events on the site, and of those that have not ended. */
  readonly kept: number;
  readonly coming: number;
  /** How many of the latter the last good readings of the feed lacked. */
  readonly missing: number;
  /** Why its feed gives no event, according to its last run. */
  readonly noEventsBecause?: string | null;
  /** When a sync last changed the site, and the usual time between such changes. */
  readonly changedAt: number | null;
  readonly usualGapMs: number | null;
  /** When its schedule, the publisher's wish and our own waiting time first asked for a run after the last one. */
  readonly dueAt: number | null;
  /** When it will be read next. */
  readonly nextAt: number | null;
  readonly pause: SourcePause | null;
  /** When a worker last reported. */
  readonly workerAt: number | null;
}

/** The state of a source, since when, who must act, and when it will be read next. */
export interface SourceState {
  readonly word: StateWord;
  readonly since: number | null;
  readonly mustAct: MustAct;
  readonly next: number | null;
}

/** Runs may begin this much later than they are due, as the queue may be busy or a process restarting. */
const GRACE_MS_MIN = 5 * 60_000;
const STALE_AFTER_GAPS = 3;
/** At least a week, as nobody publishes on weekends and holidays. */
const STALE_MS_MIN = 7 * DAY_MS;
/** Workers report every few seconds. */
const WORKER_SILENT_MS = 60_000;

/** How much later than it is due a run may begin. */
const graceOf = ({ tookMs }: Pick<SourceFacts, 'tookMs'>): number => Math.max(GRACE_MS_MIN, 3 * tookMs);

/** Whether no worker has reported recently. */
export const isWorkerSilent = (workerAt: number | null, now: number): boolean =>
  workerAt === null || now - workerAt > WORKER_SILENT_MS;

const isLate = (facts: SourceFacts, now: number): boolean =>
  !facts.isRunning && facts.dueAt !== null && now > facts.dueAt + graceOf(facts);

/** Since when nothing has changed, if that is much longer than usual; null otherwise. */
function quietSince({ changedAt, usualGapMs }: SourceFacts, now: number): number | null {
  if (changedAt === null || usualGapMs === null) return null;
  return now - changedAt > Math.max(STALE_MS_MIN, STALE_AFTER_GAPS * usualGapMs) ? changedAt : null;
}

/** Why a source counts as stale; undefined if it does not. */
export function staleness(facts: SourceFacts, now: number): { readonly quietSince: number | null } | undefined {
  const since = quietSince(facts, now);
  return since === null && facts.coming > 0 ? undefined : { quietSince: since };
}

/** A state, with the condition for it and what follows from it. */
interface Rule {
  readonly word: StateWord;
  readonly fits: (facts: SourceFacts, now: number) => boolean;
  readonly since: (facts: SourceFacts, now: number) => number | null;
  readonly mustAct: (facts: SourceFacts, now: number) => MustAct;
}

const nobody = (): MustAct => 'nobody';

// The first rule that fits applies. Only states that wait for a person anyway come before `late`, so that they may hide
// it.
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

/** The state of a source at a time (epoch milliseconds). */
export function sourceState(facts: SourceFacts, now: number): SourceState {
  const rule = RULES.find(({ fits }) => fits(facts, now));
  if (!rule) throw new TypeError('the last rule fits everything');
  return { word: rule.word, since: rule.since(facts, now), mustAct: rule.mustAct(facts, now), next: facts.nextAt };
}
