import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { rowOf, sql, type Queryable, type Sql } from '../../db/database.ts';
import type { Problem } from '../../problem.ts';
import { UNTIL_READ_AGAIN } from '../../sync/plan/notices.ts';
import { isSyncSql } from './causes.ts';

type Query = Queryable;

// Runs in a thread pool, as a body of fifty megabytes takes a second.
const unpacked = promisify(gunzip);

/** Compresses a body for storage. */
export const packedBody: (bytes: Uint8Array) => Promise<Uint8Array> = promisify<Uint8Array, Buffer>(gzip);

/** Decompresses a stored body. */
export const unpackedBody = (packed: Uint8Array): Promise<Uint8Array> => unpacked(packed);

/** What is stored about a source's feed between runs. */
export interface FeedState {
  readonly rung: 'uid' | 'url' | 'fingerprint';
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly bodyHash: string | null;
  /** The settings of the last good run; a run is due if they change. */
  readonly settingsHash: string | null;
  /** The frame of its settled events when it was last read; null if all of it has to be read. */
  readonly frame: string | null;
  readonly contentType: string | null;
  /** When the whole site was last compared, in epoch milliseconds. */
  readonly fullAt: number | null;
  /**
   * Something is pending (absences being counted, a failed write), so the next run plans even if the feed is unchanged.
   */
  readonly due: boolean;
  /**
   * Epoch milliseconds: `notBefore` is when the publisher allows the next fetch, `retryAt` when we try again after
   * `failures` in a row.
   */
  readonly notBefore: number | null;
  readonly retryAt: number | null;
  readonly failures: number;
  /** REFRESH-INTERVAL or X-PUBLISHED-TTL of the last good body, in milliseconds. */
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

/** Everything that decides whether a source has to be read. */
export interface SourceRecord {
  readonly feed: FeedState;
  /** The content hash of the stored body; null if there is no body, or it was stored without a hash. */
  readonly storedHash: string | null;
  readonly hasLedger: boolean;
  /** The number of its events on the site. */
  readonly kept: number;
  /** The number of events that its last run found in the feed and on the site; null if that run was no sync. */
  readonly synced: number | null;
  /** Writes of earlier runs are still open because their answers were lost. */
  readonly hasUnanswered: boolean;
  /** A plan of the source is held. */
  readonly hasHeld: boolean;
  /** Its first plan is to be held, whatever it contains. */
  readonly isFirstHeld: boolean;
  /** Problems of its last good reading that persist until the next one. */
  readonly told: readonly Problem[];
}

const SYNCED = sql`(report->>'created')::int + (report->>'updated')::int + (report->>'unchanged')::int`;

/** Loads what is stored about a source, with one statement. */
export async function loadSourceRecord(query: Query, site: string, source: string): Promise<SourceRecord> {
  const { rows } = await sql<Omit<SourceRecord, 'feed'> & FeedState & { isKnown: boolean }>`
    select own.source is not null as "isKnown", ${FEED_STATE}, stored_hash as "storedHash",
      exists (select from calsync.ledger where site = asked.site and source = asked.name) as "hasLedger",
      (select count(*) from calsync.ledger where site = asked.site and source = asked.name and state = 'kept') as kept,
      (select case when ${isSyncSql} then ${SYNCED} end from calsync.runs
        where site = asked.site and source = asked.name and state in ('done', 'unchanged')
        order by started_at desc limit 1) as synced,
      exists (select from calsync.unanswered where site = asked.site and source = asked.name) as "hasUnanswered",
      exists (select from calsync.runs where site = asked.site and source = asked.name and state = 'held') as "hasHeld",
      exists (select from calsync.first_runs where site = asked.site and source = asked.name) as "isFirstHeld",
      array(select problem from jsonb_array_elements((select report->'problems' from calsync.runs
          where site = asked.site and source = asked.name and state in ('done', 'unchanged') and ${isSyncSql}
          order by started_at desc limit 1)) as problem
        where problem->>'code' = any(${UNTIL_READ_AGAIN}::text[])) as told
    from (select ${site}::text as site, ${source}::text as name) as asked
      left join calsync.sources as own on own.site = asked.site and own.source = asked.name`.execute(query);
  const { isKnown, storedHash, hasLedger, kept, synced, hasUnanswered, hasHeld, isFirstHeld, told, ...feed } = rowOf({
    rows,
  });
  return {
    feed: isKnown ? feed : NEVER_READ,
    storedHash,
    hasLedger,
    kept,
    synced,
    hasUnanswered,
    hasHeld,
    isFirstHeld,
    told,
  };
}

/** The last good body of a source, compressed, for runs that are due although the feed is unchanged. */
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

/** The body from which a held plan was made, while it is held. */
export async function loadHeldBody(
  query: Query,
  run: string,
): Promise<Pick<FormerBody, 'bytes' | 'contentType'> | undefined> {
  const { rows } = await sql<{ body: Buffer; contentType: string | null }>`
    select body, content_type as "contentType" from calsync.runs join calsync.bodies on key = body_key
    where run = ${run} and state = 'held'`.execute(query);
  return rows[0] && { bytes: await unpacked(rows[0].body), contentType: rows[0].contentType };
}

/** A body that was the last good one of its source before another came. */
export interface FormerBody {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** In epoch milliseconds. */
  readonly fetchedAt: number;
}

/** The last body of a source from which no event was missing; undefined unless events are missing now. */
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

/** The number of compressed bytes that contain the first bytes of a body. */
const START_BYTES = 16_384;

/** The beginning of the last good body of a source, including at least the header of a table. */
export async function loadBodyStart(query: Query, site: string, source: string): Promise<Uint8Array | undefined> {
  const { rows } = await sql<{ start: Buffer }>`
    select substring(body from 1 for ${START_BYTES}) as start from calsync.sources join calsync.bodies on key = body_key
    where site = ${site} and source = ${source}`.execute(query);
  // Accepts compressed data that is cut off anywhere.
  const unfinished = { finishFlush: constants.Z_SYNC_FLUSH };
  return rows[0] && (await unpacked(rows[0].start, unfinished)).subarray(0, START_BYTES);
}

/** The advisory lock class of bodies. */
const BODIES = 0x626f_6469;

/**
 * SQL that locks the bodies of a source and of its held runs, and `more`, in a fixed order, so that two sources that
 * take over each other's bodies do not deadlock. `whose` selects site and source.
 */
const locked = (whose: Sql, more = sql`select null::bytea`): Sql => sql`locked as (
  select count(pg_advisory_xact_lock(${sql.lit(BODIES)}, id)) as bodies from (
    select hashtext(encode(key, 'hex')) as id from (
      select body_key as key from calsync.sources where (site, source) in (${whose})
      union select body_key from calsync.runs where body_key is not null and (site, source) in (${whose})
      union select former_body_key from calsync.sources where (site, source) in (${whose})
      union ${more}) as own
    where key is not null order by id) as wanted)`;

// Locks an existing body, too, so that nobody deletes it before the end of this transaction.
const kept = (whose: Sql, body: Uint8Array): Sql => sql`
  packed as (select sha256(body) as key, body from (values (${body}::bytea)) as given (body)),
  ${locked(whose, sql`select key from packed`)},
  kept as (insert into calsync.bodies (key, body) select key, body from packed, locked on conflict (key) do update set key = excluded.key returning key)`;

/** A compressed body, with the content hash of what was fetched. */
export interface StoredBody {
  readonly packed: Uint8Array;
  readonly contentType: string | null;
  readonly hash: string | null;
}

/** Whether events are missing from the last good body of the source whose row is being written. */
const isMissingAny = sql`exists (select from calsync.ledger
  where ledger.site = sources.site and ledger.source = sources.source and state = 'kept' and missing > 0)`;

/**
 * SQL that keeps a source's current body as the former one if events are missing from the next body (`isMissing`) and
 * none is missing from the current one.
 */
const keepingFormer = (isMissing: boolean): Sql => sql`
  (former_body_key, former_content_type, former_fetched_at) = (
    select key, type, at from (values
      (true, sources.body_key, sources.content_type, sources.fetched_at),
      (false, sources.former_body_key, sources.former_content_type, sources.former_fetched_at)) as kept (is_whole, key, type, at)
    where is_whole = (${isMissing} and not ${isMissingAny}))`;

/**
 * Stores the body of a good fetch, before the plan that was made from it; `isMissing` says whether the plan leaves
 * events as missing. The validators are only stored when the run ends well (`saveFeedState`), so that after a failed
 * run the feed is read again.
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
 * Clears the frame of a source's settled events unless it still is `frame`. From now on, entries are settled in another
 * frame, and the run may not reach its end. The events to be written (`slugs`) are then no longer settled, because the
 * site may refuse them.
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

/** Stores the body from which a held plan was made with its run. */
export async function holdBody(query: Query, run: string, { packed, contentType }: StoredBody): Promise<void> {
  await sql`with ${kept(ownerOf(run), packed)}
    update calsync.runs set body_key = kept.key, content_type = ${contentType} from kept where run = ${run}`.execute(
    query,
  );
}

/**
 * Makes the body of a held plan the current one of its source, even if it is the source's first. `isMissing` as for
 * `saveBody`.
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
 * Stores the state after a good run; `hasRead` says whether the run read the feed. The former body is dropped once no
 * event is missing.
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
