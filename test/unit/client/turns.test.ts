import { expect, test } from 'vitest';
import { turns } from '../../../src/client/turns.ts';

test('no more tasks of one key run at once than the limit, in the order in which they came', async () => {
  const inTurn = turns(2);
  const [begun, ends]: [string[], (() => void)[]] = [[], []];
  const task = (name: string) => (): Promise<void> =>
    new Promise((resolve) => {
      begun.push(name);
      ends.push(resolve);
    });
  const all = [...'abcd'].map((name) => inTurn('a site', task(name)));
  void inTurn('another', task('other'));
  expect(begun).toEqual(['a', 'b', 'other']);
  ends[1]?.();
  await all[1];
  expect(begun).toEqual(['a', 'b', 'other', 'c']);
  ends[0]?.();
  await all[0];
  expect(begun).toEqual(['a', 'b', 'other', 'c', 'd']);
});

test('a task that fails gives its turn to the next', async () => {
  const inTurn = turns(1);
  const failing = inTurn('a site', async () => {
    throw new Error('refused');
  });
  const next = inTurn('a site', async () => 'done');
  await expect(failing).rejects.toThrow('refused');
  expect(await next).toBe('done');
});
