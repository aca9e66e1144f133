import type { Problem } from '../problem.ts';
import { siteForm } from './approve-plan.ts';
import { isAsReturned } from './looks-same.ts';
import { isFieldName } from './plan-settle.ts';
import type { LedgerEntry, Plan, UpdateEvent } from './plan.ts';

const NAMED_MAX = 5;

/** What a person had changed on the site, or undone, and a plan writes over because the feed decides there: told, so that nobody wonders. */
export function overwritten(plan: Plan, ledger: ReadonlyMap<string, LedgerEntry>): readonly Problem[] {
  const events = plan.actions.flatMap((action) => {
    const fields = action.kind === 'update' ? fieldsOverwritten(action, ledger.get(action.slug), plan) : [];
    return fields.length > 0 && action.kind === 'update' ? [{ title: action.title, slug: action.slug, fields }] : [];
  });
  if (events.length === 0) return [];
  const named = events.slice(0, NAMED_MAX).map(({ title, fields }) => `"${title}" (${fields.join(', ')})`).join(', ');
  const more = events.length > NAMED_MAX ? ` and ${events.length - NAMED_MAX} more` : '';
  return [{
    code: 'edits-overwritten', where: events.length === 1 ? { slug: events[0]!.slug } : {},
    message: `${events.length === 1 ? 'One event was' : `${events.length} events were`} changed on the site, or undone, where the feed decides (authority: feed), and ${events.length === 1 ? 'gets' : 'get'} the feed's values again: ${named}${more}. With authority: preserve they would stay as they are.`,
  }];
}

function fieldsOverwritten({ changes, older = [] }: UpdateEvent, entry: LedgerEntry | undefined, { refs }: Plan): readonly string[] {
  if (entry?.state !== 'kept') return [];
  return Object.entries(changes).flatMap(([field, { from }]) => {
    if (!isFieldName(field) || older.includes(field)) return [];
    const state = entry.fields[field];
    const isEdited = state?.by === 'person' || (state?.returned !== undefined && !isAsReturned(field, state.returned, siteForm(field, from, refs) ?? null));
    return isEdited ? [field] : [];
  });
}
