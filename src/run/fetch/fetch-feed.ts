import { addressGuard } from '../../client/address-guard.ts';
import type { OnRead } from '../../client/site-client.ts';
import type { BodyLimits } from '../../client/body-bytes.ts';
import { openHttp, type Http, type HttpSettings } from '../../client/http.ts';
import { turns } from '../../client/turns.ts';
import { fetchFile, type FileSettings } from './fetch-file.ts';
import { failed, LIMIT_IN_WORDS, type FetchResult, type Validators } from './fetch-result.ts';
import { fetchWeb, webAddress, type FeedAuth, type FetchLimits } from './fetch-web.ts';
import { publicAddress } from './public-address.ts';

export type { FeedAuth, FetchLimits } from './fetch-web.ts';
export type { FetchResult, Validators } from './fetch-result.ts';

/** The address of a feed, and what its server requires. */
export interface FeedAddress {
  /** http, https, webcal or file; a bare path if `isTrusted`. */
  readonly url: string;
  readonly auth?: FeedAuth;
  /** The path was given on the command line and may be anywhere. */
  readonly isTrusted?: boolean;
}

export interface FetchOptions {
  /** Connections that apply the address guard (`openFeedHttp`). */
  readonly http: FeedHttp;
  /** Made by `userAgent`. */
  readonly userAgent: string;
  readonly files: FileSettings;
  readonly limits: BodyLimits & Partial<FetchLimits>;
  /** Called with the number of bytes received so far. */
  readonly onRead?: OnRead;
}

/** The size limit for feeds, both as received and unpacked. */
export const bodyLimits = (bytesMax: number): BodyLimits => ({ bytesMax, wireBytesMax: bytesMax });

const FETCH_LIMITS = { totalMs: 120_000, redirectsMax: 5, whose: `, ${LIMIT_IN_WORDS}` };

export const NO_VALIDATORS: Validators = { etag: null, lastModified: null };

/** A User-Agent that names us honestly and says how to reach the operator. */
export const userAgent = (version: string, contact: string | undefined): string =>
  `calsyncd/${version}${contact ? ` (+${contact.replace(/[^\x21-\x7e]|[()]/g, '')})` : ''}`;

/** Connections for feeds. Requests to one host wait their turn, and their time limit starts only then. */
export interface FeedHttp extends Http {
  readonly inTurn: <T>(host: string, task: () => Promise<T>) => Promise<T>;
}

/**
 * Opens connections that only reach the public internet and `allowAddresses` (networks such as `10.0.0.0/8`). Throws
 * AppError for an invalid network.
 */
export function openFeedHttp(allowAddresses: readonly string[], settings: Partial<HttpSettings> = {}): FeedHttp {
  const connectionsPerHost = settings.connectionsPerHost ?? 2;
  const http = openHttp({
    connectTimeoutMs: 10_000,
    headersTimeoutMs: 30_000,
    idleTimeoutMs: 30_000,
    guard: addressGuard(allowAddresses),
    ...settings,
    connectionsPerHost,
  });
  return { ...http, inTurn: turns(connectionsPerHost) };
}

/**
 * Fetches a feed, or learns that it has not changed. Never throws because of anything from outside: a failure is a
 * problem whose message says what to do and contains no secret.
 */
export async function fetchFeed(
  source: FeedAddress,
  validators: Validators,
  options: FetchOptions,
): Promise<FetchResult> {
  const result = await fetchedFrom(source, validators, options);
  return result.kind === 'fetched' ? { ...result, bytes: inSharedMemory(result.bytes) } : result;
}

/** Copies bytes to shared memory, so that the thread that reads them needs no further copy, and frees the original. */
function inSharedMemory(bytes: Uint8Array): Uint8Array {
  const shared = Buffer.from(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  const isAllOfIt = bytes.length === bytes.buffer.byteLength;
  if (isAllOfIt && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
  return shared;
}

async function fetchedFrom(source: FeedAddress, validators: Validators, options: FetchOptions): Promise<FetchResult> {
  const limits: FetchLimits = { ...FETCH_LIMITS, ...options.limits };
  const isFile = source.isTrusted ? !/^(?:https?|webcals?):\/\//i.test(source.url) : /^file:/i.test(source.url);
  if (isFile) return fetchFile(source.url, validators, options.files, source.isTrusted === true, limits.bytesMax);
  const url = webAddress(source.url);
  if (!url)
    return failed(
      'feed-bad-address',
      `${publicAddress(source.url)} is not an address that a feed can be read from. It must begin with https://, http://, webcal:// or file:.`,
    );
  const { http, onRead } = options;
  const fetchFrom = (from: URL): Promise<FetchResult> =>
    http.inTurn(from.host, () =>
      fetchWeb(from, source.auth ?? {}, validators, {
        http,
        userAgent: options.userAgent,
        limits,
        ...(onRead ? { onRead } : {}),
      }),
    );
  const result = await fetchFrom(url);
  if (!isWithoutHttps(result) || !/^webcal:/i.test(source.url)) return result;
  if (source.auth || url.username !== '')
    return failed(
      'feed-insecure',
      `${publicAddress(url.href)} does not offer https, and credentials are not sent without it. If that is acceptable, write the address with http://.`,
    );
  return fetchFrom(new URL(url.href.replace(/^https:/, 'http:')));
}

// webcal: does not say whether TLS is used, so http is tried if the server has no https.
const isWithoutHttps = (result: FetchResult): boolean =>
  result.kind === 'failed' && ['feed-refused', 'feed-not-tls'].includes(result.problem.code);
