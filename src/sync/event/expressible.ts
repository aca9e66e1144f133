import type { Problem } from '../../problem.ts';
import { NEVER_EMPTY } from '../model/fields.ts';
import { isEmpty, withoutNames } from '../model/json.ts';
import type { LedgerChange, Plan, UpdateEvent } from '../model/plan.ts';

/**
 * A plan that a real site can carry out: changes that the site cannot express are left out of the updates and reported
 * once. The ledger keeps them as handled, so they are planned again only if the feed's value changes.
 */
export function expressible(plan: Plan): Plan {
  const cut = plan.actions.flatMap((action) =>
    action.kind === 'update' && emptied(action).length > 0 ? [action] : [],
  );
  if (cut.length === 0) return plan;
  const changed = new Map(cut.map((action) => [action.slug, withoutEmptied(action)]));
  const actions = plan.actions.flatMap((action) => {
    const replacement = action.kind === 'update' ? (changed.get(action.slug) ?? action) : action;
    return replacement.kind === 'update' && Object.keys(replacement.fields).length === 0 ? [] : [replacement];
  });
  const ledger = Object.fromEntries(
    Object.entries(plan.ledger).map(([slug, change]) => [slug, changed.has(slug) ? notPending(change) : change]),
  );
  return { ...plan, actions, ledger, problems: [...plan.problems, ...cut.map(problemOf)] };
}

const emptied = ({ fields }: UpdateEvent): readonly string[] =>
  NEVER_EMPTY.filter((field) => fields[field] !== undefined && isEmpty(fields[field]));

function withoutEmptied(action: UpdateEvent): UpdateEvent {
  const cut = emptied(action);
  return { ...action, fields: withoutNames(action.fields, cut), changes: withoutNames(action.changes, cut) };
}

// The site keeps the value that it returned for our last write.
const notPending = ({ entry, pendingFields }: LedgerChange): LedgerChange => ({
  entry,
  pendingFields: pendingFields.filter((field) => !NEVER_EMPTY.includes(field) || !isEmpty(entry.fields[field]?.feed)),
});

const problemOf = (action: UpdateEvent): Problem => ({
  code: 'site-cannot-express',
  where: { slug: action.slug },
  message: `The site has no way to empty ${emptied(action).join(' and ')} of "${action.title}": it stays there. Empty it by hand.`,
});
