import http from 'node:http';
import { openDatabase, type DatabaseAddress } from '../../src/db/database.ts';
import { createLogger } from '../../src/log.ts';
import { createApplicationPassword } from '../../src/site/application-passwords.ts';
import { makeEmbedHandlers } from '../../src/site/embed-handlers.ts';
import { makeSite, type SiteHandler } from '../../src/site/handle.ts';
import { storeHandlers } from '../../src/site/store/store-handlers.ts';
import type { SiteTables } from '../../src/site/tables.ts';
import { startWeb } from '../../src/web.ts';

// The server process of rest.ts: the built-in site on one port; on another a bare node:http server that answers POST /keep by
// keeping the body, and every other request with what was kept last.

export const NOW = Date.parse('2026-11-20T10:40:59Z');
export const PUBLIC_URL = 'https://site.example';

const unreachable = async () => ({ kind: 'failed', message: 'The benchmark reaches no other sites.' }) as const;

/** The built-in site on a database, as it is served. */
export function siteOn(address: DatabaseAddress): { readonly handle: SiteHandler; readonly database: ReturnType<typeof openDatabase> } {
  const database = openDatabase(address, 10);
  const settings = { title: 'Site', description: '', timezone: 'Europe/Warsaw', languages: ['en', 'pl'], publicUrl: PUBLIC_URL, namespace: 'calendar/events/v1', trashDays: 30 };
  return { database, handle: makeSite({ db: database.query<SiteTables>(), settings, handlers: { ...storeHandlers, ...makeEmbedHandlers(unreachable) }, fetchImage: unreachable, now: () => NOW, report: (error) => { process.stderr.write(`${String(error)}\n`); } }) };
}

async function serve(): Promise<void> {
  const { handle, database } = siteOn(JSON.parse(process.argv[2] ?? '{}') as DatabaseAddress);
  const { login, password } = await createApplicationPassword(database.query<SiteTables>(), 'bench', 'bench');
  const served = (request: Request): Promise<Response> => handle(request);
  const web = await startWeb({ host: '127.0.0.1', port: 0 }, [['/api', served], ['/api/*', served]], createLogger('error'));
  let kept = Buffer.alloc(0);
  const bare = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/keep') kept = Buffer.concat(chunks);
      response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8', 'content-length': kept.length });
      response.end(kept);
    });
  });
  await new Promise<void>((resolve) => { bare.listen(0, '127.0.0.1', resolve); });
  const address = bare.address();
  process.send?.({ site: web.url, bare: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`, authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` });
}

if (process.send !== undefined) await serve();
