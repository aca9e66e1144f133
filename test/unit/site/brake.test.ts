import { expect, test } from 'vitest';
import { makeThrottle, networkOf } from '../../../src/site/throttle.ts';

const LIMITS = { free: 3, firstWaitMs: 1_000, waitMsMax: 4_000, forgetMs: 60_000 };
const failedTimes = (count: number, at = 0) => {
  const throttle = makeThrottle(LIMITS);
  for (let time = 0; time < count; time += 1) throttle.failed('anna', at);
  return throttle;
};

test.each([
  [0, 0],
  [2, 0],
  [3, 1_000],
  [4, 2_000],
  [5, 4_000],
  [6, 4_000],
  [500, 4_000],
])('%i wrong attempts cost %i ms', (count, wait) => {
  expect(failedTimes(count).waitMs('anna', 0)).toBe(wait);
});

test('the wait shrinks as time passes', () => {
  const throttle = failedTimes(4);
  expect([0, 500, 1_999, 2_000, 9_000].map((now) => throttle.waitMs('anna', now))).toEqual([2_000, 1_500, 1, 0, 0]);
});

test('keys are independent, and a success clears the failures', () => {
  const throttle = failedTimes(5);
  expect(throttle.waitMs('bert', 0)).toBe(0);
  throttle.passed('anna');
  expect(throttle.waitMs('anna', 0)).toBe(0);
});

test('repeating the same attempt counts once, if it is known what was tried', () => {
  const throttle = makeThrottle(LIMITS);
  for (let time = 0; time < 9; time += 1) throttle.failed('anna', 0, 'one');
  throttle.failed('anna', 0, 'two');
  expect(throttle.waitMs('anna', 0)).toBe(0);
  throttle.failed('anna', 0, 'one');
  expect(throttle.waitMs('anna', 0)).toBe(1_000);
});

test('an old failure no longer counts', () => {
  const throttle = failedTimes(5);
  throttle.failed('anna', 60_001);
  expect(throttle.waitMs('anna', 60_001)).toBe(0);
});

test('of very many keys, the oldest are forgotten', () => {
  const throttle = failedTimes(5);
  for (let key = 0; key < 10_000; key += 1) throttle.failed(`key ${key}`, 1);
  expect(throttle.waitMs('anna', 1)).toBe(0);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['', ''],
  ['unknown', 'unknown'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
])('%s counts as %s', (address, network) => expect(networkOf(address)).toBe(network));
