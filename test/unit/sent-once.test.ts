import { expect, test } from 'vitest';
import { sentOnce } from '../../src/coalesced.ts';

const SECOND_MS = 1_000;

/** Answers with how often it was carried out, and keeps even answers for ten seconds. */
function opened() {
  const clock = { now: 0 };
  let times = 0;
  const once = sentOnce<number>(
    (answer) => (answer % 2 === 0 ? 10 * SECOND_MS : 0),
    () => clock.now,
  );
  const carryOut = async (): Promise<number> => (times += 1);
  return { clock, once, carryOut };
}

test('a form that is sent twice is carried out once, and again when its answer is no longer kept', async () => {
  const { clock, once, carryOut } = opened();
  expect(await Promise.all([once('a', carryOut), once('a', carryOut), once('b', carryOut)])).toEqual([1, 1, 2]);
  // The first answer is kept for no time, the other for ten seconds.
  expect(await once('a', carryOut)).toBe(3);
  clock.now += 9 * SECOND_MS;
  expect(await once('b', carryOut)).toBe(2);
  clock.now += SECOND_MS;
  expect(await once('b', carryOut)).toBe(4);
});

const failing = (): Promise<number> => Promise.reject(new Error('away'));

test('a form that failed is carried out again', async () => {
  const { once, carryOut } = opened();
  await expect(Promise.all([once('a', failing), once('a', failing)])).rejects.toThrow('away');
  expect(await once('a', carryOut)).toBe(1);
});

test('an answer is forgotten after 500 others', async () => {
  const { once, carryOut } = opened();
  await once('odd', carryOut);
  expect(await once('first', carryOut)).toBe(2);
  for (let each = 0; each < 500; each += 1) await once(`${each}`, async () => 0);
  expect(await once('first', carryOut)).toBe(3);
});
