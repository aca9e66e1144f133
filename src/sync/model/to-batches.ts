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

/** The stage in which a run begins. */
export const FIRST_STAGE: Stage = 'venues';

/**
 * What is written in a stage. Terms and venues need nothing of each other, so both are written in the first one; runs
 * that an earlier release has begun may still be in one of terms alone.
 */
export const WRITTEN_IN: Readonly<Record<Stage, readonly Stage[]>> = {
  terms: ['terms'],
  venues: ['terms', 'venues'],
  events: ['events'],
  removals: ['removals'],
};

/** How few may be in a batch of what is spread: each batch of venues reads the site's list of them first. */
const SPREAD_MIN: Readonly<Partial<Record<Stage, number>>> = { terms: 1, venues: 5 };

/**
 * A plan's actions, split for writing: each stage is completed before the next, which needs its ids. What all others
 * wait for is spread over `atOnce` batches, which are written at the same time.
 */
export function toBatches(actions: readonly Action[], atOnce = 1): readonly Batch[] {
  return STAGES.flatMap((stage) => {
    const own = actions.filter((action) => stageOf(action) === stage);
    const size = sizeOf(stage, own.length, atOnce);
    return Array.from({ length: Math.ceil(own.length / size) }, (_, number) => ({
      stage,
      number,
      actions: own.slice(number * size, (number + 1) * size),
    }));
  });
}

// Events are not spread: where the site turns out to answer wrongly, few of them should be on their way.
function sizeOf(stage: Stage, count: number, atOnce: number): number {
  const least = SPREAD_MIN[stage] ?? BATCH_MAX;
  return Math.min(BATCH_MAX, Math.max(least, Math.ceil(count / atOnce)));
}

/** The stage in which an action is written. */
export function stageOf(action: Action): Stage {
  if (action.kind === 'remove') return 'removals';
  if (action.resource === 'events') return 'events';
  return action.resource === 'venues' || action.resource === 'organizers' ? 'venues' : 'terms';
}
