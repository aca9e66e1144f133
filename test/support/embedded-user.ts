// A process that uses an embedded server: prints the server's address, and releases it when told to stop.
import pg from 'pg';
import { poolConfig } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/start.ts';

const begun = performance.now();
try {
  const { address, stop } = await startEmbedded(process.argv[2] ?? '');
  const tookMs = performance.now() - begun;
  const client = new pg.Client(poolConfig(address, 1));
  await client.connect();
  const {
    rows: [row],
  } = await client.query(
    "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid, current_setting('listen_addresses') AS listen",
  );
  await client.end();
  // Listens before printing the line, because the reader may send the signal at once.
  process.on('SIGTERM', () => void stop().then(() => process.exit(0)));
  process.stdout.write(`${JSON.stringify({ ...row, address, tookMs })}\n`);
  setInterval(() => undefined, 1000);
} catch (error) {
  process.stdout.write(
    `${JSON.stringify({ error: (error as Error).message, code: (error as { code?: string }).code })}\n`,
  );
}
