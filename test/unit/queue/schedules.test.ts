import { expect, test } from 'vitest';
import { readCron } from '../../../src/config/cron.ts';
import { cronTimes } from '../../../src/queue/cron-times.ts';
import { dueWithin, everyTimes, isInTime } from '../../../src/queue/schedulers.ts';

const HOUR_MS = 3_600_000;

test('ten thousand hourly sources are spread over the hour, always in the same way', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `source-${index}`);
  const minutes = names.map((name) => Math.floor(dueWithin(name, HOUR_MS) / 60_000));
  const perMinute = Array.from({ length: 60 }, (_, minute) => minutes.filter((one) => one === minute).length);
  // 167 on average; no minute has twice as many, and none is left out.
  expect(Math.max(...perMinute)).toBeLessThan(334);
  expect(Math.min(...perMinute)).toBeGreaterThan(83);
  // Another version, or another machine, has the same time for it.
  expect(dueWithin('town', HOUR_MS)).toBe(3_482_745);
});

test('the times of an hourly source are an hour apart, at its own place in the hour', () => {
  const within = dueWithin('town', HOUR_MS);
  const slot = (hour: number): number => hour * HOUR_MS + within;
  expect(everyTimes('town', HOUR_MS, slot(7) - 1, 2)).toEqual([slot(7), slot(8)]);
  expect(everyTimes('town', HOUR_MS, slot(7), 2)).toEqual([slot(8), slot(9)]);
});

const nightly = { source: 'town', cron: '0 3 * * *', timezone: 'UTC' };
const hourly = { source: 'town', everyMs: HOUR_MS };
test.each([
  ['the next night', nightly, '2027-01-11T03:00', true],
  ['a night that is just over', nightly, '2027-01-10T11:30', true],
  ['a night that is long over', nightly, '2027-01-10T03:00', false],
  ['the night after the next one', nightly, '2027-01-12T03:00', false],
  ['a night of next year', nightly, '2028-01-10T03:00', false],
  ['within the hour', hourly, '2027-01-10T12:40', true],
  ['next year', hourly, '2028-01-10T12:40', false],
] as const)(
  'a next run is kept if the schedule may have it, and not if a clock was wrong: %s',
  (_, schedule, nextRun, isKept) => {
    expect(isInTime(schedule, Date.parse(`${nextRun}Z`), Date.parse('2027-01-10T12:00Z'))).toBe(isKept);
  },
);

test('the times of a cron expression follow the clocks of its zone', () => {
  const times = cronTimes('0 8 * * *', 'Europe/Warsaw', Date.parse('2027-03-27T00:00:00Z'), 2);
  expect(times.map((time) => new Date(time).toISOString())).toEqual([
    '2027-03-27T07:00:00.000Z',
    '2027-03-28T06:00:00.000Z',
  ]);
});

test.each([
  // Clocks go from 23:59 to 01:00.
  ['30 0 * * *', 'America/Santiago', '2026-09-05', ['05T04:30', '06T04:30', '07T03:30']],
  ['0 0 * * 0', 'America/Santiago', '2026-09-05', ['06T04:00', '13T03:00', '20T03:00']],
  ['0 0 6 9 *', 'America/Santiago', '2025-09-07', ['06T04:00', '06T03:00', '06T03:00']],
  ['*/20 * * * *', 'America/Santiago', '2026-09-06T03:30', ['06T03:40', '06T04:00', '06T04:20', '06T04:40']],
  ['*/30 0 * * *', 'Asia/Beirut', '2027-03-27T12:00', ['27T22:00', '27T22:30', '28T21:00']],
  ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-02T12:00', ['02T15:45', '03T15:45', '04T15:15']],
  ['30 2 * * *', 'Europe/Warsaw', '2027-03-27', ['27T01:30', '28T01:30', '29T00:30']],
  // An hour comes twice, but what is due in it is due once, unless it is due every hour.
  ['30 2 * * *', 'Europe/Warsaw', '2026-10-24', ['24T00:30', '25T00:30', '26T01:30']],
  ['30 * * * *', 'Europe/Warsaw', '2026-10-25', ['25T00:30', '25T01:30', '25T02:30']],
])('the cron expression "%s" in %s skips and repeats no day where clocks change', (cron, zone, from, times) => {
  const found = cronTimes(cron, zone, Date.parse(`${from.slice(0, 10)}T${from.slice(11) || '00:00'}Z`), times.length);
  expect(found.map((time) => new Date(time).toISOString().slice(8, 16))).toEqual(times);
});

test.each([
  ['0,*/15 6-23 * * *', '0,15,30,45 6-23 * * *'],
  ['0 0 * * 0,7', '0 0 * * 0'],
  ['0 0 * * 1-5,3', '0 0 * * 1,2,3,4,5'],
  ['0 6-22,12 * * *', '0 6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22 * * *'],
  ['*,5 * * * *', '* * * * *'],
  ['0 0 * * mon,1', '0 0 * * 1'],
  ['0 0 1 1,jan *', '0 0 1 1 *'],
  ['0 3,3 * * *', '0 3 * * *'],
  ['0 0 * * mon,5-7/2', '0 0 * * mon,5-7/2'],
])('the queue takes the cron expression %s as %s', (written, read) => {
  expect(readCron(written)).toBe(read);
  expect(cronTimes(read, 'UTC', Date.parse('2027-03-27T00:00:00Z'), 1)).toHaveLength(1);
});

test('every cron expression that the configuration accepts has a next time', () => {
  const ranges = [
    [0, 59],
    [0, 23],
    [1, 31],
    [1, 12],
    [0, 7],
  ] as const;
  let seed = 7;
  const below = (end: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * end);
  };
  const item = ([from, to]: readonly [number, number]): string => {
    const [one, other] = [from + below(to - from + 1), from + below(to - from + 1)];
    const range = `${Math.min(one, other)}-${Math.max(one, other)}`;
    const items = ['*', `*/${1 + below(20)}`, `${one}`, range, `${range}/${1 + below(14)}`, `${one}/${1 + below(9)}`];
    return items[below(items.length)] as string;
  };
  const texts = Array.from({ length: 500 }, () =>
    ranges.map((range) => Array.from({ length: 1 + below(3) }, () => item(range)).join(',')).join(' '),
  );
  const taken = texts.flatMap((text) => readCron(text) ?? []);
  expect(taken.length).toBeGreaterThan(450);
  for (const cron of taken)
    expect([cron, cronTimes(cron, 'UTC', Date.parse('2027-03-27T00:00:00Z'), 1).length]).toEqual([cron, 1]);
});
