import { createHash } from 'node:crypto';
import { fetchFeed, type FeedAddress, type FetchOptions, type FetchResult, type Validators } from './fetch-feed.ts';
import { webAddress } from './fetch-web.ts';

/** Fetches for a source; sources with the same address and credentials share the result. */
export type SharedFetch = (source: string, address: FeedAddress, validators: Validators) => Promise<FetchResult>;

interface Fetch {
  readonly validators: Validators;
  readonly takers: Set<string>;
  readonly result: Promise<FetchResult>;
}

const KEPT_MS = 60_000;

/**
 * Makes one fetch per address, however many sources use it: those that ask while it is under way, or within `keptMs`
 * after it, share its result. Each source gets a result only once, so its next run fetches again. `addresses` are those
 * of all sources; only results for shared addresses are kept.
 */
export function shareFetches(addresses: readonly FeedAddress[], options: FetchOptions, keptMs = KEPT_MS): SharedFetch {
  const [seen, shared] = [new Set<string>(), new Set<string>()];
  for (const key of addresses.map(keyOf)) (seen.has(key) ? shared : seen).add(key);
  const known = new Map<string, Fetch>();
  const start = (key: string, source: string, address: FeedAddress, validators: Validators): Fetch => {
    const fetch: Fetch = { validators, takers: new Set([source]), result: fetchFeed(address, validators, options) };
    known.set(key, fetch);
    // The time starts at the last byte, so that the body is not kept in memory longer than needed.
    void fetch.result.finally(() =>
      setTimeout(() => {
        if (known.get(key) === fetch) known.delete(key);
      }, keptMs).unref(),
    );
    return fetch;
  };
  return async (source, address, validators) => {
    const key = keyOf(address);
    if (!shared.has(key)) return fetchFeed(address, validators, options);
    const fetch = known.get(key);
    if (!fetch || fetch.takers.has(source)) return start(key, source, address, validators).result;
    fetch.takers.add(source);
    const result = await fetch.result;
    // "Not modified" is only valid for sources that sent the same validators.
    return result.kind !== 'notModified' || isSame(fetch.validators, validators)
      ? result
      : fetchFeed(address, validators, options);
  };
}

const isSame = (one: Validators, other: Validators): boolean =>
  one.etag === other.etag && one.lastModified === other.lastModified;

// Hashed, so that no copy of a secret is kept here.
const keyOf = ({ url, auth }: FeedAddress): string =>
  createHash('sha256')
    .update(JSON.stringify([webAddress(url)?.href ?? url, auth ?? null]))
    .digest('base64');
