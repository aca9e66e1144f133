import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { untilSilent } from '../../../src/db/pulse.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a database that refuses at once is waited for as long as one that is silent', async () => {
  const askedTwice = Promise.withResolvers<void>();
  let asked = 0;
  const server = createServer((socket) => {
    socket.destroy();
    asked += 1;
    if (asked === 2) askedTwice.resolve();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const leaving = new AbortController();
  let isSilent = false;
  const silence = untilSilent({ url }, 10_000, leaving.signal).then(() => {
    isSilent = true;
  });
  // By then the first refusal has been noted.
  await askedTwice.promise;
  await vi.advanceTimersByTimeAsync(9_999);
  expect(isSilent).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await silence;
  leaving.abort();
  server.close();
  await once(server, 'close');
});
