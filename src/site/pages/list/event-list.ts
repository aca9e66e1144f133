import { withoutPrefix } from '../../../contract/cancelled-title.ts';
import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { isFree } from '../../../selection/free.ts';
import { priceOf } from '../event/price.ts';
import { groupFound, isCancelled, isOver, isTentative, type FoundDay, type FoundEntry } from '../views/group-found.ts';
import { seriesLine } from '../views/series-line.ts';
import { categoryTag } from '../../../look/category-mark.ts';
import { dayFrom, daysInWords, monthOfDay, shortDayInWords, weekdayInWords, yearOf, type Day } from '../frame/dates.ts';
import { isoUtc, startTime, zoneMark } from '../frame/clock.ts';
import type { Frame } from '../frame/layout.ts';
import { tabOf } from '../frame/own-tab.ts';
import { picture } from '../frame/picture.ts';
import { placesLine, townOf } from '../frame/places.ts';

/**
 * Lists events by day; those that began before `from` are listed on that day. Shows `empty` if there are none. `today`
 * is highlighted.
 */
export function eventList(frame: Frame, events: readonly Event[], from: Day, empty: string, today: Day = from): Html {
  if (events.length === 0) return html`<p class="none">${empty}</p>`;
  return dayList(frame, groupFound(events, from, new Map(), { isApart: () => false }).days, today);
}

/** Lists days with their events; of a series, the next date and its rule. */
export function dayList(frame: Frame, days: readonly FoundDay[], today: Day): Html {
  return joinHtml(
    days.map(
      ({
        day,
        entries,
      }) => html`<section class="day${day === today && ' now'}" id="d-${day}" aria-labelledby="h-${day}">
${dayHeading(frame, day, today)}
<ol class="evs">
${joinHtml(
  entries.map((entry) => line(frame, entry, { day, today })),
  '\n',
)}
</ol></section>`,
    ),
    '\n',
  );
}

function dayHeading({ language, words }: Frame, day: Day, today: Day): Html {
  const year = yearOf(day) !== yearOf(today) && ` ${yearOf(day)}`;
  const [weekday, month] = [weekdayInWords(day, language, 'long'), monthOfDay(day, language, 'long')];
  const [above, below] =
    day === today
      ? [
          words.finding.shortcuts.today,
          `${weekdayInWords(day, language, 'short')}, ${monthOfDay(day, language, 'short')}`,
        ]
      : [weekday, month];
  return html`<h2 class="date" id="h-${day}"><small>${above}</small> <b>${Number(day.slice(8))}</b> <small>${below}${year}</small></h2>`;
}

const CATEGORIES_MAX = 3;

function line(
  frame: Frame,
  { event, series }: FoundEntry,
  { day, today }: { readonly day: Day; readonly today: Day },
): Html {
  const { words, mark } = frame;
  const cancelled = isCancelled(event);
  const place = placesLine(event, townOf);
  const link = safeLink(
    { href: pathOf(event.url), lang: langOf(frame, event), ...tabOf(frame) },
    titleWithoutMark(event),
  );
  const facts = [
    ...event.categories.slice(0, CATEGORIES_MAX).map((category) => categoryTag(mark, category)),
    place && html`<span class="place">${place}</span>`,
    priceTag(frame, event),
    cancelled && html`<span class="tag bad">${words.finding.cancelled}</span>`,
    isTentative(event) && html`<span class="tag warn">${words.tentative}</span>`,
    isOver(event, today) && html`<span class="tag">${words.over}</span>`,
  ].filter((fact) => fact !== undefined && fact !== false);
  return html`<li class="ev${cancelled && ' off'}"><div class="t">${timeOf(frame, event, day)}</div>
<div><h3>${link}</h3>
${facts.length > 0 && html`<p>${joinHtml(facts, ' ')}</p>`}${series && seriesLine(frame, event, series, today)}</div>${thumb(frame, event)}</li>`;
}

function priceTag(frame: Frame, event: Event): Html | undefined {
  if (isFree(event.cost_details.values)) return html`<span class="tag good">${frame.words.finding.freeTag}</span>`;
  return event.cost === '' ? undefined : html`<span>${priceOf(frame, event)}</span>`;
}

