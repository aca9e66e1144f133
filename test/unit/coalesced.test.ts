import { expect, test } from 'vitest';
import { coalesced } from '../../src/coalesced.ts';

test('who asks at the same time shares an answer, and who asks while one is on its way shares the next', async () => {
  const asked: PromiseWithResolvers<number>[] = [];
  const ask = coalesced(() => {
    const answer = Promise.withResolvers<number>();
    asked.push(answer);
    return answer.promise;
  });
  const together = [ask(), ask()];
  expect(asked).toHaveLength(0);
  await expect.poll(() => asked.length).toBe(1);
  const [second, third] = [ask(), ask()];
  asked[0]!.resolve(1);
  expect(await Promise.all(together)).toEqual([1, 1]);
  await expect.poll(() => asked.length).toBe(2);
  const fourth = ask();
  asked[1]!.resolve(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await expect.poll(() => asked.length).toBe(3);
  asked[2]!.reject(new Error('away'));
  await expect(fourth).rejects.toThrow('away');
  const last = ask();
  await expect.poll(() => asked.length).toBe(4);
  asked[3]!.resolve(4);
  expect(await last).toBe(4);
});

test('an answer that does not come holds up nobody else', async () => {
  const asked: PromiseWithResolvers<number>[] = [];
  const ask = coalesced(() => {
    const answer = Promise.withResolvers<number>();
    asked.push(answer);
    return answer.promise;
  }, 5);
  const silent = ask();
  await expect.poll(() => asked.length).toBe(1);
  const other = ask();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]!.resolve(2);
  expect(await other).toBe(2);
  const third = ask();
  await expect.poll(() => asked.length).toBe(3);
  asked[0]!.resolve(1);
  asked[2]!.resolve(3);
  expect(await Promise.all([silent, third])).toEqual([1, 3]);
});
