import { expect, test } from 'vitest';
import { stripOfDay, stripOfLast } from '../../../src/operator/sources/strip.ts';
import type { RunMark } from '../../../src/run/watch/recent-runs.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const NOW = Date.UTC(2027, 0, 15, 12);
const mark = (at: number, given: Partial<RunMark> = {}): RunMark => ({
  site: 'builtin',
  source: 'cinema',
  run: `cinema-${at}`,
  state: 'unchanged',
  at,
  since: null,
  times: 1,
  created: 0,
  updated: 0,
  removed: 0,
  ...given,
});
const often = (times: number, everyMs: number): RunMark =>
  mark(NOW - MINUTE, { times, since: NOW - MINUTE - (times - 1) * everyMs });
const label = ({ markup }: { readonly markup: string }): string => /aria-label="([^"]*)"/.exec(markup)?.[1] ?? '';

test.each([
  ['a single run', [mark(NOW - HOUR)], '1 run of 24 hours: 0 changed something'],
  ['each of the runs that are stored as one', [often(96, 15 * MINUTE)], '96 runs of 24 hours: 0 changed something'],
  ['only the runs of the day', [often(480, 15 * MINUTE)], '96 runs of 24 hours: 0 changed something'],
  ['no runs from before the day', [mark(NOW - 25 * HOUR)], 'no run yet'],
  [
    'runs with changes and failures beside them',
    [
      mark(NOW - 20 * HOUR, { state: 'done', created: 2 }),
      mark(NOW - 19 * HOUR, { state: 'failed' }),
      often(40, HOUR / 4),
    ],
    '42 runs of 24 hours: 1 changed something, 1 failed',
  ],
])('the strip of a day counts %s', (_, runs, words) =>
  expect(label(stripOfDay('cinema', runs, NOW))).toBe(`cinema: ${words}`),
);

const drawn = (markup: string): number => markup.match(/M[\d.-]+ /g)?.length ?? 0;

test('a strip draws at most 30 runs', () => {
  expect(drawn(stripOfDay('cinema', [often(1_440, MINUTE)], NOW).markup)).toBe(30);
  expect(drawn(stripOfLast('cinema', [often(1_440, MINUTE)], false).markup)).toBe(30);
  expect(label(stripOfLast('cinema', [often(1_440, MINUTE)], false))).toBe('cinema: last 30 runs: 0 changed something');
});
