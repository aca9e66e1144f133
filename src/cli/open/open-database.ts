import type { Config } from '../../config/config.ts';
import { AppError } from '../../error.ts';
import { openDatabase, PATIENT, type Database, type DatabaseAddress } from '../../db/database.ts';
import { startEmbedded } from '../../db/embedded/start.ts';
import { isMigrated, migrate, MIGRATIONS } from '../../db/migrate.ts';
import { refusalBySetup } from '../../db/refusals.ts';
import { untilSilent } from '../../db/pulse.ts';
import { describeAddress, waitForDatabase } from '../../db/wait.ts';
import type { Io } from '../terminal/io.ts';
import { durationInWords } from '../progress/pace.ts';
import { SILENT_MS } from '../progress/status-line.ts';
import { whileWorking } from '../progress/working.ts';

const WAIT_MS_MAX = 60_000;
const POOL_MAX = 24;
/** How many idle connections stay open, with all tables known to them; a page asks several things at once. */
const POOL_KEPT = 4;
const PATIENT_MAX = 2;

export interface OpenDatabase {
  readonly database: Database;
  /** For long-running work such as migrations and housekeeping. */ readonly patient: Database;
  readonly address: DatabaseAddress;
  /** Resolves once the database has not answered for `ms`, but never while it is being shut down. */
  readonly silence: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * The running and migrated database of DATABASE_URL, or the embedded one in the data directory. Calls `onComing` when
 * an embedded one has been started and does not answer yet.
 */
export async function openState(config: Config, io: Io, onComing?: () => void): Promise<OpenDatabase> {
  const { address, database, stop } = await openServer(
    config,
    io,
    (where) => openDatabase(where, POOL_MAX, undefined, POOL_KEPT),
    onComing,
  );
  const patient = openDatabase(address, PATIENT_MAX, PATIENT);
  try {
    const done = (await isMigrated(database)) ? [] : await migrated(patient, io);
    if (done.length > 0 && io.isTerminal) io.err(`Prepared the database (${done.length} steps).\n`);
    const leaving = new AbortController();
    return {
      database,
      patient,
      address,
      silence: (ms) => untilSilent(address, ms, leaving.signal),
      close: async () => {
        await Promise.all([database.close(), patient.close()]);
        leaving.abort();
        await stop();
      },
    };
  } catch (error) {
    await Promise.all([database.close(), patient.close()]);
    await stop();
    throw error;
  }
}

interface Server {
  readonly address: DatabaseAddress;
  readonly database: Database;
  /** Stops a server that was started for it; the pool must be closed before. */
  readonly stop: () => Promise<void>;
}

/** A server that answers, and the pool made by `open`, whose first connection has asked it. */
async function openServer(
  { databaseUrl, dataDir }: Config,
  io: Io,
  open: (address: DatabaseAddress) => Database,
  onComing?: () => void,
): Promise<Server> {
  if (databaseUrl === undefined) {
    const { address, stop } = await whileWorking(io, 'starting PostgreSQL', () => startEmbedded(dataDir, onComing));
    return { address, database: open(address), stop };
  }
  const address = { url: databaseUrl.reveal() };
  const database = open(address);
  try {
    await whileWorking(io, 'waiting for the database', ({ say }) => waitForServer(database, address, io, say));
  } catch (error) {
    // Not awaited, because a server that does not answer may take its time.
    void database.close();
    throw refusalBySetup((error as Error).cause, address.url) ?? error;
  }
  return { address, database, stop: async () => undefined };
}

const migrated = (database: Database, io: Io): Promise<readonly string[]> =>
  whileWorking(io, 'preparing the database', ({ tell }) =>
    migrate(database, MIGRATIONS, (done, of) => tell({ done, of, unit: 'steps' })),
  );

/** Reports by `say` what is waited for, once it takes longer than a healthy database needs. */
async function waitForServer(
  database: Database,
  address: DatabaseAddress,
  { stopped }: Io,
  say: (line: string) => void,
): Promise<void> {
  let failure: string | undefined;
  const telling = setTimeout(() => {
    const why = failure === undefined ? '' : ` (${failure})`;
    say(
      `The database ${describeAddress(address)} does not answer yet${why}: waiting for it, at most ${durationInWords(WAIT_MS_MAX)}.`,
    );
  }, SILENT_MS);
  try {
    const answered = waitForDatabase(database, address, WAIT_MS_MAX, (reason) => {
      failure = reason;
    });
    await Promise.race([answered, stopped.then(refuseToWait)]);
  } finally {
    clearTimeout(telling);
  }
}

const refuseToWait = (): never => {
  throw new AppError('stopped', 'Stopped before the database answered: nothing was done.');
};

/**
 * Opens the server while `work` runs, whatever its database contains, even nothing or another version's schema. For
 * work that saves or replaces all of it.
 */
export async function withServer<T>(config: Config, io: Io, work: (database: Database) => Promise<T>): Promise<T> {
  const { database, stop } = await openServer(config, io, (address) => openDatabase(address, PATIENT_MAX, PATIENT));
  try {
    return await work(database);
  } finally {
    await database.close();
    await stop();
  }
}

/** Opens the database while `work` runs. */
export async function withDatabase<T>(config: Config, io: Io, work: (database: Database) => Promise<T>): Promise<T> {
  const state = await openState(config, io);
  try {
    return await work(state.database);
  } finally {
    await state.close();
  }
}
