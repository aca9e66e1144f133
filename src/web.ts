import { createServer } from 'node:net';
import { serve, type ServerType } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { AppError } from './error.ts';
import type { Logger } from './log.ts';

/** Request in, response out: every part of the program that answers HTTP is such a function. `peer` is the address of who asks. */
export type Handle = (request: Request, peer: string) => Promise<Response>;

/** A path pattern of Hono's, and what answers there. */
export type Route = readonly [path: string, handle: Handle];

/** The one port of a process. */
export interface Web { readonly url: string; readonly close: () => Promise<void> }

interface Address { readonly host: string; readonly port: number }

// A proxy in front of us is on this machine or in its network; only such a one is believed about whom it asks for, and only its own entry, the last.
const NEAR = /^(?:::ffff:)?(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)|^(?:::1$|f[cd][0-9a-f]{2}:)/i;

export const peerOf = (address: string, forwarded: string | undefined): string =>
  (NEAR.test(address) && forwarded?.split(',').at(-1)?.trim()) || address;

const CLOSE_MS_MAX = 5_000;

/** Serves `routes` (Hono path patterns, first hit wins) on an address. Port 0 takes a free one. Throws AppError when the port is taken. */
export async function startWeb(address: Address, routes: readonly Route[], log: Logger): Promise<Web> {
  const app = new Hono();
  for (const [path, handle] of routes) app.all(path, (context) => handle(context.req.raw, peerOf(getConnInfo(context).remote.address ?? '', context.req.header('x-forwarded-for'))));
  app.notFound(() => new Response('There is no page here. The calendar is at /, the feeds are at /feeds/.\n', { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } }));
  app.onError((error) => {
    log.error({ error: error.message, stack: error.stack }, 'a request failed');
    return new Response('Something went wrong here; the log says what.\n', { status: 500, headers: { 'content-type': 'text/plain; charset=utf-8' } });
  });
  const server = await listen(app, address);
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : address.port;
  return { url: `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}`, close: () => close(server) };
}

/** The port that an address will have: a free one for port 0. Throws AppError when it is taken: better now than after a database has been started. */
export function claimPort({ host, port }: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(port, host, () => {
      const bound = server.address();
      server.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : port));
    });
    server.once('error', (cause) => reject(unusable({ host, port }, cause)));
  });
}

function listen(app: Hono, { host, port }: Address): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: host, port }, () => resolve(server));
    server.once('error', (cause) => reject(unusable({ host, port }, cause)));
  });
}

const unusable = ({ host, port }: Address, cause: NodeJS.ErrnoException): AppError => new AppError('port-unusable', cause.code === 'EADDRINUSE'
  ? `Port ${port} is taken by another program. Set PORT to a free one, for example PORT=${port + 1}.`
  : `The address ${host}:${port} cannot be used: ${cause.message}. Set HOST and PORT to one that can.`, { cause });

/** Stops taking requests and gives those at hand a moment. */
function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), CLOSE_MS_MAX);
    server.close(() => { clearTimeout(late); resolve(); });
    if ('closeIdleConnections' in server) server.closeIdleConnections();
  });
}
