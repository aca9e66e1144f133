import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { rowOf, sql, type Queryable, type Sql } from '../../db/database.ts';
import type { Problem } from '../../problem.ts';
import { UNTIL_READ_AGAIN } from '../../sync/plan/notices.ts';
import { isSyncSql } from './causes.ts';

type Query = Queryable;

// In threads of their own: a body of fifty megabytes takes a second.
const unpacked = promisify(gunzip);

/** The bytes of a body as they are stored. */
export const packedBody: (bytes: Uint8Array) => Promise<Uint8Array> = promisify<Uint8Array, Buffer>(gzip);

/** The bytes of a body that was stored. */
export const unpackedBody = (packed: Uint8Array): Promise<Uint8Array> => unpacked(packed);

/** What is stored about a source's feed between runs. */
export interface FeedState {
  readonly rung: 'uid' | 'url' | 'fingerprint';
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly bodyHash: string | null;
  /** The settings of the last good run: a run is due when they change. */
  readonly settingsHash: string | null;
  /** What its settled events had in common when it was last read; null if all of it has to be read. */
  readonly frame: string | null;
  readonly contentType: string | null;
  /** When the whole site was last compared; epoch milliseconds. */
  readonly fullAt: number | null;
  /**
   * Something is pending (missing events being counted, a failed write): the next run plans even if the feed is
   * unchanged.
   */
  readonly due: boolean;
  /**
   * Epoch milliseconds: `notBefore` is when the publisher allows the next fetch, `retryAt` when we try again after
   * `failures` in a row.
   */
  readonly notBefore: number | null;
  readonly retryAt: number | null;
  readonly failures: number;
  /** REFRESH-INTERVAL or X-PUBLISHED-TTL of the last good body; milliseconds. */
  readonly refreshMs: number | null;
}

const NEVER_READ: FeedState = {
  rung: 'uid',
  etag: null,
  lastModified: null,
  bodyHash: null,
  settingsHash: null,
  frame: null,
  contentType: null,
  fullAt: null,
  due: false,
  notBefore: null,
  retryAt: null,
  failures: 0,
  refreshMs: null,
};

const FEED_STATE = sql`rung, etag, last_modified as "lastModified", body_hash as "bodyHash",
  settings_hash as "settingsHash", frame, content_type as "contentType",
  (extract(epoch from full_at) * 1000)::bigint as "fullAt", due,
  (extract(epoch from not_before) * 1000)::bigint as "notBefore",
  (extract(epoch from retry_at) * 1000)::bigint as "retryAt", failures, refresh_ms as "refreshMs"`;

export async function loadFeedState(query: Query, site: string, source: string): Promise<FeedState> {
  const { rows } =
    await sql<FeedState>`select ${FEED_STATE} from calsync.sources where site = ${site} and source = ${source}`.execute(
      query,
    );
  return rows[0] ?? NEVER_READ;
}

/** All that decides whether a source has to be read at all. */
export interface Standing {
  readonly feed: FeedState;
  /** The content hash of the stored body; null if there is none, or it was stored without. */
  readonly storedHash: string | null;
  readonly hasLedger: boolean;
  /** How many of its events are on the site. */
  readonly kept: number;
  /** Writes of earlier runs whose answers were lost are still open. */
  readonly hasUnanswered: boolean;
  /** A plan of it waits for a person. */
  readonly hasHeld: boolean;
  /** Its first plan waits for a person, whatever is in it. */
  readonly isFirstHeld: boolean;
  /** What its last good reading has said that is so until the next one. */
  readonly told: readonly Problem[];
}

/** What is stored about a source, in one statement. */
export async function loadStanding(query: Query, site: string, source: string): Promise<Standing> {
  const { rows } = await sql<Omit<Standing, 'feed'> & FeedState & { isKnown: boolean }>`
    select own.source is not null as "isKnown", ${FEED_STATE}, stored_hash as "storedHash",
      exists (select from calsync.ledger where site = asked.site and source = asked.name) as "hasLedger",
      (select count(*) from calsync.ledger where site = asked.site and source = asked.name and state = 'kept') as kept,
      exists (select from calsync.unanswered where site = asked.site and source = asked.name) as "hasUnanswered",
      exists (select from calsync.runs where site = asked.site and source = asked.name and state = 'held') as "hasHeld",
      exists (select from calsync.first_runs where site = asked.site and source = asked.name) as "isFirstHeld",
      array(select problem from jsonb_array_elements((select report->'problems' from calsync.runs
          where site = asked.site and source = asked.name and state in ('done', 'unchanged') and ${isSyncSql}
          order by started_at desc limit 1)) as problem
        where problem->>'code' = any(${UNTIL_READ_AGAIN}::text[])) as told
    from (select ${site}::text as site, ${source}::text as name) as asked
      left join calsync.sources as own on own.site = asked.site and own.source = asked.name`.execute(query);
  const { isKnown, storedHash, hasLedger, kept, hasUnanswered, hasHeld, isFirstHeld, told, ...feed } = rowOf({ rows });
  return { feed: isKnown ? feed : NEVER_READ, storedHash, hasLedger, kept, hasUnanswered, hasHeld, isFirstHeld, told };
}

