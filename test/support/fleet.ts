import path from 'node:path';
import pg from 'pg';
import { comingStart } from './coming.ts';
import { openDatabase, poolConfig, type Database } from '../../src/db/database.ts';
import { runningServer } from '../../src/db/embedded/server.ts';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import { sourceKey } from '../../src/sync/model/slug.ts';
import { calendarText } from './feed-text.ts';
import { freePort, programHome, type Daemon } from './daemon.ts';
import { addressIn, urlOf } from './database-address.ts';
import { feedServer } from './feed-server.ts';
import { serverPids } from './processor-time.ts';
import { realSite, type RealSite } from './real-site/real-site.ts';

/**
 * What docker-compose.yml starts, without containers: a database server, optionally Redis, web processes and workers.
 */
export interface Fleet {
  readonly site: RealSite;
  readonly database: Database;
  /** Which feed was requested when. */
  readonly asked: readonly { readonly source: string; readonly at: number }[];
  readonly startWorker: () => Daemon;
  readonly startWeb: () => Promise<Daemon>;
  /** How many sources have a finished run in this state. */
  readonly ended: (state: string) => Promise<number>;
  /** The processes of the database server. */
  readonly serverPids: () => readonly number[];
  readonly close: () => Promise<void>;
}

export interface FleetSettings {
  readonly sources: readonly string[];
  /** How many events each source has. */
  readonly events: number;
  readonly latencyMs: number;
  readonly requestsInFlight: number;
  /** Without it, the queue is in PostgreSQL. */
  readonly redisUrl?: string;
}

/** Sets up an empty site, an empty database and feeds that have not been read yet. */
export async function openFleet(settings: FleetSettings): Promise<Fleet> {
  const { sources, events, latencyMs, requestsInFlight, redisUrl } = settings;
  const [site, feeds] = await Promise.all([realSite({ latencyMs, perPageCap: 50 }), feedServer()]);
  const asked: { source: string; at: number }[] = [];
  for (const source of sources) {
    const body = calendarText(
      Array.from({ length: events }, (_, index) => ({
        uid: `${source}-${index}`,
        title: titleOf(source, index),
        start: comingStart(0),
      })),
    );
    feeds.on(`/${source}.ics`, (_request, response) => {
      asked.push({ source, at: performance.now() });
      response.writeHead(200, { 'content-type': 'text/calendar' }).end(body);
    });
  }
  const { username, applicationPassword } = site.credentials;
  const home = await programHome(`fetch: { allow_addresses: [127.0.0.1] }
site:
  url: '${site.root}'
  namespace: ${site.namespace}
  username: ${username}
  application_password: '${applicationPassword}'
  requests_in_flight: ${requestsInFlight}
sources:
${sources.map((source) => `  ${source}: { url: '${feeds.url}/${source}.ics', every: 1d }`).join('\n')}
`);
  const serverHome = path.join(home.directory, 'server');
  const server = await startEmbedded(serverHome);
  const own = new pg.Client(poolConfig(server.address, 1));
  await own.connect();
  await own.query('create database fleet');
  await own.end();
  const address = addressIn(server.address, 'fleet');
  const database = openDatabase(address, 2);
  const env = { DATABASE_URL: urlOf(address), ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }) };
  return {
    site,
    database,
    asked,
    startWorker: () => home.start(['--role', 'worker'], env),
    startWeb: async () => home.start(['--role', 'web'], { ...env, PORT: String(await freePort()) }),
    ended: async (state) => {
      const { rows } = await database.pool.query<{ count: number }>(
        `select count(distinct source)::int as count from calsync.runs where state = $1 and finished_at is not null`,
        [state],
      );
      return rows[0]?.count ?? 0;
    },
    serverPids: () => serverPids(runningServer(path.join(serverHome, 'postgres', 'data'))?.pid ?? 0),
    close: async () => {
      await home.close();
      await database.close();
      await server.stop();
      await Promise.all([site.close(), feeds.close()]);
    },
  };
}

export const titleOf = (source: string, index: number): string => `Event ${index} of ${source}`;

/** Names of sources with different keys, so that one site can hold the events of all of them. */
export function distinctSourceNames(many: number): readonly string[] {
  const names = new Map<string, string>();
  for (let number = 0; names.size < many; number += 1) {
    const name = `source-${number}`;
    if (!names.has(sourceKey(name))) names.set(sourceKey(name), name);
  }
  return [...names.values()];
}
