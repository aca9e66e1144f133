import { html, type Html } from '../../html/template.ts';
import type { Choices } from '../definition/choices.ts';
import type { FeedDefinition } from '../definition/definition.ts';
import { builderForm } from './builder-form.ts';
import type { FeedCatalog } from './feed-catalog.ts';
import type { Failure } from './page-failure.ts';
import { framedPage, type PageFrame } from './page-frame.ts';
import type { PageWords } from '../words/page-words.ts';
import type { Finding } from './self-test.ts';
import type { Feed } from '../serve/feed-cache.ts';
import { alternateLink, narrowerFeeds, newsLinks } from './subscribe-page.ts';
import { comingList, contentsInWords, localNote, numberInWords, pageOf, subscribing } from './subscribing.ts';

export const LARGE = 1_000_000;
const SHOWN_MAX = 12;

export interface FeedPage {
  readonly definition: FeedDefinition;
  /** The feed, or why there is none. */
  readonly feed: Feed | Failure;
  readonly choices: Choices | undefined;
  /** The results of the self-test, if one was requested. */
  readonly findings: readonly Finding[] | undefined;
  readonly now: number;
}

/** The page of one feed; that of `/feeds/events` is the feed builder. */
export function feedPage(feeds: FeedCatalog, page: FeedPage): Response {
  const { definition, feed, choices } = page;
  const { words } = feeds;
  const isBuilder = definition.onDemand === true && definition.id === 'events';
  const isMissing = 'failure' in feed;
  const named = isMissing ? definition.title || definition.id : feed.title;
  const title = isBuilder ? words.ownFeed : named;
  return framedPage(feeds, {
    title,
    isPrivate: definition.access !== undefined,
    status: isMissing ? feed.status : 200,
    head: html`${alternateLink(feeds, definition, title)}${newsLinks(feeds, definition, title)}`,
    main: html`<h1>${title}</h1>
${definition.description && html`<p>${definition.description}</p>`}
${isBuilder && builderForm(feeds, definition, choices)}
${isMissing ? html`<p class="note" role="alert">${feed.failure}</p>` : contents(feeds, page, feed, isBuilder)}`,
  });
}

function contents(
  feeds: FeedCatalog,
  { definition, choices, findings, now }: FeedPage,
  feed: Feed,
  isBuilder: boolean,
): Html {
  const { words, base } = feeds;
  const { title, body, coming, staleSince } = feed;
  const stale =
    staleSince !== undefined &&
    html`<p class="note" role="status">${words.stale(minutesInWords(words, now - staleSince))}</p>`;
  return html`${isBuilder && html`<h2 id="result">${title}</h2>`}
<p class="dim">${contentsInWords(words, definition, feed, choices)}</p>
${stale}
${localNote(feeds)}
${body.octets > LARGE && largeNote(feeds, definition, feed, choices)}
${subscribing(feeds, definition, title)}
<h2>${words.coming}</h2>
${comingList(words, coming, now, SHOWN_MAX)}
${isBuilder || definition.access || definition.onDemand ? '' : badgeNote(feeds, definition)}
<h2>${words.doesItWork}</h2>
${findings ? findingsList(words, findings) : html`<p>${words.testIntroduction}</p>`}
<form method="post" action="${base}${pageOf(definition)}"><button type="submit">${findings ? words.testAgain : words.test}</button></form>`;
}

/** The badge, and what somebody puts into a page to show it there. */
function badgeNote({ words: { badge, ...words }, base, publicUrl }: FeedCatalog, definition: FeedDefinition): Html {
  const path = badgeOf(definition);
  const code = html`<a href="${publicUrl}${pageOf(definition)}"><img src="${publicUrl}${path}" alt="${badge.heading}" height="20"></a>`;
  return html`<h2>${badge.heading}</h2>
<p>${badge.introduction}</p>
<p><img src="${base}${path}" alt="${badge.heading}" height="20"></p>
<div class="row"><label for="badge">${badge.code}<input id="badge" readonly value="${code.markup}"></label>
<button type="button" hidden data-copy="badge" data-done="${words.copied}" data-by-hand="${words.copyByHand}">${words.copy}</button></div>
<p id="badge-status" role="status"></p>`;
}

const badgeOf = ({ id }: FeedDefinition): string => `/feeds/${encodeURIComponent(id)}.svg`;

/** "5 minutes ago". */
const minutesInWords = ({ locale }: PageWords, span: number): string =>
  new Intl.RelativeTimeFormat(locale).format(-Math.max(1, Math.round(span / 60_000)), 'minute');

function largeNote(frame: PageFrame, definition: FeedDefinition, { body }: Feed, choices: Choices | undefined): Html {
  const { words, base } = frame;
  const small = { ...definition, path: withVariant(definition) };
  const lite = definition.variant !== 'lite' && html` ${words.lite(base + pageOf(small))}`;
  return html`<div class="note">${words.large(numberInWords(words, body.octets / 1_000_000, 1))}${lite}
${choices ? narrowerFeeds(frame, choices) : html`<p><a href="${base}/feeds/events">${words.narrower}</a></p>`}</div>`;
}

function withVariant({ id, path = `/feeds/${encodeURIComponent(id)}.ics` }: FeedDefinition): string {
  const [bare = '', query] = path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('variant', 'lite');
  return `${bare}?${parameters.toString()}`;
}

const CLASSES = { good: 'good', bad: 'bad', note: 'dim' } as const;

function findingsList(words: PageWords, findings: readonly Finding[]): Html {
  const kinds = { good: words.right, bad: words.wrong, note: words.note };
  const lines = findings.map(
    ({ kind, text }) => html`
<li><span class="${CLASSES[kind]}">${kinds[kind]}:</span> ${text}</li>`,
  );
  return html`<ul class="tests" role="status">${lines}
</ul>`;
}
