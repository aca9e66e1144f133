import { openDatabase, type DatabaseAddress } from '../../src/db/database.ts';
import { makeEmbedHandlers } from '../../src/site/embeds/embed-handlers.ts';
import { makePages } from '../../src/site/pages/handle-pages.ts';
import { openRest, type SiteHandler } from '../../src/site/requests/handle.ts';
import { storeHandlers, storeSets } from '../../src/site/store/store-handlers.ts';
import { siteRevision } from '../../src/site/store/turn.ts';
import type { SiteTables } from '../../src/site/tables.ts';

export const NOW = Date.parse('2026-11-20T10:40:59Z');
export const PUBLIC_URL = 'https://site.example';

const unreachable = async () => ({ kind: 'failed', message: 'The benchmark reaches no other sites.' }) as const;

/** The built-in site on a database, as it is served. */
export function siteOn(address: DatabaseAddress): {
  readonly handle: SiteHandler;
  readonly pages: (request: Request) => Promise<Response>;
  readonly database: ReturnType<typeof openDatabase>;
} {
  const database = openDatabase(address, 10);
  const db = database.query<SiteTables>();
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
    fetchImage: unreachable,
    now: () => NOW,
    report: (error) => {
      process.stderr.write(`${String(error)}\n`);
    },
  });
  return {
    database,
    handle,
    pages: makePages({ settings, answer, revision: () => siteRevision(db), now: () => NOW }),
  };
}
