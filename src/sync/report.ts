import type { Problem } from '../problem.ts';
import type { Action, Outcome, Plan, Report } from './plan.ts';

/** What is known about a run at its end; an outcome is null where its write was never made. */
export interface RunFacts {
  readonly run: string;
  readonly source: string;
  readonly plan: Plan;
  readonly outcomes: readonly { readonly action: Action; readonly outcome: Outcome | null }[];
}

/** What a run has done, in numbers, with every problem on its way. Requests and writes are 0: they are counted where they are made. */
export function summarize({ run, source, plan, outcomes }: RunFacts): Report {
  const done = outcomes.filter(({ action, outcome }) => action.resource === 'events' && outcome?.kind === 'done');
  const count = (kind: Action['kind']): number => done.filter(({ action }) => action.kind === kind).length;
  return {
    run, source, state: stateOf(plan, outcomes), created: count('create'), updated: count('update'), removed: count('remove'),
    unchanged: plan.unchanged, skipped: plan.skipped, conflicts: plan.conflicts.length, requests: 0, writes: 0,
    problems: [...plan.problems, ...heldProblem(plan), ...outcomes.flatMap(({ outcome }) => outcome?.problem ?? [])],
  };
}

/** A run has failed when writes were given up, or when the site refused every one. */
function stateOf(plan: Plan, outcomes: RunFacts['outcomes']): Report['state'] {
  if (plan.held !== null) return 'held';
  if (plan.actions.length === 0) return 'unchanged';
  const isDone = outcomes.some(({ outcome }) => outcome?.kind === 'done');
  return isDone && outcomes.every(({ outcome }) => outcome !== null && outcome.kind !== 'failed') ? 'done' : 'failed';
}

const heldProblem = (plan: Plan): readonly Problem[] => (plan.held !== null ? [{ code: 'held', message: plan.held, where: {} }] : []);
