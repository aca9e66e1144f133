import type { Problem } from '../../problem.ts';
import type { Action, Outcome, Plan, Report } from '../model/plan.ts';

/** An action and its outcome; null if the write was never made. */
export interface PerformedAction {
  readonly action: Action;
  readonly outcome: Outcome | null;
}

/** A report's figures for some of a run's writes. */
export interface Tally {
  /** The number of writes, and of those without a final outcome. */
  readonly writes: number;
  readonly open: number;
  readonly done: number;
  /** Events among the writes that are done. */
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
  /** The number of writes that were looked up instead of repeated. */
  readonly lookedUp: number;
  /** The number of writes for which the site stored something else than was sent. */
  readonly differing: number;
  readonly problems: readonly Problem[];
}

/** What is known about a run at its end. */
export interface RunFacts {
  readonly run: string;
  readonly source: string;
  readonly plan: Omit<Plan, 'ledger' | 'actions'>;
  readonly tally: Tally;
}

/** How many events a plan creates, updates and removes. */
export function plannedCounts({ actions }: Pick<Plan, 'actions'>): Pick<Report, 'created' | 'updated' | 'removed'> {
  const count = (kind: Action['kind']): number =>
    actions.filter((action) => action.resource === 'events' && action.kind === kind).length;
  return { created: count('create'), updated: count('update'), removed: count('remove') };
}

/** The number of writes that the site may have carried out although no answer came; the next run asks about them. */
export const lostAnswersIn = ({ problems }: Pick<Report, 'problems'>): number =>
  problems.filter(({ code }) => code === 'answer-lost').length;

/** Counts the outcomes of writes. */
export function tallyOf(written: readonly PerformedAction[]): Tally {
  const done = written.flatMap(({ action, outcome }) => (outcome?.kind === 'done' ? [{ action, outcome }] : []));
  const count = (kind: Action['kind']): number =>
    done.filter(({ action, outcome }) => action.resource === 'events' && action.kind === kind && !outcome.takenBack)
      .length;
  return {
    writes: written.length,
    open: written.filter(({ outcome }) => isOpen(outcome)).length,
    done: done.length,
    created: count('create'),
    updated: count('update'),
    removed: count('remove'),
    lookedUp: done.filter(({ outcome }) => outcome.lookedUp).length,
    differing: done.filter(({ outcome }) => outcome.differs).length,
    problems: written.flatMap(({ outcome }) => outcome?.problem ?? []),
  };
}

/** Whether another attempt could still change the outcome of a write. */
export const isOpen = (outcome: Outcome | null): boolean => outcome === null || outcome.kind === 'failed';

/** Adds up the tallies of a run's parts, in order. */
export const sumOfTallies = (tallies: readonly Tally[]): Tally => ({
  ...(Object.fromEntries(COUNTS.map((name) => [name, tallies.reduce((sum, tally) => sum + tally[name], 0)])) as Record<
    Count,
    number
  >),
  problems: tallies.flatMap(({ problems }) => problems),
});

type Count = Exclude<keyof Tally, 'problems'>;
const COUNTS: readonly Count[] = ['writes', 'open', 'done', 'created', 'updated', 'removed', 'lookedUp', 'differing'];

/**
 * Sums up a run in numbers, with all its problems. Requests and writes are 0 here; they are counted where they are
 * made.
 */
export const summarize = ({ run, source, plan, tally }: RunFacts): Report => ({
  run,
  source,
  state: stateOf(plan, tally),
  created: tally.created,
  updated: tally.updated,
  removed: tally.removed,
  unchanged: plan.unchanged,
  skipped: plan.skipped,
  conflicts: plan.conflicts.length,
  requests: 0,
  writes: 0,
  problems: [...plan.problems, ...heldProblem(plan), ...tally.problems, ...brokenOffProblem(tally)],
});

/**
 * A run has failed if writes were given up, if the site refused all of them, or if it stored something else for one.
 */
function stateOf({ held }: RunFacts['plan'], { writes, open, done, differing }: Tally): Report['state'] {
  if (held !== null) return 'held';
  if (writes === 0) return 'unchanged';
  return done > 0 && open === 0 && differing === 0 ? 'done' : 'failed';
}

// Nothing was written after the site stored something other than what was sent.
const brokenOffProblem = ({ writes, open, differing }: Tally): readonly Problem[] =>
  differing === 0 || open === 0
    ? []
    : [
        {
          code: 'broken-off',
          message: `The run stopped there: ${open} of its ${writes} writes were not made. The next run plans them again.`,
          where: {},
        },
      ];

/** The reason for a hold, as a problem; empty if the plan is not held. */
export const heldProblem = ({ held }: RunFacts['plan']): readonly Problem[] =>
  held !== null ? [{ code: 'held', message: held, where: {} }] : [];
