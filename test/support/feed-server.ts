import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

export interface FeedServer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** All requests so far. */
  readonly requests: readonly IncomingMessage[];
  /** How `path` answers from now on. Several listeners answer one request each, and the last one all that follow. */
  readonly on: (path: string, ...listeners: readonly RequestListener[]) => void;
  readonly close: () => Promise<void>;
}

/**
 * A real HTTP server on a free port of 127.0.0.1 (or another loopback address), whose answers can be arbitrarily bad.
 */
export async function feedServer(host = '127.0.0.1', atPort = 0): Promise<FeedServer> {
  const listeners = new Map<string, RequestListener[]>();
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const due = listeners.get((request.url ?? '').replace(/\?.*$/, ''));
    const listener = due && due.length > 1 ? due.shift() : due?.[0];
    (listener ?? status(404, 'not here'))(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(atPort, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    requests,
    on: (path, ...listed) => {
      listeners.set(path, [...listed]);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Headers = Readonly<Record<string, string>>;

export const status =
  (code: number, body = '', headers: Headers = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(code, headers).end(body);
  };

export const body =
  (
    content: string | Uint8Array,
    headers: Headers = { 'content-type': 'text/calendar; charset=utf-8' },
  ): RequestListener =>
  (_request, response) => {
    response.writeHead(200, headers).end(content);
  };

export const redirect = (location: string, code = 302): RequestListener => status(code, 'elsewhere', { location });

/** Answers 304 to requests that repeat the validators exactly. */
export const conditional =
  (content: string, validators: { readonly etag?: string; readonly 'last-modified'?: string }): RequestListener =>
  (request, response) => {
    const isKnown =
      validators.etag === undefined
        ? request.headers['if-modified-since'] === validators['last-modified']
        : request.headers['if-none-match'] === validators.etag;
    response.writeHead(isKnown ? 304 : 200, validators).end(isKnown ? undefined : content);
  };

const PACKERS = {
  gzip: gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  'raw deflate': deflateRawSync,
} as const;

export function packed(coding: keyof typeof PACKERS, content: string | Uint8Array, cutTo?: number): RequestListener {
  const bytes = PACKERS[coding](content);
  return body(cutTo === undefined ? bytes : bytes.subarray(0, cutTo), {
    'content-encoding': coding.replace('raw ', ''),
  });
}

/** Announces a longer body than it sends, then hangs up. */
export const truncated =
  (content: string): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-length': String(content.length + 100) });
    response.write(content, () => response.destroy());
  };

/** Sends a chunked body, then hangs up before the last chunk. */
export const hungUp =
  (content: string): RequestListener =>
  (_request, response) => {
    response.writeHead(200);
    response.write(content, () => response.destroy());
  };

/** Never answers. */
export const mute: RequestListener = () => undefined;

/** Sends the beginning of a body, then nothing more. */
export const silent =
  (beginning: string): RequestListener =>
  (_request, response) => {
    response.writeHead(200).write(beginning);
  };

/** Sends one byte at an interval, without end. */
export const dripping =
  (everyMs: number): RequestListener =>
  (_request, response) => {
    response.writeHead(200);
    every(everyMs, response, () => response.write('x'));
  };

/** Sends as fast as it can, without end. */
export const endless =
  (chunk: Uint8Array, headers: Headers = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(200, headers);
    const pump = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', pump);
    pump();
  };

function every(ms: number, response: ServerResponse, act: () => void): void {
  const timer = setInterval(act, ms);
  response.once('close', () => clearInterval(timer));
}
