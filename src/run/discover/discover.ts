import { feedsBehind } from '../../ical/read/web-page.ts';
import { knownPage, type PageFound } from '../../ical/read/known-pages.ts';
import type { Problem } from '../../problem.ts';
import type { DraftSettings } from '../../sync/model/draft.ts';
import { fetchFeed, NO_VALIDATORS, type FetchOptions } from '../fetch/fetch-feed.ts';
import type { IsOwn } from '../fetch/own-feeds.ts';
import { failed, type FetchResult } from '../fetch/fetch-result.ts';
import { previewFeed, type FeedPreview } from '../parse/preview-feed.ts';
import type { FeedParser } from '../parse/parse-pool.ts';
import { adviceOn } from './refusals.ts';

/** A feed that an address leads to. */
export interface FoundFeed {
  /** As it would be written in the configuration. */
  readonly address: string;
  readonly preview: Extract<FeedPreview, { readonly kind: 'read' }>;
  /** The number of its events that have not ended. */
  readonly coming: number;
}

/** Why an address gives no feed, and what can be done about it. */
export interface RefusedAddress {
  readonly address: string;
  readonly problem: Problem;
  /** What to click in the software that the address belongs to, or what else to do. */
  readonly advice: string | undefined;
}

/** What an address leads to. */
export interface Discovery {
  /** Whether the address itself is a web page. */
  readonly isPage: boolean;
  readonly feeds: readonly FoundFeed[];
  /** What was tried and is no feed; if nothing was found, the address itself. */
  readonly refused: readonly RefusedAddress[];
  /** The number of further addresses on the page that were not tried. */
  readonly more: number;
}

/** What `discover` needs. */
export interface DiscoveryContext {
  /** Fetches one feed, applying the address guard and refusing files. */
  readonly fetch: (address: string) => Promise<FetchResult>;
  readonly parser: Pick<FeedParser, 'parse'>;
  readonly isOwn: IsOwn;
  readonly settings: DraftSettings;
  readonly now: number;
}

/** Short, because a person is waiting for the answer. */
const LOOK_MS_MAX = 30_000;

/** Fetches an address that a person has pasted. */
export const fetchToLook = (address: string, options: FetchOptions): Promise<FetchResult> =>
  fetchFeed({ url: address }, NO_VALIDATORS, { ...options, limits: { ...options.limits, totalMs: LOOK_MS_MAX } });

const TRIED_MAX = 6;

/** Turns a pasted text into an address; the path of a file is left as it is. */
export function pastedAddress(text: string): string {
  const trimmed = text.trim().replace(/^<(.*)>$/s, '$1');
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !/^[\w.-]+:\d+(?:\/|$)/.test(trimmed);
  return hasScheme || isPath(trimmed) ? trimmed : `https://${trimmed}`;
}

const isPath = (text: string): boolean => /^(?:\/(?!\/)|~|\.{1,2}[\\/])/.test(text);

/**
 * Looks at any address: a feed, or a web page that links to feeds. It comes from outside, so the address guard applies
 * to it and to everything it leads to, and no file is read.
 */
export async function discover(pasted: string, looking: DiscoveryContext): Promise<Discovery> {
  const address = pastedAddress(pasted);
  const known = knownPage(address);
  // For known services, the addresses of the feeds are known; the page itself would only ask to sign in.
  if (known && known.feeds.length > 0) return behind(known.feeds, true, looking);
  const { fetched, preview } = await look(address, looking);
  if (preview.kind === 'read')
    return { isPage: false, feeds: [foundFeed(address, preview, looking)], refused: [], more: 0 };
  const page = fetched.kind === 'fetched' && preview.body ? preview.body.text : '';
  const feeds = page === '' ? [] : feedsBehind(page, fetched.kind === 'fetched' ? fetched.finalUrl : address);
  const others = feeds.filter((feed) => feed !== address);
  if (others.length > 0) return behind(others, true, looking);
  return { isPage: page !== '', feeds: [], refused: [refusedFor(address, preview.problem, known)], more: 0 };
}

async function behind(addresses: readonly string[], isPage: boolean, looking: DiscoveryContext): Promise<Discovery> {
  const tried = await Promise.all(
    addresses.slice(0, TRIED_MAX).map(async (address) => ({ address, ...(await look(address, looking)) })),
  );
  return {
    isPage,
    feeds: tried
      .flatMap(({ address, preview }) => (preview.kind === 'read' ? [foundFeed(address, preview, looking)] : []))
      .toSorted((one, other) => other.coming - one.coming),
    refused: tried.flatMap(({ address, preview }) =>
      preview.kind === 'failed' ? [refusedFor(address, preview.problem)] : [],
    ),
    more: Math.max(0, addresses.length - TRIED_MAX),
  };
}

interface Looked {
  readonly fetched: FetchResult;
  readonly preview: FeedPreview;
}

async function look(address: string, looking: DiscoveryContext): Promise<Looked> {
  const fetched = await fetchPasted(address, looking);
  return { fetched, preview: await previewFeed(address, fetched, looking.parser, undefined, looking.settings) };
}

async function fetchPasted(address: string, { fetch, isOwn }: DiscoveryContext): Promise<FetchResult> {
  if (!/^(?:https?|webcals?):/i.test(address)) return failed('feed-bad-address', NO_WEB_ADDRESS);
  if (isOwn(address)) return failed('feed-own', OWN);
  const fetched = await fetch(address);
  return fetched.kind === 'fetched' && isOwn(fetched.finalUrl) ? failed('feed-own', OWN) : fetched;
}

const NO_WEB_ADDRESS =
  'This is not a web address. It must begin with https://, http:// or webcal://; you can upload a file instead.';
const OWN = 'This calendar is published by calsyncd itself. Reading it would be a loop.';

export const foundFeed = (
  address: string,
  preview: FoundFeed['preview'],
  { now }: Pick<DiscoveryContext, 'now'>,
): FoundFeed => ({
  address,
  preview,
  coming: preview.reading.drafts.filter(({ endsAt }) => endsAt > now).length,
});

const refusedFor = (address: string, problem: Problem, known?: PageFound): RefusedAddress => ({
  address,
  problem,
  advice: adviceOn(problem.code, address) ?? (known?.advice || undefined),
});
