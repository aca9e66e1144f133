import { calendarAnswer } from './calendar-answer.ts';
import { pathOf, type FeedDefinition } from './definition.ts';
import { accessOf, addressAsked } from './feed-access.ts';
import { feedPage } from './feed-page.ts';
import type { Feeds } from './feeds.ts';
import { failureAnswer, OPEN, plainAnswer } from './plain-answer.ts';
import { testFeed } from './self-test.ts';
import { subscribePage } from './subscribe-page.ts';

const PREFLIGHT = { Allow: 'GET, HEAD, OPTIONS', 'Access-Control-Allow-Methods': 'GET, HEAD', 'Access-Control-Allow-Headers': 'If-None-Match, If-Modified-Since', 'Access-Control-Max-Age': '86400' };

const ROBOTS = ['User-agent: *', 'Allow: /feeds/', 'Disallow: /operator', 'Disallow: /authorize', ''].join('\n');

/** Answers `/feeds/`, `/feeds/{id}.ics` and `.csv`, the pages `/feeds/{id}` and `/robots.txt`, for GET, HEAD and OPTIONS; a POST to a page tests its feed. */
export async function handleFeeds(feeds: Feeds, request: Request): Promise<Response> {
  // Scripts of other sites that send If-None-Match ask first (Fetch, 3.2.5). The answer is the same wherever there is a feed, and wherever there is none.
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { ...OPEN, ...PREFLIGHT } });
  const isTest = request.method === 'POST' && addressAsked(new URL(request.url).pathname)?.form === 'page';
  if (request.method !== 'GET' && request.method !== 'HEAD' && !isTest) return plainAnswer(405, 'Feeds are read with GET or HEAD.', { Allow: 'GET, HEAD' });
  const answer = await answerFor(feeds, request);
  return request.method === 'HEAD' ? new Response(null, answer) : answer;
}

async function answerFor(feeds: Feeds, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/robots.txt') return plainAnswer(200, ROBOTS.trimEnd(), { 'Cache-Control': 'public, max-age=86400' });
  if (pathname === '/feeds') return new Response(null, { status: 301, headers: { Location: '/feeds/' } });
  if (pathname === '/feeds/') return subscribePage(feeds, await feeds.choices({}));
  const asked = addressAsked(pathname);
  if (!asked) return unknownFeed(feeds);
  const found = feeds.at(asked.path, searchParams);
  if (found.kind === 'unknown') return unknownFeed(feeds);
  const access = accessOf(found.definition.access, asked.secret, request.headers.get('authorization'));
  if (access === 'hidden') return unknownFeed(feeds);
  if (access === 'unauthorized') return plainAnswer(401, 'This feed wants a user and a password.', { 'WWW-Authenticate': 'Basic realm="Calendar feed", charset="UTF-8"', 'Cache-Control': 'no-store' });
  if (found.kind === 'refused') return plainAnswer(400, found.message);
  if (asked.form === 'page') return pageAnswer(feeds, found.definition, request);
  return feedAnswer(feeds, asked.form === 'csv' ? asTable(found.definition) : found.definition, request);
}

const asTable = (definition: FeedDefinition): FeedDefinition => ({ ...definition, form: 'csv', path: pathOf(definition).replace(/\.ics(?=\?|$)/, '.csv') });

async function feedAnswer(feeds: Feeds, definition: FeedDefinition, request: Request): Promise<Response> {
  try {
    return await calendarAnswer(await feeds.feed(definition), request);
  } catch (error) {
    return failureAnswer(error);
  }
}

async function pageAnswer(feeds: Feeds, definition: FeedDefinition, request: Request): Promise<Response> {
  const page = { definition, choices: await feeds.choices(definition), now: feeds.now() };
  try {
    const feed = await feeds.feed(definition);
    const fetchOwn = request.method === 'POST' ? feeds.fetchOwn() : undefined;
    const findings = fetchOwn ? await testFeed(feed, feeds.publicUrl, fetchOwn, request.headers.get('authorization'))
      : request.method === 'POST' ? [{ kind: 'note' as const, text: 'Feeds were tested just now; try again in a minute.' }] : undefined;
    return feedPage(feeds, { ...page, feed, findings });
  } catch (error) {
    const answer = failureAnswer(error);
    return answer.status === 404 && definition.id !== 'events' ? answer : feedPage(feeds, { ...page, feed: { failure: (await answer.text()).trim(), status: answer.status }, findings: undefined });
  }
}

function unknownFeed({ definitions, publicUrl }: Feeds): Response {
  const known = definitions.filter(({ access }) => !access).map(({ id, title }) => `${publicUrl}/feeds/${encodeURIComponent(id)}.ics  ${title.replace(/\s+/g, ' ')}`);
  const more = `Others are made of what is asked for: ${publicUrl}/feeds/events.ics?categories=…, /feeds/category/….ics, /feeds/tag/….ics, /feeds/venue/….ics, /feeds/organizer/….ics`;
  return plainAnswer(404, ['There is no such feed.', ...(known.length === 0 ? ['None is configured.'] : ['The feeds here:', ...known]), more].join('\n'));
}
