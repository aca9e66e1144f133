import { AppError } from '../error.ts';
import { codingFor, type Coding } from './content-coding.ts';
import type { Feed, Feeds } from './feeds.ts';
import { subscribePage } from './subscribe-page.ts';

const ROBOTS = ['User-agent: *', 'Allow: /feeds/', 'Disallow: /operator', 'Disallow: /authorize', ''].join('\n');
const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };
// Scripts of other sites may show our feeds, and see what they need for asking again.
const OPEN = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag, Last-Modified, Content-Disposition' };

/** Answers `/feeds/{id}.ics`, `/feeds/` and `/robots.txt`, for GET and HEAD. */
export async function handleFeeds(feeds: Feeds, request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response('Feeds are read with GET or HEAD.\n', { status: 405, headers: { ...TEXT, Allow: 'GET, HEAD' } });
  }
  const answer = await answerFor(feeds, request);
  return request.method === 'HEAD' ? new Response(null, answer) : answer;
}

async function answerFor(feeds: Feeds, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/robots.txt') return new Response(ROBOTS, { headers: { ...TEXT, 'Cache-Control': 'public, max-age=86400' } });
  if (pathname === '/feeds') return new Response(null, { status: 301, headers: { Location: '/feeds/' } });
  if (pathname === '/feeds/') return subscribePage(feeds);
  const id = feedIdOf(pathname);
  try {
    const feed = id === undefined ? undefined : await feeds.feed(id);
    return feed ? await calendarAnswer(feed, request) : unknownFeed(feeds);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Calendar programs keep what they have and come again.
    return new Response(`This feed cannot be made at the moment: the calendar's site does not answer as it should.\n`, { status: 503, headers: { ...TEXT, ...OPEN, 'Retry-After': '300' } });
  }
}

function feedIdOf(pathname: string): string | undefined {
  const name = /^\/feeds\/([^/]+)\.ics$/.exec(pathname)?.[1];
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    // A broken percent sequence names no feed.
    return undefined;
  }
}

function unknownFeed({ definitions, publicUrl }: Feeds): Response {
  const known = definitions.map(({ id, title }) => `${publicUrl}/feeds/${encodeURIComponent(id)}.ics  ${title.replace(/\s+/g, ' ')}`);
  const text = known.length === 0 ? 'There is no such feed; none is configured.' : ['There is no such feed. The feeds here:', ...known].join('\n');
  return new Response(`${text}\n`, { status: 404, headers: { ...TEXT, ...OPEN } });
}

async function calendarAnswer(feed: Feed, request: Request): Promise<Response> {
  const coding = codingFor(request.headers.get('accept-encoding'), feed.body.length);
  const headers = {
    ETag: entityTag(feed, coding), 'Last-Modified': new Date(feed.lastModified).toUTCString(),
    'Cache-Control': 'public, max-age=900', Vary: 'Accept-Encoding', ...OPEN,
  };
  if (isUnchanged(feed, request.headers)) return new Response(null, { status: 304, headers });
  const body = await feed.encoded(coding);
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length), { headers: {
    ...headers, 'Content-Type': 'text/calendar; charset=utf-8', 'Content-Length': String(body.length), 'X-Content-Type-Options': 'nosniff',
    'Content-Disposition': `inline; filename="${feed.definition.id.replace(/[^\w.-]/g, '_')}.ics"`,
    ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
  } });
}

// Strong, so it names the bytes: each coding has its own (RFC 9110, 8.8.3.3).
const entityTag = (feed: Feed, coding: Coding): string => `"${feed.etag}${coding === 'identity' ? '' : `-${coding}`}"`;

/** RFC 9110, 13.2.2: If-None-Match decides where it is sent, else If-Modified-Since. Proxies that compress themselves make tags weak. */
function isUnchanged(feed: Feed, headers: Headers): boolean {
  const tags = headers.get('if-none-match');
  if (tags !== null) {
    const own = (['identity', 'gzip', 'br'] as const).map((coding) => entityTag(feed, coding));
    return tags.trim() === '*' || tags.split(',').some((tag) => own.includes(tag.trim().replace(/^W\//, '')));
  }
  const since = Date.parse(headers.get('if-modified-since') ?? '');
  return !Number.isNaN(since) && Math.floor(feed.lastModified / 1000) * 1000 <= since;
}
