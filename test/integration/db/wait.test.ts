import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { isPassing, tryDatabase } from '../../../src/db/wait.ts';

const dying: Record<string, (socket: net.Socket) => void> = {
  'at once': (socket) => socket.destroy(),
  'with a reset': (socket) => socket.resetAndDestroy(),
  'after the first bytes': (socket) => void socket.once('data', () => socket.end()),
};

test.each(Object.entries(dying))('a server that hangs up %s is shutting down, so waiting helps', async (_, hangUp) => {
  const server = net.createServer(hangUp).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const error = await tryDatabase(
    { url: `postgres://someone@127.0.0.1:${(server.address() as AddressInfo).port}/some` },
    2000,
  );
  expect({ error: String(error), passing: error && isPassing(error) }).toMatchObject({ passing: true });
  server.close();
});

test('temporary errors are distinguished from permanent ones', () => {
  expect(
    ['EPIPE', 'ECONNREFUSED', '57P03', '28P01', '3D000'].map((code) =>
      isPassing(Object.assign(new Error(code), { code })),
    ),
  ).toEqual([true, true, true, false, false]);
});
