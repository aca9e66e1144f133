import { safeLink } from '../../html/link.ts';
import { html, joinHtml, type Html } from '../../html/template.ts';
import { compareIn } from '../../look/compare-names.ts';
import { icon } from '../../look/icons.ts';
import { startInWords } from '../content/coming-events.ts';
import type { ChoiceLists, Choices } from '../definition/choices.ts';
import { NEWS, type FeedDefinition, type Narrowing } from '../definition/definition.ts';
import { NEWS_TYPES } from '../serve/calendar-answer.ts';
import { addressOf, fileOf, pageOf, webcalOf } from './addresses.ts';
import type { FeedCatalog } from './feed-catalog.ts';
import { contentsInWords, eventsInWords, numberInWords, takingPlace } from './in-words.ts';
import { framedPage, markOf, type PageFrame } from './page-frame.ts';

/** `/feeds/`: the list of feeds. */
export function subscribePage(feeds: FeedCatalog, choices: Choices | undefined): Response {
  const { words, base } = feeds;
  const open = openFeeds(feeds);
  const cards = open.map((definition) => card(definition, feeds, choices));
  return framedPage(feeds, {
    title: words.feeds,
    isTop: true,
    head: html`${open.map((definition) => alternateLink(feeds, definition, definition.title))}`,
    main: html`<div class="head"><h1>${words.subscribe}</h1><p class="lead">${words.introduction}</p></div>
<div class="cols"><section class="stack" aria-label="${words.feeds}">
${joinHtml([localNote(feeds), ...cards], '\n')}
${cards.length === 0 && html`<p class="note">${words.none}</p>`}
${choices && narrowerFeeds(feeds, choices)}</section>
<aside class="stack"><section class="card panel" aria-labelledby="own"><h2 id="own">${words.onlyWhatYouLike}</h2>
<p>${words.choose}</p>
<a class="btn main" href="${base}/feeds/events">${icon('funnel')}${words.ownFeed}</a></section>
<section class="card" aria-labelledby="how"><h2 id="how">${words.howItWorks}</h2>
<ol>${words.steps.map((step) => html`<li>${step}</li>`)}</ol></section></aside></div>`,
  });
}

const isLocal = (address: string): boolean => /^https?:\/\/(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/i.test(address);

export const localNote = ({ publicUrl, words }: PageFrame): Html | false =>
  isLocal(publicUrl) && html`<p class="note">${words.local}</p>`;

/** A link for `<head>` that tells programs where the feed is, as a calendar. */
export const alternateLink = ({ publicUrl }: PageFrame, definition: FeedDefinition, title: string): Html =>
  html`<link rel="alternate" type="text/calendar" title="${title}" href="${publicUrl}${addressOf(definition)}">\n`;

/** The same for news and feed readers. */
export const newsLinks = ({ publicUrl }: PageFrame, definition: FeedDefinition, title: string): readonly Html[] =>
  NEWS.map(
    (form) =>
      html`<link rel="alternate" type="${NEWS_TYPES[form]}" title="${title}" href="${publicUrl}${fileOf(definition, form)}">\n`,
  );

/** The page for an address without a feed, with the reason if known. It reveals nothing about private feeds. */
export function missingPage(feeds: FeedCatalog, why = ''): Response {
  const { words, base } = feeds;
  const links = openFeeds(feeds).map((definition) =>
    safeLink({ class: 'chip', href: base + pageOf(definition) }, definition.title),
  );
  return framedPage(feeds, {
    title: words.notFound,
    status: 404,
    main: html`<div class="head"><h1>${words.notFound}</h1>
<p class="lead">${why || words.notFoundText} ${words.theseThereAre}</p></div>
<div class="pills">${joinHtml([...links, html`<a class="chip" href="${base}/feeds/events">${words.ownFeed}</a>`], '\n')}</div>`,
  });
}

const openFeeds = ({ definitions }: FeedCatalog): readonly FeedDefinition[] =>
  definitions.filter(({ access }) => !access);

function card(definition: FeedDefinition, feeds: FeedCatalog, choices: Choices | undefined): Html {
  const { words, base, publicUrl, latest, now } = feeds;
  const { title, description, color } = definition;
  const page = base + pageOf(definition);
  const webcal = webcalOf(publicUrl + addressOf(definition));
  const made = latest(definition);
  const subscribe = safeLink(
    { class: 'btn main', href: webcal, 'aria-label': words.subscribeTo(title) },
    html`${icon('bell')}${words.subscribe}`,
  );
  const more = safeLink({ class: 'btn', href: page, 'aria-label': words.morePrograms(title) }, words.googleOutlookMore);
  const next = made && takingPlace(made.coming, now(), 1)[0];
  const facts = [
    made && eventsInWords(words, made.events),
    next && words.next(next.title, startInWords(next, words.locale)),
  ].filter(Boolean);
  return html`<article class="card feed">${markOf(color)}<h2>${safeLink({ href: page, dir: 'auto' }, title)}</h2>
<p>${description ?? contentsInWords(words, definition, undefined, choices)}</p>
${facts.length > 0 && html`<p class="src">${facts.join(' · ')}</p>`}
<div class="row">${subscribe}
${more}</div></article>`;
}

const KINDS = [
  ['categories', 'category'],
  ['venue', 'venue'],
  ['organizer', 'organizer'],
  ['tags', 'tag'],
] as const satisfies readonly (readonly [Narrowing, string])[];
const SHOWN_MAX = 60;

/** Links to the feeds of single categories, places, organizers and tags. */
export function narrowerFeeds({ words, base }: PageFrame, choices: ChoiceLists): Html {
  const lists = KINDS.filter(([name]) => choices[name].first.length > 0).map(([name, word]) => {
    const { first, left } = choices[name];
    const links = first
      .slice(0, SHOWN_MAX)
      .toSorted((a, b) => compareIn(words.locale)(a.name, b.name))
      .map((choice) =>
        safeLink({ class: 'chip', href: `${base}/feeds/${word}/${encodeURIComponent(choice.slug)}` }, choice.name),
      );
    const more = Math.max(0, first.length - SHOWN_MAX);
    const number = left === undefined ? `${numberInWords(words, more)}+` : numberInWords(words, more + left);
    return html`<details><summary>${words.by[name]}</summary>
<div class="pills">${joinHtml(links, '\n')}</div>
${number !== '0' && html`<p class="dim">${words.further(number, `${base}/feeds/events`)}</p>`}</details>`;
  });
  return joinHtml(lists, '\n');
}
