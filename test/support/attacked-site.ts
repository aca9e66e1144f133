import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApplicationPassword } from '../../src/site/users/application-passwords.ts';
import type { Role } from '../../src/site/context.ts';
import { freshDatabase } from './database.ts';
import { urlOf } from './database-address.ts';
import { programHome, type Daemon } from './daemon.ts';
import { basic } from './site-shell.ts';

/** An attacker's request. The attacker may have an account on the site. */
export interface Attack {
  readonly as?: Role;
  readonly method?: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: string | Uint8Array | object;
}
/**
 * The outcome: the answer's status, the longest time that `/healthz` took during the attack and just before it, and by
 * how much other work currently slows this machine down.
 */
export interface Withstood {
  readonly status: number;
  readonly ms: number;
  readonly healthMs: number;
  readonly idleHealthMs: number;
  readonly busy: number;
  readonly text: string;
}

/** The program in its own process on its own database, and another web server beside it. */
export interface AttackedSite {
  readonly attack: (attack: Attack) => Promise<Withstood>;
  /** Puts a page on the other server and returns its address. */
  readonly page: (type: string, content: string | Uint8Array) => string;
  readonly daemon: Daemon;
  readonly close: () => Promise<void>;
}

const ROLES = ['contributor', 'author', 'editor'] as const satisfies readonly Role[];
const POLL_MS = 10;
const IDLE_MS = 100;
const ANSWER_MS_MAX = 60_000;

export async function attackedSite(): Promise<AttackedSite> {
  const fresh = await freshDatabase();
  const foreign = await foreignServer();
  const home = await programHome(
    'builtin: { title: Attacked, timezone: Europe/Warsaw, languages: [en] }\nfetch: { allow_addresses: [127.0.0.1/32] }\n',
  );
  const daemon = home.start(['--role', 'web'], { DATABASE_URL: urlOf(fresh.address) });
  await daemon.ready();
  const db = fresh.database.query();
  const passwords = new Map<string, string>();
  for (const role of ROLES)
    passwords.set(role, (await createApplicationPassword(db, role, 'attack', { role })).password);
  const headersOf = ({ as, type, body }: Attack): Record<string, string> => ({
    ...(as && { authorization: basic(as, passwords.get(as) ?? '') }),
    ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
  });
  return {
    daemon,
    page: foreign.page,
    attack: async (attack) => {
      const idle = await longest(daemon, sleep(IDLE_MS));
      const busyBefore = busyness();
      const begun = performance.now();
      const asked = fetch(daemon.url + attack.path, {
        method: attack.method ?? (attack.body === undefined ? 'GET' : 'POST'),
        headers: headersOf(attack),
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        ...(attack.body !== undefined && {
          body:
            typeof attack.body === 'string' || attack.body instanceof Uint8Array
              ? (attack.body as string)
              : JSON.stringify(attack.body),
        }),
      }).then(
        async (answer) => ({ status: answer.status, text: await answer.text(), ms: performance.now() - begun }),
        (error: Error) => ({ status: 0, text: error.message, ms: performance.now() - begun }),
      );
      const healthMs = await longest(daemon, asked);
      return { ...(await asked), healthMs, idleHealthMs: idle, busy: Math.max(busyBefore, busyness()) };
    },
    close: async () => {
      await home.close();
      await foreign.close();
      await fresh.close();
    },
  };
}

/**
 * How many times longer work like the program's takes now than on an idle machine of the kind that the limits were set
 * on; at least 1.
 */
function busyness(): number {
  const times = Array.from({ length: 3 }, () => {
    const begun = performance.now();
    JSON.parse(JSON.stringify(WORK));
    return performance.now() - begun;
  });
  return Math.max(1, (times.toSorted((one, other) => one - other)[1] ?? 0) / WORK_MS);
}
const WORK = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `<b>${id}</b>` }));
/** What the work takes on the machine that the limits were set on, when it is idle. */
const WORK_MS = 15;

/** The longest time that `/healthz` takes while something else is going on. */
async function longest({ url }: Daemon, meanwhile: Promise<unknown>): Promise<number> {
  let most = 0;
  const ended = meanwhile.then(
    () => true,
    () => true,
  );
  do {
    const begun = performance.now();
    const status = await statusOf(`${url}/healthz`);
    if (status !== 200) throw new Error(`/healthz answers ${status}`);
    most = Math.max(most, performance.now() - begun);
  } while (!(await Promise.race([ended, sleep(POLL_MS, false)])));
  return most;
}

/** Uses its own connection, because the server may close one that an attack has used. */
async function statusOf(url: string): Promise<number> {
  const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

interface Foreign {
  readonly page: AttackedSite['page'];
  readonly close: () => Promise<void>;
}

async function foreignServer(): Promise<Foreign> {
  const pages = new Map<string, { readonly type: string; readonly content: string | Uint8Array }>();
  const server: Server = createServer((request, response) => {
    const page = pages.get(new URL(request.url ?? '/', 'http://x').pathname);
    response.writeHead(page ? 200 : 404, { 'content-type': page?.type ?? 'text/plain' }).end(page?.content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    page: (type, content) => {
      const path = `/${pages.size}`;
      pages.set(path, { type, content });
      return `http://127.0.0.1:${port}${path}`;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
