import { safeLink } from '../../html/link.ts';
import { html, joinHtml, type Html } from '../../html/template.ts';
import { qrImage } from '../../look/qr.ts';
import type { Choices } from '../definition/choices.ts';
import { NEWS, type FeedDefinition } from '../definition/definition.ts';
import type { Feed } from '../serve/feed-cache.ts';
import type { PageWords } from '../words/page-words.ts';
import { addressOf, builderOf, embedOf, fileOf, pageOf } from './addresses.ts';
import { builderForm, type Chosen } from './builder-form.ts';
import type { FeedCatalog } from './feed-catalog.ts';
import { comingList, contentsInWords, numberInWords } from './in-words.ts';
import { framedPage, type PageFrame } from './page-frame.ts';
import { copyField, programs } from './programs.ts';
import type { Finding } from './self-test.ts';
import { alternateLink, localNote, narrowerFeeds, newsLinks } from './subscribe-page.ts';
import { verdict } from './verdict.ts';

const LARGE = 1_000_000;
const SHOWN_MAX = 12;

export interface FeedPage extends Chosen {
  /** The results of the self-test, if it was requested; `too-many` if there were too many lately. */
  readonly findings: readonly Finding[] | 'too-many' | undefined;
}

/** Choices can be combined without end, so search engines should not index them. */
const isEndless = ({ path = '' }: FeedDefinition): boolean => path.includes('?');

const isBuilder = ({ onDemand, id }: FeedDefinition): boolean => onDemand === true && id === 'events';

/** The page of a feed; that of `/feeds/events` is the feed builder. */
export function feedPage(feeds: FeedCatalog, page: FeedPage): Response {
  const { definition, feed } = page;
  const isMissing = 'failure' in feed;
  const named = isMissing ? definition.title || definition.id : feed.title;
  const title = isBuilder(definition) ? feeds.words.ownFeed : named;
  return framedPage(feeds, {
    title,
    isPrivate: definition.access !== undefined,
    status: isMissing ? feed.status : 200,
    head: html`${isEndless(definition) && html`<meta name="robots" content="noindex">\n`}${[
      alternateLink(feeds, definition, named),
      newsLinks(feeds, definition, named),
    ]}`,
    main: isBuilder(definition) ? builder(feeds, page, title) : ofOneFeed(feeds, page, title),
  });
}

const heading = (title: string, lead: string, description?: string): Html =>
  html`<div class="head"><h1 dir="auto">${title}</h1>
<p class="lead">${description ?? lead}</p>${
    description !== undefined &&
    html`
<p class="dim">${lead}</p>`
  }</div>`;

function ofOneFeed(feeds: FeedCatalog, page: FeedPage, title: string): Html {
  const { definition, feed, choices } = page;
  if ('failure' in feed)
    return html`${heading(title, '')}
<p class="note bad" role="alert">${feed.failure}</p>`;
  return html`${heading(title, contentsInWords(feeds.words, definition, feed, choices), definition.description)}
${contents(feeds, page, feed)}`;
}

function builder(feeds: FeedCatalog, page: FeedPage, title: string): Html {
  const { definition, feed, choices } = page;
  const { words } = feeds;
  const result =
    'failure' in feed
      ? html`<p class="note bad" role="alert" id="result">${feed.failure}</p>`
      : html`<h2 id="result" dir="auto">${feed.title}</h2>
<p class="dim">${contentsInWords(words, definition, feed, choices)}</p>
${contents(feeds, page, feed)}`;
  return html`${heading(title, words.chooseHere)}
${builderForm(feeds, page)}
${result}`;
}

function contents(feeds: FeedCatalog, page: FeedPage, feed: Feed): Html {
  const { definition, choices, now } = page;
  const { words } = feeds;
  const { title, body, coming, staleSince } = feed;
  const stale =
    staleSince !== undefined &&
    html`<p class="note" role="status">${words.stale(minutesInWords(words, now - staleSince))}</p>`;
  const moves = definition.time && html`<p class="note">${words.time.moves}</p>`;
  return html`<div class="cols"><div class="stack loose">
${joinHtml([stale, moves, localNote(feeds), body.octets > LARGE && largeNote(feeds, definition, feed, choices)], '\n')}
${programs(feeds, definition, title)}
${test(feeds, page)}
<section class="stack" aria-labelledby="coming"><h2 id="coming">${words.coming}</h2>
${comingList(words, coming, now, SHOWN_MAX)}</section>
${!definition.access && !definition.onDemand && badgeNote(feeds, definition)}
</div>
<aside class="stack">${joinHtml([toPhone(feeds, definition), otherWays(feeds, definition)], '\n')}</aside></div>`;
}

function test({ words, base }: FeedCatalog, { definition, findings }: FeedPage): Html {
  const label = findings === undefined ? words.test : words.testAgain;
  const button = html`<form method="post" action="${base}${pageOf(definition)}#test"><button>${label}</button></form>`;
  return html`<section class="stack" id="test" aria-labelledby="works"><h2 id="works">${words.doesItWork}</h2>
${found(words, findings)}
${button}</section>`;
}

function found(words: PageWords, findings: FeedPage['findings']): Html {
  if (findings === undefined) return html`<p>${words.testIntroduction}</p>`;
  return findings === 'too-many' ? html`<p class="note" role="status">${words.tested}</p>` : verdict(words, findings);
}

function toPhone(feeds: FeedCatalog, definition: FeedDefinition): Html | undefined {
  const { words } = feeds;
  const code = qrImage(feeds, pageOf(definition), words.qrAlt);
  return (
    code &&
    html`<section class="card side-only" aria-labelledby="phone"><h2 id="phone">${words.toPhone}</h2>
<div class="row">${code}</div><p class="src">${words.qrText}</p></section>`
  );
}

function otherWays({ words, base, look }: PageFrame, definition: FeedDefinition): Html {
  const link = (path: string, text: string, more: { readonly download?: true } = {}): Html =>
    safeLink({ href: base + path, ...more }, text);
  const links = [
    link(addressOf(definition), words.download, { download: true }),
    link(fileOf(definition, 'csv'), words.table, { download: true }),
    ...NEWS.map((form) => link(fileOf(definition, form), words.news[form])),
    look.hasViews && !definition.access && link(embedOf(definition), words.embed),
    !isBuilder(definition) && !definition.access && link(builderOf(definition), words.narrower),
  ];
  return html`<section class="card panel" aria-labelledby="ways"><h2 id="ways">${words.otherWays}</h2>
<div class="stack tight">${joinHtml(links, '\n')}</div></section>`;
}

/** The badge, with the code for showing it on another page. */
function badgeNote({ words: { badge, ...words }, base, publicUrl }: FeedCatalog, definition: FeedDefinition): Html {
  const path = badgeOf(definition);
  const code = html`<a href="${publicUrl}${pageOf(definition)}"><img src="${publicUrl}${path}" alt="${badge.heading}" height="20"></a>`;
  return html`<details><summary>${badge.heading}</summary><div class="stack">
<p>${badge.introduction}</p>
<p><img class="badge" src="${base}${path}" alt="${badge.heading}" width="180" height="20" loading="lazy"></p>
<div class="stack tight">${copyField({ badge, ...words }, { id: 'badge', label: badge.code, text: code.markup })}</div></div></details>`;
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
