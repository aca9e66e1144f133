import { withoutPrefix } from '../../contract/cancelled-title.ts';
import { instantOf } from '../model/event-times.ts';
import { FIELD_NAMES, type FieldName } from '../model/fields.ts';
import type { Absence } from '../event/absence.ts';
import type { AbsenceDecision } from '../event/plan-absent.ts';
import type { FieldState, LedgerEntry, SiteEvent } from '../model/plan.ts';
import { keyOfSlug } from '../model/slug.ts';

/**
 * After the ledger was lost: events of a source on the site that its feed does not have. They return to the ledger as
 * missing for the first time; the guards and `missing` then apply as usual.
 */
export function foundEvents(
  events: readonly SiteEvent[],
  absenceOf: (entry: LedgerEntry) => Absence,
): readonly AbsenceDecision[] {
  const byKey = new Map(
    events.flatMap((event) => {
      const key = keyOfSlug(event.slug);
      return key === null ? [] : [[key, event] as const];
    }),
  );
  return [...byKey].flatMap(([key, event]): AbsenceDecision[] => {
    const entry = entryOf(key, event);
    return Number.isNaN(entry.startsAt + entry.endsAt)
      ? []
      : [
          {
            action: null,
            change: { entry: { ...entry, missing: LACKING.has(absenceOf(entry).kind) ? 1 : 0 }, pendingFields: [] },
          },
        ];
  });
}

const LACKING: ReadonlySet<Absence['kind']> = new Set(['gone', 'emptied']);

function entryOf(key: string, { id, slug, values }: SiteEvent): LedgerEntry {
  // An unpublished status counts as set by a person, so that we do not publish the event if the feed has it again.
  const by = (field: FieldName): FieldState['by'] =>
    field === 'status' && values.status !== 'publish' ? 'person' : 'feed';
  const fields = FIELD_NAMES.map((field): [FieldName, FieldState] => [
    field,
    { feed: null, returned: values[field] ?? null, by: by(field) },
  ]);
  return {
    slug,
    key,
    rung: 'fingerprint',
    identity: null,
    uid: null,
    title: withoutPrefix(String(values.title ?? '')),
    startsAt: instantOf(values.start_date, values.timezone),
    endsAt: instantOf(values.end_date, values.timezone),
    id,
    state: 'kept',
    missing: 0,
    fields: Object.fromEntries(fields),
  };
}
