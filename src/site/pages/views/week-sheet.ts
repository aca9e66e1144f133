import type { Event } from '../../../contract/representation.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { dayAfter } from '../../../time.ts';
import { sheetFoot, sheetTools } from '../frame/paper.ts';
import { daysInWords, longDayInWords, weekdayAndDayInWords, weekdayInWords, type Day } from '../frame/dates.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { priceOf } from '../event/price.ts';
import { inline, langOf, venueOf } from '../list/event-list.ts';
import { chosenInWords, NOINDEX, toldOn, type CalendarParts } from './calendar-page.ts';
import { withChoice } from './carried.ts';
import { isCancelled, lastDayOf } from './group-found.ts';
import { shownWeek, type ShownWeek } from './week-page.ts';

/** More lines than this are set smaller, so that the week still is one sheet. */
const LINES_MAX = 18;
/** So many small ones it has room for. */
const SMALL_LINES_MAX = 36;

/** `/week/2027-01-04/sheet/`: a week on paper, for the noticeboard. */
export async function weekSheet(parts: CalendarParts, asked: string | undefined): Promise<Page> {
  const shown = await shownWeek(parts, asked, 'sheet/');
  return 'main' in shown ? shown : sheet(shown);
}

async function sheet(shown: ShownWeek): Promise<Page> {
  const { frame, monday, sunday, today, choice, days } = shown;
  const { base, language, settings, words } = frame;
  const week = daysInWords(monday, sunday, language, 'longDayOfYear');
  const page = withChoice(`/week/${monday}/`, choice.selection);
  const counts = [...days.values()].map(({ ids }) => ids.length);
  const lines = counts.reduce((sum, count) => sum + count, shown.spans.length);
  const most = mostOfADay(counts, SMALL_LINES_MAX - shown.spans.length);
  return {
    title: week,
    isPaper: true,
    head: NOINDEX,
    main: html`${sheetTools(words.sheet, base + page)}
<article class="sheet${lines > LINES_MAX && ' dense'}"><header><h1>${settings.title}</h1>
<p><strong>${week}</strong>${choice.chosen && html`<br>${chosenInWords(frame, choice, today).slice(2)}`}</p></header>
${joinHtml(
  Array.from({ length: 7 }, (_, index) => daySection(shown, dayAfter(monday, index), most)),
  '\n',
)}
${lasting(shown)}
${await sheetFoot(frame, page, words.sheet.week)}</article>`,
  };
}

/** How many lines of a day there are at most: what quiet days have no need for, full ones get. */
export function mostOfADay(counts: readonly number[], room: number): number {
  const needed = (most: number): number =>
    counts.reduce((sum, count) => sum + (count > most ? most + 1 : Math.max(1, count)), 0);
  let most = Math.max(...counts, 1);
  while (most > 1 && needed(most) > room) most -= 1;
  return most;
}

function daySection(shown: ShownWeek, day: Day, most: number): Html {
  const { frame } = shown;
  const { language, words } = frame;
  const whole = toldOn(day, shown);
  const told = whole.told.slice(0, most);
  const left = whole.left + whole.told.length - told.length;
  const lines = told.map((event) => line(frame, event, event.all_day ? '' : event.start_date.slice(11, 16)));
  return html`<section class="day"><h2 class="date"><span class="vh">${weekdayAndDayInWords(day, language)}</span>
<small aria-hidden="true">${weekdayInWords(day, language, 'short')}</small> <b aria-hidden="true">${Number(day.slice(8))}</b></h2>
<ul>${lines}${told.length === 0 && bare(words.nothingThatDay)}${left > 0 && bare(`+ ${left} ${words.more}`)}</ul></section>`;
}

/** A line without a time. */
const bare = (text: string): Html => html`<li><b></b><span>${text}</span></li>`;

/** What is on for several days. */
function lasting({ frame, spans, spansLeft, events }: ShownWeek): Html | undefined {
  if (spans.length === 0) return undefined;
  const { words } = frame;
  const lines = spans.flatMap(({ id }) => {
    const event = events.get(id);
    return event
      ? [line(frame, event, '', html`${words.until} ${longDayInWords(lastDayOf(event), frame.language)}`)]
      : [];
  });
  return html`<section class="day"><h2 class="date"><small>${words.lasting}</small></h2>
<ul>${lines}${spansLeft !== '0' && bare(`+ ${spansLeft} ${words.more}`)}</ul></section>`;
}

/** "18:00 Open choir rehearsal / Community centre · free" */
function line(frame: Frame, event: Event, time: string, until?: Html): Html {
  const about = joinHtml([sanitized(venueOf(event)?.venue ?? ''), until, priceOf(frame, event)], ' · ');
  const lang = langOf(frame, event);
  const title = html`<strong${lang !== undefined && html` lang="${lang}"`}>${inline(event.title)}</strong>`;
  return html`<li><b>${time}</b><div>${isCancelled(event) ? html`<s>${title}</s>` : title} <span>${about}</span></div></li>`;
}
