import type { Config } from '../../config/config.ts';
import { openDatabase, type Database, type DatabaseAddress, type Limits, type Queryable } from '../../db/database.ts';
import { runningAddress } from '../../db/embedded/start.ts';

/** Somebody waits at the keyboard: what takes longer is left out. */
const HURRIED: Limits = {
  connectMs: 500,
  statementMs: 1_000,
  lockMs: 500,
  idleInTransactionMs: 1_000,
  silenceMs: 2_000,
};

/** What is asked of the database if that is running and answers at once; otherwise nothing. Starts and changes nothing. */
export async function askIfRunning(
  { databaseUrl, dataDir }: Config,
  question: (query: Queryable) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  let database: Database | undefined;
  try {
    const address: DatabaseAddress | undefined =
      databaseUrl === undefined ? runningAddress(dataDir) : { url: databaseUrl.reveal() };
    if (!address) return [];
    database = openDatabase(address, 1, HURRIED);
    return await question(database.query());
  } catch {
    // Completion without names from the database is still of use, and there is nowhere to say why.
    return [];
  } finally {
    await database?.close();
  }
}
