import { withoutPrefix } from '../model/state-tags.ts';
import { instantOf } from '../model/event-times.ts';
import { FIELD_NAMES } from '../model/fields.ts';
import type { Absence } from '../event/absence.ts';
import type { AbsenceDecision } from '../event/plan-absent.ts';
import type { FieldName, FieldState, LedgerEntry, SiteEvent } from '../model/plan.ts';
import { keyOfSlug } from '../model/slug.ts';

/**
 * With the ledger lost: events of a source on the site that its feed does not have. They go back into the ledger,
 * missing for
 * the first time, and the guards and `missing` decide about them as about all others.
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
            change: { entry: { ...entry, missing: LACKING.has(absenceOf(entry).kind) ? 1 : 0 }, awaits: [] },
          },
        ];
  });
}

const LACKING: ReadonlySet<Absence['kind']> = new Set(['gone', 'emptied']);

function entryOf(key: string, { id, slug, values }: SiteEvent): LedgerEntry {
  // Whoever withdrew it: should the feed have it again, it is not published by us.
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
