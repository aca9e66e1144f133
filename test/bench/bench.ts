import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

// Everything that is measured, each in a process of its own. Numbers are ratios against a floor of the same run: the
// bare parser, the bare generator, the bare database, the bare socket. Nothing is asserted. With `--json` a line of JSON
// for each result, of those that write it.

const BENCHES: readonly (readonly [file: string, ...args: string[]])[] = [
  ['reading.ts'],
  ['export.ts', '100'],
  ['export.ts', '10000'],
  ['export.ts', '100000'],
  ['feed-answers.ts'],
  ['rest.ts'],
  ['main-job.ts'],
  ['remote-site.ts'],
  ['commands.ts'],
  ['memory.ts', '10000'],
  ['memory.ts', '100000'],
  ['many-sources.ts', '10000'],
  ['workers.ts', '200'],
  ['scale.ts'],
];

const FOR_PEOPLE = ['reading.ts', 'export.ts', 'feed-answers.ts'];
const isJson = process.argv.includes('--json');

for (const [file, ...args] of BENCHES.filter(([name]) => !isJson || !FOR_PEOPLE.includes(name))) {
  const script = path.join(import.meta.dirname, file);
  if (!existsSync(script)) throw new Error(`${script} is missing`);
  (isJson ? process.stderr : process.stdout).write(`\n== ${[file, ...args].join(' ')}\n`);
  // With the flags that src/launch.js gives the program.
  const own = [...process.execArgv, script, ...args, ...(isJson ? ['--json'] : [])];
  const { status } = spawnSync(process.execPath, own, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
