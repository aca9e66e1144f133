import { hostname } from 'node:os';
import { rowOf, sql, type Database, type Queryable } from '../db/database.ts';

/** A backup that was asked for or made, as it stands in the history. */
export interface BackupRecord {
  readonly id: number;
  /** Who asked for it, and from where: `schedule`, `console`, `command`. */
  readonly name: string;
  readonly via: string;
  readonly askedAt: Date;
  /** Null while it waits for a process that syncs. */
  readonly startedAt: Date | null;
  /** Null while it is being made. */
  readonly endedAt: Date | null;
  readonly file: string | null;
  readonly bytes: number | null;
  readonly rows: number | null;
  /** Why it has failed; null if it has not. */
  readonly problem: string | null;
}

/** Who asks for a backup. */
export interface AskedBy {
  readonly name: string;
  readonly via: string;
  readonly address?: string | undefined;
}

const COLUMNS = sql.raw(`id, name, via, asked_at as "askedAt", started_at as "startedAt", ended_at as "endedAt",
  file, bytes, rows, problem`);

/** Backups that the command writes are not among those that are kept. */
const COMMAND = 'command';
const KEPT = sql`via <> ${COMMAND}`;

/** So many are remembered. */
const REMEMBERED = 100;

/** Asks for a backup, unless one waits or is being made already. */
export async function askForBackup(query: Queryable, { name, via, address }: AskedBy): Promise<void> {
  await sql`insert into calsync.backups (name, via, address) select ${name}, ${via}, ${address ?? null}
    where not exists (select from calsync.backups where ended_at is null)`.execute(query);
}

/** The latest backups, the last first. */
export async function listBackups(query: Queryable, limit: number): Promise<readonly BackupRecord[]> {
  const { rows } =
    await sql<BackupRecord>`select ${COLUMNS} from calsync.backups order by id desc limit ${limit}`.execute(query);
  return rows;
}

/**
 * What is known of the backups that calsyncd keeps: the last that has ended, the last good one, and one that is asked
 * for. Those that the command writes, wherever somebody wants them, are none of these: the last of them is `byHand`.
 */
export interface BackupState {
  readonly last: BackupRecord | undefined;
  readonly lastGood: BackupRecord | undefined;
  readonly asked: BackupRecord | undefined;
  readonly byHand: BackupRecord | undefined;
  /** Since when they have been failing; null if the last one is good, or there is none. */
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

/** What a process that has ended was making, is not made. Call it while nobody makes one. */
export async function endBrokenOff(query: Queryable): Promise<void> {
  await sql`update calsync.backups set ended_at = now(), problem = 'the process that was making it has ended: ' || process
    where started_at is not null and ended_at is null`.execute(query);
}

/**
 * Notes that a backup has begun, the one that was asked for or a new one; gives its number. `startedAt`: epoch
 * milliseconds, by the clock that the schedule is read by.
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

/** Notes what has become of it. */
export async function endBackup(
  database: Database,
  id: number,
  ended: Pick<BackupRecord, 'file' | 'bytes' | 'rows' | 'problem'>,
): Promise<void> {
  await database.query().transaction(async (query) => {
    await sql`update calsync.backups set ended_at = now(), file = ${ended.file}, bytes = ${ended.bytes},
      rows = ${ended.rows}, problem = ${ended.problem} where id = ${id}`.execute(query);
    // The last good one stays known, however many have failed since.
    await sql`delete from calsync.backups where id <= ${id - REMEMBERED}
      and id < (select max(id) from calsync.backups where ${KEPT} and ended_at is not null and problem is null)`.execute(
      query,
    );
  });
}

/** Notes a backup that the command has written, unless the database is of a version that has no place for it. `startedAt`: epoch milliseconds. */
export async function noteBackup(
  database: Database,
  by: string,
  startedAt: number,
  made: Pick<BackupRecord, 'file' | 'bytes' | 'rows'>,
): Promise<void> {
  const { isThere } = rowOf(
    await sql<{ isThere: boolean }>`select to_regclass('calsync.backups') is not null as "isThere"`.execute(
      database.query(),
    ),
  );
  if (!isThere) return;
  const { rows } = await sql<{ id: number }>`insert into calsync.backups (name, via, started_at, process)
    values (${by}, ${COMMAND}, ${new Date(startedAt)}, ${`${hostname()}:${process.pid}`}) returning id`.execute(
    database.query(),
  );
  await endBackup(database, rowOf({ rows }).id, { ...made, problem: null });
}
