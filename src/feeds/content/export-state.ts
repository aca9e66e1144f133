import { createHash } from 'node:crypto';
import { sql, type Database } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';
import type { CalendarContent } from '../../ical/write/write-event.ts';

/**
 * What subscribers were last told about an event: a hash of it, and the modification (epoch milliseconds) since which
 * this has been the case.
 */
export interface ExportedEvent {
  readonly uid: string;
  readonly hash: string;
  readonly modifiedAt: number;
}

/** What has been exported. Losing it only costs precision; see `exportedEvent`. */
export interface ExportState {
  readonly known: (uids: readonly string[]) => Promise<ReadonlyMap<string, ExportedEvent>>;
  readonly keep: (events: readonly ExportedEvent[]) => Promise<void>;
  /** Since when (epoch milliseconds) a feed's bytes have had this hash; `now` if it is new. */
  readonly changedAt: (feed: string, hash: string, now: number) => Promise<number>;
}

/**
 * What subscribers are told about an event now. The site's `modifiedAt` is used if nothing is known, so that losing our
 * records never lowers a SEQUENCE. If the content is unchanged, the known modification stays; if it changed without a
 * later `modifiedAt` (a category was renamed), it is advanced.
 */
export function exportedEvent(
  uid: string,
  content: CalendarContent,
  modifiedAt: number,
  known: ExportedEvent | undefined,
): ExportedEvent {
  const hash = contentHash(content);
  const whole = Math.floor(modifiedAt / 1000) * 1000;
  if (!known) return { uid, hash, modifiedAt: whole };
  return known.hash === hash ? known : { uid, hash, modifiedAt: Math.max(whole, known.modifiedAt + 1000) };
}

const contentHash = (content: CalendarContent): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);

const EPOCH = Date.UTC(2020, 0, 1);

/** SEQUENCE (RFC 5545, 3.8.7.4): the seconds from 2020-01-01 to the modification. */
export const sequenceOf = (modifiedAt: number): number => Math.max(0, Math.floor((modifiedAt - EPOCH) / 1000));

/**
 * The state of one site's exports in PostgreSQL. If two processes export the same event, the later modification is
 * kept.
 */
export function databaseExportState(database: Database, site: string): ExportState {
  const query = database.query();
  return {
    known: async (uids) => {
      const { rows } =
        await sql<ExportedEvent>`select uid, hash, modified_at as "modifiedAt" from calsync.exported_events
        where site = ${site} and uid = any(${[...uids]}::text[])`.execute(query);
      return new Map(rows.map((row) => [row.uid, row]));
    },
    keep: async (events) => {
      if (events.length === 0) return;
      await sql`insert into calsync.exported_events (site, uid, hash, modified_at)
        select ${site}, uid, hash, "modifiedAt" from jsonb_to_recordset(${jsonb(events)}) as event(uid text, hash text, "modifiedAt" bigint)
        order by uid
        on conflict (site, uid) do update set hash = excluded.hash, modified_at = excluded.modified_at
        where exported_events.modified_at < excluded.modified_at`.execute(query);
    },
    changedAt: async (feed, hash, now) => {
      const { rows } = await sql<{
        at: number;
      }>`insert into calsync.exported_feeds as feed (site, feed, hash, changed_at) values (${site}, ${feed}, ${hash}, ${now})
        on conflict (site, feed) do update set hash = excluded.hash,
          changed_at = case when feed.hash = excluded.hash then feed.changed_at else greatest(excluded.changed_at, feed.changed_at + 1000) end
        returning changed_at as at`.execute(query);
      // The row exists, whether it was inserted or found.
      return rows[0]?.at ?? now;
    },
  };
}

/**
 * The host in the exported UIDs of a site's events that are not ours: `now` if it was used, or else the last one;
 * undefined if there are none.
 */
export async function hostGivenOut(database: Database, site: string, now: string): Promise<string | undefined> {
  const { rows } = await sql<{ host: string }>`select split_part(uid, '@', 2) as host from calsync.exported_events
    where site = ${site} and uid ~ '^[0-9]+@' order by split_part(uid, '@', 2) = ${now} desc, modified_at desc limit 1`.execute(
    database.query(),
  );
  return rows[0]?.host;
}
