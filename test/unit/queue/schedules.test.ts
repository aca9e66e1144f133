import { expect, test } from 'vitest';
import { dueWithin } from '../../../src/queue/schedulers.ts';

const HOUR_MS = 3_600_000;

test('ten thousand hourly sources are spread over the hour, always in the same way', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `source-${index}`);
  const minutes = names.map((name) => Math.floor(dueWithin(name, HOUR_MS) / 60_000));
  const perMinute = Array.from({ length: 60 }, (_, minute) => minutes.filter((one) => one === minute).length);
  // 167 on average; no minute has twice as many, and none is left out.
  expect(Math.max(...perMinute)).toBeLessThan(334);
  expect(Math.min(...perMinute)).toBeGreaterThan(83);
  // Another version, or another machine, has the same hour for it.
  expect(dueWithin('town', HOUR_MS)).toBe(3_482_745);
});
