import { openHttp, type Http } from './http.ts';
import { bodyBytes } from './body-bytes.ts';
import type { Transport } from './site-client.ts';
import { turns } from './turns.ts';

export interface TransportSettings {
  /** Requests on their way at one time; further ones wait for their turn. */
  readonly requestsInFlight: number;
  /** The longest time of one request, from its turn to the last byte of its answer. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** An answer larger than this is an error; 64 MB unless given. */
  readonly answerBytesMax?: number;
}

/** A transport that holds connections, until it is closed. */
export type NetworkTransport = Transport & { readonly close: () => Promise<void> };

/**
 * Carries requests to a site over the network. Follows no redirects and repeats nothing: that is decided above.
 * The configured site is trusted, wherever it is, so no address is refused here. Rejects as `httpFailure` reads it.
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
  const bytes = await bodyBytes(answer.body, answer.headers.get('content-encoding'), {
    wireBytesMax: answerBytesMax,
    bytesMax: answerBytesMax,
  });
  answer.headers.delete('content-encoding');
  answer.headers.delete('content-length');
  const isBodiless = [204, 205, 304].includes(answer.status);
  return new Response(isBodiless ? null : bytes, { status: answer.status, headers: answer.headers });
}
