import { clockName } from '../../../contract/event-zone.ts';
import type { Event } from '../../../contract/representation.ts';
import { marksOfSpan } from '../../../time.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { dayInWords, shortDayInWords, weekdayInWords } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { isoUtc, zoneMark, zoneMarks } from '../frame/clock.ts';

/** "Saturday, 10 January 2027, 18:00 to 20:00 CET" */
export function whenInWords(
  { all_day, start_date, end_date, utc_start_date, utc_end_date, timezone, timezone_abbr }: Event,
  { language, words }: Frame,
): Html {
  const [startDay, endDay] = [start_date.slice(0, 10), end_date.slice(0, 10)];
  const isOneDay = startDay === endDay;
  const day = (text: string): string => dayInWords(text, language);
  if (all_day)
    return isOneDay ? html`${day(startDay)}, ${words.allDay}` : html`${day(startDay)} ${words.to} ${day(endDay)}`;
  const start = time(utc_start_date, `${day(startDay)}, ${start_date.slice(11, 16)}`);
  if (start_date === end_date) return html`${start} ${timezone_abbr}`;
  const end = time(utc_end_date, `${isOneDay ? '' : `${day(endDay)}, `}${end_date.slice(11, 16)}`);
  const [atStart, atEnd] = marksOfSpan(
    ` ${timezone_abbr}`,
    ` ${clockName(timezone, Date.parse(isoUtc(utc_end_date)))}`,
  );
  return html`${start}${atStart} ${words.to} ${end}${atEnd}`;
}

const time = (utc: string, text: string): Html => html`<time datetime="${isoUtc(utc)}">${text}</time>`;

/** The day as a calendar leaf. Hidden from screen readers, as the date is written beside it. */
export function dateTile(day: string, language: string): Html {
  const month = shortDayInWords(day, language)
    .replace(/[\d.\s]+/g, ' ')
    .trim();
  const weekday = weekdayInWords(day, language, 'short');
  const parts = html`<span>${month}</span><b>${Number(day.slice(8))}</b><small>${weekday}</small>`;
  return html`<div class="tile" aria-hidden="true">${parts}</div>`;
}

/** The day and the hours as two lines, for the card; for several days, the first and the last, each with its time. */
export function dayAndHours(event: Event, frame: Frame): readonly [day: Html, hours: Html] {
  const { language, words } = frame;
  const { all_day, start_date, end_date, utc_start_date, utc_end_date } = event;
  const [first, last] = [start_date.slice(0, 10), end_date.slice(0, 10)];
  const day = html`${dayInWords(first, language)}`;
  const lastDay = dayInWords(last, language);
  if (all_day) return [first === last ? day : html`${day} ${words.to} ${lastDay}`, html`${words.allDay}`];
  const start = time(utc_start_date, start_date.slice(11, 16));
  if (start_date === end_date) return [day, html`${start}${zoneMark(frame, event, 'start')}`];
  const end = time(utc_end_date, end_date.slice(11, 16));
  const [atStart, atEnd] = zoneMarks(frame, event);
  if (!hasTwoDays(event)) return [day, html`${start}${atStart} – ${end}${atEnd}`];
  return [html`${day}, ${start}${atStart}`, html`${words.to} ${lastDay}, ${end}${atEnd}`];
}

/** The same on one line. */
export const dayWithHours = (event: Event, frame: Frame): Html =>
  joinHtml(dayAndHours(event, frame), !event.all_day && hasTwoDays(event) ? ' ' : ', ');

// A night that ends in the morning belongs to the day on which it began.
const hasTwoDays = (event: Event): boolean =>
  event.start_date.slice(0, 10) !== event.end_date.slice(0, 10) && !isNight(event);

const NIGHT_MS = 43_200_000;

const isNight = ({ utc_start_date: start, utc_end_date: end }: Event): boolean =>
  Date.parse(isoUtc(end)) - Date.parse(isoUtc(start)) < NIGHT_MS;

/** A date, with or without time, in words: "Saturday, 10 January 2027", "Saturday, 10 January 2027, 18:00". */
export const startInWords = (start: string, language: string): string =>
  [dayInWords(start.slice(0, 10), language), start.slice(11, 16)].filter(Boolean).join(', ');
