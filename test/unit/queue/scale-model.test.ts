import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate, type Costs, type Load, type Machines } from '../../support/scale-model.ts';

const HOUR_MS = 3_600_000;
const LOAD: Load = {
  sources: 1_000,
  sites: 10,
  everyMs: HOUR_MS,
  changed: 0,
  siteReads: 10,
  siteWrites: 1,
  siteMs: 100,
  siteLimit: 4,
  publishers: [[1, 500]],
};
const MACHINES: Machines = { workers: 1, programCores: 2, databaseCores: 2 };
const COSTS: Costs = {
  unchangedProgramMs: 2,
  unchangedDatabaseMs: 1,
  changedProgramMs: 40,
  changedDatabaseMs: 10,
  startMs: 1_000,
  startMsOfSource: 0.1,
  memoryMb: 200,
  memoryKbOfSource: 6,
  rowKb: 1,
  sourceKb: 2,
  keptDays: 90,
  fetchesAtOnce: 8,
  readsAtOnce: 2,
};

test('a small load is on time, and each source is read once an interval', () => {
  expect(simulate(LOAD, MACHINES, COSTS)).toMatchObject({ runs: 1_000, late: 0 });
});

test('runs are late exactly where fetches need more places than there are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 4_000 }), fc.integer({ min: 1, max: 3 }), (sources, workers) => {
      // On average a worker's eight places are enough for one source in four and a half seconds.
      const ms = 36_000;
      const wanted = (sources * (ms + 3)) / HOUR_MS / (workers * COSTS.fetchesAtOnce);
      fc.pre(wanted < 0.7 || wanted > 1.2);
      const { late, busiest, usage } = simulate(
        { ...LOAD, sources, publishers: [[1, ms]] },
        { ...MACHINES, workers },
        COSTS,
      );
      expect(late > 0.01).toBe(wanted > 1);
      expect(busiest).toBe('fetches');
      expect(usage.fetches).toBeLessThanOrEqual(1);
      expect(Math.abs(usage.fetches - Math.min(wanted, 1))).toBeLessThan(0.1);
    }),
    { numRuns: 30 },
  );
});

test('more workers are never later, and no part is used beyond its capacity', () => {
  fc.assert(
    fc.property(
      fc.record({
        sources: fc.integer({ min: 50, max: 3_000 }),
        changed: fc.double({ min: 0, max: 1, noNaN: true }),
        siteMs: fc.integer({ min: 10, max: 2_000 }),
        sites: fc.integer({ min: 1, max: 50 }),
      }),
      (some) => {
        const load = { ...LOAD, ...some };
        const [one, four] = [1, 4].map((workers) => simulate(load, { ...MACHINES, workers }, COSTS));
        expect(four?.late).toBeLessThanOrEqual((one?.late ?? 0) + 0.01);
        for (const used of [...Object.values(one?.usage ?? {}), ...Object.values(four?.usage ?? {})])
          expect(used).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 20 },
  );
});

test('the history has a row per source and day while nothing changes, and never more rows than runs', () => {
  const rows = (changed: number): number => simulate({ ...LOAD, sources: 100, changed }, MACHINES, COSTS).runRows;
  expect(rows(0)).toBe(100 * 90);
  expect(rows(0.02)).toBe(Math.round(100 * 90 * (1 + 2 * 0.02 * 24)));
  expect(rows(1)).toBe(100 * 90 * 24);
});

test('equal names are to be expected among 1500 sources of one site, not among 100', () => {
  const pairs = (sources: number, sites: number): number =>
    simulate({ ...LOAD, sources, sites }, MACHINES, COSTS).equalNames;
  expect(pairs(100, 1)).toBeLessThan(0.01);
  expect(pairs(1_500, 1)).toBeGreaterThan(1);
  expect(pairs(1_500, 15)).toBeLessThan(0.1);
});
