import type { Action, Stage } from './plan.ts';

/** One `POST /batch/v1`: at most 25 writes of one stage. */
export interface Batch {
  readonly stage: Stage;
  /** Its position within its stage, from 0. */
  readonly number: number;
  readonly actions: readonly Action[];
}

/** The most writes in one batch. */
export const BATCH_MAX = 25;

/** The stages of a run, in the order in which they are written. */
export const STAGES = ['terms', 'venues', 'events', 'removals'] as const satisfies readonly Stage[];

/** The stage that a run starts with. */
export const FIRST_STAGE: Stage = 'venues';

/**
 * What each stage writes. Terms and venues do not need each other, so the first stage writes both; runs begun by an
 * earlier release may still be in the stage of terms alone.
 */
export const WRITTEN_IN: Readonly<Record<Stage, readonly Stage[]>> = {
  terms: ['terms'],
  venues: ['terms', 'venues'],
  events: ['events'],
  removals: ['removals'],
};

/** The smallest batches when a stage is spread: each batch of venues first reads the site's list of venues. */
const SPREAD_MIN: Readonly<Partial<Record<Stage, number>>> = { terms: 1, venues: 5 };

/**
 * Splits a plan's actions into batches. Each stage is completed before the next, which needs its ids. The stages that
 * all others wait for are spread over `atOnce` batches, which are sent at the same time.
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

// Events are not spread: if the site's answers turn out to be wrong, few of them should be under way.
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
