import { simulate, type Costs, type Load, type Machines } from '../support/scale-model.ts';

// Calculates which part reaches its limit first, and at which size: hourly sources, a hundred to a site, with one
// daemon on two cores, then with more workers and a larger database. The costs were measured with many-sources.ts and
// workers.ts. `node src/launch.js test/bench/scale.ts`, with `--json` for machines. Every number can be set, as in
// `--sources=50000 --workers=4 --changed=0.1`.

const isJson = process.argv.includes('--json');
const given = new Map(
  process.argv.flatMap((arg) => {
    const [, name, value] = /^--([a-zA-Z]+)=([\d.]+)$/.exec(arg) ?? [];
    return name === undefined ? [] : [[name, Number(value)] as const];
  }),
);
const withGiven = <T extends object>(standard: T): T => ({
  ...standard,
  ...Object.fromEntries([...given].filter(([name]) => name in standard)),
});

const COSTS = withGiven<Costs>({
  unchangedProgramMs: 1.2,
  unchangedDatabaseMs: 3.3,
  changedProgramMs: 60,
  changedDatabaseMs: 12,
  startMs: 1_400,
  startMsOfSource: 0.13,
  memoryMb: 185,
  memoryKbOfSource: 5,
  rowKb: 0.9,
  sourceKb: 2.9,
  keptDays: 90,
  fetchesAtOnce: 8,
  readsAtOnce: 2,
});
const load = (sources: number): Load =>
  withGiven({
    sources,
    sites: Math.max(1, Math.round(sources / 100)),
    everyMs: 3_600_000,
    changed: 0.02,
    siteReads: 10,
    siteWrites: 2,
    siteMs: 300,
    siteLimit: 4,
    // Most answer quickly, some are slow, and one in a hundred never answers.
    publishers: [
      [0.94, 300],
      [0.05, 3_000],
      [0.01, 30_000],
    ],
  });

const ROWS: readonly (readonly [sources: number, machines: Machines])[] = [
  [1_000, { workers: 1, programCores: 1, databaseCores: 1 }],
  [10_000, { workers: 1, programCores: 1, databaseCores: 1 }],
  [30_000, { workers: 1, programCores: 1, databaseCores: 1 }],
  [30_000, { workers: 2, programCores: 2, databaseCores: 1 }],
  [100_000, { workers: 1, programCores: 1, databaseCores: 1 }],
  [100_000, { workers: 4, programCores: 4, databaseCores: 1 }],
  [100_000, { workers: 8, programCores: 8, databaseCores: 2 }],
  [300_000, { workers: 8, programCores: 8, databaseCores: 2 }],
  [300_000, { workers: 24, programCores: 24, databaseCores: 4 }],
];

const COLUMNS = [
  ['sources', 9],
  ['workers', 9],
  ['late', 8],
  ['fetches', 9],
  ['reads', 8],
  ['programs', 10],
  ['database', 10],
  ['sites', 8],
  ['ready', 9],
  ['memory', 10],
  ['rows', 12],
  ['stored', 10],
  ['equal names', 13],
] as const;
const line = (texts: readonly string[]): string =>
  `${texts.map((text, index) => text.padStart(COLUMNS[index]?.[1] ?? 0)).join('')}\n`;
const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;

if (!isJson) process.stdout.write(line(COLUMNS.map(([name]) => name)));
const rows = given.has('sources') ? [[given.get('sources') ?? 0, ROWS[0]?.[1]] as const] : ROWS;
for (const [sources, machines] of rows) {
  const used = withGiven<Machines>(machines ?? { workers: 1, programCores: 1, databaseCores: 1 });
  const scaled = simulate(load(sources), used, COSTS);
  const { late, usage, readyMs, memoryMbOfWorker, runRows, databaseMb, equalNames } = scaled;
  if (isJson) process.stdout.write(`${JSON.stringify({ sources, ...used, ...scaled })}\n`);
  else
    process.stdout.write(
      line([
        String(sources),
        String(used.workers),
        percent(late),
        percent(usage.fetches),
        percent(usage.reads),
        percent(usage.programs),
        percent(usage.database),
        percent(usage.sites),
        `${(readyMs / 1000).toFixed(1)} s`,
        `${memoryMbOfWorker.toFixed(0)} MB`,
        `${(runRows / 1e6).toFixed(1)} M`,
        `${(databaseMb / 1000).toFixed(1)} GB`,
        equalNames.toFixed(1),
      ]),
    );
}
