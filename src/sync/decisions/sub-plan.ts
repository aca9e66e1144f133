import { refsIn } from '../links/link.ts';
import type { Plan } from '../model/plan.ts';

/**
 * The part of a plan for some events: their actions, the creates that these need, and their ledger changes. Never held.
 */
export function subPlan(plan: Plan, isWanted: (slug: string) => boolean): Plan {
  const events = plan.actions.filter((action) => action.resource === 'events').filter(({ slug }) => isWanted(slug));
  const used = new Set(events.flatMap(refsIn));
  const linked = plan.actions.filter((action) => action.resource !== 'events' && used.has(action.ref));
  const { reasons: _reasons, ...rest } = plan;
  return {
    ...rest,
    held: null,
    actions: [...linked, ...events],
    ledger: Object.fromEntries(Object.entries(plan.ledger).filter(([slug]) => isWanted(slug))),
    conflicts: plan.conflicts.filter(({ slug }) => isWanted(slug)),
  };
}
