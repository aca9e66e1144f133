import type { Plan } from '../model/plan.ts';

/** Gives all event actions of a plan the reason that a person asked for them. */
export const decidedBecause = (plan: Plan, because: string): Plan => ({
  ...plan,
  actions: plan.actions.map((action) => (action.resource === 'events' ? { ...action, because } : action)),
});
