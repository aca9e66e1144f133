import { coalesced } from '../../coalesced.ts';
import type { Logger } from '../../log.ts';
import { isSameSecret } from '../../redact.ts';
import { exposition, type Sample } from './exposition.ts';

export type MetricsHandle = (request: Request, peer: string) => Promise<Response>;

/** Who may read the metrics: whoever has the token or, where there is none, programs on this machine. */
export interface MetricsAccess {
  readonly token: string | undefined;
}

/** What is asked at each scrape. */
export interface MetricsParts {
  /** Asked at each request, as the configuration may change. */
  readonly access: () => MetricsAccess;
  readonly process: () => readonly Sample[];
  /** What needs the database, each by itself. */
  readonly stored: readonly (() => Promise<readonly Sample[]>)[];
  readonly log: Logger;
}

const STORED_MS_MAX = 5_000;

/** Answers `/metrics` in the text format of Prometheus. */
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
    const refused = refusalFor(access(), peer, request.headers.get('authorization'));
    return refused ?? plain(200, exposition(await samples()), { 'content-type': FORMAT });
  };
}

const FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

const plain = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(text, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });

function refusalFor({ token }: MetricsAccess, peer: string, authorization: string | null): Response | undefined {
  if (token === undefined) return LOOPBACK.test(peer) ? undefined : plain(403, NO_TOKEN);
  const [, given = ''] = /^bearer\s+(\S+)$/i.exec(authorization ?? '') ?? [];
  return isSameSecret(given, token)
    ? undefined
    : plain(401, WANTS_TOKEN, { 'www-authenticate': 'Bearer realm="metrics"' });
}

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/i;
const NO_TOKEN =
  'Metrics are for programs on this machine, unless the configuration has a token for others: metrics: { token: "${METRICS_TOKEN}" }.\n';
const WANTS_TOKEN = 'Metrics want the token of the configuration, as "Authorization: Bearer".\n';

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${STORED_MS_MAX / 1000} seconds`)), STORED_MS_MAX);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}
