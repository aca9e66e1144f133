import type { Event } from '../../../contract/representation.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { dayAfter } from '../../../time.ts';
import { sheetFoot, sheetTools } from '../frame/paper.ts';
import { daysInWords, weekdayAndDayInWords, weekdayInWords, type Day } from '../frame/dates.ts';
import { startTime } from '../frame/clock.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { placesLine } from '../frame/places.ts';
import { priceOf } from '../event/price.ts';
import { langOf, titleWithState } from '../list/event-list.ts';
import { chosenInWords, NOINDEX, eventsOn, spanInWords, type CalendarParts } from './calendar-page.ts';
import { withChoice } from './carried.ts';
import { sheetRoom, type SheetLine } from './sheet-room.ts';
import { isCancelled } from './group-found.ts';
import { shownWeek, type ShownWeek } from './week-page.ts';

/** `/week/2027-01-04/sheet/`: a week on paper, for the noticeboard. */
export async function weekSheet(parts: CalendarParts, asked: string | undefined): Promise<Page> {
  const shown = await shownWeek(parts, asked, 'sheet/');
  return 'main' in shown ? shown : sheet(shown);
}

async function sheet(shown: ShownWeek): Promise<Page> {
  const { frame, monday, sunday, today, choice, spansLeft } = shown;
  const { base, language, settings, words } = frame;
  const week = daysInWords(monday, sunday, language, 'longDayOfYear');
  const page = withChoice(`/week/${monday}/`, choice.selection);
  const ofWeek = Array.from({ length: 7 }, (_, index) => dayAfter(monday, index));
  const spans = lastingOf(shown);
  const { classes, most } = sheetRoom(
    settings.title,
    ofWeek.map((day) => {
      const { told, left } = eventsOn(day, shown);
      return { told: told.map((event) => entryOf(frame, event)), left };
    }),
    { told: spans, left: Number(spansLeft !== '0') },
  );
  return {
    title: week,
    isPaper: true,
    head: NOINDEX,
    main: html`${sheetTools(words.sheet, base + page)}
<article class="sheet${classes}"><header><h1>${settings.title}</h1>
<p><strong>${week}</strong>${choice.chosen && html`<br>${chosenInWords(frame, choice, today).slice(2)}`}</p></header>
${joinHtml(
  ofWeek.map((day) => daySection(shown, day, most)),
  '\n',
)}
${lasting(shown, spans)}
${await sheetFoot(frame, page, words.sheet.week)}</article>`,
  };
}

function daySection(shown: ShownWeek, day: Day, most: number): Html {
  const { frame } = shown;
  const { language, words } = frame;
  const whole = eventsOn(day, shown);
  const told = whole.told.slice(0, most);
  const left = whole.left + whole.told.length - told.length;
  const lines = told.map((event) => line(entryOf(frame, event), event.all_day ? '' : startTime(frame, event)));
  return html`<section class="day"><h2 class="date"><span class="vh">${weekdayAndDayInWords(day, language)}</span>
<small aria-hidden="true">${weekdayInWords(day, language, 'short')}</small> <b aria-hidden="true">${Number(day.slice(8))}</b></h2>
<ul>${lines}${told.length === 0 && bare(words.nothingThatDay)}${left > 0 && bare(`+ ${left} ${words.more}`)}</ul></section>`;
}

/** A line without a time. */
const bare = (text: string): Html => html`<li><b></b><span>${text}</span></li>`;

/** The events of several days. */
function lastingOf({ frame, monday, spans, events }: ShownWeek): readonly Entry[] {
  return spans.flatMap((span) => {
    const event = events.get(span.id);
    return event ? [entryOf(frame, event, spanInWords(frame, event, span, monday))] : [];
  });
}

function lasting({ frame: { words }, spansLeft }: ShownWeek, entries: readonly Entry[]): Html | undefined {
  if (entries.length === 0) return undefined;
  return html`<section class="day"><h2 class="date"><small>${words.lasting}</small></h2>
<ul>${entries.map((entry) => line(entry, ''))}${spansLeft !== '0' && bare(`+ ${spansLeft} ${words.more}`)}</ul></section>`;
}

/** The texts of an event's line on the sheet. */
interface Entry extends SheetLine {
  readonly lang: string | undefined;
  readonly isOff: boolean;
}

const entryOf = (frame: Frame, event: Event, until?: string): Entry => ({
  title: titleWithState(frame, event),
  about: joinHtml([placesLine(event), until, priceOf(frame, event)], ' · '),
  lang: langOf(frame, event),
  isOff: isCancelled(event),
});

/** "18:00 Open choir rehearsal / Community centre · free" */
function line({ title, about, lang, isOff }: Entry, time: string): Html {
  const shown = html`<strong${lang !== undefined && html` lang="${lang}"`}>${title}</strong>`;
  return html`<li><b>${time}</b><div>${isOff ? html`<s>${shown}</s>` : shown} <span>${about}</span></div></li>`;
}
