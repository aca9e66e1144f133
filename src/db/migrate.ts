import { sql, type Kysely } from 'kysely';
import { AppError } from '../error.ts';
import type { Database } from './database.ts';
import * as site from './migrations/001-site.ts';
import * as users from './migrations/002-users.ts';
import * as sync from './migrations/003-sync.ts';
import * as exports from './migrations/004-exports.ts';
import * as embeds from './migrations/005-embeds.ts';
import * as accounts from './migrations/006-accounts.ts';
import * as decidedRuns from './migrations/006-decided-runs.ts';
import * as images from './migrations/007-images.ts';
import * as protectedEvents from './migrations/009-protected-events.ts';
import * as exportedContent from './migrations/008-exported-content.ts';
import * as fetchTimes from './migrations/010-fetch-times.ts';
import * as listIndexes from './migrations/011-list-indexes.ts';
import * as listTotals from './migrations/012-list-totals.ts';
import * as siteIdentity from './migrations/013-site-identity.ts';
import * as heldFeeds from './migrations/014-held-feeds.ts';
import * as unanswered from './migrations/015-unanswered.ts';
import * as openEvents from './migrations/016-open-events.ts';
import * as takenBack from './migrations/017-taken-back.ts';
import * as toldFailures from './migrations/018-told-failures.ts';
import * as processHeartbeat from './migrations/019-process-heartbeat.ts';
import * as previousStart from './migrations/020-previous-start.ts';
import * as heldAbsences from './migrations/021-held-absences.ts';
import * as siteZones from './migrations/022-site-zones.ts';
import * as causes from './migrations/023-causes.ts';
import * as plainNames from './migrations/024-plain-names.ts';

/** One step of the schema: done once, in one transaction with all others, and never changed afterwards. */
export interface Migration {
  readonly name: string;
  readonly up: (db: Kysely<unknown>) => Promise<void>;
}

// In order. A released entry is never changed, removed or moved.
export const MIGRATIONS: readonly Migration[] = [
  { name: '001-site', up: site.up },
  { name: '002-users', up: users.up },
  { name: '003-sync', up: sync.up },
  { name: '004-exports', up: exports.up },
  { name: '005-embeds', up: embeds.up },
  { name: '006-accounts', up: accounts.up },
  { name: '006-decided-runs', up: decidedRuns.up },
  { name: '007-images', up: images.up },
  { name: '009-protected-events', up: protectedEvents.up },
  { name: '008-exported-content', up: exportedContent.up },
  { name: '010-fetch-times', up: fetchTimes.up },
  { name: '011-list-indexes', up: listIndexes.up },
  { name: '012-list-totals', up: listTotals.up },
  { name: '013-site-identity', up: siteIdentity.up },
  { name: '014-held-feeds', up: heldFeeds.up },
  { name: '015-unanswered', up: unanswered.up },
  { name: '016-open-events', up: openEvents.up },
  { name: '017-taken-back', up: takenBack.up },
  { name: '018-told-failures', up: toldFailures.up },
  { name: '019-process-heartbeat', up: processHeartbeat.up },
  { name: '020-previous-start', up: previousStart.up },
  { name: '021-held-absences', up: heldAbsences.up },
  { name: '022-site-zones', up: siteZones.up },
  { name: '023-causes', up: causes.up },
  { name: '024-plain-names', up: plainNames.up },
];

// An arbitrary number of our own: of two processes that migrate at once, one waits for the other.
const LOCK = 4_217_001;

/**
 * Brings the schema up to date in one transaction; returns the names of the steps taken. Throws AppError when the
 * database is newer than this program.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly string[]> {
  return database
    .query<unknown>()
    .transaction()
    .execute(async (transaction) => {
      // Another process may be migrating, for as long as it takes.
      await sql`SET LOCAL lock_timeout = 0`.execute(transaction);
      await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(transaction);
      await sql`CREATE TABLE IF NOT EXISTS calsyncd_migration (name text PRIMARY KEY, done_at timestamptz NOT NULL DEFAULT now())`.execute(
        transaction,
      );
      const { rows } = await sql<{ name: string }>`SELECT name FROM calsyncd_migration`.execute(transaction);
      const done = new Set(rows.map(({ name }) => name));
      refuseNewer(done, migrations);
      const open = migrations.filter(({ name }) => !done.has(name));
      for (const { name, up } of open) {
        await up(transaction);
        await sql`INSERT INTO calsyncd_migration (name) VALUES (${name})`.execute(transaction);
      }
      return open.map(({ name }) => name);
    });
}

function refuseNewer(done: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const unknown = [...done].filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length === 0) return;
  throw new AppError(
    'database-newer',
    `The database was created by a newer calsyncd (it has had ${unknown.toSorted().join(', ')}). Run that version, or restore a backup from before it.`,
  );
}
