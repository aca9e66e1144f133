import { openDatabase, type DatabaseAddress } from '../../src/db/database.ts';
import { makeEmbedHandlers } from '../../src/site/embeds/embed-handlers.ts';
import { makeSite, type SiteHandler } from '../../src/site/requests/handle.ts';
import { storeHandlers, storeSets } from '../../src/site/store/store-handlers.ts';
import type { SiteTables } from '../../src/site/tables.ts';

export const NOW = Date.parse('2026-11-20T10:40:59Z');
export const PUBLIC_URL = 'https://site.example';

const unreachable = async () => ({ kind: 'failed', message: 'The benchmark reaches no other sites.' }) as const;

/** The built-in site on a database, as it is served. */
export function siteOn(address: DatabaseAddress): {
  readonly handle: SiteHandler;
  readonly database: ReturnType<typeof openDatabase>;
} {
  const database = openDatabase(address, 10);
  const settings = {
    title: 'Site',
    description: '',
    timezone: 'Europe/Warsaw',
    languages: ['en', 'pl'],
    publicUrl: PUBLIC_URL,
    namespace: 'calendar/events/v1',
    trashDays: 30,
  };
  return {
    database,
    handle: makeSite({
      db: database.query<SiteTables>(),
      settings,
      handlers: { ...storeHandlers, ...makeEmbedHandlers(unreachable) },
      sets: storeSets,
      fetchImage: unreachable,
      now: () => NOW,
      report: (error) => {
        process.stderr.write(`${String(error)}\n`);
      },
    }),
  };
}
