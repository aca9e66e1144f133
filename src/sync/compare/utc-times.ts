import { wallFromInstant } from '../../time.ts';
import { instantOf } from '../model/event-times.ts';
import type { FieldName, Json, LedgerEntry, SiteEvent } from '../model/plan.ts';

/**
 * Whether an event that shows the wanted clock times and zone happens at other instants on its site: another program has changed
 * one and not the other, or reads these digits otherwise. What the site has answered so to our last write it cannot do better.
 */
export function isUtcOff(
  wanted: Readonly<Partial<Record<FieldName, Json>>>,
  { fields }: Pick<LedgerEntry, 'fields'>,
  { utc }: SiteEvent,
): boolean {
  if (utc === undefined || wanted.all_day !== false) return false;
  return (['start_date', 'end_date'] as const).some((field) => {
    const instant = instantOf(wanted[field], wanted.timezone);
    return (
      !Number.isNaN(instant) && wallFromInstant(instant, 'UTC') !== utc[field] && fields[field]?.utc !== utc[field]
    );
  });
}
