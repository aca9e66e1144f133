import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandIn } from '../../support/command.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

// Each connection costs the server a process that has to look up the tables first.

let syncing: SyncingApp;
let door: net.Server;
let connections = 0;

beforeEach(async () => {
  syncing = await syncingApp();
  connections = 0;
  door = net.createServer((socket) => {
    connections += 1;
    const server = serverOf(syncing);
    socket.pipe(server).pipe(socket);
    for (const end of [socket, server]) end.on('error', () => undefined);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
});
afterEach(async () => {
  door.close();
  await syncing.close();
});

function serverOf({ address }: SyncingApp): net.Socket {
  if (!('url' in address)) return net.connect(path.join(address.socketDirectory, '.s.PGSQL.5432'));
  const { hostname, port } = new URL(address.url);
  return net.connect(Number(port || 5432), hostname);
}

/** The address of the test's database behind the proxy that counts connections. */
function urlByTheDoor({ address }: SyncingApp): string {
  const url = new URL('url' in address ? address.url : `postgres://${address.user}@127.0.0.1/${address.database}`);
  [url.hostname, url.port] = ['127.0.0.1', String((door.address() as AddressInfo).port)];
  return url.href;
}

const SOURCES = 'builtin: { timezone: Europe/Warsaw }\nsources: { town: { url: "file:town.ics" } }\n';

test.each([
  ['runs', ['runs']],
  ['users', ['users', 'list']],
])('%s uses one connection', async (_, words) => {
  const said = await commandIn(syncing, SOURCES, words, { env: { DATABASE_URL: urlByTheDoor(syncing) } });
  expect({ code: said.code, connections }).toEqual({ code: 0, connections: 1 });
});
