import { expect, test } from 'vitest';
import { throttledFeeds } from '../../../src/cli/web/throttled-feeds.ts';
import { feedWorld } from '../../support/feed-world.ts';

const staff = {
  id: 'staff',
  title: 'Staff',
  access: { basic: { username: 'ann', password: { reveal: () => 'right' } } },
};

function world() {
  const { feeds, clock } = feedWorld([], [staff]);
  const handle = throttledFeeds(feeds);
  const ask = async (password: string | undefined, peer = '192.0.2.1'): Promise<number> =>
    (
      await handle(
        new Request(
          'http://127.0.0.1:8080/feeds/staff.ics',
          password === undefined
            ? {}
            : { headers: { authorization: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}` } },
        ),
        peer,
      )
    ).status;
  return { ask, clock };
}

test('a client that tries many passwords of a private feed has to wait; others do not', async () => {
  const { ask, clock } = world();
  for (let attempt = 0; attempt < 20; attempt += 1) expect(await ask(`wrong ${attempt}`)).toBe(401);
  expect([await ask('right'), await ask('right', '192.0.2.2'), await ask(undefined)]).toEqual([429, 200, 401]);
  clock.now += 60_000;
  expect(await ask('right')).toBe(200);
});

test('a client that repeats one wrong password is never made to wait', async () => {
  const { ask } = world();
  for (let attempt = 0; attempt < 100; attempt += 1) expect(await ask('old')).toBe(401);
});
