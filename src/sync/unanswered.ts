import { ledgerAfter, withOpenTitle } from './ledger-after.ts';
import { refsIn } from './link.ts';
import { isAsReturned, mayHaveBecome } from './looks-same.ts';
import { isLinked } from './merge.ts';
import type { Action, FieldName, FieldState, Json, LedgerChange, LedgerEntry, Plan, Refs, RemoveEvent, SiteEvent } from './plan.ts';

type EventAction = Extract<Action, { resource: 'events' }>;

/** What a run gave up without an answer: the site may have carried it out, or not. */
export interface Unanswered {
  readonly action: EventAction;
  readonly change: LedgerChange;
  /** The ids of the refs in the action; one that is missing could not be made. */
  readonly refs: Refs;
}

/** An action that is given up, with the ids of its refs among all that are known. */
export const unansweredOf = (action: EventAction, change: LedgerChange, known: Refs): Unanswered =>
  ({ action, change, refs: Object.fromEntries(refsIn(action).flatMap((ref) => (known[ref] === undefined ? [] : [[ref, known[ref]]]))) });

/**
 * The entries of what the site shows to have been carried out, as the answers would have left them: what we wrote is ours, not a person's
 * word. In the order in which it was written; `onSite` by slug, trashed events too.
 */
export function heardEntries(unanswered: readonly Unanswered[], ledger: ReadonlyMap<string, LedgerEntry>, onSite: ReadonlyMap<string, SiteEvent>): readonly LedgerEntry[] {
  const heard = new Map<string, LedgerEntry>();
  for (const each of unanswered) {
    const { slug } = each.change.entry;
    const shown = onSite.get(slug);
    const entry = shown && heardEntry(each, heard.get(slug) ?? ledger.get(slug), shown);
    if (entry) heard.set(slug, entry);
  }
  return [...heard.values()];
}

function heardEntry({ action, change, refs }: Unanswered, before: LedgerEntry | undefined, onSite: SiteEvent): LedgerEntry | null {
  const after = ledgerAfter(change, action, { kind: 'done', id: onSite.id, slug: onSite.slug, values: onSite.values, ...(onSite.modified === undefined ? {} : { modified: onSite.modified }) }, openRefs(action, refs));
  if (action.kind === 'remove' && action.how === 'trash') return before && onSite.status === 'trash' ? after : null;
  const isMade = action.kind === 'create' && before?.id !== onSite.id;
  const shows = (field: FieldName): boolean => mayHaveBecome(field, siteFormOf(field, action.fields[field], refs), onSite.values[field]);
  const isChanged = (field: FieldName): boolean => !isSeen(before?.fields[field], field, onSite);
  if (after === null || !isMade && !change.awaits.some((field) => shows(field) && isChanged(field))) return null;
  const isOurs = (field: FieldName): boolean => !change.awaits.includes(field) || shows(field) || isMade && action.fields[field] === undefined;
  const fields = Object.entries(after.fields).flatMap(([name, state]): [string, FieldState][] => {
    // The fields of an entry are named by its fields.
    const field = name as FieldName;
    if (isOurs(field)) return [[field, state]];
    // What is not as we wrote it is compared anew in an event of which nothing else is known.
    return isMade ? [[field, { ...state, feed: null }]] : Object.entries(before?.fields ?? {}).filter(([own]) => own === field);
  });
  const states: LedgerEntry['fields'] = Object.fromEntries(fields);
  return { ...after, fields: change.awaits.includes('tags') && !isOurs('tags') ? withOpenTitle(states) : states };
}

// A ref without an id was not sent.
const siteFormOf = (field: FieldName, value: Json | undefined, refs: Refs): Json | undefined =>
  (isLinked(field) && Array.isArray(value) ? value.flatMap((ref) => refs[String(ref)] ?? []).sort((one, other) => one - other) : value);

const isSeen = (state: FieldState | undefined, field: FieldName, { values }: SiteEvent): boolean =>
  state?.returned !== undefined && isAsReturned(field, state.returned, values[field] ?? null);

const openRefs = (action: EventAction, refs: Refs): ReadonlySet<string> => new Set(refsIn(action).filter((ref) => refs[ref] === undefined));

/** A plan that also takes away what was made a second time, beside an event of ours that no list shows. */
export const withoutTwins = (plan: Plan, twins: readonly SiteEvent[]): Plan => ({ ...plan, actions: [...plan.actions, ...twins.map(removalOf)] });

const removalOf = ({ id, slug, values }: SiteEvent): RemoveEvent => ({
  kind: 'remove', resource: 'events', slug, siteSlug: slug, id, title: String(values.title ?? slug), how: 'trash', fields: {},
  before: Object.fromEntries(Object.entries(values).filter(([field]) => !isLinked(field))), because: 'the site had it already, where no list shows it',
});
