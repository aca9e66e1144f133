import { countInWords } from '../../count-in-words.ts';
import type { HoldReason, Plan } from '../model/plan.ts';

/** Holds the first plan of a newly added source, so that people see it before anything is on the site. */
export function heldAsFirst(plan: Plan): Plan {
  if (plan.held !== null || plan.actions.length === 0) return plan;
  const count = plan.actions.filter(({ resource, kind }) => resource === 'events' && kind === 'create').length;
  const reason: HoldReason = {
    kind: 'first-run',
    count,
    all: count,
    message:
      `This is the first run of a source that has just been added: ${countInWords(count, 'event')} would come ` +
      'to the site. Nothing is there until you approve it.',
  };
  return { ...plan, held: reason.message, reasons: [reason] };
}
