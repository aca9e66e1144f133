import type { FeedDefinition } from './definition.ts';
import { accessOf, addressAsked } from './feed-access.ts';
import type { Feeds } from './feeds.ts';
import { calendarAnswer } from './calendar-answer.ts';
import { failureAnswer, plainAnswer } from './plain-answer.ts';
import { subscribePage } from './subscribe-page.ts';

const ROBOTS = ['User-agent: *', 'Allow: /feeds/', 'Disallow: /operator', 'Disallow: /authorize', ''].join('\n');

/** Answers `/feeds/`, `/feeds/{id}.ics` and `/robots.txt`, for GET and HEAD. */
export async function handleFeeds(feeds: Feeds, request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return plainAnswer(405, 'Feeds are read with GET or HEAD.', { Allow: 'GET, HEAD' });
  const answer = await answerFor(feeds, request);
  return request.method === 'HEAD' ? new Response(null, answer) : answer;
}

async function answerFor(feeds: Feeds, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/robots.txt') return plainAnswer(200, ROBOTS.trimEnd(), { 'Cache-Control': 'public, max-age=86400' });
  if (pathname === '/feeds') return new Response(null, { status: 301, headers: { Location: '/feeds/' } });
  if (pathname === '/feeds/') return subscribePage(feeds);
  const asked = addressAsked(pathname);
  if (!asked || asked.form !== 'ics') return unknownFeed(feeds);
  const found = feeds.at(asked.path, searchParams);
  if (found.kind === 'unknown') return unknownFeed(feeds);
  const access = accessOf(found.definition.access, asked.secret, request.headers.get('authorization'));
  if (access === 'hidden') return unknownFeed(feeds);
  if (access === 'unauthorized') return plainAnswer(401, 'This feed wants a user and a password.', { 'WWW-Authenticate': 'Basic realm="Calendar feed", charset="UTF-8"', 'Cache-Control': 'no-store' });
  if (found.kind === 'refused') return plainAnswer(400, found.message);
  return feedAnswer(feeds, found.definition, request);
}

async function feedAnswer(feeds: Feeds, definition: FeedDefinition, request: Request): Promise<Response> {
  try {
    return await calendarAnswer(await feeds.feed(definition), request);
  } catch (error) {
    return failureAnswer(error);
  }
}

function unknownFeed({ definitions, publicUrl }: Feeds): Response {
  const known = definitions.filter(({ access }) => !access).map(({ id, title }) => `${publicUrl}/feeds/${encodeURIComponent(id)}.ics  ${title.replace(/\s+/g, ' ')}`);
  const more = `Others are made of what is asked for: ${publicUrl}/feeds/events.ics?categories=…, /feeds/category/….ics, /feeds/tag/….ics, /feeds/venue/….ics, /feeds/organizer/….ics`;
  return plainAnswer(404, ['There is no such feed.', ...(known.length === 0 ? ['None is configured.'] : ['The feeds here:', ...known]), more].join('\n'));
}
