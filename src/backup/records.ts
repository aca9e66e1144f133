import { hasTable } from '../db/has-table.ts';
import { hostname } from 'node:os';
import { rowOf, sql, type Database, type Queryable } from '../db/database.ts';

/** A requested or finished backup, as in the history. */
export interface BackupRecord {
  readonly id: number;
  /** Who requested it, and from where: `schedule`, `console`, `command`. */
  readonly name: string;
  readonly via: string;
  readonly askedAt: Date;
  /** Null while it waits for a process that syncs. */
  readonly startedAt: Date | null;
  /** Null until it has ended. */
  readonly endedAt: Date | null;
  readonly file: string | null;
  readonly bytes: number | null;
  readonly rows: number | null;
  /** Why it failed; null if it did not. */
  readonly problem: string | null;
}

/** Who requests a backup. */
export interface AskedBy {
  readonly name: string;
  readonly via: string;
  readonly address?: string | undefined;
}

const COLUMNS = sql.raw(`id, name, via, asked_at as "askedAt", started_at as "startedAt", ended_at as "endedAt",
  file, bytes, rows, problem`);

/** Backups written by the command are not among those that are kept. */
const COMMAND = 'command';
const KEPT = sql`via <> ${COMMAND}`;

/** How many records are kept. */
const REMEMBERED = 100;

/** Requests a backup, unless one is waiting or being made already. */
export async function askForBackup(query: Queryable, { name, via, address }: AskedBy): Promise<void> {
  await sql`insert into calsync.backups (name, via, address) select ${name}, ${via}, ${address ?? null}
    where not exists (select from calsync.backups where ended_at is null)`.execute(query);
}

/** The latest backups, the last one first. */
export async function listBackups(query: Queryable, limit: number): Promise<readonly BackupRecord[]> {
  const { rows } =
    await sql<BackupRecord>`select ${COLUMNS} from calsync.backups order by id desc limit ${limit}`.execute(query);
  return rows;
}

/**
 * The state of the backups that calsyncd keeps: the last one that has ended, the last good one, and one that was
 * requested. Those written by the command, to wherever the person wanted, do not count; the last of them is `byHand`.
 */
export interface BackupState {
  readonly last: BackupRecord | undefined;
  readonly lastGood: BackupRecord | undefined;
  readonly asked: BackupRecord | undefined;
  readonly byHand: BackupRecord | undefined;
  /** Since when they have been failing; null if the last one is good or there is none. */
  readonly failingSince: Date | null;
}

export async function backupState(query: Queryable): Promise<BackupState> {
  const { rows } = await sql<BackupRecord>`
    (select ${COLUMNS} from calsync.backups where ${KEPT} and ended_at is not null order by id desc limit 1)
    union (select ${COLUMNS} from calsync.backups where ${KEPT} and ended_at is not null and problem is null order by id desc limit 1)
    union (select ${COLUMNS} from calsync.backups where not ${KEPT} and ended_at is not null order by id desc limit 1)
    union (select ${COLUMNS} from calsync.backups where ended_at is null order by id limit 1)`.execute(query);
  const ended = rows
    .filter(({ endedAt, via }) => endedAt !== null && via !== COMMAND)
    .toSorted((one, other) => other.id - one.id);
  const last = ended[0];
  return {
    last,
    lastGood: ended.find(({ problem }) => problem === null),
    asked: rows.find(({ endedAt }) => endedAt === null),
    byHand: rows.find(({ endedAt, via }) => endedAt !== null && via === COMMAND),
    failingSince: last === undefined || last.problem === null ? null : await firstFailure(query),
  };
}

async function firstFailure(query: Queryable): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`select min(ended_at) as since from calsync.backups
    where ${KEPT} and id > coalesce(
      (select max(id) from calsync.backups where ${KEPT} and ended_at is not null and problem is null), 0)`.execute(
    query,
  );
  return rows[0]?.since ?? null;
}

/** Marks backups as failed whose process has ended. Must be called only while no backup is being made. */
export async function endBrokenOff(query: Queryable): Promise<void> {
  await sql`update calsync.backups set ended_at = now(), problem = 'the process that was making it has ended: ' || process
    where started_at is not null and ended_at is null`.execute(query);
}

/**
 * Records that a backup has begun, either the requested or a new one; returns its number. `startedAt` is in epoch
 * milliseconds, by the clock used for the schedule.
 */
export async function beginBackup(
  query: Queryable,
  asked: BackupRecord | undefined,
  process: string,
  startedAt: number,
): Promise<number> {
  const at = new Date(startedAt);
  const { rows } = asked
    ? await sql<{ id: number }>`update calsync.backups set started_at = ${at}, process = ${process}
        where id = ${asked.id} returning id`.execute(query)
    : await sql<{ id: number }>`insert into calsync.backups (name, via, started_at, process)
        values ('calsyncd', 'schedule', ${at}, ${process}) returning id`.execute(query);
  return rows[0]?.id ?? 0;
}

/** Records the result of a backup. */
export async function endBackup(
  database: Database,
  id: number,
  ended: Pick<BackupRecord, 'file' | 'bytes' | 'rows' | 'problem'>,
): Promise<void> {
  await database.query().transaction(async (query) => {
    await sql`update calsync.backups set ended_at = now(), file = ${ended.file}, bytes = ${ended.bytes},
      rows = ${ended.rows}, problem = ${ended.problem} where id = ${id}`.execute(query);
    // The last good one is kept, however many have failed since.
    await sql`delete from calsync.backups where id <= ${id - REMEMBERED}
      and id < (select max(id) from calsync.backups where ${KEPT} and ended_at is not null and problem is null)`.execute(
      query,
    );
  });
}

/**
 * Records a backup written by the command, unless the database's version has no table for it. `startedAt` is in epoch
 * milliseconds.
 */
export async function noteBackup(
  database: Database,
  by: string,
  startedAt: number,
  made: Pick<BackupRecord, 'file' | 'bytes' | 'rows'>,
): Promise<void> {
  if (!(await hasTable(database.query(), 'calsync.backups'))) return;
  const { rows } = await sql<{ id: number }>`insert into calsync.backups (name, via, started_at, process)
    values (${by}, ${COMMAND}, ${new Date(startedAt)}, ${`${hostname()}:${process.pid}`}) returning id`.execute(
    database.query(),
  );
  await endBackup(database, rowOf({ rows }).id, { ...made, problem: null });
}
