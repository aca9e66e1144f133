import type { Event } from '../../../contract/representation.ts';
import { html, joinHtml } from '../../../html/template.ts';
import { textFromHtml } from '../../../html/text.ts';
import type { AskedEvent } from '../event/asked-event.ts';
import { monthInWords, shortMonthInWords } from '../frame/dates.ts';
import type { Page } from '../frame/layout.ts';
import { notFound } from '../frame/read.ts';
import { inline, langAttribute, pathOf } from '../list/event-list.ts';
import { monthTiles, dayOf } from './date-tiles.ts';
import { seriesInWords } from './series-in-words.ts';

const DATES_MAX = 200;

/** `/event/{slug}/dates/`: all upcoming dates of an event's series, by month. */
export async function datesPage({ frame, read, tables, listed, slug, today }: AskedEvent): Promise<Page> {
  const found = await read<Event>(`/events/by-slug/${slug}`);
  if (!found.ok) return notFound(frame);
  const event = found.value;
  const ids = await tables.datesOf(event.id, today, DATES_MAX + 1);
  const isCut = ids.length > DATES_MAX;
  const dates = await listed(ids.slice(0, DATES_MAX));
  const months = Map.groupBy(dates, ({ start_date: start }) => start.slice(0, 7));
  const { words, language } = frame;
  const rule = seriesInWords(frame, dates.map(dayOf), { today, isCut });
  const lang = langAttribute(frame, event);
  return {
    title: `${textFromHtml(event.title)}: ${words.allDates}`,
    up: { href: pathOf(event.url), shown: html`<span${lang}>${inline(event.title)}</span>` },
    // Not indexed, as each date has a page of its own, to which this one links.
    head: html`<meta name="robots" content="noindex">`,
    main: html`<div class="head"><h1${lang}>${inline(event.title)}</h1>
<p class="lead">${rule ?? words.allDates}</p></div>
${dates.length === 0 && html`<p class="note">${words.seriesIsOver}</p>`}
${joinHtml(
  [...months].map(
    ([month, group]) => html`<section class="day" aria-labelledby="m-${month}"><h2 class="date" id="m-${month}">
<span class="vh">${monthInWords(month, language)}</span>
<b aria-hidden="true">${shortMonthInWords(month, language)}</b> <small aria-hidden="true">${month.slice(0, 4)}</small></h2>
${monthTiles(frame, group, event)}</section>`,
  ),
  '\n',
)}
${isCut && html`<p class="note">${words.series.more(DATES_MAX, true)}</p>`}`,
  };
}
