import { expect, test } from 'vitest';
import { probes } from '../../../src/cli/web/probes.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { createLogger } from '../../../src/log.ts';
import { makeOwnQueue } from '../../../src/queue/own-queue.ts';
import { freshDatabase } from '../../support/database.ts';

const log = createLogger('silent');
const answered = async (probe: ReturnType<typeof probes>, path: string): Promise<string> =>
  (await probe(new Request(`http://127.0.0.1${path}`), '127.0.0.1')).text();

test('a process is ready while its database answers and, if it syncs, its queue', async () => {
  const { address, close } = await freshDatabase();
  const database = openDatabase(address);
  // Nothing listens there.
  const away = makeOwnQueue({ redisUrl: 'redis://127.0.0.1:1' }, () => ['site'], log);
  const there = makeOwnQueue({ database: address }, () => ['site'], log);
  try {
    expect(await answered(probes(database, undefined), '/readyz')).toBe('ready\n');
    expect(await answered(probes(database, there), '/readyz')).toBe('ready\n');
    expect(await answered(probes(database, away), '/readyz')).toBe('the queue does not answer\n');
    expect(await answered(probes(database, away), '/healthz')).toBe('ok\n');
    await database.close();
    expect(await answered(probes(database, there), '/readyz')).toBe('the database does not answer\n');
  } finally {
    await there.close();
    await away.close();
    await close();
  }
});
