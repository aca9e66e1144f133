import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { daysOf } from '../../../selection/days.ts';
import { selectionQuery } from '../../../selection/selection.ts';
import { dayAfter } from '../../../time.ts';
import type { Day } from '../frame/dates.ts';
import { feedLinks } from '../frame/feed-links.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { picture } from '../frame/picture.ts';
import { notFound } from '../frame/read.ts';
import { addressHead } from '../frame/address-head.ts';
import { viewsOfList } from '../views/carried.ts';
import { nameSuggestions } from './name-suggestions.ts';
import { dayList, inline, langOf, pathOf, whenAndWhere } from './event-list.ts';
import { dayPills, filterForm, FORM } from './filter-form.ts';
import { excessPage } from './excess-page.ts';
import type { Finder } from './finder.ts';
import { alsoChosen } from './chosen-chips.ts';
import { namedByFacets, titleOf } from './in-words.ts';
import { miniMonth } from './mini-month.ts';
import { asksForAll, movedQuestion, pathOfQuestion, questionOf, withOne, type Question } from './question.ts';
import { dayPager } from './day-pager.ts';
import { choicesOfAll, narrowerChoices } from './further.ts';
import { foundPart, type FoundPart } from './found-part.ts';
import { lastingBlock, lastingMax, placedBy } from './lasting.ts';
import { openNames, settledNames, type OpenName } from './typed-names.ts';
import { noResult, nothingYet, resultLine } from './result.ts';

const HIGHLIGHTS_MAX = 3;

/** `/`: upcoming events by day, and a form to filter them. */
export async function listPage(frame: Frame, find: Finder, asked: URLSearchParams): Promise<Page> {
  const { query, open } = await settledNames(find, asked);
  const question = questionOf(query);
  if ('excess' in question) return excessPage(frame, question.excess);
  const moved = movedTo(question, asked, open);
  if (moved !== undefined) return { ...notFound(frame), status: 302, location: frame.base + moved };
  const isAll = asksForAll(question);
  const [part, lasting, facets, highlights, further] = await Promise.all([
    foundPart(find, question),
    find.lasting(question, lastingMax(question)),
    find.facets(),
    isAll ? find.highlights(HIGHLIGHTS_MAX) : [],
    choicesOfAll(frame, find, question),
  ]);
  if (part.days.length === 0 && question.page > 1) return notFound(frame);
  const total = part.total + lasting.total;
  const { settings } = frame;
  const title = titleOf(frame, question);
  return {
    title: isAll ? '' : `${title}${alsoChosen(frame, { question, nameOf: namedByFacets(facets), today: find.today })}`,
    view: 'list',
    ways: viewsOfList(question, find.today),
    api: '',
    head: html`${isAll ? frontHead(frame) : html`<meta name="robots" content="noindex">`}
${feedLinks(frame, '/feeds/events', selectionQuery(question).toString())}`,
    hero: html`<h1>${title}</h1>
${settings.description !== '' && html`<p>${settings.description}</p>`}
${dayPills(frame, question)}`,
    find: { form: FORM, search: question.search },
    main:
      isAll && total === 0
        ? html`<form id="${FORM}" action="${frame.base}/" hidden></form>${nothingYet(frame)}
${dayPager(frame, question, part, find.today)}`
        : html`${filterForm(frame, question, facets)}
${openNames(frame, open, (kind, slug) => frame.base + pathOfQuestion(withOne(question, kind, slug)))}
${resultLine(frame, question, facets, total, find.today)}
${[further, await nameSuggestions(frame, find, question, { facets, total }), await narrowerChoices(frame, find, question, total)]}
${
  total === 0
    ? html`${await noResult(frame, find, question, facets)}
${dayPager(frame, question, part, find.today)}`
    : found(frame, question, { part, lasting, highlights, today: find.today })
}`,
  };
}

/** The part of the front page's `<head>` for search engines, and for whoever shares its address. */
function frontHead(frame: Frame): Html {
  const { publicUrl, description, title } = frame.settings;
  const about = description !== '' && html`<meta name="description" content="${description}">`;
  return html`${addressHead(frame, { type: 'website', title, url: `${publicUrl}/` })}\n${about}`;
}

/** If names are still ambiguous, the visitor is asked at the current address instead of redirected. */
const movedTo = (question: Question, asked: URLSearchParams, open: readonly OpenName[]): string | undefined =>
  open.length === 0 ? movedQuestion(question, asked) : undefined;

interface Shown {
  readonly part: FoundPart;
  readonly lasting: { readonly events: readonly Event[]; readonly total: number };
  readonly highlights: readonly Event[];
  readonly today: Day;
}

/** Long events come first in the markup, where phones show them. */
function found(frame: Frame, question: Question, { part, lasting, highlights, today }: Shown): Html {
  const { first, last } = daysOf(question, today);
  const { onAllWeek, onAllTime } = frame.words.finding;
  const isWeek = last === undefined || last >= dayAfter(first, 6);
  const long =
    question.page === 1 &&
    lastingBlock(frame, lasting.events, lasting.total, { title: isWeek ? onAllWeek : onAllTime, today, question });
  const { beside, inPlace } = placedBy(part, long || undefined);
  return html`<div class="cols"><aside class="stack loose">
${beside}${miniMonth(frame, question, part.starts, first, today)}</aside>
<div>${highlightStrip(frame, highlights, today)}
${inPlace ?? dayList(frame, part.days, today)}
${dayPager(frame, question, part, today)}</div></div>`;
}

function highlightStrip(frame: Frame, events: readonly Event[], today: Day): Html | undefined {
  const cards = events.flatMap((event) => {
    const { image, title, url } = event;
    const shown = typeof image === 'object' && picture(frame, image, 'card');
    const link = safeLink({ href: pathOf(url), lang: langOf(frame, event) }, inline(title));
    return shown
      ? [html`<article class="pic">${shown}<h3>${link}</h3><p>${whenAndWhere(frame, event, today)}</p></article>`]
      : [];
  });
  return cards.length === 0
    ? undefined
    : html`<section class="desk" aria-labelledby="hi"><h2 class="vh" id="hi">${frame.words.finding.highlights}</h2>
<div class="strip">${joinHtml(cards, '\n')}</div></section>`;
}

/** The query of the interface for events that are not over on a day. */
// Without `strict_dates`, this means that they end after that day.
export const comingFrom = (day: Day): Readonly<Record<string, string>> => ({ ends_after: dayAfter(day, -1) });
