import { clockName, eventZone } from '../../contract/event-zone.ts';
import type { ListedEvent } from '../../run/events/list-events.ts';
import { instantOf } from '../../sync/model/event-times.ts';
import type { EventAction, Json, LedgerEntry } from '../../sync/model/plan.ts';
import { clockMark, marksOfSpan } from '../../time.ts';
import type { Asked } from '../frame/operator.ts';

/** What determines how the times of an event are written. */
export interface EventClock {
  /** Whether it has days instead of times. */
  readonly allDay: boolean;
  /** The zone of the event. */
  readonly timezone: string;
  /** The zone of the site. */
  readonly siteZone: string;
}

/**
 * The zone of a time, as " EST" or " CEST", if the site's clock shows another time or the time occurs twice; otherwise
 * ''.
 */
export function zoneMark(wall: string, { allDay, timezone, siteZone }: EventClock): string {
  const at = instantOf(wall, timezone);
  if (allDay || eventZone(timezone) === undefined || Number.isNaN(at)) return '';
  return clockMark(wall, at, siteZone, clockName(timezone, at));
}

/** The zone marks after the first and last time of an event; the clocks may change between them. */
export const zoneMarks = (start: string, end: string, clock: EventClock): readonly [start: string, end: string] =>
  marksOfSpan(zoneMark(start, clock), zoneMark(end, clock));

/** The time of an event: "19:00", or "20:00 EST" by a clock other than the site's; '' for all-day events. */
export const timeBy = (wall: string, clock: EventClock): string =>
  clock.allDay ? '' : `${wall.slice(11, 16)}${zoneMark(wall, clock)}`;

/** The clock of an event of a list. */
export const clockOf = (
  { zoneOf }: Pick<Asked, 'zoneOf'>,
  { site, allDay, timezone }: Pick<ListedEvent, 'site' | 'allDay' | 'timezone'>,
): EventClock => ({ allDay, timezone: timezone || zoneOf(site), siteZone: zoneOf(site) });

/** An event's clocks before and after an action. Values that the action does not name come from the ledger. */
export interface Clocks {
  readonly was: EventClock;
  readonly is: EventClock;
}

export function clocksOf(
  action: EventAction,
  entry: Pick<LedgerEntry, 'fields'> | undefined,
  siteZone: string,
): Clocks {
  const valueOf = (field: 'all_day' | 'timezone', side: 'from' | 'to'): Json => {
    const changed = action.kind === 'update' ? action.changes[field]?.[side] : undefined;
    const shown = action.kind === 'remove' ? action.before[field] : action.fields[field];
    const state = entry?.fields[field];
    return changed ?? shown ?? state?.returned ?? state?.feed ?? null;
  };
  const clock = (side: 'from' | 'to'): EventClock => ({
    allDay: valueOf('all_day', side) === true,
    timezone: String(valueOf('timezone', side) ?? siteZone),
    siteZone,
  });
  return { was: clock('from'), is: clock('to') };
}
