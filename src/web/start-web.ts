import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { serve, type HttpBindings, type ServerType } from '@hono/node-server';
import type { Logger } from '../log.ts';
import { portUnusable, type Address } from './port.ts';

/**
 * Takes a request and returns a response: every part of the program that answers HTTP is such a function. `peer` is the
 * client's address. `isAwaited` returns whether somebody still waits for the answer: nobody does once the client has
 * gone or was told to try again later.
 */
export type Handle = (request: Request, peer: string, isAwaited?: () => boolean) => Promise<Response>;

/** Answers some requests from memory during an outage; undefined for those that it cannot answer. */
export type HandleMeanwhile = (request: Request) => Promise<Response | undefined>;

/**
 * A path as in addresses, and what answers there; `/feeds/*` is everything below a folder, `*` is everything. With
 * `always`, the handler also answers during an outage; others may have a replacement.
 */
export type Route = readonly [path: string | RegExp, handle: Handle, meanwhile?: 'always' | HandleMeanwhile];

/** The unavailability of something that all requests need, such as the database. */
export interface Outage {
  readonly isAway: () => boolean;
  /** Calls `listener` when it becomes unavailable. Returns a function that removes the listener. */
  readonly onAway: (listener: () => void) => () => void;
  /** Whether the outage is the cause of an error. */
  readonly isCause: (error: unknown) => boolean;
  /** The answer during the outage: 503 with `Retry-After`. */
  readonly answer: (request: Request) => Response;
}

/** The HTTP port of a process. */
export interface Web {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
/** An IP address in the forms that proxies write: in brackets, with a port, or bare; undefined for anything else. */
function addressIn(text: string): string | undefined {
  const bare = text
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  return isIP(bare) > 0 ? bare : undefined;
}
const isLoopback = (bare: string): boolean =>
  isIP(bare) > 0 && LOOPBACK.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4');

/** Whether to trust a proxy at this address. */
export type IsTrusted = (address: string) => boolean;

/**
 * The address of the client. X-Forwarded-For counts only if it comes from a proxy on this machine or a trusted one. Of
 * its entries, the last one that is not such a proxy counts, because anybody may have written those before it. A client
 * elsewhere that claims to be on this machine is not believed.
 */
export function peerOf(address: string, forwarded: string | undefined, isTrusted: IsTrusted = () => false): string {
  if (forwarded === undefined) return addressIn(address) ?? address;
  const said = forwarded.split(',').slice(-PROXIES_MAX);
  const beyond = (peer: string): string => {
    const isHere = isLoopback(peer);
    const next = isHere || isTrusted(peer) ? addressIn(said.pop()?.trim() ?? '') : undefined;
    return next === undefined || (isLoopback(next) && !isHere) ? peer : beyond(next);
  };
  return beyond(addressIn(address) ?? address);
}

/** The most proxies in a chain. */
const PROXIES_MAX = 10;

const CLOSE_MS_MAX = 5_000;

/**
 * Serves `routes` (the first match wins) on an address; port 0 picks a free port. Throws AppError if the port is taken.
 */
export async function startWeb(
  address: Address,
  routes: readonly Route[],
  log: Logger,
  { outage, isTrusted }: { readonly outage?: Outage; readonly isTrusted?: IsTrusted } = {},
): Promise<Web> {
  const answering = routes.map(([path, handle, meanwhile]) => ({
    isFor: matcherOf(path),
    handle: meanwhile === 'always' || !outage ? handle : unlessAway(handle, outage, meanwhile),
  }));
  const answer = async (request: Request, { incoming, outgoing }: HttpBindings): Promise<Response> => {
    try {
      const path = pathIn(request.url);
      const route = answering.find(({ isFor }) => isFor(path));
      if (!route) return plain(404, 'There is no page here. The calendar is at /, the feeds are at /feeds/.\n');
      const forwarded = incoming.headers['x-forwarded-for'];
      const peer = peerOf(incoming.socket.remoteAddress ?? '', forwarded?.toString(), isTrusted);
      return await closingIfUnread(incoming, await route.handle(request, peer, () => !outgoing.destroyed));
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      if (isCutOff(incoming)) {
        log.debug({ error: message, stack }, 'a client has gone before its request had arrived');
        return plain(400, 'The request has not arrived in full.\n');
      }
      log.error({ error: message, stack }, 'a request failed');
      if (outage?.isCause(error)) return outage.answer(request);
      return plain(500, 'Something went wrong here; the log has the details.\n');
    }
  };
  const server = await listen(answer, address);
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : address.port;
  return {
    url: `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}`,
    close: () => close(server),
  };
}

/** Whether the client has gone while sending a request: reading it fails, and nobody is left to answer. */
const isCutOff = ({ complete, destroyed }: IncomingMessage): boolean => destroyed && !complete;

const plain = (status: number, text: string): Response =>
  new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });

