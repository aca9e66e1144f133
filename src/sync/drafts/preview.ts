import { dayAfter, instantFromWall, isoFromInstant } from '../../time.ts';
import type { EventDraft } from '../model/draft.ts';

/**
 * An event as `preview --json` shows it. Times are UTC instants, or dates for all-day events (with an exclusive end).
 */
export interface PreviewEvent {
  readonly uid: string | null;
  /** For an occurrence of a series, its original start; else null. */
  readonly recurrence_id: string | null;
  readonly start: string;
  readonly end: string;
  readonly all_day: boolean;
  readonly timezone: string;
  readonly title: string;
  readonly status: EventDraft['state'];
  readonly venue: string | null;
  readonly organizers: readonly string[];
  readonly categories: readonly string[];
  readonly url: string | null;
}

/** A draft as shown to people and programs before anything is written. */
export function previewOf({ rungs, uid, originalStartsAt, startsAt, endsAt, state, fields }: EventDraft): PreviewEvent {
  const days = { start: fields.start_date.slice(0, 10), end: dayAfter(fields.end_date.slice(0, 10)) };
  const times = { start: isoFromInstant(startsAt), end: isoFromInstant(endsAt) };
  return {
    uid: uid ?? rungs.uid,
    recurrence_id: recurrenceOf(rungs.recurrenceId, originalStartsAt, fields),
    ...(fields.all_day ? days : times),
    all_day: fields.all_day,
    timezone: fields.timezone,
    title: fields.title,
    status: state,
    venue: fields.venue?.[0]?.venue ?? null,
    organizers: (fields.organizer ?? []).map(({ organizer }) => organizer),
    categories: fields.categories ?? [],
    url: rungs.url ?? (fields.website || null),
  };
}

/**
 * `20270110T180000` as an instant (taken as wall-clock time in the event's zone if the instant is unknown), `20270110`
 * as a date.
 */
function recurrenceOf(
  digits: string | null,
  originalStartsAt: number | undefined,
  { timezone, all_day: allDay }: EventDraft['fields'],
): string | null {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?/.exec(digits ?? '') ?? [];
  if (year === undefined) return null;
  const date = `${year}-${month}-${day}`;
  if (allDay || !digits?.includes('T')) return date;
  return isoFromInstant(originalStartsAt ?? instantFromWall(`${date} ${hour}:${minute}:${second}`, timezone));
}
