import { namesTag } from '../../etag.ts';
import { codingFor, tagIn, tagsOf } from '../../files/content-coding.ts';
import type { NewsForm } from '../definition/definition.ts';
import { OPEN } from './plain-answer.ts';
import type { Feed } from './feed-cache.ts';

/** A feed as an answer to GET or HEAD, complete or as a 304. */
export async function calendarAnswer(feed: Feed, request: Request): Promise<Response> {
  const { body, definition, lastModified } = feed;
  const coding = codingFor(request.headers.get('accept-encoding'), body.octets);
  const headers = {
    ETag: tagIn(body.hash, coding),
    'Last-Modified': new Date(lastModified).toUTCString(),
    Vary: 'Accept-Encoding',
    // Private feeds must not be stored in shared caches.
    ...(definition.access
      ? { 'Cache-Control': 'private, max-age=900', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' }
      : { 'Cache-Control': 'public, max-age=900', ...OPEN }),
  };
  if (isUnchanged(feed, request.headers)) return new Response(null, { status: 304, headers });
  const coded = await body.coded(coding);
  return new Response(request.method === 'HEAD' ? null : streamOf(coded.chunks()), {
    headers: {
      ...headers,
      ...FORMS[definition.form ?? 'ics'](definition.id.replace(/[^\w.-]/g, '_').slice(0, 100)),
      'Content-Length': String(coded.octets),
      'X-Content-Type-Options': 'nosniff',
      ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
    },
  });
}

const FORMS = {
  ics: (name: string) => ({
    'Content-Type': 'text/calendar; charset=utf-8',
    'Content-Disposition': `inline; filename="${name}.ics"`,
  }),
  // RFC 4180, 3.
  csv: (name: string) => ({
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
  }),
  rss: () => typeOf('rss'),
  atom: () => typeOf('atom'),
  json: () => typeOf('json'),
};

/** The media types of news: RSS, RFC 4287 (7), JSON Feed 1.1. */
export const NEWS_TYPES: Readonly<Record<NewsForm, string>> = {
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
};

const typeOf = (form: NewsForm) => ({ 'Content-Type': `${NEWS_TYPES[form]}; charset=utf-8` });

function streamOf(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  const [only, ...more] = Array.isArray(chunks) ? (chunks as readonly Buffer[]) : [];
  return only && more.length === 0
    ? new Uint8Array(only.buffer as ArrayBuffer, only.byteOffset, only.length)
    : ReadableStream.from<Uint8Array>(chunks);
}

/** RFC 9110, 13.2.2: If-None-Match takes precedence over If-Modified-Since. */
function isUnchanged(feed: Feed, headers: Headers): boolean {
  const tags = headers.get('if-none-match');
  if (tags !== null) return namesTag(tags, tagsOf(feed.body.hash));
  const since = Date.parse(headers.get('if-modified-since') ?? '');
  return !Number.isNaN(since) && Math.floor(feed.lastModified / 1000) * 1000 <= since;
}
