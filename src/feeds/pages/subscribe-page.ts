import { escapeHtml } from '../../html/references.ts';
import type { Choices } from '../definition/choices.ts';
import type { FeedDefinition } from '../definition/definition.ts';
import type { Feeds } from './feeds.ts';
import { framedPage, markOf, type PageFrame } from './page-frame.ts';
import { addressOf, contentsInWords, localNote, numberInWords, pageOf } from './subscribing.ts';

/** `/feeds/`: the feeds that there are. */
export function subscribePage(feeds: Feeds, choices: Choices | undefined): Response {
  const { words, base } = feeds;
  const open = openFeeds(feeds);
  return framedPage(feeds, {
    title: words.feeds,
    head: open
      .map(
        (definition) =>
          `<link rel="alternate" type="text/calendar" title="${escapeHtml(definition.title)}" href="${escapeHtml(feeds.publicUrl + addressOf(definition))}">\n`,
      )
      .join(''),
    main: `<h1>${words.feeds}</h1>
<p>${words.introduction}</p>
${localNote(feeds)}
${open.length === 0 ? `<p class="note">${words.noneHtml}</p>` : open.map((definition) => card(definition, feeds, choices)).join('\n')}
<h2>${words.onlyWhatYouLike}</h2>
<p>${words.choose}</p>
<p><a class="button" href="${base}/feeds/events">${words.ownFeed}</a></p>
${choices ? narrowerFeeds(feeds, choices) : ''}`,
  });
}

/** A page for who has followed an address that leads nowhere, and why where that is known. It tells nothing of private feeds. */
export function missingPage(feeds: Feeds, why = ''): Response {
  const { words, base } = feeds;
  const links = openFeeds(feeds).map(
    (definition) => `<li><a href="${escapeHtml(base + pageOf(definition))}">${escapeHtml(definition.title)}</a></li>`,
  );
  return framedPage(feeds, {
    title: words.notFound,
    status: 404,
    main: `<h1>${words.notFound}</h1>
<p>${escapeHtml(why || words.notFoundText)} ${words.theseThereAre}</p>
<ul class="links">${links.join('')}<li><a href="${base}/feeds/events">${words.ownFeed}</a></li></ul>`,
  });
}

const openFeeds = ({ definitions }: Feeds): readonly FeedDefinition[] => definitions.filter(({ access }) => !access);

function card(
  definition: FeedDefinition,
  { words, base, publicUrl, latest }: Feeds,
  choices: Choices | undefined,
): string {
  const title = escapeHtml(definition.title);
  const page = escapeHtml(base + pageOf(definition));
  return `<section class="card"${markOf(definition.color)}><h3><a href="${page}">${title}</a></h3>
${definition.description ? `<p>${escapeHtml(definition.description)}</p>` : ''}<p class="dim">${escapeHtml(contentsInWords(words, definition, latest(definition), choices))}</p>
<div class="row"><a class="button main" href="${escapeHtml((publicUrl + addressOf(definition)).replace(/^https?:/, 'webcal:'))}" aria-label="${words.subscribeTo(title)}">${words.subscribe}</a>
<a class="button" href="${page}" aria-label="${words.eventsAndAddressOf(title)}">${words.eventsAndAddress}</a></div></section>`;
}

const KINDS = [
  ['categories', 'category'],
  ['venue', 'venue'],
  ['organizer', 'organizer'],
  ['tags', 'tag'],
] as const;
const SHOWN_MAX = 60;

/** Links to the feeds of single categories, places, organizers and tags. */
export function narrowerFeeds({ words, base }: PageFrame, choices: Choices): string {
  return KINDS.filter(([name]) => choices[name].length > 0)
    .map(
      ([name, word]) => `<details${name === 'categories' ? ' open' : ''}><summary>${words.by[name]}</summary>
<ul class="links">${choices[name]
        .slice(0, SHOWN_MAX)
        .map(
          (choice) =>
            `<li><a href="${base}/feeds/${word}/${encodeURIComponent(choice.slug)}">${escapeHtml(choice.name)}</a></li>`,
        )
        .join('')}</ul>
${choices[name].length > SHOWN_MAX ? `<p class="dim">${words.furtherHtml(numberInWords(words, choices[name].length - SHOWN_MAX), `${base}/feeds/events`)}</p>` : ''}</details>`,
    )
    .join('\n');
}
