import { expect, test } from 'vitest';
import { currentlyKept, rightJustNow, type Slot } from '../../../src/feeds/serve/slot.ts';

const now = (): number => Date.UTC(2026, 10, 22);

test('what was made before something was forgotten is given to nobody, however the site fails', async () => {
  const [slot, state]: [Slot<string>, { epoch: string; revision: string; isDown: boolean }] = [
    {},
    { epoch: '0', revision: '1', isDown: false },
  ];
  const options = { now, waitMs: 1_000, revision: () => state.revision, epoch: async () => state.epoch };
  const ask = async (): Promise<string> =>
    (
      await currentlyKept(options, slot, async (revision) => {
        if (state.isDown) throw new Error('the site is down');
        return { feed: `made at ${revision}`, revision, freshAt: now() };
      })
    ).feed;
  expect(await ask()).toBe('made at 0 2026-11-22 1');
  Object.assign(state, { revision: '2', isDown: true });
  // Without anything forgotten the old one is better than none.
  expect(await ask()).toBe('made at 0 2026-11-22 1');
  state.epoch = '1';
  await expect(ask()).rejects.toThrow('the site is down');
  Object.assign(state, { revision: '3', isDown: false });
  expect(await ask()).toBe('made at 1 2026-11-22 3');
});

test('without asking, only what is of the last epoch known and was right a few minutes ago is given', () => {
  const slot = { kept: { feed: 'x', revision: '1 2026-11-22 7', freshAt: now() } };
  const given = (epoch: string, minutes: number): string | undefined =>
    rightJustNow(slot, epoch, now() + minutes * 60_000)?.feed;
  expect([given('1', 0), given('1', 5), given('1', 6), given('2', 0), given('0', 0)]).toEqual([
    'x',
    'x',
    undefined,
    undefined,
    undefined,
  ]);
  expect(rightJustNow({}, '1', now())).toBeUndefined();
});
