import { safeLink } from '../../html/link.ts';
import { html, joinHtml, type Html } from '../../html/template.ts';
import type { Choices } from '../definition/choices.ts';
import { NEWS, type FeedDefinition } from '../definition/definition.ts';
import { NEWS_TYPES } from '../serve/calendar-answer.ts';
import type { FeedCatalog } from './feed-catalog.ts';
import { framedPage, markOf, type PageFrame } from './page-frame.ts';
import { addressOf, contentsInWords, fileOf, localNote, numberInWords, pageOf } from './subscribing.ts';

/** `/feeds/`: the list of feeds. */
export function subscribePage(feeds: FeedCatalog, choices: Choices | undefined): Response {
  const { words, base } = feeds;
  const open = openFeeds(feeds);
  const cards = open.map((definition) => card(definition, feeds, choices));
  return framedPage(feeds, {
    title: words.feeds,
    head: html`${open.map((definition) => alternateLink(feeds, definition, definition.title))}`,
    main: html`<h1>${words.feeds}</h1>
<p>${words.introduction}</p>
${localNote(feeds)}
${cards.length === 0 ? html`<p class="note">${words.none}</p>` : joinHtml(cards, '\n')}
<h2>${words.onlyWhatYouLike}</h2>
<p>${words.choose}</p>
<p><a class="button" href="${base}/feeds/events">${words.ownFeed}</a></p>
${choices && narrowerFeeds(feeds, choices)}`,
  });
}

/** For `<head>`: tells programs where the feed is, as a calendar. */
export const alternateLink = ({ publicUrl }: PageFrame, definition: FeedDefinition, title: string): Html =>
  html`<link rel="alternate" type="text/calendar" title="${title}" href="${publicUrl}${addressOf(definition)}">\n`;

/** The same for feed readers. */
export const newsLinks = ({ publicUrl }: PageFrame, definition: FeedDefinition, title: string): readonly Html[] =>
  NEWS.map(
    (form) =>
      html`<link rel="alternate" type="${NEWS_TYPES[form]}" title="${title}" href="${publicUrl}${fileOf(definition, form)}">\n`,
  );

/**
 * The page for an address that leads nowhere, with the reason if it is known. It reveals nothing about private feeds.
 */
export function missingPage(feeds: FeedCatalog, why = ''): Response {
  const { words, base } = feeds;
  const links = openFeeds(feeds).map(
    (definition) => html`<li>${safeLink({ href: base + pageOf(definition) }, definition.title)}</li>`,
  );
  return framedPage(feeds, {
    title: words.notFound,
    status: 404,
    main: html`<h1>${words.notFound}</h1>
<p>${why || words.notFoundText} ${words.theseThereAre}</p>
<ul class="links">${links}<li><a href="${base}/feeds/events">${words.ownFeed}</a></li></ul>`,
  });
}

const openFeeds = ({ definitions }: FeedCatalog): readonly FeedDefinition[] =>
  definitions.filter(({ access }) => !access);

function card(
  definition: FeedDefinition,
  { words, base, publicUrl, latest }: FeedCatalog,
  choices: Choices | undefined,
): Html {
  const { title, description, color } = definition;
  const page = base + pageOf(definition);
  const webcal = (publicUrl + addressOf(definition)).replace(/^https?:/, 'webcal:');
  const subscribe = safeLink(
    { class: 'button main', href: webcal, 'aria-label': words.subscribeTo(title) },
    words.subscribe,
  );
  const more = safeLink(
    { class: 'button', href: page, 'aria-label': words.eventsAndAddressOf(title) },
    words.eventsAndAddress,
  );
  return html`<section class="card feed">${markOf(color)}<h3>${safeLink({ href: page }, title)}</h3>
${description && html`<p>${description}</p>`}<p class="dim">${contentsInWords(words, definition, latest(definition), choices)}</p>
<div class="row">${subscribe}
${more}</div></section>`;
}

const KINDS = [
  ['categories', 'category'],
  ['venue', 'venue'],
  ['organizer', 'organizer'],
  ['tags', 'tag'],
] as const;
const SHOWN_MAX = 60;

/** Links to the feeds of single categories, places, organizers and tags. */
export function narrowerFeeds({ words, base }: PageFrame, choices: Choices): Html {
  const lists = KINDS.filter(([name]) => choices[name].length > 0).map(([name, word]) => {
    const links = choices[name]
      .slice(0, SHOWN_MAX)
      .map(
        (choice) =>
          html`<li>${safeLink({ href: `${base}/feeds/${word}/${encodeURIComponent(choice.slug)}` }, choice.name)}</li>`,
      );
    const left = choices[name].length - SHOWN_MAX;
    return html`<details${name === 'categories' && html` open`}><summary>${words.by[name]}</summary>
<ul class="links">${links}</ul>
${left > 0 && html`<p class="dim">${words.further(numberInWords(words, left), `${base}/feeds/events`)}</p>`}</details>`;
  });
  return joinHtml(lists, '\n');
}
