import { sql, type Queryable } from '../../db/database.ts';
import type { SyncCause } from './causes.ts';
import type { SourceSetup } from './context.ts';
import { loadFeedState } from './feed-state.ts';
import { DAY_MS } from '../../time.ts';

type Query = Queryable;

const MINUTE_MS = 60_000;
/** Publishers often declare weeks or years out of habit, so their value is limited to this. */
const WISH_MS_MAX = DAY_MS;
const BACKOFF_MS_MAX = 6 * 60 * MINUTE_MS;

/**
 * How long a feed need not be fetched again, in milliseconds, according to its server (Cache-Control, Expires) and its
 * text (REFRESH-INTERVAL, X-PUBLISHED-TTL).
 */
export const freshFor = (maxAgeMs: number | null | undefined, refreshMs: number | null): number =>
  Math.min(WISH_MS_MAX, Math.max(maxAgeMs ?? 0, refreshMs ?? 0));

/**
 * How long to wait after this many failures in a row, in milliseconds: 5 minutes, doubled each time, at most 6 hours.
 * `chance` (0 to 1) varies it by up to a fifth.
 */
export const backoffFor = (failures: number, chance: number): number =>
  Math.min(BACKOFF_MS_MAX, 5 * MINUTE_MS * 2 ** Math.min(failures - 1, 20)) * (0.8 + 0.4 * chance);

/**
 * Until when an automatic run must not fetch the feed, in epoch milliseconds; null if it may. A changed mapping or an
 * overdue comparison overrides the publisher's wish, unless fetching has been failing; a start of the program or a
 * change of settings only overrides our own waiting time.
 */
export async function tooEarlyUntil(
  query: Query,
  setup: SourceSetup,
  cause: SyncCause,
  now: number,
): Promise<number | null> {
  if (cause === 'command') return null;
  const state = await loadFeedState(query, setup.site.key, setup.name);
  const retryAt = cause === 'start' || cause === 'settings' ? 0 : (state.retryAt ?? 0);
  const isUpToDate =
    state.settingsHash === setup.settingsHash && state.fullAt !== null && now - state.fullAt < setup.site.fullEveryMs;
  const wishedUntil = isUpToDate || state.failures > 0 ? (state.notBefore ?? 0) : 0;
  const until = Math.max(retryAt, wishedUntil);
  // Waits never exceed a day; a later time was computed by a clock that was wrong.
  return until > now && until <= now + WISH_MS_MAX ? until : null;
}

/** Forgets until when feeds are left alone, because the clock by which this was computed has been set back. */
export async function forgetFetchTimes(query: Query): Promise<void> {
  await sql`update calsync.sources set not_before = null, retry_at = null
    where not_before is not null or retry_at is not null`.execute(query);
}

/**
 * Records a failed fetch. The next scheduled run waits, longer each time, and at least as long as the server asks
 * (Retry-After).
 */
export async function noteFailure(
  query: Query,
  site: string,
  source: string,
  retryAfterMs: number | undefined,
  now: number,
  chance: number,
): Promise<void> {
  const { failures } = await loadFeedState(query, site, source);
  const retryAt = new Date(now + backoffFor(failures + 1, chance));
  const notBefore = retryAfterMs === undefined ? null : new Date(now + Math.min(WISH_MS_MAX, retryAfterMs));
  await sql`
    insert into calsync.sources (site, source, failures, retry_at, not_before) values (${site}, ${source}, 1, ${retryAt}, ${notBefore})
    on conflict (site, source) do update set failures = calsync.sources.failures + 1, retry_at = excluded.retry_at, not_before = excluded.not_before`.execute(
    query,
  );
}

/**
 * Records a successful fetch and resets the count of failures. How long it stays fresh is stored when the run ends well
 * (`saveFeedState`).
 */
export async function noteFetched(query: Query, site: string, source: string): Promise<void> {
  await sql`update calsync.sources set failures = 0, retry_at = null, not_before = null where site = ${site} and source = ${source}`.execute(
    query,
  );
}
