import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { dayAfter } from '../../../time.ts';
import type { Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { tabOf } from '../frame/own-tab.ts';
import { picture } from '../frame/picture.ts';
import { placesLine } from '../frame/places.ts';
import { inline, langOf, pathOf } from './event-list.ts';
import type { FoundPart } from './found-part.ts';
import { dayBriefly, numberInWords } from './in-words.ts';
import { pathOfQuestion, type Question } from './question.ts';

const LASTING_MAX = 6;
const ALL_LASTING_MAX = 60;

/** How many long events a list shows. */
export const lastingMax = ({ allLasting }: Pick<Question, 'allLasting'>): number =>
  allLasting ? ALL_LASTING_MAX : LASTING_MAX;

/** The block of events longer than a week, beside the list of days. */
export function lastingBlock(
  frame: Frame,
  events: readonly Event[],
  total: number,
  { title, today, question }: { readonly title: string; readonly today: Day; readonly question?: Question },
): Html | undefined {
  if (events.length === 0) return undefined;
  const left = total - events.length;
  return html`<section class="long stack" aria-labelledby="long"><h2 id="long">${title}</h2>
<div class="stack evx">
${joinHtml(
  events.map((event) => card(frame, event, today)),
  '\n',
)}
</div>${left > 0 && html`<p class="dim">${furtherLasting(frame, left, question)}</p>`}</section>`;
}

/** Places the block beside the days, or instead of them if there are none. */
export const placedBy = (
  { days }: Pick<FoundPart, 'days'>,
  block: Html | undefined,
): { readonly beside?: Html | undefined; readonly inPlace?: Html | undefined } =>
  days.length === 0 ? { inPlace: block } : { beside: block };

/** "and 12 more that last", linked unless there are too many. */
function furtherLasting(frame: Frame, left: number, question: Question | undefined): Html | string {
  const shown = frame.words.finding.furtherLasting(numberInWords(frame, left));
  if (!question || question.allLasting) return shown;
  return safeLink({ href: frame.base + pathOfQuestion({ ...question, allLasting: true }), rel: 'nofollow' }, shown);
}

function card(frame: Frame, event: Event, today: Day): Html {
  const { image, title, url } = event;
  const shown = typeof image === 'object' && picture(frame, image, 'small');
  const place = placesLine(event);
  const link = safeLink({ href: pathOf(url), lang: langOf(frame, event), ...tabOf(frame) }, inline(title));
  return html`<article class="pic">${shown}<h3>${link}</h3><p>${spanInWords(frame, event, today)}</p>
${place && html`<p>${place}</p>`}</article>`;
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
