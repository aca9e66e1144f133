import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { inWords, isMet, LEGEND, type Told } from './measured.ts';

// Runs the benchmarks, each part in its own process, and compares them with floors from the same run: the bare parser,
// the bare generator, the bare database, the bare socket. Nothing is asserted. `npm run bench` takes about seven
// minutes; `npm run bench -- --all`, with the largest sizes and thousands of sources, more than an hour. Names of parts
// and sizes select what is measured: `npm run bench -- rest memory 100000`. `--json` prints each row as a line of JSON.

interface Part {
  readonly file: string;
  readonly sizes?: readonly number[];
  /** Additional sizes with `--all`. A part without `sizes` is only measured then. */
  readonly large?: readonly number[];
  /** Prints a table of its own instead of rows. */
  readonly isTable?: true;
  /** Each size is measured in its own process, because memory figures are only accurate for the first one. */
  readonly isAlone?: true;
}

const PARTS: readonly Part[] = [
  { file: 'main-job.ts', sizes: [1_000, 10_000], large: [100_000] },
  { file: 'rest.ts', sizes: [1_000], large: [100_000] },
  { file: 'remote-site.ts', sizes: [500] },
  { file: 'commands.ts', sizes: [10_000] },
  { file: 'memory.ts', sizes: [10_000], large: [100_000] },
  { file: 'reading.ts', sizes: [1_000, 10_000], large: [100_000] },
  { file: 'export.ts', sizes: [10_000], large: [100_000], isAlone: true },
  { file: 'feed-answers.ts', sizes: [200], large: [10_000] },
  { file: 'many-sources.ts', large: [10_000] },
  { file: 'workers.ts', large: [1_000], isTable: true },
  { file: 'scale.ts', large: [], isTable: true },
];

const nameOf = ({ file }: Part): string => path.basename(file, '.ts');

const given = process.argv.slice(2);
const OPTIONS = ['--all', '--json'];
const [isAll, isJson] = OPTIONS.map((option) => given.includes(option));
const sizes = given.filter((each) => /^\d+$/.test(each));
const names = PARTS.map(nameOf).filter((name) => given.includes(name));
const known: readonly string[] = [...OPTIONS, ...sizes, ...names];
const unknown = given.filter((each) => !known.includes(each));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no ${unknown.join(', ')}. The parts are ${PARTS.map(nameOf).join(', ')}; the options ${OPTIONS.join(' and ')}; numbers are sizes.\n`,
  );
  process.exit(64);
}

const isAsked = (part: Part): boolean =>
  names.length > 0 ? names.includes(nameOf(part)) : isAll || part.sizes !== undefined;

/** The arguments of each process that measures a part. */
function runsOf({ sizes: usual, large = [], isAlone }: Part): readonly (readonly string[])[] {
  const own = [...(usual ?? []), ...(isAll || usual === undefined ? large : [])].map(String);
  const wanted = sizes.length > 0 ? sizes : own;
  return isAlone ? wanted.map((size) => [size]) : [wanted];
}

const rows: Told[] = [];

/** Measures a part and prints each row as soon as it arrives. False if it failed. */
async function measure({ file, isTable }: Part, args: readonly string[]): Promise<boolean> {
  // With the same Node.js flags as the program (src/launch.js).
  const own = [...process.execArgv, path.join(import.meta.dirname, file), ...args];
  if (!isTable || isJson) own.push('--json');
  const child = spawn(process.execPath, own, { stdio: ['ignore', isTable ? 'inherit' : 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  if (child.stdout)
    for await (const line of createInterface(child.stdout)) {
      const row = JSON.parse(line) as Told;
      rows.push(row);
      process.stdout.write(isJson ? `${line}\n` : inWords(row));
    }
  return (await ended) === 0;
}

const minutes = (): string => `${((performance.now() - began) / 60_000).toFixed(1)} min`;

const began = performance.now();
process.stderr.write(LEGEND);
const runs = PARTS.filter(isAsked).flatMap((part) => runsOf(part).map((args) => ({ part, args })));
for (const [index, { part, args }] of runs.entries()) {
  process.stderr.write(
    `\n== ${index + 1} of ${runs.length}, after ${minutes()}: ${[nameOf(part), ...args].join(' ')}\n`,
  );
  if (!(await measure(part, args))) {
    process.stderr.write(`${nameOf(part)} failed\n`);
    process.exitCode = 1;
  }
}
const aimed = rows.filter(({ goal }) => goal);
const missed = aimed.filter((row) => !isMet(row));
process.stderr.write(
  `\n${minutes()}; ${aimed.length - missed.length} of ${aimed.length} goals are met.${missed.length > 0 ? ' Not met:' : ''}\n${missed
    .map(inWords)
    .join('')}`,
);
