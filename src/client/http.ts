import { lookup as lookupInSystem } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import type { buildConnector, Dispatcher } from 'undici';
import { AppError } from '../error.ts';
import type { AddressGuard } from './address-guard.ts';

/** Looks up the addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export interface HttpSettings {
  /** The most connections to one host at a time; further requests wait. */
  readonly connectionsPerHost: number;
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /** The longest pause while a body is received. */
  readonly idleTimeoutMs: number;
  /** Which addresses may be connected to; all if absent. */
  readonly guard?: AddressGuard;
  /** The system's resolver by default. */
  readonly resolve?: Resolve;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
}

/** Header names are in lower case. The body must be read or destroyed. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readable;
}

/** HTTP/1.1 over pooled connections. Follows no redirects, decodes nothing and retries nothing. */
export interface Http {
  /** Rejects with the original error; `httpFailure` (http-failure.ts) explains it. */
  readonly send: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly close: () => Promise<void>;
}

/** Loads and opens nothing before the first request, because many commands send none. */
export function openHttp(settings: HttpSettings): Http {
  let opened: Promise<Connections> | undefined;
  return {
    send: async ({ method, url, headers, body, signal }) => {
      checkHeaders(headers);
      const { agent, request } = await (opened ??= openConnections(settings));
      const answer = await untilAborted(
        request(url, { dispatcher: agent, method, headers, signal, ...(body === undefined ? {} : { body }) }),
        signal,
      );
      return { status: answer.statusCode, headers: headersOf(answer.headers), body: answer.body };
    },
    close: async () => (await opened)?.agent.destroy(),
  };
}

interface Connections {
  readonly agent: Dispatcher;
  readonly request: typeof import('undici').request;
}

async function openConnections(settings: HttpSettings): Promise<Connections> {
  const { Agent, buildConnector, request } = await import('undici');
  const agent = new Agent({
    connect: guardedConnector(settings, buildConnector),
    connections: settings.connectionsPerHost,
    headersTimeout: settings.headersTimeoutMs,
    bodyTimeout: settings.idleTimeoutMs,
    maxHeaderSize: 32_768,
    // undici 8 uses HTTP/2 by default, to which not all of the limits above apply.
    allowH2: false,
  });
  return { agent, request };
}

// A header that undici itself refuses would leave a connection of its pool marked as busy for ever, so we check headers
// first.
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) continue;
    throw new AppError('invalid-header', `the header ${JSON.stringify(name)} holds a character that cannot be sent`);
  }
}

// undici honours a signal only once the request has left its queue. An answer that still arrives is discarded.
function untilAborted(answer: Promise<Dispatcher.ResponseData>, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    answer.then((data) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) data.body.on('error', () => undefined).destroy();
      resolve(data);
    }, reject);
  });
}

function headersOf(fields: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields)) {
    for (const line of Array.isArray(value) ? value : [value ?? '']) headers.append(name, line);
  }
  return headers;
}

// The guard is applied where connections are made, so that it covers every redirect, and names that resolve differently
// the second time. Literal addresses are checked beforehand (they need no lookup), names during the lookup whose
// addresses are then used, and the peer once more afterwards.
function guardedConnector(
  { guard, resolve, connectTimeoutMs }: HttpSettings,
  build: typeof buildConnector,
): buildConnector.connector {
  const allows = guard ?? (() => true);
  const connect = build({
    timeout: connectTimeoutMs,
    allowH2: false,
    autoSelectFamily: true,
    lookup: checkedLookup(allows, resolve ?? ((hostname) => lookupInSystem(hostname, { all: true }))),
  } as buildConnector.BuildOptions);
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !allows(host)) return callback(refusedAddress(host, host), null);
    connect(options, (error: Error | null, socket) => {
      if (error) return callback(error, null);
      const peer = socket?.remoteAddress ?? '';
      if (socket && allows(peer)) return callback(null, socket);
      socket?.destroy();
      callback(refusedAddress(host, peer), null);
    });
  };
}

function checkedLookup(allows: AddressGuard, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname)
      .then((found) => {
        const refused = found.find(({ address }) => !allows(address));
        if (refused) throw refusedAddress(hostname, refused.address);
        const [first] = found;
        if (!first) throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
        if (options.all) callback(null, [...found]);
        else callback(null, first.address, first.family);
      })
      .catch((error: NodeJS.ErrnoException) => callback(error, ''));
  };
}

function refusedAddress(host: string, address: string): AppError {
  const whose =
    host === address
      ? `${address} is not an address of the public internet.`
      : `${host} has the address ${address}, which is not one of the public internet.`;
  // YAML would interpret a colon.
  const written = address.includes(':') ? `"${address}"` : address;
  return new AppError(
    'address-refused',
    `${whose} If it may be used, allow it in the configuration: fetch: { allow_addresses: [${written}] }.`,
  );
}
