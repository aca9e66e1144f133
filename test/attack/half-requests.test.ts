import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attackedSite, type AttackedSite } from '../support/attacked-site.ts';

// Many connections that begin a request and never finish it.

const MANY = 1_000;
/** Nobody else may hang; how fast they get their answers is measured elsewhere. */
const HANG_MS = 20_000;

let site: AttackedSite;
const open: Socket[] = [];
beforeAll(async () => {
  site = await attackedSite();
}, 120_000);
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await site.close();
});

const BEGINNINGS = [
  'GET / HTTP/1.1\r\nHost: town.example\r\nX-Slow: ',
  'POST /authorize/login HTTP/1.1\r\nHost: town.example\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 900\r\n\r\nlog',
];

test('a thousand requests that are never finished keep nobody waiting', async () => {
  const { hostname, port } = new URL(site.daemon.url);
  for (let index = 0; index < MANY; index += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    open.push(socket);
    await once(socket, 'connect');
    socket.write(BEGINNINGS[index % BEGINNINGS.length] ?? '');
  }
  for (const path of ['/healthz', '/', '/feeds/', '/api/calendar/events/v1/events']) {
    const answer = await fetch(`${site.daemon.url}${path}`, { signal: AbortSignal.timeout(HANG_MS) });
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.arrayBuffer();
  }
});
