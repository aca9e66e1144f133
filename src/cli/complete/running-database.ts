import type { Config } from '../../config/config.ts';
import { openDatabase, type Database, type DatabaseAddress, type Limits, type Queryable } from '../../db/database.ts';
import { runningAddress } from '../../db/embedded/start.ts';

/** A person is waiting at the keyboard, so anything slower is left out. */
const HURRIED: Limits = {
  connectMs: 500,
  statementMs: 1_000,
  lockMs: 500,
  idleInTransactionMs: 1_000,
  silenceMs: 2_000,
};

/** Asks the database if it is running and answers in time; otherwise returns nothing. Starts and changes nothing. */
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
    // Completion is still useful without names from the database, and an error cannot be shown here.
    return [];
  } finally {
    await database?.close();
  }
}
