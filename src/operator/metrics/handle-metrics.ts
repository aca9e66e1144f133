import { hostname } from 'node:os';
import { coalesced } from '../../coalesced.ts';
import type { Logger } from '../../log.ts';
import { isSameSecret } from '../../redact.ts';
import { exposition, type Sample } from './exposition.ts';

export type MetricsHandle = (request: Request, peer: string) => Promise<Response>;

/** Who may read the metrics: clients that send the token or, without a token, programs on this machine. */
export interface MetricsAccess {
  readonly token: string | undefined;
  /** The site's own host name. */
  readonly ownHost: string;
}

/** What a scrape asks. */
export interface MetricsParts {
  /** Called for each request, because the configuration may change. */
  readonly access: () => MetricsAccess;
  readonly process: () => readonly Sample[];
  /** Samples from the database; each can fail on its own. */
  readonly stored: readonly (() => Promise<readonly Sample[]>)[];
  readonly log: Logger;
}

const STORED_MS_MAX = 5_000;

/** Answers `/metrics` in the Prometheus text format. */
export function handleMetrics({ access, process, stored, log }: MetricsParts): MetricsHandle {
  const samples = coalesced(async (): Promise<readonly Sample[]> => {
    const parts = await Promise.allSettled(stored.map((ask) => inTime(ask())));
    const failed = parts.flatMap((part) => (part.status === 'rejected' ? [part.reason as Error] : []));
    for (const { message } of failed) log.warn({ error: message }, 'a part of the metrics could not be read');
    return [
      ...process(),
      { metric: 'calsyncd_database_up', value: failed.length === 0 ? 1 : 0 },
      ...parts.flatMap((part) => (part.status === 'fulfilled' ? part.value : [])),
    ];
  });
  return async (request, peer) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return plain(405, 'Metrics are read with GET.\n', { allow: 'GET, HEAD' });
    const refused = refusalFor(access(), peer, request);
    return refused ?? plain(200, exposition(await samples()), { 'content-type': FORMAT });
  };
}

const FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

const plain = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(text, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });

function refusalFor({ token, ownHost }: MetricsAccess, peer: string, request: Request): Response | undefined {
  const { hostname: name } = new URL(request.url);
  if (token === undefined) {
    if (!LOOPBACK.test(peer)) return plain(403, NO_TOKEN);
    return name === ownHost || isOfMachine(name) ? undefined : plain(403, FOREIGN_NAME);
  }
  const [, given = ''] = /^bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  return isSameSecret(given, token)
    ? undefined
    : plain(401, WANTS_TOKEN, { 'www-authenticate': 'Bearer realm="metrics"' });
}

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/i;

/**
 * Whether a host name cannot be a stranger's domain that resolves to this machine (DNS rebinding): a page there, open
 * in a local browser, could read what local programs may. IP addresses, names without a domain and our own name are
 * safe.
 */
const isOfMachine = (name: string): boolean =>
  /^[\d.]+$|^\[|^[^.]+$|\.localhost$/.test(name) || name === hostname().toLowerCase();

const FOREIGN_NAME =
  'Metrics are not served under this host name, which anybody could point here. Use localhost, or set a token: metrics: { token: "${METRICS_TOKEN}" }.\n';
const NO_TOKEN =
  'Metrics are for programs on this machine, unless the configuration has a token for others: metrics: { token: "${METRICS_TOKEN}" }.\n';
const WANTS_TOKEN = 'Metrics require the token of the configuration, as "Authorization: Bearer".\n';

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${STORED_MS_MAX / 1000} seconds`)), STORED_MS_MAX);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}
