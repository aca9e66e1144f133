import { ledgerAfter, withOpenTitle } from './ledger-after.ts';
import { refsIn, siteForm } from '../links/link.ts';
import { unsettled } from '../model/settled.ts';
import { isFieldName, type FieldName } from '../model/fields.ts';
import { mayHaveBecome } from '../compare/looks-same.ts';
import type {
  EventAction,
  FieldState,
  Json,
  LedgerChange,
  LedgerEntry,
  Outcome,
  Plan,
  Refs,
  SiteEvent,
} from '../model/plan.ts';
import { trashStranger } from './remove-event.ts';
import { seenAs } from '../compare/seen.ts';

/** A write that a run gave up on without an answer: the site may or may not have carried it out. */
export interface Unanswered {
  readonly action: EventAction;
  readonly change: LedgerChange;
  /** The ids of the action's refs; refs that could not be created have none. */
  readonly refs: Refs;
}

/** Records an action that is given up, with the ids of its refs. */
export const unansweredOf = (action: EventAction, change: LedgerChange, known: Refs): Unanswered => ({
  action,
  change,
  refs: Object.fromEntries(refsIn(action).flatMap((ref) => (known[ref] === undefined ? [] : [[ref, known[ref]]]))),
});

/** A write that proved to have been carried out, with the outcome that its answer would have had. */
export interface CarriedOutWrite<Asked extends Unanswered = Unanswered> {
  readonly asked: Asked;
  readonly entry: LedgerEntry;
  readonly outcome: Done;
}

type Done = Extract<Outcome, { kind: 'done' }>;

/**
 * The writes that the site shows as carried out, each with the entry that its answer would have produced; they count as
 * ours, not as a person's edits. In the order in which they were made; the last entry of a slug counts. `onSite` is by
 * slug and includes trashed events.
 */
export function carriedOutWrites<Asked extends Unanswered>(
  unanswered: readonly Asked[],
  ledger: ReadonlyMap<string, LedgerEntry>,
  onSite: ReadonlyMap<string, SiteEvent>,
): readonly CarriedOutWrite<Asked>[] {
  const latest = new Map<string, LedgerEntry>();
  return unanswered.flatMap((asked) => {
    const { slug } = asked.change.entry;
    const shown = onSite.get(slug);
    const entry = shown && entryIfCarriedOut(asked, latest.get(slug) ?? ledger.get(slug), shown);
    if (!entry) return [];
    latest.set(slug, entry);
    return [{ asked, entry, outcome: outcomeOf(asked, shown) }];
  });
}

const answerOf = ({ id, slug, values, modified }: SiteEvent): Done => ({
  kind: 'done',
  id,
  slug,
  values,
  ...(modified === undefined ? {} : { modified }),
});

// A value that differs from what was sent is not the site's answer to it.
const outcomeOf = (asked: Unanswered, onSite: SiteEvent): Done => ({
  ...answerOf(onSite),
  lookedUp: true,
  values: Object.fromEntries(
    Object.entries(onSite.values).filter(([field]) => isFieldName(field) && shows(asked, field, onSite)),
  ),
});

const shows = ({ action, refs }: Unanswered, field: FieldName, { values }: SiteEvent): boolean =>
  mayHaveBecome(
    field,
    siteForm(field, sentValue(action.fields[field], refs), (ref) => refs[ref]),
    values[field],
  );

function entryIfCarriedOut(asked: Unanswered, before: LedgerEntry | undefined, onSite: SiteEvent): LedgerEntry | null {
  const { action, change, refs } = asked;
  const after = ledgerAfter(change, action, answerOf(onSite), openRefs(action, refs));
  if (action.kind === 'remove' && action.how === 'trash') return before && onSite.status === 'trash' ? after : null;
  const isMade = action.kind === 'create' && before?.id !== onSite.id;
  const isChanged = (field: FieldName): boolean => seenAs(field, before?.fields[field], onSite) !== 'as-returned';
  if (
    after === null ||
    (!isMade && !change.pendingFields.some((field) => shows(asked, field, onSite) && isChanged(field)))
  )
    return null;
  const isOurs = (field: FieldName): boolean =>
    !change.pendingFields.includes(field) ||
    shows(asked, field, onSite) ||
    (isMade && action.fields[field] === undefined);
  const fields = Object.entries(after.fields).flatMap(([name, state]): [string, FieldState][] => {
    // The keys of an entry's fields are field names.
    const field = name as FieldName;
    if (isOurs(field)) return [[field, state]];
    const { sent: _sent, ...shown } = state;
    // A field of a created event that differs from what we sent is compared from scratch, as if it had never been sent.
    return isMade
      ? [[field, { ...shown, feed: null }]]
      : Object.entries(before?.fields ?? {}).filter(([own]) => own === field);
  });
  const states: LedgerEntry['fields'] = Object.fromEntries(fields);
  return {
    ...unsettled(after),
    fields: change.pendingFields.includes('tags') && !isOurs('tags') ? withOpenTitle(states) : states,
  };
}

// A ref without an id was not sent.
const sentValue = (value: Json | undefined, refs: Refs): Json | undefined =>
  Array.isArray(value) ? value.filter((ref) => refs[String(ref)] !== undefined) : value;

const openRefs = (action: EventAction, refs: Refs): ReadonlySet<string> =>
  new Set(refsIn(action).filter((ref) => refs[ref] === undefined));

/**
 * Adds to a plan the trashing of duplicates: second copies of our events that the site made because no list shows the
 * first.
 */
export const withoutTwins = (plan: Plan, twins: readonly SiteEvent[]): Plan => ({
  ...plan,
  actions: [
    ...plan.actions,
    ...twins.map((twin) => trashStranger(twin, 'the site had it already, where no list shows it')),
  ],
});