function matcherOf(path: string | RegExp): (path: string) => boolean {
  if (typeof path !== 'string') return (asked) => path.test(asked);
  if (!path.endsWith('*')) return (asked) => asked === path;
  const beginning = path.slice(0, -1);
  return (asked) => asked.startsWith(beginning);
}

/** The path of an absolute address. Parsing the address would take ten times as long. */
function pathIn(url: string): string {
  const from = url.indexOf('/', url.indexOf('://') + '://'.length);
  const end = url.slice(from).search(/[?#]/);
  return end < 0 ? url.slice(from) : url.slice(from, from + end);
}

/** How long the rest of a refused request is read and discarded. */
const UNREAD_MS_MAX = 5_000;

/**
 * If a request is refused before its body has been read, the answer closes the connection (RFC 9112, 9.6). The answer
 * ends only once the whole body has arrived, because closing a connection with unread data resets it and loses the
 * answer.
 */
function closingIfUnread(incoming: IncomingMessage, answer: Response): Response | Promise<Response> {
  return incoming.complete || answer.status === 204 || answer.status === 304 ? answer : closing(incoming, answer);
}

async function closing(incoming: IncomingMessage, answer: Response): Promise<Response> {
  const content = new Uint8Array(await answer.arrayBuffer());
  const headers = new Headers(answer.headers);
  headers.set('Connection', 'close');
  headers.set('Content-Length', String(content.byteLength));
  const gone = new AbortController();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(content),
    pull: async (controller) => {
      await dropped(incoming, AbortSignal.any([gone.signal, AbortSignal.timeout(UNREAD_MS_MAX)]));
      if (!gone.signal.aborted) controller.close();
    },
    cancel: () => gone.abort(),
  });
  return new Response(body, { status: answer.status, headers });
}

/** Reads and discards the rest of a request until it ends, the client goes away or `signal` is aborted. */
async function dropped(incoming: IncomingMessage, signal: AbortSignal): Promise<void> {
  // A handler that has read part of the body must not receive the rest.
  incoming.removeAllListeners('data').resume();
  if (incoming.readableEnded || incoming.destroyed) return;
  await Promise.race([once(incoming, 'end', { signal }), once(incoming, 'close', { signal })]).catch((error: Error) => {
    if (!signal.aborted && !incoming.destroyed) throw error;
  });
}

/**
 * Answers requests during an outage, including those that began before it, so that none waits for its end. A request
 * that was given up is not carried out later.
 */
function unlessAway(handle: Handle, { isAway, onAway, isCause, answer }: Outage, meanwhile?: HandleMeanwhile): Handle {
  const answerMeanwhile = async (request: Request): Promise<Response> =>
    (await meanwhile?.(request)) ?? answer(request);
  return (request, peer, isAwaited) => {
    if (isAway()) return answerMeanwhile(request);
    return new Promise((resolve, reject) => {
      let isGivenUp = false;
      const forget = onAway(() => {
        isGivenUp = true;
        forget();
        resolve(answerMeanwhile(request));
      });
      handle(request, peer, () => !isGivenUp && isAwaited?.() !== false).then(
        (answered) => {
          forget();
          resolve(answered);
        },
        (error: unknown) => {
          forget();
          // The outage has begun, and this request is the first to notice it.
          if (meanwhile && isCause(error)) resolve(answerMeanwhile(request));
          else reject(error);
        },
      );
    });
  };
}

function listen(
  answer: (request: Request, bindings: HttpBindings) => Promise<Response>,
  { host, port }: Address,
): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    // Only HTTP/1.1 is served here, which determines the type of the bindings.
    const fetch = (request: Request, bindings: unknown): Promise<Response> => answer(request, bindings as HttpBindings);
    const server = serve({ fetch, hostname: host, port }, () => resolve(server));
    server.once('error', (cause) => reject(portUnusable({ host, port }, cause)));
  });
}

/** Stops accepting requests and gives those in progress a moment to finish. */
function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), CLOSE_MS_MAX);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    if ('closeIdleConnections' in server) server.closeIdleConnections();
  });
}
