import { decodeText } from '../../ical/read/decode.ts';
import { parseCalendar } from '../../ical/read/parse-calendar.ts';
import type { Findings, PageWords } from '../words/page-words.ts';
import { addressOf } from './addresses.ts';
import { eventsInWords, numberInWords } from './in-words.ts';
import type { Feed } from '../serve/feed-cache.ts';

/** One result of the test, and who can still subscribe: everybody, most, only programs on this computer, or nobody. */
export interface Finding {
  readonly left: 'all' | 'most' | 'local' | 'none';
  readonly text: string;
}

export interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}
/**
 * Fetches one of our own addresses over the network; rejects if it cannot be reached. Does not follow redirects or
 * decode anything.
 */
export type FetchOwn = (url: URL, headers: Readonly<Record<string, string>>) => Promise<Fetched>;

const MOST = 1_000_000;
/** Larger feeds are not read here. */
const READ_MAX = 20_000_000;

/**
 * Fetches a feed as calendar programs do, from its public address. `authorization` is the header of the person who
 * asked; the findings use `words`.
 */
export async function testFeed(
  feed: Feed,
  publicUrl: string,
  fetchOwn: FetchOwn,
  authorization: string | null,
  words: PageWords,
): Promise<readonly Finding[]> {
  const say = words.findings;
  const url = new URL(publicUrl + addressOf(feed.definition));
  const headers = { accept: 'text/calendar, */*', ...(authorization === null ? {} : { authorization }) };
  try {
    const first = await fetchOwn(url, headers);
    if (first.status !== 200)
      return [
        bad(
          isRedirect(first.status)
            ? say.leads(first.status, bareOf(first.headers.get('location') ?? say.nowhere))
            : say.answers(first.status),
        ),
      ];
    return [
      good(say.reached),
      ...headerFindings(first, words),
      ...contentFindings(first.body, feed, words),
      ...(await againFindings(url, headers, first, fetchOwn, say)),
      ...audienceFindings(url, feed, say),
    ];
  } catch (error) {
    return [bad(say.unreachable(error instanceof Error ? error.message : String(error)))];
  }
}

const good = (text: string): Finding => ({ left: 'all', text });
const bad = (text: string): Finding => ({ left: 'none', text });
const doubt = (text: string): Finding => ({ left: 'most', text });
const onlyHere = (text: string): Finding => ({ left: 'local', text });
const isRedirect = (status: number): boolean => status >= 300 && status < 400;
const bareOf = (location: string): string => location.replace(/[?#].*$/, '').replace(/~[^/]*\//, '~…/');
const check = (holds: boolean, right: string, wrong: string): Finding => (holds ? good(right) : bad(wrong));

function headerFindings({ headers, body }: Fetched, words: PageWords): readonly Finding[] {
  const say = words.findings;
  const type = headers.get('content-type') ?? say.noType;
  return [
    check(/^text\/calendar\b.*utf-8/i.test(type), say.type, say.wrongType(type)),
    check(!headers.has('set-cookie'), say.noCookies, say.cookies),
    body.length > MOST
      ? doubt(say.large(numberInWords(words, body.length / 1e6, 1)))
      : good(say.size(numberInWords(words, Math.ceil(body.length / 1000)))),
  ];
}

function contentFindings(body: Uint8Array, feed: Feed, words: PageWords): readonly Finding[] {
  const say = words.findings;
  if (body.length > READ_MAX) return [doubt(say.unread)];
  const text = decodeText(body, 'text/calendar; charset=utf-8').text;
  const { value, problems } = parseCalendar(text);
  const lines = text.replaceAll('\r\n ', '').split('\r\n');
  const uids = lines.filter((line) => line.startsWith('UID:'));
  const zones = new Set(lines.flatMap((line) => /;TZID=([^:;]+)/.exec(line)?.[1] ?? []));
  const described = new Set(lines.flatMap((line) => /^TZID:(.*)/.exec(line)?.[1] ?? []));
  return [
    check(text.startsWith('BEGIN:VCALENDAR\r\n') && text.endsWith('END:VCALENDAR\r\n'), say.whole, say.cut),
    check(
      problems.length === 0 && value.events.length === feed.events,
      say.readable(eventsInWords(words, feed.events)),
      say.unreadable(
        value.events.length,
        feed.events,
        problems
          .slice(0, 3)
          .map(({ message }) => message)
          .join(' '),
      ),
    ),
    check(new Set(uids).size === uids.length, say.uids, say.sameUids),
    check(
      [...zones].every((zone) => described.has(zone)),
      say.zones,
      say.noZones([...zones].filter((zone) => !described.has(zone)).join(', ')),
    ),
  ];
}

async function againFindings(
  url: URL,
  headers: Readonly<Record<string, string>>,
  first: Fetched,
  fetchOwn: FetchOwn,
  say: Findings,
): Promise<readonly Finding[]> {
  const [tag, modified] = [first.headers.get('etag') ?? '', first.headers.get('last-modified') ?? ''];
  const byTag = await fetchOwn(url, { ...headers, 'if-none-match': tag });
  const byTime = await fetchOwn(url, { ...headers, 'if-modified-since': modified });
  const packed = await fetchOwn(url, { ...headers, 'accept-encoding': 'gzip' });
  return [
    check(
      tag !== '' && byTag.status === 304 && byTime.status === 304,
      say.again,
      say.notAgain(byTag.status, byTime.status),
    ),
    check(first.body.length < 600 || packed.headers.get('content-encoding') === 'gzip', say.packed, say.notPacked),
  ];
}

function audienceFindings(url: URL, { definition }: Feed, say: Findings): readonly Finding[] {
  const isLocal =
    /^(?:localhost|127\.|\[::1\]|10\.|192\.168\.|169\.254\.)/.test(url.hostname) || !/[.:]/.test(url.hostname);
  return [
    ...(isLocal ? [onlyHere(say.isLocal)] : []),
    ...(url.protocol === 'http:' && !isLocal ? [doubt(say.isHttp)] : []),
    ...(definition.access?.basic ? [onlyHere(say.isBasic)] : []),
  ];
}