/** The last good body of a source as it is stored, for runs that are due although the feed is unchanged. */
export async function loadPackedBody(query: Query, site: string, source: string): Promise<Uint8Array | undefined> {
  const { rows } = await sql<{
    body: Buffer;
  }>`select body from calsync.sources join calsync.bodies on key = body_key where site = ${site} and source = ${source}`.execute(
    query,
  );
  return rows[0]?.body;
}

/** The last good body of a source. */
export async function loadBody(query: Query, site: string, source: string): Promise<Uint8Array | undefined> {
  const packed = await loadPackedBody(query, site, source);
  return packed && unpackedBody(packed);
}

/** The body that a plan was made from, as long as it is held. */
export async function loadHeldBody(
  query: Query,
  run: string,
): Promise<Pick<FormerBody, 'bytes' | 'contentType'> | undefined> {
  const { rows } = await sql<{ body: Buffer; contentType: string | null }>`
    select body, content_type as "contentType" from calsync.runs join calsync.bodies on key = body_key
    where run = ${run} and state = 'held'`.execute(query);
  return rows[0] && { bytes: await unpacked(rows[0].body), contentType: rows[0].contentType };
}

/** A body that is not the last good one of its source any more. */
export interface FormerBody {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
}

/** The last body of a source from which no event was missing, as long as events are missing. */
export async function loadFormerBody(query: Query, site: string, source: string): Promise<FormerBody | undefined> {
  const { rows } = await sql<{ body: Buffer; contentType: string | null; fetchedAt: Date }>`
    select body, former_content_type as "contentType", coalesce(former_fetched_at, fetched_at, now()) as "fetchedAt"
    from calsync.sources join calsync.bodies on key = former_body_key
    where site = ${site} and source = ${source}`.execute(query);
  const [row] = rows;
  return row && { bytes: await unpacked(row.body), contentType: row.contentType, fetchedAt: row.fetchedAt.getTime() };
}

