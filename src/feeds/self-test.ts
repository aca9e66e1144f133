import { decodeText } from '../ical/decode.ts';
import { parseCalendar } from '../ical/parse-calendar.ts';
import { addressOf } from './subscribing.ts';
import type { Feed } from './site-feeds.ts';

/** One thing that was looked at. */
export interface Finding { readonly kind: 'good' | 'bad' | 'note'; readonly text: string }

export interface Fetched { readonly status: number; readonly headers: Headers; readonly body: Buffer }
/** Fetches one of our own addresses over the network; rejects when it cannot be reached. Follows no redirects, decodes nothing. */
export type FetchOwn = (url: URL, headers: Readonly<Record<string, string>>) => Promise<Fetched>;

const MOST = 1_000_000;
/** Larger ones are not read here. */
const READ_MAX = 20_000_000;

/** Fetches a feed as calendar programs do, from its public address. `authorization` is what who asks has shown. */
export async function testFeed(feed: Feed, publicUrl: string, fetchOwn: FetchOwn, authorization: string | null): Promise<readonly Finding[]> {
  const url = new URL(publicUrl + addressOf(feed.definition));
  const headers = { accept: 'text/calendar, */*', ...(authorization === null ? {} : { authorization }) };
  try {
    const first = await fetchOwn(url, headers);
    if (first.status !== 200) return [bad(`The address answers ${first.status}${isRedirect(first.status) ? ` and leads to ${bareOf(first.headers.get('location'))}: set public_url under builtin to the final address` : ''}.`)];
    return [good('The address can be reached and answers 200, without a detour.'), ...headerFindings(first), ...contentFindings(first.body, feed), ...await againFindings(url, headers, first, fetchOwn), ...audienceFindings(url, feed)];
  } catch (error) {
    return [bad(`The address cannot be reached: ${error instanceof Error ? error.message : String(error)}. Check public_url under builtin, and what stands between the program and the network.`)];
  }
}

const good = (text: string): Finding => ({ kind: 'good', text });
const bad = (text: string): Finding => ({ kind: 'bad', text });
const note = (text: string): Finding => ({ kind: 'note', text });
const isRedirect = (status: number): boolean => status >= 300 && status < 400;
const bareOf = (location: string | null): string => (location ?? 'nowhere').replace(/[?#].*$/, '').replace(/~[^/]*\//, '~…/');
const check = (holds: boolean, right: string, wrong: string): Finding => (holds ? good(right) : bad(wrong));

function headerFindings({ headers, body }: Fetched): readonly Finding[] {
  const type = headers.get('content-type') ?? 'none';
  return [
    check(/^text\/calendar\b.*utf-8/i.test(type), 'It is called text/calendar in UTF-8.', `It is called "${type}"; programs want text/calendar; charset=utf-8. Something in between changes it.`),
    check(!headers.has('set-cookie'), 'It sets no cookies.', 'Something in between sets a cookie; some programs stumble over it.'),
    body.length > MOST ? note(`It has ${(body.length / 1e6).toFixed(1)} MB; Google Calendar may refuse more than 1 MB.`) : good(`Its size (${Math.ceil(body.length / 1000)} kB) is no problem for any program.`),
  ];
}

function contentFindings(body: Buffer, feed: Feed): readonly Finding[] {
  if (body.length > READ_MAX) return [note('It is too large to be read here.')];
  const text = decodeText(body, 'text/calendar; charset=utf-8').text;
  const { value, problems } = parseCalendar(text);
  const lines = text.replaceAll('\r\n ', '').split('\r\n');
  const uids = lines.filter((line) => line.startsWith('UID:'));
  const zones = new Set(lines.flatMap((line) => /;TZID=([^:;]+)/.exec(line)?.[1] ?? []));
  const described = new Set(lines.flatMap((line) => /^TZID:(.*)/.exec(line)?.[1] ?? []));
  return [
    check(text.startsWith('BEGIN:VCALENDAR\r\n') && text.endsWith('END:VCALENDAR\r\n'), 'It is a whole calendar.', 'It does not begin with BEGIN:VCALENDAR or is cut off: something in between changes it.'),
    check(problems.length === 0 && value.events.length === feed.events, `It can be read: ${feed.events.toLocaleString('en')} events.`, `It cannot be read well: ${value.events.length} of ${feed.events} events. ${problems.slice(0, 3).map(({ message }) => message).join(' ')}`),
    check(new Set(uids).size === uids.length, 'Every event has a name (UID) of its own.', 'Two events have the same UID.'),
    check([...zones].every((zone) => described.has(zone)), 'Every time zone is described.', `Time zones are named and not described: ${[...zones].filter((zone) => !described.has(zone)).join(', ')}.`),
  ];
}

async function againFindings(url: URL, headers: Readonly<Record<string, string>>, first: Fetched, fetchOwn: FetchOwn): Promise<readonly Finding[]> {
  const [tag, modified] = [first.headers.get('etag') ?? '', first.headers.get('last-modified') ?? ''];
  const byTag = await fetchOwn(url, { ...headers, 'if-none-match': tag });
  const byTime = await fetchOwn(url, { ...headers, 'if-modified-since': modified });
  const packed = await fetchOwn(url, { ...headers, 'accept-encoding': 'gzip' });
  return [
    check(tag !== '' && byTag.status === 304 && byTime.status === 304, 'Who has it already is told so (304).', `Who has it already gets it again (${byTag.status} by ETag, ${byTime.status} by date): something in between drops ETag or Last-Modified.`),
    check(first.body.length < 600 || packed.headers.get('content-encoding') === 'gzip', 'It is sent compressed to those who want it.', 'It is not sent compressed: something in between undoes it.'),
  ];
}

function audienceFindings(url: URL, { definition }: Feed): readonly Finding[] {
  const isLocal = /^(?:localhost|127\.|\[::1\]|10\.|192\.168\.|169\.254\.)/.test(url.hostname) || !/[.:]/.test(url.hostname);
  return [
    ...(isLocal ? [note('Only this computer or network reaches the address: Google Calendar and Outlook on the web cannot.')] : []),
    ...(url.protocol === 'http:' && !isLocal ? [note('It goes over http; Apple Calendar warns, and Outlook may refuse. Put it behind https.')] : []),
    ...(definition.access?.basic ? [note('It wants a user and a password: Google Calendar and Outlook on the web cannot give them.')] : []),
  ];
}
