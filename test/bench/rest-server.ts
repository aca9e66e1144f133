import http from 'node:http';
import type { DatabaseAddress } from '../../src/db/database.ts';
import { watchDatabase } from '../../src/db/pulse.ts';
import { createLogger } from '../../src/log.ts';
import { createApplicationPassword } from '../../src/site/users/application-passwords.ts';
import { startWeb } from '../../src/web/start-web.ts';
import { siteOn } from './rest-site.ts';

// The server process of rest.ts: the built-in site on one port, and on another a bare node:http server. POST /keep
// stores a body there, and every other request gets the body that was stored last. On a message from its parent, the
// process answers with its processor time in milliseconds.

async function serve(): Promise<void> {
  const address = JSON.parse(process.argv[2] ?? '{}') as DatabaseAddress;
  const { handle, pages, database } = siteOn(address);
  const { login, password } = await createApplicationPassword(database.query(), 'bench', 'bench');
  const served = (request: Request): Promise<Response> => handle(request);
  const web = await startWeb(
    { host: '127.0.0.1', port: 0 },
    [
      ['/api', served],
      ['/api/*', served],
      ['*', pages],
    ],
    createLogger('error'),
    {
      // The daemon watches for outages of the database in the same way.
      outage: {
        ...watchDatabase(address, () => undefined),
        isCause: () => false,
        answer: () => new Response(null, { status: 503 }),
      },
    },
  );
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
  await new Promise<void>((resolve) => {
    bare.listen(0, '127.0.0.1', resolve);
  });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1_000 });
  });
  process.on('disconnect', () => process.exit());
  const bound = bare.address();
  process.send?.({
    site: web.url,
    bare: `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`,
    authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
  });
}

await serve();
