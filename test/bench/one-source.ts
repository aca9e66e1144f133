import type { RequestListener } from 'node:http';
import pg from 'pg';
import { poolConfig } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { feedServer } from '../support/feed-server.ts';

/** From when on the made events are. */
export const FROM = Date.now() + 86_400_000;

/** A place to run the program in as users do, with one source, whose feed is served here. */
export interface OneSource {
  readonly home: Home;
  readonly url: string;
  /** When the feed was asked for last. */
  readonly askedAt: () => number;
  /** Writes the configuration anew, with more settings of the source. */
  readonly configure: (settings: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const BUILT_IN = 'builtin: { title: Bench, timezone: Europe/Warsaw }';

/** Makes one whose feed `answer` gives; into the built-in site, unless the configuration names another. */
export async function oneSource(answer: RequestListener, every = '1h', site = BUILT_IN): Promise<OneSource> {
  const server = await feedServer();
  let askedAt = 0;
  const url = `${server.url}/feed.ics`;
  server.on('/feed.ics', (request, response) => {
    askedAt = performance.now();
    answer(request, response);
  });
  const configuration = (settings = ''): string => `fetch: { allow_addresses: [127.0.0.1] }
${site}
sources:
  bench: { url: '${url}', every: ${every}${settings && `, ${settings}`} }
`;
  const home = await programHome(configuration());
  return {
    home,
    url,
    askedAt: () => askedAt,
    configure: (settings) => home.write('calsyncd.yaml', configuration(settings)),
    close: async () => {
      await home.close();
      await server.close();
    },
  };
}

/** A publisher who has always the same to say. */
export const saying =
  (body: Uint8Array): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/calendar' }).end(body);
  };

/** Waits for the next report; the milliseconds since the feed was asked for. */
export async function nextRun(daemon: Daemon, { askedAt }: OneSource): Promise<number> {
  await daemon.heard('"a run has ended"');
  return performance.now() - askedAt();
}

/** Who takes a source from its feed to the site. */
export const BY = {
  daemon: async (source: OneSource): Promise<number> => {
    const daemon = source.home.start();
    const ms = await nextRun(daemon, source);
    await daemon.stop('SIGTERM');
    return ms;
  },
  sync: async (source: OneSource): Promise<number> => {
    await succeed(source.home, ['sync']);
    return performance.now() - source.askedAt();
  },
} as const;

/** Runs a command to its end. */
export async function succeed(home: Home, args: readonly string[]): Promise<void> {
  const { code, stderr } = await home.command(args);
  if (code !== 0) throw new Error(stderr);
}

/** Uses the program's database through the bare driver. */
export async function withDatabase<T>({ dataDir }: Home, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const server = await startEmbedded(dataDir);
  const pool = new pg.Pool(poolConfig(server.address, 1));
  try {
    return await work(pool);
  } finally {
    await pool.end();
    await server.stop();
  }
}