/** When the last good body of a source was fetched, in epoch milliseconds. */
export async function bodyFetchedAt(query: Query, site: string, source: string): Promise<number | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select fetched_at as at from calsync.sources where site = ${site} and source = ${source}`.execute(query);
  return rows[0]?.at?.getTime();
}

/** The compressed bytes of a body in which its first bytes are. */
const START_BYTES = 16_384;

/** The beginning of the last good body of a source: at least the header of a table. */
export async function loadBodyStart(query: Query, site: string, source: string): Promise<Uint8Array | undefined> {
  const { rows } = await sql<{ start: Buffer }>`
    select substring(body from 1 for ${START_BYTES}) as start from calsync.sources join calsync.bodies on key = body_key
    where site = ${site} and source = ${source}`.execute(query);
  // The compressed text may be cut anywhere.
  const unfinished = { finishFlush: constants.Z_SYNC_FLUSH };
  return rows[0] && (await unpacked(rows[0].start, unfinished)).subarray(0, START_BYTES);
}

/** The advisory lock class of bodies. */
const BODIES = 0x626f_6469;

/**
 * Locks the bodies that a source and its held runs have, and `more`, in the order that all keep to: of two sources that
 * take over each other's, one waits. `whose` gives the site and the source.
 */
const locked = (whose: Sql, more = sql`select null::bytea`): Sql => sql`locked as (
  select count(pg_advisory_xact_lock(${sql.lit(BODIES)}, id)) as bodies from (
    select hashtext(encode(key, 'hex')) as id from (
      select body_key as key from calsync.sources where (site, source) in (${whose})
      union select body_key from calsync.runs where body_key is not null and (site, source) in (${whose})
      union select former_body_key from calsync.sources where (site, source) in (${whose})
      union ${more}) as own
    where key is not null order by id) as wanted)`;

// A body that is there already is locked, so that nobody deletes it before this transaction has ended.
const kept = (whose: Sql, body: Uint8Array): Sql => sql`
  packed as (select sha256(body) as key, body from (values (${body}::bytea)) as given (body)),
  ${locked(whose, sql`select key from packed`)},
  kept as (insert into calsync.bodies (key, body) select key, body from packed, locked on conflict (key) do update set key = excluded.key returning key)`;

/** A body as it is stored, with the content hash of what was fetched. */
export interface StoredBody {
  readonly packed: Uint8Array;
  readonly contentType: string | null;
  readonly hash: string | null;
}

/** Whether events are missing from the last good body of the source that a statement inserts or updates. */
const isMissingAny = sql`exists (select from calsync.ledger
  where ledger.site = sources.site and ledger.source = sources.source and state = 'kept' and missing > 0)`;

/**
 * Keeps the body that a source has until now as its former one, if events are missing from the next (`isMissing`) and
 * none was from this.
 */
const keepingFormer = (isMissing: boolean): Sql => sql`
  (former_body_key, former_content_type, former_fetched_at) = (
    select key, type, at from (values
      (true, sources.body_key, sources.content_type, sources.fetched_at),
      (false, sources.former_body_key, sources.former_content_type, sources.former_fetched_at)) as kept (is_whole, key, type, at)
    where is_whole = (${isMissing} and not ${isMissingAny}))`;

/**
 * Stores the body of a good fetch, before the plan that was made from it, which may leave events as missing
 * (`isMissing`). Its validators are stored when the run ends well (`saveFeedState`), so that after a failed run the feed
 * is read again.
 */
export async function saveBody(
  query: Query,
  site: string,
  source: string,
  { packed, contentType, hash }: StoredBody,
  isMissing = false,
): Promise<void> {
  await sql`with ${kept(sql`values (${site}, ${source})`, packed)}
    insert into calsync.sources as sources (site, source, body_key, stored_hash, content_type, fetched_at)
    select ${site}, ${source}, key, ${hash}, ${contentType}, now() from kept
    on conflict (site, source) do update set body_key = excluded.body_key, stored_hash = excluded.stored_hash,
      content_type = excluded.content_type, fetched_at = now(), ${keepingFormer(isMissing)}`.execute(query);
}

/**
 * Forgets what the settled events of a source had in common, unless it still is `frame`: from here on entries are
 * settled in another one, and whether the run gets to its end is not known. What it is to write (`slugs`) is no longer
 * settled, as the site may refuse it.
 */
export async function leaveFrame(
  query: Query,
  site: string,
  source: string,
  frame: string | null,
  slugs: readonly string[],
): Promise<void> {
  await sql`with former as (update calsync.sources set frame = null
      where site = ${site} and source = ${source} and frame is distinct from ${frame}::text returning 1)
    update calsync.ledger set digest = null where site = ${site} and source = ${source} and slug = any(${[...slugs]}::text[])
      and digest is not null and exists (select from former)`.execute(query);
}

const ownerOf = (run: string): Sql => sql`select site, source from calsync.runs where run = ${run}`;

/** Stores the body that a held plan was made from with its run. */
export async function holdBody(query: Query, run: string, { packed, contentType }: StoredBody): Promise<void> {
  await sql`with ${kept(ownerOf(run), packed)}
    update calsync.runs set body_key = kept.key, content_type = ${contentType} from kept where run = ${run}`.execute(
    query,
  );
}

/**
 * Makes the body that a held plan was made from the current one of its source, also if it is the source's first.
 * `isMissing` as for `saveBody`.
 */
export async function takeHeldBody(query: Query, run: string, isMissing: boolean): Promise<void> {
  await sql`with ${locked(ownerOf(run))}
    insert into calsync.sources as sources (site, source, body_key, stored_hash, content_type, fetched_at)
    select held.site, held.source, held.body_key, held.feed_state->>'bodyHash', held.content_type, held.started_at
    from calsync.runs as held, locked where held.run = ${run} and held.body_key is not null
    on conflict (site, source) do update set body_key = excluded.body_key, stored_hash = excluded.stored_hash,
      content_type = excluded.content_type, fetched_at = excluded.fetched_at, ${keepingFormer(isMissing)}`.execute(
    query,
  );
  await sql`update calsync.runs set body_key = null where run = ${run}`.execute(query);
}

/**
 * Stores the state after a good run, and whether it has read the feed (`hasRead`). Once no event is missing any more,
 * nothing is compared with the former body.
 */
export async function saveFeedState(
  query: Query,
  site: string,
  source: string,
  state: FeedState,
  hasRead: boolean,
): Promise<void> {
  const fullAt = state.fullAt === null ? null : new Date(state.fullAt);
  const notBefore = typeof state.notBefore === 'number' ? new Date(state.notBefore) : null;
  const goodAt = hasRead ? sql`now()` : null;
  await sql`
    insert into calsync.sources as sources (site, source, rung, etag, last_modified, body_hash, settings_hash, frame,
      full_at, due, not_before, refresh_ms, good_at)
    values (${site}, ${source}, ${state.rung}, ${state.etag}, ${state.lastModified}, ${state.bodyHash},
      ${state.settingsHash}, ${state.frame ?? null}, ${fullAt}, ${state.due}, ${notBefore}, ${state.refreshMs},
      ${goodAt})
    on conflict (site, source) do update set rung = excluded.rung, etag = excluded.etag, last_modified = excluded.last_modified,
      body_hash = excluded.body_hash, settings_hash = excluded.settings_hash, frame = excluded.frame,
      full_at = excluded.full_at, due = excluded.due, not_before = excluded.not_before,
      refresh_ms = excluded.refresh_ms, good_at = coalesce(excluded.good_at, sources.good_at),
      former_body_key = case when sources.former_body_key is not null and ${isMissingAny} then sources.former_body_key end`.execute(
    query,
  );
}

/** Makes the next run plan even if the feed is unchanged, and read all of it. */
export async function setDue(query: Query, site: string, source: string): Promise<void> {
  await sql`insert into calsync.sources (site, source, due) values (${site}, ${source}, true)
    on conflict (site, source) do update set due = true, frame = null`.execute(query);
}
