import { html } from '../html/template.ts';
import { isSameSecret } from '../redact.ts';
import { calendarAnswer } from './serve/calendar-answer.ts';
import type { FeedAccess, FeedDefinition } from './definition/definition.ts';
import {
  feedAt,
  isFile,
  isPageOfFeed,
  type Addressed,
  type AddressedFeed,
  type AddressForm,
} from './definition/feed-address.ts';
import { badgeAnswer } from './pages/badge.ts';
import { feedPage, type FeedPage } from './pages/feed-page.ts';
import { eventsInWords } from './pages/in-words.ts';
import type { FeedCatalog } from './pages/feed-catalog.ts';
import { pageFailure } from './pages/page-failure.ts';
import { framedPage } from './pages/page-frame.ts';
import { failureAnswer, OPEN, plainAnswer } from './serve/plain-answer.ts';
import type { Feed } from './serve/feed-cache.ts';
import { missingPage, subscribePage } from './pages/subscribe-page.ts';

const PREFLIGHT = {
  Allow: 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': 'If-None-Match, If-Modified-Since',
  'Access-Control-Max-Age': '86400',
};

const ROBOTS: readonly (readonly [rule: 'Allow' | 'Disallow', path: string])[] = [
  ['Allow', '/feeds/'],
  ['Disallow', '/operator'],
  ['Disallow', '/authorize'],
  ['Disallow', '/edit'],
  ['Disallow', '/suggest'],
  ['Disallow', '/qr/'],
  ['Disallow', '/embed/'],
  // Choices can be combined without end: the list, its other views, and the page that makes a feed of one.
  ['Disallow', '/?'],
  ['Disallow', '/month/*?'],
  ['Disallow', '/week/*?'],
  ['Disallow', '/feeds/events?'],
];

/**
 * Answers `/feeds/`, `/feeds/{id}.ics`, `.csv`, `.rss`, `.atom`, `.json` and `.svg`, the pages `/feeds/{id}`, and
 * `/robots.txt`, for GET, HEAD and OPTIONS; a POST to a page tests its feed.
 */
export async function handleFeeds(feeds: FeedCatalog, request: Request): Promise<Response> {
  // Scripts of other sites that send If-None-Match make a preflight request (Fetch, 3.2.5). The answer does not reveal
  // whether there is a feed.
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { ...OPEN, ...PREFLIGHT } });
  const isTest = request.method === 'POST' && isPageOfFeed(new URL(request.url).pathname);
  if (request.method !== 'GET' && request.method !== 'HEAD' && !isTest)
    return plainAnswer(405, 'Feeds are read with GET or HEAD.', { Allow: 'GET, HEAD' });
  const answer = await answerFor(feeds, request);
  return request.method === 'HEAD' ? new Response(null, answer) : answer;
}

async function answerFor(feeds: FeedCatalog, request: Request): Promise<Response> {
  const { pathname, search, searchParams } = new URL(request.url);
  if (pathname === '/robots.txt') return robots(feeds);
  if (pathname === '/feeds') return movedTo(`${feeds.base}/feeds/`);
  if (pathname === '/feeds/') return subscribePage(feeds, await feeds.choices({}));
  if (pathname.endsWith('/')) return movedTo(`${feeds.base}${pathname.replace(/(?<!\/)\/+$/, '')}${search}`);
  const found = feedAt(pathname, searchParams, feeds);
  return found.kind === 'unknown' ? unknownFeed(feeds, found.form) : addressedAnswer(feeds, found, request);
}

/**
 * If the calendar is below a path, search engines read the file at the root of the host, so the rules include that
 * path.
 */
function robots({ base, sitemap }: FeedCatalog): Response {
  const rules = ROBOTS.map(([rule, path]) => `${rule}: ${base}${path}`);
  const lines = ['User-agent: *', ...rules, ...(sitemap === undefined ? [] : ['', `Sitemap: ${sitemap}`])];
  return plainAnswer(200, lines.join('\n'), { 'Cache-Control': 'public, max-age=86400' });
}

const movedTo = (location: string): Response => new Response(null, { status: 301, headers: { Location: location } });

/** The answer for an address that refers to a feed, if the client may have it. */
async function addressedAnswer(
  feeds: FeedCatalog,
  found: Exclude<Addressed, { readonly kind: 'unknown' }>,
  request: Request,
): Promise<Response> {
  const { definition, form, secret } = found;
  const access = accessOf(definition.access, secret, request.headers.get('authorization'));
  if (access === 'hidden') return unknownFeed(feeds, form);
  if (access === 'unauthorized')
    return plainAnswer(401, 'This feed requires a user and a password.', {
      'WWW-Authenticate': 'Basic realm="Calendar feed", charset="UTF-8"',
      'Cache-Control': 'no-store',
    });
  if (form === 'svg') return badgeOf(feeds, found, request);
  if (isCountAsked(found, new URL(request.url))) return countAnswer(feeds, definition);
  if (found.kind === 'refused') return form === 'page' ? refusedPage(feeds, found) : plainAnswer(400, found.message);
  return form === 'page' ? pageAnswer(feeds, definition, request) : feedAnswer(feeds, definition, request);
}

