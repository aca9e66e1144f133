import { afterEach, beforeEach, expect, test } from 'vitest';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// Places limit how often all processes together use something at once, such as a site.

let syncing: SyncingApp;
beforeEach(async () => {
  syncing = await syncingApp();
});
afterEach(() => syncing.close());

const open = (): Promise<OpenedApp> => syncing.open('{}');

test('with two places, all processes together never use more than two', async () => {
  const apps = [await open(), await open(), await open()];
  let [atOnce, most] = [0, 0];
  const areBothInUse = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    if (atOnce === 2) areBothInUse.resolve();
    await areBothInUse.promise;
    atOnce -= 1;
  };
  const all = apps.flatMap(({ context }) =>
    Array.from({ length: 4 }, () => context.member.alone([['a place', 'another place']], work)),
  );
  expect(await Promise.all(all)).toHaveLength(12);
  expect(most).toBe(2);
});

test('work that waits for one of its places does not block the others', async () => {
  const [first, second] = [await open(), await open()];
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const holding = first.context.member.alone([['busy']], () => {
    isHeld.resolve();
    return held.promise;
  });
  await isHeld.promise;
  const waiting = second.context.member.alone([['free'], ['busy']], async () => 'both');
  expect(await first.context.member.alone([['free']], async () => 'one')).toBe('one');
  held.resolve();
  await holding;
  expect(await waiting).toBe('both');
});
