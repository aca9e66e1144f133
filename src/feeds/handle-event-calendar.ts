import { createHash } from 'node:crypto';
import type { Event } from '../contract/representation.ts';
import { buildEventCalendar } from './build-feed.ts';
import { isPublic } from './calendar-content.ts';
import type { FeedSite } from './feed-site.ts';

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };

/** Answers `/event/{slug}.ics`, for GET and HEAD: one event of the site as a file for one's own calendar. */
export async function handleEventCalendar(site: FeedSite, request: Request, now: number): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return new Response('A calendar file is read with GET or HEAD.\n', { status: 405, headers: { ...TEXT, Allow: 'GET, HEAD' } });
  const slug = slugOf(new URL(request.url).pathname);
  const event = slug === undefined ? undefined : await publicEvent(site, slug);
  const body = event && await buildEventCalendar(site, event, now);
  if (!event || !body) return new Response('There is no such event.\n', { status: 404, headers: TEXT });
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const headers = { ETag: tag, 'Cache-Control': 'no-cache', 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' };
  if ((request.headers.get('if-none-match') ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === tag)) return new Response(null, { status: 304, headers });
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), { headers: {
    ...headers, 'Content-Type': 'text/calendar; charset=utf-8', 'Content-Disposition': `attachment; filename="${event.slug.replace(/[^\w.-]/g, '_')}.ics"`,
  } });
}

/** The event that everybody may see under a slug. Read alone, it comes whole to the editor that we are, be it protected; the list tells. */
async function publicEvent({ client }: FeedSite, slug: string): Promise<Event | undefined> {
  const read = await client.read('events', { slug });
  if (!read || !isPublic(read)) return undefined;
  for await (const event of client.list('events', { status: 'publish', include: String(read.id) })) if (event.id === read.id && isPublic(event)) return event;
  return undefined;
}

function slugOf(pathname: string): string | undefined {
  try {
    return decodeURIComponent(/^\/event\/([^/]+)\.ics$/.exec(pathname)?.[1] ?? '') || undefined;
  } catch {
    // A broken percent sequence names no event.
    return undefined;
  }
}
