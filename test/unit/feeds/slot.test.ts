import { expect, test } from 'vitest';
import { currentlyKept, type Slot } from '../../../src/feeds/serve/slot.ts';

const now = (): number => Date.UTC(2026, 10, 22);

test('a feed made before an event was forgotten is never given, even if the site fails', async () => {
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
