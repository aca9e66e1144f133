import type { Action, Stage } from './plan.ts';

/** One `POST /batch/v1`: at most 25 writes of one stage. */
export interface Batch {
  readonly stage: Stage;
  /** Within its stage, from 0. */
  readonly number: number;
  readonly actions: readonly Action[];
}

/** The most writes that one batch may hold. */
export const BATCH_MAX = 25;

/** The stages of a run, in the order in which they are written. */
export const STAGES = ['terms', 'venues', 'events', 'removals'] as const satisfies readonly Stage[];

/** A plan's actions, split for writing: each stage is completed before the next, which needs its ids. */
export function toBatches(actions: readonly Action[]): readonly Batch[] {
  return STAGES.flatMap((stage) => {
    const own = actions.filter((action) => stageOf(action) === stage);
    return Array.from({ length: Math.ceil(own.length / BATCH_MAX) }, (_, number) => ({
      stage,
      number,
      actions: own.slice(number * BATCH_MAX, (number + 1) * BATCH_MAX),
    }));
  });
}

/** The stage in which an action is written. */
export function stageOf(action: Action): Stage {
  if (action.kind === 'remove') return 'removals';
  if (action.resource === 'events') return 'events';
  return action.resource === 'venues' || action.resource === 'organizers' ? 'venues' : 'terms';
}
