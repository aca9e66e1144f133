import { wasEditedByPerson } from '../compare/seen.ts';
import { FIELDS, isLinked, LINKED_FIELDS, type LinkedResource, type FieldName } from '../model/fields.ts';
import type { Json, LedgerEntry, Plan, SiteEvent } from '../model/plan.ts';
import { sameJson } from '../model/json.ts';

/**
 * Our events as the site would show them if nobody had touched them since our last writes; null if the ledger does not
 * know enough. Settled events outside it are only counted, in `besides`. People's edits are not in the ledger, so they
 * are missing here; removed and ignored events are left out.
 */
export function assumedEvents(
  ledger: ReadonlyMap<string, LedgerEntry>,
  from: number,
  remainder: number,
): ReadonlyMap<string, SiteEvent> | null {
  const kept = [...ledger.values()].filter(({ state, endsAt }) => state === 'kept' && endsAt >= from);
  const events = kept.flatMap((entry) => (entry.id === null ? [] : [assumedEvent(entry, entry.id)]));
  return kept.length + remainder === 0 || events.length < kept.length
    ? null
    : new Map(events.map((event) => [event.slug, event]));
}

function assumedEvent({ slug, fields }: LedgerEntry, id: number): SiteEvent {
  const values = Object.fromEntries(
    Object.entries(fields).flatMap(([field, state]) =>
      state.returned === undefined || wasEditedByPerson(state) ? [] : [[field, state.returned]],
    ),
  );
  return { id, slug, status: String(values['status'] ?? 'publish'), values };
}

/** The slugs of the events for which a plan changes more than the count of absences. */
export function decidedSlugs(plan: Plan, ledger: ReadonlyMap<string, LedgerEntry>): readonly string[] {
  const written = plan.actions.flatMap((action) => (action.resource === 'events' ? [action.slug] : []));
  const changed = Object.values(plan.ledger).flatMap(({ entry }) => {
    const before = ledger.get(entry.slug);
    return before?.state === entry.state && sameJson(before.fields, entry.fields) ? [] : [entry.slug];
  });
  return [...new Set([...written, ...changed])];
}

/** The lists of names that a plan needs: for what it sends, for ledger changes, and where the site differs. */
export function listsNeeded(
  plan: Plan,
  ledger: ReadonlyMap<string, LedgerEntry>,
  read: ReadonlyMap<string, SiteEvent>,
): readonly LinkedResource[] {
  const sent = plan.actions.flatMap((action) =>
    action.resource === 'events' ? Object.keys(action.fields).filter(isLinked) : [],
  );
  const handled = Object.values(plan.ledger).flatMap(({ entry }) =>
    LINKED_FIELDS.filter((field) => {
      const [now, before] = [entry.fields[field], ledger.get(entry.slug)?.fields[field]];
      return entry.state !== 'removed' && (hasNames(now?.feed) || hasNames(before?.feed)) && !sameJson(now, before);
    }),
  );
  const shown = [...read].flatMap(([slug, { values }]) =>
    LINKED_FIELDS.filter((field) => isOtherwise(values, ledger.get(slug), field)),
  );
  return [...new Set([...sent, ...handled, ...shown].map((field) => FIELDS[field].linked))];
}

const hasNames = (feed: Json | undefined): boolean => Array.isArray(feed) && feed.length > 0;

// Fields that the feed omits are not compared.
const isOtherwise = (values: SiteEvent['values'], entry: LedgerEntry | undefined, field: FieldName): boolean =>
  (entry === undefined || (entry.fields[field]?.feed ?? null) !== null) &&
  !sameJson(values[field], entry?.fields[field]?.returned);
