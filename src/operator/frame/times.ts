import { html, type Html } from '../../html/template.ts';
import { momentInWords, spanInWords } from '../../run/watch/moments.ts';
import { dayAfter, instantFromWall, wallFromInstant } from '../../time.ts';
import { timeIn } from '../../time-in-words.ts';

const timeElement = (instant: number, zone: string, shown: string): Html =>
  html`<time datetime="${new Date(instant).toISOString()}" title="${timeIn(zone, { seconds: true })(new Date(instant))}"
    >${shown}</time
  >`;

/** An instant as people say it, with the exact time in a zone as its tooltip. */
export const moment = (instant: number, zone: string, now: number): Html =>
  timeElement(instant, zone, momentInWords(instant, now, zone, { hasClock: true }));

/** How long ago an instant was ("12 min ago"), or how long it is until then ("in 2 h"). */
export const ago = (instant: number, zone: string, now: number): Html =>
  timeElement(instant, zone, instant > now ? `in ${spanInWords(instant - now)}` : `${spanInWords(now - instant)} ago`);

/** The instant of tomorrow or next Monday at eight in the morning in a zone; null for "when something changes". */
export function snoozeUntil(choice: string, now: number, zone: string): number | null {
  const today = wallFromInstant(now, zone).slice(0, 10);
  if (choice === 'tomorrow') return instantFromWall(`${dayAfter(today)} 08:00:00`, zone);
  if (choice !== 'monday') return null;
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  return instantFromWall(`${dayAfter(today, (8 - weekday) % 7 || 7)} 08:00:00`, zone);
}

/** The wall-clock times of an event, in one zone: `2027-03-06 19:00:00`. */
export interface EventTimes {
  readonly start: string;
  readonly end: string;
  readonly allDay: boolean;
}

/** An event's last day; one that ends by six in the morning belongs to the evening before. */
export function lastDayOf({ start, end, allDay }: EventTimes): string {
  const endDay = end.slice(0, 10);
  const isMorning = !allDay && end.slice(11) <= '06:00:00' && endDay > start.slice(0, 10);
  return isMorning ? dayAfter(endDay, -1) : endDay;
}
