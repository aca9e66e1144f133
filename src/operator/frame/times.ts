import { html, type Html } from '../../html/template.ts';
import { spanInWords } from '../../run/watch/moments.ts';
import { daysBetween, weekdayOf } from '../../sync/review/days.ts';
import { dayAfter, instantFromWall, wallFromInstant } from '../../time.ts';
import { timeIn } from '../../time-in-words.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The day of a wall time: "24 Nov", with the year if it is not `now`'s. */
function dayOf(wall: string, nowWall: string): string {
  const day = `${Number(wall.slice(8, 10))} ${MONTHS[Number(wall.slice(5, 7)) - 1] ?? ''}`;
  return wall.slice(0, 4) === nowWall.slice(0, 4) ? day : `${day} ${wall.slice(0, 4)}`;
}

/**
 * An instant (epoch milliseconds) as people of its zone say it now: "14:20", "yesterday, 18:40", "Sunday, 08:15",
 * "3 Sep, 10:00". A time of another day within the week has its weekday.
 */
export function momentInWords(instant: number, zone: string, now: number): string {
  const [wall, today] = [wallFromInstant(instant, zone), wallFromInstant(now, zone)];
  const days = daysBetween(today.slice(0, 10), wall.slice(0, 10));
  const clock = wall.slice(11, 16);
  if (days === 0) return clock;
  return `${dayInWords(days, wall, today)}, ${clock}`;
}

function dayInWords(days: number, wall: string, today: string): string {
  if (days === -1) return 'yesterday';
  if (days === 1) return 'tomorrow';
  return Math.abs(days) < 7 ? weekdayOf(wall.slice(0, 10)) : dayOf(wall, today);
}

const timeElement = (instant: number, zone: string, shown: string): Html =>
  html`<time datetime="${new Date(instant).toISOString()}" title="${timeIn(zone, { seconds: true })(new Date(instant))}"
    >${shown}</time
  >`;

/** An instant as people say it, with the exact time of its zone beside it. */
export const moment = (instant: number, zone: string, now: number): Html =>
  timeElement(instant, zone, momentInWords(instant, zone, now));

/** How long ago an instant was ("12 min ago"), or how long it is until then ("in 2 h"). */
export const ago = (instant: number, zone: string, now: number): Html =>
  timeElement(instant, zone, instant > now ? `in ${spanInWords(instant - now)}` : `${spanInWords(now - instant)} ago`);

/** Tomorrow or on Monday at eight in the morning, in a zone; null for when something changes. */
export function putOffUntil(choice: string, now: number, zone: string): number | null {
  const today = wallFromInstant(now, zone).slice(0, 10);
  if (choice === 'tomorrow') return instantFromWall(`${dayAfter(today)} 08:00:00`, zone);
  if (choice !== 'monday') return null;
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  return instantFromWall(`${dayAfter(today, (8 - weekday) % 7 || 7)} 08:00:00`, zone);
}
