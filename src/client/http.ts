import { lookup as lookupInSystem } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, request as send } from 'undici';
import { AppError } from '../error.ts';
import type { AddressGuard } from './address-guard.ts';

/** The addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export interface HttpSettings {
  /** Connections to one host at a time; further requests to it wait. */
  readonly connectionsPerHost: number;
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /** The longest silence within a body. */
  readonly idleTimeoutMs: number;
  /** Who may be connected to; without one everything may. */
  readonly guard?: AddressGuard;
  /** The system's resolver unless given. */
  readonly resolve?: Resolve;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
}

/** Headers have lower-case names; the body must be read or destroyed. */
export interface HttpAnswer { readonly status: number; readonly headers: Headers; readonly body: Readable }

/** HTTP/1.1 over pooled connections; follows no redirects, decodes nothing, retries nothing. */
export interface Http {
  /** Rejects with whatever went wrong; `httpFailure` tells what it was. */
  readonly send: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly close: () => Promise<void>;
}

export function openHttp(settings: HttpSettings): Http {
  const agent = new Agent({
    connect: guardedConnector(settings),
    connections: settings.connectionsPerHost,
    headersTimeout: settings.headersTimeoutMs,
    bodyTimeout: settings.idleTimeoutMs,
    maxHeaderSize: 32_768,
    // undici 8 speaks HTTP/2 by default, where the limits above are not all in force.
    allowH2: false,
  });
  return {
    send: async ({ method, url, headers, body, signal }) => {
      const answer = await send(url, { dispatcher: agent, method, headers, signal, ...(body === undefined ? {} : { body }) });
      return { status: answer.statusCode, headers: headersOf(answer.headers), body: answer.body };
    },
    close: () => agent.destroy(),
  };
}

function headersOf(fields: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields)) {
    for (const line of Array.isArray(value) ? value : [value ?? '']) headers.append(name, line);
  }
  return headers;
}

// The guard stands where connections are made, so that it holds for every hop and for names that answer differently the
// second time: literal addresses are checked before (no lookup happens for them), names in the lookup, whose checked
// addresses are the ones connected to, and the peer once more after.
function guardedConnector({ guard, resolve, connectTimeoutMs }: HttpSettings): buildConnector.connector {
  const allows = guard ?? (() => true);
  const connect = buildConnector({
    timeout: connectTimeoutMs, allowH2: false, autoSelectFamily: true,
    lookup: checkedLookup(allows, resolve ?? ((hostname) => lookupInSystem(hostname, { all: true }))),
  } as buildConnector.BuildOptions);
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !allows(host)) return callback(refusedAddress(host, host), null);
    connect(options, (error: Error | null, socket) => {
      if (error) return callback(error, null);
      const peer = socket!.remoteAddress ?? '';
      if (allows(peer)) return callback(null, socket!);
      socket!.destroy();
      callback(refusedAddress(host, peer), null);
    });
  };
}

function checkedLookup(allows: AddressGuard, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then((found) => {
      const refused = found.find(({ address }) => !allows(address));
      if (refused) throw refusedAddress(hostname, refused.address);
      const [first] = found;
      if (!first) throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
      if (options.all) callback(null, [...found]);
      else callback(null, first.address, first.family);
    }).catch((error: NodeJS.ErrnoException) => callback(error, ''));
  };
}

const refusedAddress = (host: string, address: string): AppError => new AppError('address-refused', host === address
  ? `${address} is not an address of the public internet. If it may be used, add it to fetch.allow_addresses.`
  : `${host} has the address ${address}, which is not one of the public internet. If it may be used, add it to fetch.allow_addresses.`);

/** What a failed request died of. `sent`: it may have reached the other side. `message` is a clause without the address asked for. */
export interface HttpFailure {
  readonly code: 'address-refused' | 'unknown-host' | 'refused' | 'unreachable' | 'not-tls' | 'tls' | 'invalid' | 'timeout' | 'cut-off';
  readonly message: string;
  readonly sent: boolean;
}

/** Reads an error of `send`, or of reading its body. */
export function httpFailure(error: unknown): HttpFailure {
  const code = errorCode(error);
  if (error instanceof AppError && error.code === 'address-refused') return { code: 'address-refused', message: error.message, sent: false };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { code: 'unknown-host', message: 'its name has no address in the DNS', sent: false };
  if (code === 'ECONNREFUSED') return { code: 'refused', message: 'nothing accepts connections there', sent: false };
  if (UNREACHABLE[code] !== undefined) return { code: 'unreachable', message: UNREACHABLE[code], sent: false };
  if (code === 'UND_ERR_INVALID_ARG') return { code: 'invalid', message: `the request cannot be made (${(error as Error).message})`, sent: false };
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return { code: 'timeout', message: 'it did not begin to answer in time', sent: true };
  if (code === 'UND_ERR_BODY_TIMEOUT') return { code: 'timeout', message: 'it fell silent in the middle of its answer', sent: true };
  if (isTimeout(error)) return { code: 'timeout', message: 'its answer took too long', sent: true };
  if (/^(?:EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|ERR_SSL_HTTP_REQUEST)$/.test(code)) {
    return { code: 'not-tls', message: 'it does not speak TLS there', sent: false };
  }
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/.test(code)) {
    return { code: 'tls', message: `no secure connection could be made (${code})`, sent: false };
  }
  if (error instanceof AppError) return { code: 'cut-off', message: error.message, sent: true };
  return { code: 'cut-off', message: `the connection broke off (${code || String(error)})`, sent: true };
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  EHOSTUNREACH: 'there is no route to it', ENETUNREACH: 'there is no route to it', EADDRNOTAVAIL: 'there is no route to it',
  UND_ERR_CONNECT_TIMEOUT: 'it did not accept a connection in time', ETIMEDOUT: 'it did not accept a connection in time',
};

const isTimeout = (error: unknown): boolean => error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError');

// With several addresses Node reports an AggregateError, whose members tell more.
function errorCode(error: unknown): string {
  const { code, errors, cause } = (error ?? {}) as { code?: unknown; errors?: readonly unknown[]; cause?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  return errors?.length ? errorCode(errors[0]) : cause === undefined ? '' : errorCode(cause);
}
