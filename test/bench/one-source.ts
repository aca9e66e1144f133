import type { RequestListener } from 'node:http';
import pg from 'pg';
import { poolConfig } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { feedServer } from '../support/feed-server.ts';

/** When the generated events start. */
export const FROM = Date.now() + 86_400_000;

/** A home to run the program in as users do, with one source whose feed is served here. */
export interface OneSource {
  readonly home: Home;
  readonly url: string;
  /** When the program requested the feed: each run once. */
  readonly askedAt: readonly number[];
  /** Rewrites the configuration with additional settings of the source. */
  readonly configure: (settings: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const BUILT_IN = 'builtin: { title: Bench, timezone: Europe/Warsaw }';

/** Sets up a source whose feed `answer` serves. The site is the built-in one unless `site` names another. */
export async function oneSource(answer: RequestListener, every = '1h', site = BUILT_IN): Promise<OneSource> {
  const server = await feedServer();
  const askedAt: number[] = [];
  const url = `${server.url}/feed.ics`;
  server.on('/feed.ics', (request, response) => {
    if (request.headers['user-agent']?.startsWith('calsyncd')) askedAt.push(performance.now());
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
    askedAt,
    configure: (settings) => home.write('calsyncd.yaml', configuration(settings)),
    close: async () => {
      await home.close();
      await server.close();
    },
  };
}

/** A publisher whose feed never changes. */
export const saying =
  (body: Uint8Array): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/calendar' }).end(body);
  };

const REPORT = '"a run has ended"';

/**
 * Waits for the next report; returns the milliseconds since that run requested the feed. On a busy machine the next
 * run may have requested it already.
 */
export async function nextRun(daemon: Daemon, { askedAt }: OneSource): Promise<number> {
  await daemon.heard(REPORT);
  const reports = daemon.stderr().split(REPORT).length - 1;
  return performance.now() - (askedAt[reports - 1] ?? NaN);
}

/** Ways to take a source from its feed to the site. */
export const BY = {
  daemon: async (source: OneSource): Promise<number> => {
    const daemon = source.home.start();
    const ms = await nextRun(daemon, source);
    await daemon.stop('SIGTERM');
    return ms;
  },
  sync: async (source: OneSource): Promise<number> => {
    await succeed(source.home, ['sync']);
    return performance.now() - (source.askedAt[0] ?? NaN);
  },
} as const;

/** Runs a command; throws if it fails. */
export async function succeed(home: Home, args: readonly string[]): Promise<void> {
  const { code, stderr } = await home.command(args);
  if (code !== 0) throw new Error(stderr);
}

/** Runs `work` on the program's database with the bare driver. */
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
