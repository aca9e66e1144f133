import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/db/database.ts';
import { isPassing, tryDatabase, waitForDatabase } from '../../../src/db/wait.ts';

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

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

test.runIf(hasOpenssl)(
  'a certificate of an unknown authority leads to the setting that names the authority',
  async () => {
    const { privateKey, certificate } = selfSigned();
    // PostgreSQL agrees to TLS with an "S".
    const server = net
      .createServer((socket) => {
        socket.once('data', () => {
          socket.write('S');
          new tls.TLSSocket(socket, { isServer: true, key: privateKey, cert: certificate }).on(
            'error',
            () => undefined,
          );
        });
      })
      .listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const address = { url: `postgres://someone@127.0.0.1:${port}/some?sslmode=verify-full` };
    const database = openDatabase(address, 1);
    await expect(waitForDatabase(database, address, 2000)).rejects.toMatchObject({
      code: 'database-unreachable',
      message: expect.stringContaining('?sslmode=verify-full&sslrootcert=FILE'),
    });
    await database.close();
    server.close();
  },
);

/** Made by openssl, as administrators do. */
function selfSigned(): { readonly privateKey: string; readonly certificate: string } {
  const made = execFileSync(
    'openssl',
    ['req', '-new', '-x509', '-days', '2', '-nodes', '-subj', '/CN=db', '-keyout', '-', '-out', '-'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const [privateKey = '', certificate = ''] = made.split(/(?=-----BEGIN CERTIFICATE-----)/);
  return { privateKey, certificate };
}
