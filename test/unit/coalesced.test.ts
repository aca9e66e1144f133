import { expect, test } from 'vitest';
import { coalesced, batchedByKey } from '../../src/coalesced.ts';

test('simultaneous callers share one answer, and callers who come while it is awaited share the next', async () => {
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

test('a missing answer does not hold up later callers', async () => {
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

/** Records the batches that are asked for, and answers them on demand. */
function asking(options: Parameters<typeof batchedByKey>[1] = {}) {
  const asked: {
    readonly keys: readonly string[];
    readonly answer: PromiseWithResolvers<ReadonlyMap<string, number>>;
  }[] = [];
  const ask = batchedByKey((keys: readonly string[]) => {
    const answer = Promise.withResolvers<ReadonlyMap<string, number>>();
    asked.push({ keys, answer });
    return answer.promise;
  }, options);
  /** Answers each key with its length. */
  const answer = (index: number): void => {
    const one = asked[index]!;
    one.answer.resolve(new Map(one.keys.filter((key) => key !== 'none').map((key) => [key, key.length])));
  };
  return { asked, ask, answer };
}

test('the first key is asked for at once, the next ones in one batch, more when one of the two is answered', async () => {
  const { asked, ask, answer } = asking();
  const first = ask('a');
  expect(asked.map(({ keys }) => keys)).toEqual([['a']]);
  const some = [ask('bb'), ask('none'), ask('bb'), ask('a')];
  await expect.poll(() => asked.length).toBe(2);
  const later = [ask('ccc'), ask('a')];
  await new Promise(setImmediate);
  expect(asked.map(({ keys }) => keys)).toEqual([['a'], ['bb', 'none', 'a']]);
  answer(1);
  expect(await Promise.all(some)).toEqual([2, undefined, 2, 1]);
  await expect.poll(() => asked.length).toBe(3);
  expect(asked[2]!.keys).toEqual(['ccc', 'a']);
  answer(2);
  answer(0);
  expect(await Promise.all([first, ...later])).toEqual([1, 3, 1]);
});

test('keys that do not fit into a batch follow in the next, and no batch is empty', async () => {
  const { asked, ask, answer } = asking({ keysMax: 2, atOnce: 1 });
  const all = ['1', '2', '3', '4'].map(ask);
  for (const index of [0, 1, 2]) {
    await expect.poll(() => asked.length).toBe(index + 1);
    answer(index);
  }
  expect(await Promise.all(all)).toEqual([1, 1, 1, 1]);
  await new Promise(setImmediate);
  expect(asked.map(({ keys }) => keys)).toEqual([['1'], ['2', '3'], ['4']]);
});

test('a failure reaches only those who wait for that batch', async () => {
  const { asked, ask, answer } = asking({ atOnce: 1 });
  const first = ask('1');
  const others = [ask('2'), ask('3')];
  asked[0]!.answer.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await expect.poll(() => asked.length).toBe(2);
  answer(1);
  expect(await Promise.all(others)).toEqual([1, 1]);
});

test('an unanswered batch stops holding up the next one after a while', async () => {
  const { asked, ask, answer } = asking({ atOnce: 1, patienceMs: 5 });
  const silent = ask('1');
  const other = ask('2');
  await expect.poll(() => asked.length).toBe(2);
  answer(1);
  expect(await other).toBe(1);
  answer(0);
  expect(await silent).toBe(1);
});
