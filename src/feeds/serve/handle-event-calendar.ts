import { decodedPart } from '../../ascii.ts';
import type { Event } from '../../contract/representation.ts';
import { entityTag, namesTag } from '../../etag.ts';
import { buildEventCalendar } from '../content/build-feed.ts';
import { isPublic } from '../content/calendar-content.ts';
import type { ExportedSite } from '../content/exported-site.ts';
import { failureAnswer, plainAnswer } from './plain-answer.ts';

/** One event as a calendar of its own. */
export interface EventFile {
  readonly slug: string;
  readonly body: Uint8Array;
  readonly tag: string;
}

/**
 * Reads the public event with a slug and writes its calendar; undefined if there is none. Throws AppError when the site
 * fails.
 */
export async function eventFile(site: ExportedSite, slug: string, now: number): Promise<EventFile | undefined> {
  const event = await publicEvent(site, slug);
  const body = event && (await buildEventCalendar(site, event, now));
  return body && { slug: event.slug, body: new Uint8Array(body), tag: entityTag(body) };
}

/**
 * Answers `/event/{slug}.ics` for GET and HEAD: one event as a calendar file. `read` finds it, on the site named by
 * `?site=`.
 */
export async function handleEventCalendar(
  read: (slug: string, site: string | undefined) => Promise<EventFile | undefined>,
  request: Request,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return plainAnswer(405, 'A calendar file is read with GET or HEAD.', { Allow: 'GET, HEAD' });
  const { pathname, searchParams } = new URL(request.url);
  const slug = slugOf(pathname);
  try {
    const file = slug === undefined ? undefined : await read(slug, searchParams.get('site') ?? undefined);
    return file ? fileAnswer(file, request) : plainAnswer(404, 'There is no such event.');
  } catch (error) {
    return failureAnswer(error);
  }
}

function fileAnswer({ slug, body, tag }: EventFile, request: Request): Response {
  const headers = {
    ETag: tag,
    'Cache-Control': 'no-cache',
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
  };
  if (namesTag(request.headers.get('if-none-match'), [tag])) return new Response(null, { status: 304, headers });
  return new Response(request.method === 'HEAD' ? null : body.slice(), {
    headers: {
      ...headers,
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': `attachment; filename="${slug.replace(/[^\w.-]/g, '_')}.ics"`,
    },
  });
}

/** The public event with a slug. A single read shows us, as an editor, even a protected event, so the list decides. */
async function publicEvent({ client }: ExportedSite, slug: string): Promise<Event | undefined> {
  const read = await client.read('events', { slug });
  if (!read || !isPublic(read)) return undefined;
  for await (const event of client.list('events', { status: 'publish', include: String(read.id) }))
    if (event.id === read.id && isPublic(event)) return event;
  return undefined;
}

/** No slug contains a slash, whatever an address says. */
function slugOf(pathname: string): string | undefined {
  const slug = decodedPart(/^\/event\/([^/]+)\.ics$/.exec(pathname)?.[1] ?? '');
  return slug?.includes('/') ? undefined : slug || undefined;
}
