import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import { icon } from '../../../look/icons.ts';
import type { SeriesDates } from '../../store/series-dates.ts';
import type { Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { tabOf } from '../frame/own-tab.ts';
import { seriesInWords } from './series-in-words.ts';

/** "Every Wednesday until 3 March · 14 more dates": the line about a series beside its next date. */
export function seriesLine(frame: Frame, event: Event, { starts, isCut }: SeriesDates, today: Day): Html | undefined {
  const later = starts.filter((start) => start > event.start_date);
  if (later.length === 0) return undefined;
  const days = [event.start_date, ...later].map((start) => start.slice(0, 10));
  const rule = seriesInWords(frame, days, { today, isCut });
  const more = safeLink(
    { href: datesPath(frame, event), ...tabOf(frame) },
    frame.words.series.more(later.length, isCut),
  );
  return html`<p class="ser">${icon('loop')}<span>${rule !== undefined && `${rule} · `}${more}</span></p>`;
}

/** The path of the page with all dates of an event's series. */
export const datesPath = ({ base }: Frame, { slug }: Event): string =>
  `${base}/event/${encodeURIComponent(slug)}/dates/`;