/** Every public configured feed has a badge, whatever filters the address adds. */
async function badgeOf(
  feeds: FeedCatalog,
  { definition }: Pick<AddressedFeed, 'definition'>,
  request: Request,
): Promise<Response> {
  if (definition.access || definition.onDemand) return unknownFeed(feeds, 'svg');
  return badgeAnswer(feeds.words, await feeds.freshness(definition), feeds.now(), request);
}

/**
 * Answers a request for a public feed while the database is unavailable, as it would be answered otherwise, with what
 * was current when the database went away, and its age. Undefined for any other request, and if nothing recent enough
 * is cached.
 */
export async function handleFeedsUnasked(feeds: FeedCatalog, request: Request): Promise<Response | undefined> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  const { pathname, searchParams } = new URL(request.url);
  const found = feedAt(pathname, searchParams, feeds);
  if (found.kind !== 'feed' || !isFile(found.form) || found.secret !== undefined) return undefined;
  const kept = found.definition.access ? undefined : feeds.unasked(found.definition);
  if (!kept) return undefined;
  const answer = await calendarAnswer(kept.feed, request);
  // RFC 9111, 5.1.
  answer.headers.set('Age', String(Math.ceil(kept.ageMs / 1000)));
  return answer;
}

/**
 * Whether a request may have a feed: `hidden` must look as if there were none, `unauthorized` asks for user and
 * password.
 */
function accessOf(
  access: FeedAccess | undefined,
  secret: string | undefined,
  authorization: string | null,
): 'open' | 'hidden' | 'unauthorized' {
  // An open feed has one address only.
  if (access?.secret ? secret === undefined || !isSameSecret(secret, access.secret.reveal()) : secret !== undefined)
    return 'hidden';
  if (!access?.basic) return 'open';
  const { username, password } = access.basic;
  const given = /^basic\s+(.+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return isSameSecret(Buffer.from(given, 'base64').toString(), `${username}:${password.reveal()}`)
    ? 'open'
    : 'unauthorized';
}

/** With script, the builder requests only the number at each choice. */
const isCountAsked = ({ kind, form }: Addressed, { searchParams }: URL): boolean =>
  kind === 'feed' && form === 'page' && searchParams.has('count');

async function countAnswer(feeds: FeedCatalog, definition: FeedDefinition): Promise<Response> {
  try {
    const { stillToCome } = await feeds.feed(definition);
    return plainAnswer(200, eventsInWords(feeds.words, stillToCome), {
      'Cache-Control': 'no-cache',
      'X-Robots-Tag': 'noindex',
    });
  } catch (error) {
    return failureAnswer(error);
  }
}

async function feedAnswer(feeds: FeedCatalog, definition: FeedDefinition, request: Request): Promise<Response> {
  try {
    return await calendarAnswer(await feeds.feed(definition), request);
  } catch (error) {
    return failureAnswer(error);
  }
}

async function pageAnswer(feeds: FeedCatalog, definition: FeedDefinition, request: Request): Promise<Response> {
  const page = { definition, choices: await feeds.choices(definition), now: feeds.now() };
  try {
    const feed = await feeds.feed(definition);
    return feedPage(feeds, {
      ...page,
      feed,
      findings: request.method === 'POST' ? await findingsOf(feeds, feed, request) : undefined,
    });
  } catch (error) {
    const failure = pageFailure(error, feeds.words);
    return failure.status === 404 && definition.id !== 'events'
      ? missingPage(feeds, failure.failure)
      : feedPage(feeds, { ...page, feed: failure, findings: undefined });
  }
}

async function findingsOf(feeds: FeedCatalog, feed: Feed, request: Request): Promise<FeedPage['findings']> {
  const fetchOwn = feeds.fetchOwn();
  // Loaded here because it alone in this thread parses calendars.
  const { testFeed } = await import('./pages/self-test.ts');
  return fetchOwn
    ? testFeed(feed, feeds.publicUrl, fetchOwn, request.headers.get('authorization'), feeds.words)
    : 'too-many';
}

/** The message says what the address may contain, in the interface's words, for the person who wrote it. */
const refusedPage = (feeds: FeedCatalog, { message, definition }: Addressed & { readonly kind: 'refused' }): Response =>
  framedPage(feeds, {
    title: feeds.words.wrongAddress,
    status: 400,
    isPrivate: definition.access !== undefined,
    main: html`<h1>${feeds.words.wrongAddress}</h1>
<p class="note" lang="en">${message}</p>`,
  });

function unknownFeed(feeds: FeedCatalog, form: AddressForm | undefined): Response {
  if (form === 'page') return missingPage(feeds);
  const { definitions, publicUrl } = feeds;
  const known = definitions
    .filter(({ access }) => !access)
    .map(({ id, title }) => `${publicUrl}/feeds/${encodeURIComponent(id)}.ics  ${title.replace(/\s+/g, ' ')}`);
  const more =
    `Others are made of what is asked for: ${publicUrl}/feeds/events.ics?categories=…, ` +
    '/feeds/category/….ics, /feeds/tag/….ics, /feeds/venue/….ics, /feeds/organizer/….ics';
  return plainAnswer(
    404,
    [
      'There is no such feed.',
      ...(known.length === 0 ? ['None is configured.'] : ['The feeds here:', ...known]),
      more,
    ].join('\n'),
  );
}
