import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FeedHttp } from '../../../src/run/fetch/fetch-feed.ts';
import {
  CALENDAR,
  closeConnections,
  codeOf,
  connections,
  failure,
  fetchedWith,
  text,
} from '../../support/feed-fetching.ts';
import { body, feedServer, redirect, type FeedServer } from '../../support/feed-server.ts';

let server: FeedServer;
beforeAll(async () => {
  server = await feedServer();
  server.on('/good', body(CALENDAR));
});
afterAll(async () => {
  await closeConnections();
  await server.close();
});

const refused = async (url: string, http: FeedHttp): Promise<string> =>
  failure(await fetchedWith(url, { http }), 'feed-address-refused');

const named = (
  addresses: Readonly<Record<string, readonly (readonly string[])[]>>,
  allowed: readonly string[] = ['127.0.0.1'],
): FeedHttp => {
  const asked = new Map<string, number>();
  return connections(allowed, {
    resolve: (name) => {
      const turn = asked.get(name) ?? 0;
      asked.set(name, turn + 1);
      const answers = addresses[name] ?? [];
      return Promise.resolve(
        (answers[Math.min(turn, answers.length - 1)] ?? []).map((address) => ({
          address,
          family: address.includes(':') ? 6 : 4,
        })),
      );
    },
  });
};

describe('the address guard', () => {
  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '0.0.0.0',
    '[::]',
    '169.254.169.254',
    '10.0.0.1',
    '192.168.0.1',
    '172.16.0.1',
    '100.64.0.1',
    '[fd00::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    '①②⑦.⓪.⓪.①',
    'localhost',
    '127.0.0.1.',
    '0x7f000001',
    '017700000001',
    '0',
    '[::ffff:0:0]',
    '[2002:7f00:1::]',
    '[64:ff9b:1::7f00:1]',
    '[::7f00:1]',
    '[fec0::1]',
  ])('refuses http://%s/', async (host) => {
    const requests = server.requests.length;
    expect(await refused(`http://${host}:${server.port}/good`, connections([]))).toMatch(
      /not (?:an address|one) of the public internet\. If it may be used, .*: fetch: \{ allow_addresses: \[\S+\] \}\.$/,
    );
    expect(server.requests).toHaveLength(requests);
  });

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['[::1]', '"::1"'],
  ])('says which setting would allow http://%s/: %s', async (host, written) => {
    expect(await refused(`http://${host}:${server.port}/good`, connections([]))).toContain(
      ` fetch: { allow_addresses: [${written}] }.`,
    );
  });

  test('refuses a name with a private address', async () => {
    expect(
      await refused(`http://evil.example:${server.port}/good`, named({ 'evil.example': [['127.0.0.2']] })),
    ).toMatch(/evil\.example has the address 127\.0\.0\.2/);
  });
  test.each([['::ffff:127.0.0.1'], ['64:ff9b::7f00:1'], ['0.0.0.0'], ['::'], ['8.8.8.8', '::1']])(
    'refuses a name with the address %s',
    async (...addresses) => {
      const requests = server.requests.length;
      expect(
        await refused(`http://evil.example:${server.port}/good`, named({ 'evil.example': [addresses] }, [])),
      ).toMatch(/evil\.example has the address \S+, which is not one of the public internet/);
      expect(server.requests).toHaveLength(requests);
    },
  );
  test('refuses a name with one private address among others', async () => {
    expect(
      await refused(
        `http://mixed.example:${server.port}/good`,
        named({ 'mixed.example': [['127.0.0.1', '10.0.0.1']] }),
      ),
    ).toMatch(/ is not read: /);
  });
  test('refuses a redirect to a private address, and to a name that has one', async () => {
    server.on('/to-literal', redirect('http://127.0.0.2/'));
    server.on('/to-name', redirect('http://evil.example/'));
    const both = named({ 'good.example': [['127.0.0.1']], 'evil.example': [['169.254.169.254']] });
    expect(await refused(`http://good.example:${server.port}/to-literal`, both)).toMatch(/ is not read: /);
    expect(await refused(`http://good.example:${server.port}/to-name`, both)).toMatch(/^evil\.example\/ is not read/);
  });
  test('is not fooled by a name that answers differently the second time', async () => {
    server.on('/rebind', (_request, response) => {
      response.writeHead(200, { connection: 'close' }).end(CALENDAR);
    });
    const rebinding = named({ 'rebind.example': [['127.0.0.1'], ['127.0.0.2']] });
    expect(text(await fetchedWith(`http://rebind.example:${server.port}/rebind`, { http: rebinding }))).toBe(CALENDAR);
    expect(await refused(`http://rebind.example:${server.port}/rebind`, rebinding)).toMatch(/ is not read: /);
  });
  test('connects to the address that was checked, not to a later answer', async () => {
    const evil = await feedServer('127.0.0.2', server.port);
    evil.on('/pinned', body('SECRET'));
    server.on('/pinned', body(CALENDAR));
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.2'].map((address) => [address]);
    expect(
      text(await fetchedWith(`http://pin.example:${server.port}/pinned`, { http: named({ 'pin.example': answers }) })),
    ).toBe(CALENDAR);
    expect(evil.requests).toHaveLength(0);
    await evil.close();
  });
  test('reports a name without any address as unknown', async () => {
    expect(codeOf(await fetchedWith('http://empty.example/', { http: named({ 'empty.example': [[]] }) }))).toBe(
      'feed-unknown-host',
    );
  });
  test('lets allowed networks through', async () => {
    server.on('/good', body(CALENDAR));
    expect(
      text(
        await fetchedWith(`http://intranet.example:${server.port}/good`, {
          http: named({ 'intranet.example': [['127.0.0.1']] }, ['127.0.0.0/8']),
        }),
      ),
    ).toBe(CALENDAR);
  });
});
