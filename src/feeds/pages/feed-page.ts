import { escapeHtml } from '../../html/references.ts';
import type { Choices } from '../definition/choices.ts';
import type { FeedDefinition } from '../definition/definition.ts';
import { builderForm } from './builder-form.ts';
import type { Feeds } from './feeds.ts';
import type { Failure } from './page-failure.ts';
import { framedPage, type PageFrame } from './page-frame.ts';
import type { PageWords } from '../words/page-words.ts';
import type { Finding } from './self-test.ts';
import type { Feed } from '../serve/site-feeds.ts';
import { narrowerFeeds } from './subscribe-page.ts';
import {
  addressOf,
  comingList,
  contentsInWords,
  localNote,
  numberInWords,
  pageOf,
  subscribing,
} from './subscribing.ts';

export const LARGE = 1_000_000;
const SHOWN_MAX = 12;

export interface FeedPage {
  readonly definition: FeedDefinition;
  /** The feed, or why there is none. */
  readonly feed: Feed | Failure;
  readonly choices: Choices | undefined;
  /** What the self-test found, when it was asked for. */
  readonly findings: readonly Finding[] | undefined;
  readonly now: number;
}

/** The page of one feed; that of `/feeds/events` is the feed builder. */
export function feedPage(feeds: Feeds, page: FeedPage): Response {
  const { definition, feed, choices } = page;
  const isBuilder = definition.onDemand === true && definition.id === 'events';
  const title = isBuilder ? feeds.words.ownFeed : 'failure' in feed ? definition.title || definition.id : feed.title;
  return framedPage(feeds, {
    title,
    isPrivate: definition.access !== undefined,
    status: 'failure' in feed ? feed.status : 200,
    head: `<link rel="alternate" type="text/calendar" title="${escapeHtml(title)}" href="${escapeHtml(feeds.publicUrl + addressOf(definition))}">\n`,
    main: [
      `<h1>${escapeHtml(title)}</h1>`,
      definition.description ? `<p>${escapeHtml(definition.description)}</p>` : '',
      isBuilder ? builderForm(feeds, definition, choices) : '',
      'failure' in feed
        ? `<p class="note" role="alert">${escapeHtml(feed.failure)}</p>`
        : contents(feeds, page, feed, isBuilder),
    ].join('\n'),
  });
}

function contents(
  feeds: Feeds,
  { definition, choices, findings, now }: FeedPage,
  feed: Feed,
  isBuilder: boolean,
): string {
  const { words, base } = feeds;
  return `${isBuilder ? `<h2 id="result">${escapeHtml(feed.title)}</h2>` : ''}
<p class="dim">${escapeHtml(contentsInWords(words, definition, feed, choices))}</p>
${feed.staleSince === undefined ? '' : `<p class="note" role="status">${words.stale(minutesInWords(words, now - feed.staleSince))}</p>`}
${localNote(feeds)}
${feed.body.octets > LARGE ? largeNote(feeds, definition, feed, choices) : ''}
${subscribing(feeds, definition, feed.title)}
<h2>${words.coming}</h2>
${comingList(words, feed.coming, now, SHOWN_MAX)}
<h2>${words.doesItWork}</h2>
${findings ? findingsList(words, findings) : `<p>${words.testIntroduction}</p>`}
<form method="post" action="${escapeHtml(base + pageOf(definition))}"><button type="submit">${findings ? words.testAgain : words.test}</button></form>`;
}

/** "5 minutes ago". */
const minutesInWords = ({ locale }: PageWords, span: number): string =>
  new Intl.RelativeTimeFormat(locale).format(-Math.max(1, Math.round(span / 60_000)), 'minute');

function largeNote(frame: PageFrame, definition: FeedDefinition, { body }: Feed, choices: Choices | undefined): string {
  const { words, base } = frame;
  const lite =
    definition.variant === 'lite'
      ? ''
      : ` ${words.liteHtml(escapeHtml(base + pageOf({ ...definition, path: withVariant(definition) })))}`;
  return `<div class="note">${words.largeHtml(numberInWords(words, body.octets / 1_000_000, 1))}${lite}
${choices ? narrowerFeeds(frame, choices) : `<p><a href="${base}/feeds/events">${words.narrower}</a></p>`}</div>`;
}

function withVariant({ id, path = `/feeds/${encodeURIComponent(id)}.ics` }: FeedDefinition): string {
  const [bare = '', query] = path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('variant', 'lite');
  return `${bare}?${parameters.toString()}`;
}

const CLASSES = { good: 'good', bad: 'bad', note: 'dim' } as const;

function findingsList(words: PageWords, findings: readonly Finding[]): string {
  const kinds = { good: words.right, bad: words.wrong, note: words.note };
  return `<ul class="tests" role="status">${findings
    .map(
      ({ kind, text }) => `
<li><span class="${CLASSES[kind]}">${kinds[kind]}:</span> ${escapeHtml(text)}</li>`,
    )
    .join('')}
</ul>`;
}
