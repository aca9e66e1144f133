import { wallFromInstant } from '../../time.ts';
import { instantOf } from '../model/event-times.ts';
import type { FieldName } from '../model/fields.ts';
import type { Json, LedgerEntry, SiteEvent } from '../model/plan.ts';

/**
 * Whether an event with the right wall-clock times and zone has the wrong UTC times on its site: another program
 * changed one without the other, or the site converts differently. UTC times that the site returned for our last write
 * are accepted, because it cannot do better.
 */
export function isUtcOff(
  wanted: Readonly<Partial<Record<FieldName, Json>>>,
  { fields }: Pick<LedgerEntry, 'fields'>,
  { utc }: SiteEvent,
): boolean {
  if (utc === undefined || wanted.all_day !== false) return false;
  return (['start_date', 'end_date'] as const).some((field) => {
    if (fields[field]?.utc === utc[field]) return false;
    const instant = instantOf(wanted[field], wanted.timezone);
    return !Number.isNaN(instant) && wallFromInstant(instant, 'UTC') !== utc[field];
  });
}
