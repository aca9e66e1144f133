import type { Problem } from '../../problem.ts';
import type { Action, Outcome, Plan, Report } from '../model/plan.ts';

/** What is known about a run at its end; an outcome is null if its write was never made. */
export interface RunFacts {
  readonly run: string;
  readonly source: string;
  readonly plan: Plan;
  readonly outcomes: readonly { readonly action: Action; readonly outcome: Outcome | null }[];
}

/** How many events a plan creates, updates and removes. */
export function plannedCounts({ actions }: Pick<Plan, 'actions'>): Pick<Report, 'created' | 'updated' | 'removed'> {
  const count = (kind: Action['kind']): number =>
    actions.filter((action) => action.resource === 'events' && action.kind === kind).length;
  return { created: count('create'), updated: count('update'), removed: count('remove') };
}

/**
 * What a run has done, in numbers, with all its problems. Requests and writes are 0 here: they are counted where they
 * are made.
 */
export function summarize({ run, source, plan, outcomes }: RunFacts): Report {
  const done = outcomes.filter(({ action, outcome }) => action.resource === 'events' && outcome?.kind === 'done');
  const count = (kind: Action['kind']): number => done.filter(({ action }) => action.kind === kind).length;
  return {
    run,
    source,
    state: stateOf(plan, outcomes),
    created: count('create'),
    updated: count('update'),
    removed: count('remove'),
    unchanged: plan.unchanged,
    skipped: plan.skipped,
    conflicts: plan.conflicts.length,
    requests: 0,
    writes: 0,
    problems: [
      ...plan.problems,
      ...heldProblem(plan),
      ...outcomes.flatMap(({ outcome }) => outcome?.problem ?? []),
      ...brokenOffProblem(outcomes),
    ],
  };
}

/** A run has failed if writes were given up, or the site refused all of them or stored something else for one. */
function stateOf(plan: Plan, outcomes: RunFacts['outcomes']): Report['state'] {
  if (plan.held !== null) return 'held';
  if (plan.actions.length === 0) return 'unchanged';
  const isDone = outcomes.some(({ outcome }) => outcome?.kind === 'done');
  return isDone &&
    !isBrokenOff(outcomes) &&
    outcomes.every(({ outcome }) => outcome !== null && outcome.kind !== 'failed')
    ? 'done'
    : 'failed';
}

/** The site stored something other than what was sent, so nothing was written after that. */
const isBrokenOff = (outcomes: RunFacts['outcomes']): boolean =>
  outcomes.some(({ outcome }) => outcome?.kind === 'done' && outcome.differs);

function brokenOffProblem(outcomes: RunFacts['outcomes']): readonly Problem[] {
  const open = outcomes.filter(({ outcome }) => outcome === null || outcome.kind === 'failed').length;
  return !isBrokenOff(outcomes) || open === 0
    ? []
    : [
        {
          code: 'broken-off',
          message: `The run stopped there: ${open} of its ${outcomes.length} writes were not made. The next run plans them anew.`,
          where: {},
        },
      ];
}

const heldProblem = (plan: Plan): readonly Problem[] =>
  plan.held !== null ? [{ code: 'held', message: plan.held, where: {} }] : [];
