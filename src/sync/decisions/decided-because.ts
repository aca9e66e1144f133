import type { Plan } from '../model/plan.ts';

/** A plan that a person asked for: whatever feed and site say, that is why its events are written. */
export const decidedBecause = (plan: Plan, because: string): Plan => ({
  ...plan,
  actions: plan.actions.map((action) => (action.resource === 'events' ? { ...action, because } : action)),
});
