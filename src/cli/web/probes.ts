import { sql, type Database } from '../../db/database.ts';
import type { Handle } from '../../web.ts';

const READY_MS_MAX = 2_000;

/** `/healthz`: the process is alive. `/readyz`: its database answers too. */
export function probes(database: Database): Handle {
  return async (request) => {
    if (new URL(request.url).pathname === '/healthz') return plainText(200, 'ok');
    const late = new Promise<false>((resolve) => {
      setTimeout(() => resolve(false), READY_MS_MAX).unref();
    });
    const ready = await Promise.race([
      sql`select 1`.execute(database.query()).then(
        () => true,
        () => false,
      ),
      late,
    ]);
    return ready ? plainText(200, 'ready') : plainText(503, 'the database does not answer');
  };
}

const plainText = (status: number, text: string): Response =>
  new Response(`${text}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