const thumb = (frame: Frame, { image }: Event): Html | false | undefined =>
  typeof image === 'object' && picture(frame, image, 'line');

const [NIGHT_MS, MINUTE_MS] = [43_200_000, 60_000];

function timeOf(frame: Frame, event: Event, day: Day): Html {
  const { language, words } = frame;
  const { all_day, start_date, end_date, utc_start_date, utc_end_date } = event;
  const endDay = end_date.slice(0, 10);
  const last = endDay > day ? `${words.until} ${shortDayInWords(endDay, language)}` : '';
  if (all_day) return html`<time datetime="${day}">${last || words.allDay}</time>`;
  if (start_date.slice(0, 10) < day)
    return last === ''
      ? html`${words.until} <time datetime="${isoUtc(utc_end_date)}">${end_date.slice(11, 16)}</time>${zoneMark(frame, event, 'end')}`
      : html`<time datetime="${day}">${last}</time>`;
  const time = html`<time datetime="${isoUtc(utc_start_date)}">${start_date.slice(11, 16)}</time>${zoneMark(frame, event, 'start')}`;
  const length = Date.parse(isoUtc(utc_end_date)) - Date.parse(isoUtc(utc_start_date));
  // A night that ends before morning needs no second date.
  const small = last === '' || length < NIGHT_MS ? lengthInWords(frame, length) : last;
  return html`${time}${small !== '' && html` <small>${small}</small>`}`;
}

/** "45 min", "1 h 30"; '' if there is no duration. */
function lengthInWords({ words: { finding } }: Frame, length: number): string {
  const minutes = Math.round(length / MINUTE_MS);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (minutes <= 0) return '';
  if (hours === 0) return `${rest} ${finding.minutes}`;
  return `${hours} ${finding.hours}${rest === 0 ? '' : ` ${String(rest).padStart(2, '0')}`}`;
}

/** An address of the site as a path, so that visitors stay on the host name by which they came. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** The `lang` of an event's texts if it differs from the page's, so that they are pronounced correctly. */
export function langOf({ language, settings }: Frame, { translation_language }: Event): string | undefined {
  const own = translation_language ?? settings.languages[0] ?? language;
  return own === language ? undefined : own.replace('_', '-');
}

/** The same as an attribute. */
export function langAttribute(frame: Frame, event: Event): Html | undefined {
  const lang = langOf(frame, event);
  return lang === undefined ? undefined : html` lang="${lang}"`;
}

/** A title as HTML for use within a link, without the elements that would end it. */
export const inline = (title: string): Html =>
  sanitized(title.replace(/<\/?(?:a|p|div|h\d|ul|ol|li|table|blockquote)\b[^<>]*>/gi, ' '));

/** An event's title, for places that show a cancellation beside it. */
export const titleWithoutMark = (event: Event): Html =>
  inline(isCancelled(event) ? withoutPrefix(event.title) : event.title);

/**
 * "Not confirmed yet: Open choir rehearsal": a title with its state in the page's language, where nothing beside it
 * says so.
 */
export function titleWithState(frame: Frame, event: Event): Html {
  const { cancelled, tentative } = frame.words;
  const state = (isCancelled(event) && cancelled) || (isTentative(event) && tentative);
  if (state === false) return inline(event.title);
  const isForeign = langOf(frame, event) !== undefined;
  const word = isForeign ? html`<span lang="${frame.language.replace('_', '-')}">${state}:</span>` : html`${state}:`;
  return html`${word} <bdi>${titleWithoutMark(event)}</bdi>`;
}

/** "Sat, 28 Nov, 19:00 · Town hall" or "4 – 6 December · Market square", for the caption of an image. */
export function whenAndWhere(frame: Frame, event: Event, today: Day): Html {
  const { language } = frame;
  const place = placesLine(event);
  const { all_day, start_date, end_date } = event;
  const [first, last] = [start_date.slice(0, 10), end_date.slice(0, 10)];
  const when =
    all_day && last > first
      ? daysInWords(first, last, language, 'longDay')
      : `${dayFrom(today, first, language, 'briefDay')}${all_day ? '' : `, ${startTime(frame, event)}`}`;
  return html`${when}${place && html` · ${place}`}`;
}
