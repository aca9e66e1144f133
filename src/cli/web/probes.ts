import { sql, type Database } from '../../db/database.ts';
import type { OwnQueue } from '../../queue/own-queue.ts';
import type { Handle } from '../../web/start-web.ts';

const READY_MS_MAX = 2_000;

/** `/healthz`: the process is alive. `/readyz`: its database answers and, in a process that syncs, its queue. */
export function probes(database: Database, queue: OwnQueue | undefined): Handle {
  return async (request) => {
    if (new URL(request.url).pathname === '/healthz') return plainText(200, 'ok');
    const [hasDatabase, hasQueue] = await Promise.all([
      answers(() => sql`select 1`.execute(database.query())),
      queue === undefined || answers(queue.jobs),
    ]);
    if (!hasDatabase) return plainText(503, 'the database does not answer');
    return hasQueue ? plainText(200, 'ready') : plainText(503, 'the queue does not answer');
  };
}

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  const late = new Promise<false>((resolve) => {
    setTimeout(() => resolve(false), READY_MS_MAX).unref();
  });
  const answered = ask().then(
    () => true,
    () => false,
  );
  return Promise.race([answered, late]);
}

const plainText = (status: number, text: string): Response =>
  new Response(`${text}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
