import { httpFailure } from '../../client/http-failure.ts';
import type { OnRead } from '../../client/site-client.ts';
import type { Http, HttpAnswer, HttpRequest } from '../../client/http.ts';
import { freshForMs, isPermanentRedirect, redirectTarget, retryAfterMs } from '../../client/questions.ts';
import { bodyBytes, type BodyLimits } from '../../client/body-bytes.ts';
import { AppError } from '../../error.ts';
import { FORMAT_KINDS } from '../../sync/formats/format-kinds.ts';
import { failed, type FetchFailed, type FetchResult, type Validators } from './fetch-result.ts';
import { publicAddress } from './public-address.ts';
import { refusalOf } from './refusal.ts';

export interface FeedAuth {
  readonly basic?: { readonly username: string; readonly password: string };
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FetchLimits extends BodyLimits {
  /** The end of the sentence about a body that is too large: what the limit is for, and how to raise it. */
  readonly whose?: string;
  /** From the first connection to the last byte, including redirects. */
  readonly totalMs: number;
  readonly redirectsMax: number;
}

export interface WebSettings {
  readonly http: Http;
  readonly userAgent: string;
  readonly limits: FetchLimits;
  readonly onRead?: OnRead;
}

interface Visit extends WebSettings {
  readonly validators: Validators;
  readonly signal: AbortSignal;
}

/**
 * The current position in a chain of redirects. `permanent` is the last address reached by permanent redirects only.
 */
interface Stop {
  readonly url: URL;
  readonly secrets: Readonly<Record<string, string>>;
  /** The origin that the secrets are for, once a redirect has left it. */
  readonly left?: string;
  readonly hops: number;
  readonly isPermanent: boolean;
  readonly permanent: string | undefined;
}

/** Parses an http or https URL; webcal and webcals become https. Undefined for any other scheme. */
export function webAddress(address: string): URL | undefined {
  const web = address.trim().replace(/^webcals?:\/\//i, 'https://');
  return /^https?:\/\//i.test(web) && URL.canParse(web) ? new URL(web) : undefined;
}

/**
 * Fetches a feed. Redirects are followed here, so that each hop is checked, and secrets are only sent to their own
 * origin.
 */
export async function fetchWeb(
  url: URL,
  auth: FeedAuth,
  validators: Validators,
  settings: WebSettings,
): Promise<FetchResult> {
  const visit: Visit = { ...settings, validators, signal: AbortSignal.timeout(settings.limits.totalMs) };
  let stop: Stop = {
    url: withoutUser(url),
    secrets: secretHeaders(auth, url),
    hops: 0,
    isPermanent: true,
    permanent: undefined,
  };
  try {
    for (;;) {
      const answer = await sent(settings.http, {
        method: 'GET',
        url: stop.url,
        headers: requestHeaders(stop, visit),
        signal: visit.signal,
      });
      const next = nextStop(stop, answer, settings.limits.redirectsMax);
      if (next === undefined) return await take(answer, stop, visit);
      answer.body.on('error', ignored).destroy();
      if ('kind' in next) return next;
      stop = next;
    }
  } catch (error) {
    return failureOf(error, stop.url, settings.limits);
  }
}

/** Retries a request once if the server closed its kept-alive connection just as it was reused. */
async function sent(http: Http, request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await http.send(request);
  } catch (error) {
    if (!isKeptConnection(error)) throw error;
    return http.send(request);
  }
}

function isKeptConnection(error: unknown): boolean {
  const { code, socket } = (error ?? {}) as { code?: unknown; socket?: { readonly bytesRead?: number } };
  return code === 'ECONNRESET' || code === 'EPIPE' || (code === 'UND_ERR_SOCKET' && (socket?.bytesRead ?? 0) > 0);
}

function nextStop(stop: Stop, { status, headers }: HttpAnswer, redirectsMax: number): Stop | FetchFailed | undefined {
  const target = redirectTarget(status, headers, stop.url);
  if (target === undefined) return undefined;
  const url = webAddress(target.href);
  const here = publicAddress(stop.url.href);
  if (!url)
    return failed(
      'feed-bad-redirect',
      `${here} redirects to a ${target.protocol} address, which is not followed. Ask the publisher for the feed's web address.`,
    );
  if (stop.hops >= redirectsMax)
    return failed(
      'feed-redirects',
      `${here} is one redirect too many (${redirectsMax} are followed). Open the address in a browser and write down where it ends.`,
    );
  const isPermanent = stop.isPermanent && isPermanentRedirect(status);
  return {
    url: withoutUser(url),
    hops: stop.hops + 1,
    isPermanent,
    permanent: isPermanent ? withoutUser(url).href : stop.permanent,
    ...secretsAt(url, stop),
  };
}

function secretsAt(url: URL, { url: from, secrets, left }: Stop): Pick<Stop, 'secrets' | 'left'> {
  if (url.origin === from.origin) return { secrets, ...(left === undefined ? {} : { left }) };
  return {
    secrets: {},
    ...(left !== undefined || Object.keys(secrets).length > 0 ? { left: left ?? from.origin } : {}),
  };
}

// The formats in order of preference, then anything that may still be one of them.
const ACCEPT = [
  ...Object.values(FORMAT_KINDS).map(
    ({ mediaType }, index) => `${mediaType}${index === 0 ? '' : `;q=${1 - index / 10}`}`,
  ),
  'text/plain;q=0.5',
  '*/*;q=0.1',
].join(', ');

function requestHeaders({ secrets }: Stop, { validators, userAgent }: Visit): Record<string, string> {
  return {
    accept: ACCEPT,
    'accept-encoding': 'gzip, br, deflate',
    ...lowerCased(secrets),
    'user-agent': userAgent,
    ...(validators.etag === null ? {} : { 'if-none-match': validators.etag }),
    ...(validators.lastModified === null ? {} : { 'if-modified-since': validators.lastModified }),
  };
}

function secretHeaders({ basic, bearer, headers }: FeedAuth, url: URL): Record<string, string> {
  const inUrl =
    url.username === ''
      ? undefined
      : { username: percentDecoded(url.username), password: percentDecoded(url.password) };
  const user = basic ?? inUrl;
  const authorization =
    bearer !== undefined
      ? `Bearer ${bearer}`
      : user && `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`;
  return { ...(authorization === undefined ? {} : { authorization }), ...lowerCased(headers ?? {}) };
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray % is not an escape; it is part of the name or password.
    return text;
  }
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function withoutUser(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  bare.hash = '';
  return bare;
}

async function take(answer: HttpAnswer, stop: Stop, visit: Visit): Promise<FetchResult> {
  const { status, headers, body } = answer;
  const answered = {
    validators: { etag: headers.get('etag'), lastModified: lastModifiedIn(headers) },
    finalUrl: stop.url.href,
    ...(stop.permanent === undefined ? {} : { permanentRedirect: stop.permanent }),
    ...maxAge(headers),
  };
  const isConditional = visit.validators.etag !== null || visit.validators.lastModified !== null;
  if (status === 304 && isConditional) {
    body.on('error', ignored).destroy();
    const { etag, lastModified } = answered.validators;
    return {
      kind: 'notModified',
      ...answered,
      validators: { etag: etag ?? visit.validators.etag, lastModified: lastModified ?? visit.validators.lastModified },
    };
  }
  if (status !== 200) {
    body.on('error', ignored).destroy();
    return failed(...refusalOf(status, publicAddress(stop.url.href), stop.left), retryAfterMs(headers, Date.now()));
  }
  const length = Number(headers.get('content-length') ?? Number.NaN);
  const bytes = await bodyBytes(body, headers, visit.limits, (done) =>
    visit.onRead?.({ unit: 'bytes', done, of: done <= length ? length : undefined }),
  );
  if (bytes.length === 0) return failed('feed-empty', `${publicAddress(stop.url.href)} answered with nothing at all.`);
  return { kind: 'fetched', ...answered, bytes, contentType: headers.get('content-type') };
}

/**
 * The Last-Modified of a feed, unless a later change could have the same time: the answer must be at least a second
 * newer (RFC 9110, 8.8.2.2).
 */
function lastModifiedIn(headers: Headers): string | null {
  const lastModified = headers.get('last-modified');
  const age = Date.parse(headers.get('date') ?? '') - Date.parse(lastModified ?? '');
  return age < 1000 ? null : lastModified;
}

function maxAge(headers: Headers): { maxAgeMs?: number } {
  const maxAgeMs = freshForMs(headers, Date.now());
  return maxAgeMs === undefined ? {} : { maxAgeMs };
}

// A body that is discarded without being read can still fail.
const ignored = (): void => undefined;

function failureOf(error: unknown, url: URL, limits: FetchLimits): FetchFailed {
  const here = publicAddress(url.href);
  if (error instanceof AppError && error.code === 'too-large')
    return failed('feed-too-large', `${here} is too large: ${error.message}${limits.whose ?? '.'}`);
  if (error instanceof AppError && error.code === 'bad-encoding')
    return failed('feed-bad-encoding', `${here} cannot be unpacked: ${error.message}.`);
  const { code, message } = httpFailure(error);
  if (code === 'address-refused') return failed('feed-address-refused', `${here} is not read: ${message}`);
  if (code === 'cut-off') return failed('feed-cut-off', `${here} did not arrive completely: ${message}.`);
  if (code === 'timeout')
    return failed(
      'feed-timeout',
      `${here} was given up: ${message} (at most ${limits.totalMs / 1000} seconds in all).`,
    );
  return failed(`feed-${code}`, `${here} cannot be reached: ${message}.`);
}
