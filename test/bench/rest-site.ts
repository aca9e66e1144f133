import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openDatabase, type Database, type DatabaseAddress } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import { migrate } from '../../src/db/migrate.ts';
import { makeEmbedHandlers } from '../../src/site/embeds/embed-handlers.ts';
import { makePages } from '../../src/site/pages/handle-pages.ts';
import { openRest, type SiteHandler } from '../../src/site/requests/handle.ts';
import { storeHandlers, storeSets, storeStatements } from '../../src/site/store/store-handlers.ts';
import { siteRevision } from '../../src/site/store/turn.ts';

const NOW = Date.parse('2026-11-20T10:40:59Z');
/** Starts at the same moment in each benchmark and advances in real time. */
export const now = (): number => NOW + Math.floor(performance.now());
export const PUBLIC_URL = 'https://site.example';

const unreachable = async () => ({ kind: 'failed', message: 'The benchmark reaches no other sites.' }) as const;

/** The built-in site on a database, wired as in production. */
export function siteOn(address: DatabaseAddress): {
  readonly handle: SiteHandler;
  readonly pages: (request: Request) => Promise<Response>;
  readonly database: ReturnType<typeof openDatabase>;
} {
  const database = openDatabase(address, 10);
  const db = database.query();
  const settings = {
    title: 'Site',
    description: '',
    timezone: 'Europe/Warsaw',
    languages: ['en', 'pl'],
    publicUrl: PUBLIC_URL,
    namespace: 'calendar/events/v1',
    trashDays: 30,
  };
  const { handle, answer } = openRest({
    db,
    settings,
    handlers: { ...storeHandlers, ...makeEmbedHandlers(unreachable) },
    sets: storeSets,
    statements: storeStatements,
    fetchImage: unreachable,
    now,
    report: (error) => {
      process.stderr.write(`${String(error)}\n`);
    },
  });
  return {
    database,
    handle,
    pages: makePages({ db, settings, answer, revision: () => siteRevision(db), now }),
  };
}

/** The database of an empty site. */
export interface EmptySite {
  readonly address: DatabaseAddress;
  readonly database: Database;
}

/** Provides an empty site on its own PostgreSQL server while `use` runs. */
export async function onEmptySite(use: (site: EmptySite) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'calsyncd-bench-'));
  const { address, stop } = await startEmbedded(directory);
  const database = openDatabase(address, 2);
  try {
    await migrate(database);
    await use({ address, database });
  } finally {
    await database.close();
    await stop();
    await rm(directory, { recursive: true, force: true });
  }
}
