import { expect } from 'vitest';
import type { HttpSettings } from '../../src/client/http.ts';
import {
  bodyLimits,
  fetchFeed,
  NO_VALIDATORS,
  openFeedHttp,
  userAgent,
  type FeedAddress,
  type FeedHttp,
  type FetchLimits,
  type FetchResult,
  type Validators,
} from '../../src/run/fetch/fetch-feed.ts';

export const CALENDAR = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';

const opened: FeedHttp[] = [];

/** Connects to the public internet and to what is allowed. */
export function connections(allowed: readonly string[], settings: Partial<HttpSettings> = {}): FeedHttp {
  const one = openFeedHttp(allowed, settings);
  opened.push(one);
  return one;
}

export async function closeConnections(): Promise<void> {
  await Promise.all(opened.splice(0).map((one) => one.close()));
}

export interface Asked {
  readonly http: FeedHttp;
  readonly validators?: Validators;
  readonly limits?: Partial<FetchLimits>;
  readonly auth?: FeedAddress['auth'];
  readonly isTrusted?: boolean;
  readonly files?: { readonly base: string; readonly directories: readonly string[] };
}

export const fetchedWith = (
  url: string,
  {
    http,
    validators = NO_VALIDATORS,
    limits = {},
    auth,
    isTrusted,
    files = { base: '/nowhere', directories: [] },
  }: Asked,
): Promise<FetchResult> =>
  fetchFeed({ url, ...(auth ? { auth } : {}), ...(isTrusted === undefined ? {} : { isTrusted }) }, validators, {
    http,
    userAgent: userAgent('1.2.3', 'ops@town.example'),
    files,
    limits: { ...bodyLimits(50_000_000), ...limits },
  });

export const text = (result: FetchResult): string =>
  result.kind === 'fetched'
    ? Buffer.from(result.bytes).toString()
    : `${result.kind}: ${result.kind === 'failed' ? result.problem.message : ''}`;

export const codeOf = (result: FetchResult): string => (result.kind === 'failed' ? result.problem.code : result.kind);

/** Asserts that a fetch fails and returns the message. */
export function failure(result: FetchResult, code: string): string {
  if (result.kind !== 'failed') throw new Error(`not failed but ${result.kind}`);
  expect(codeOf(result)).toBe(code);
  return result.problem.message;
}
