import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { dayAfter } from '../../../time.ts';
import type { Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { tabOf } from '../frame/own-tab.ts';
import { picture } from '../frame/picture.ts';
import { inline, langOf, pathOf, venueOf } from './event-list.ts';
import { dayBriefly, numberInWords } from './in-words.ts';

export const LASTING_MAX = 6;

/** What lasts for more than a week, beside the list of days. */
export function lastingBlock(
  frame: Frame,
  events: readonly Event[],
  total: number,
  { title, today }: { readonly title: string; readonly today: Day },
): Html | undefined {
  if (events.length === 0) return undefined;
  const { finding } = frame.words;
  const left = total - events.length;
  return html`<section class="long stack" aria-labelledby="long"><h2 id="long">${title}</h2>
<div class="stack evx">
${joinHtml(
  events.map((event) => card(frame, event, today)),
  '\n',
)}
</div>${left > 0 && html`<p class="dim">${finding.furtherLasting(numberInWords(frame, left))}</p>`}</section>`;
}

function card(frame: Frame, event: Event, today: Day): Html {
  const { image, title, url } = event;
  const shown = typeof image === 'object' && picture(frame, image, 'small');
  const venue = venueOf(event);
  const link = safeLink({ href: pathOf(url), lang: langOf(frame, event), ...tabOf(frame) }, inline(title));
  return html`<article class="pic">${shown}<h3>${link}</h3><p>${spanInWords(frame, event, today)}</p>
${venue && html`<p>${sanitized(venue.venue)}</p>`}</article>`;
}

const LAST_DAYS = 7;

/** "until 10 January", "1 December – 28 February" or "last days: until 6 December". */
function spanInWords(frame: Frame, { start_date, end_date }: Event, today: Day): string {
  const { words } = frame;
  const [start, end] = [start_date.slice(0, 10), end_date.slice(0, 10)];
  const last = dayBriefly(frame, end, today);
  if (start > today) return `${dayBriefly(frame, start, today)} – ${last}`;
  return end < dayAfter(today, LAST_DAYS) ? words.finding.lastDays(last) : `${words.until} ${last}`;
}
