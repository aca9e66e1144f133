import { expect, test } from 'vitest';
import { coalesced } from '../../src/coalesced.ts';

test('who asks while an answer is on its way shares the next one', async () => {
  const asked: PromiseWithResolvers<number>[] = [];
  const ask = coalesced(() => {
    const answer = Promise.withResolvers<number>();
    asked.push(answer);
    return answer.promise;
  });
  const [first, second, third] = [ask(), ask(), ask()];
  expect(asked).toHaveLength(1);
  asked[0]!.resolve(1);
  expect(await first).toBe(1);
  await expect.poll(() => asked.length).toBe(2);
  const fourth = ask();
  asked[1]!.resolve(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await expect.poll(() => asked.length).toBe(3);
  asked[2]!.reject(new Error('away'));
  await expect(fourth).rejects.toThrow('away');
  const last = ask();
  asked[3]!.resolve(4);
  expect(await last).toBe(4);
});
