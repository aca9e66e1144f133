import { expect, test } from 'vitest';
import { cronTimes } from '../../../src/queue/cron-times.ts';
import { dueWithin, everyTimes } from '../../../src/queue/schedulers.ts';

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

test('the times of a source are those at which the queue has it read', () => {
  const within = dueWithin('town', HOUR_MS);
  const slot = (hour: number): number => hour * HOUR_MS + within;
  expect(everyTimes('town', HOUR_MS, slot(7) - 1, 2)).toEqual([slot(7), slot(8)]);
  expect(everyTimes('town', HOUR_MS, slot(7), 2)).toEqual([slot(8), slot(9)]);
});

test('the times of a cron expression follow the clocks of its zone', () => {
  const times = cronTimes('0 8 * * *', 'Europe/Warsaw', Date.parse('2027-03-27T00:00:00Z'), 2);
  expect(times.map((time) => new Date(time).toISOString())).toEqual([
    '2027-03-27T07:00:00.000Z',
    '2027-03-28T06:00:00.000Z',
  ]);
});
