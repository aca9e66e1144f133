import { openHttp, type Http } from './http.ts';
import { bodyBytes } from './body-bytes.ts';
import type { Transport } from './site-client.ts';
import { turns } from './turns.ts';

export interface TransportSettings {
  /** Concurrent requests; further ones wait their turn. */
  readonly requestsInFlight: number;
  /** The most time for one request, from its turn to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** A larger answer is an error; 64 MB by default. */
  readonly answerBytesMax?: number;
}

/** A transport that keeps connections open until it is closed. */
export type NetworkTransport = Transport & { readonly close: () => Promise<void> };

/**
 * Sends requests to a site over the network. Redirects and retries are left to the caller. The configured site is
 * trusted wherever it is, so no address is refused here. Rejects with errors that `httpFailure` can explain.
 */
export function networkTransport(settings: TransportSettings): NetworkTransport {
  const { timeoutMs, requestsInFlight } = settings;
  const http = openHttp({
    connectionsPerHost: requestsInFlight,
    connectTimeoutMs: Math.min(10_000, timeoutMs),
    headersTimeoutMs: timeoutMs,
    idleTimeoutMs: timeoutMs,
  });
  const inTurn = turns(requestsInFlight);
  const transport = (request: Request): Promise<Response> => inTurn('', () => carry(http, request, settings));
  return Object.assign(transport, { close: () => http.close() });
}

async function carry(
  http: Http,
  request: Request,
  { timeoutMs, userAgent, answerBytesMax = 64_000_000 }: TransportSettings,
): Promise<Response> {
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  const headers = {
    'accept-encoding': 'gzip, deflate, br',
    ...Object.fromEntries(request.headers),
    'user-agent': userAgent,
  };
  const answer = await http.send({
    method: request.method,
    url: new URL(request.url),
    headers,
    signal,
    ...(body === undefined ? {} : { body }),
  });
  const bytes = await bodyBytes(answer.body, answer.headers, {
    wireBytesMax: answerBytesMax,
    bytesMax: answerBytesMax,
  });
  answer.headers.delete('content-encoding');
  answer.headers.delete('content-length');
  const isBodiless = [204, 205, 304].includes(answer.status);
  return new Response(isBodiless ? null : bytes, { status: answer.status, headers: answer.headers });
}
