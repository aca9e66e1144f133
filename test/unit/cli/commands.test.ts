import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';

const names = readdirSync(path.resolve(import.meta.dirname, '../../../src/cli/commands'))
  .map((file) => path.basename(file, '.ts'))
  .toSorted();

async function helpOf(...argv: string[]): Promise<string> {
  return helpIn(undefined, ...argv);
}

async function helpIn(columns: number | undefined, ...argv: string[]): Promise<string> {
  let text = '';
  const take = (more: string): void => {
    text += more;
  };
  await runProgram([...argv, '--help'], {
    out: take,
    err: take,
    isTerminal: false,
    screen: { columns, paint: (_style, shown) => shown },
    now: Date.now,
    stopped: new Promise(() => undefined),
  });
  return text;
}

test.each(names)('the file %s.ts is the command of that name, and its help shows its usage', async (name) => {
  const help = await helpOf(name);
  expect(help).toMatch(new RegExp(`^Usage: calsyncd ${name} `));
  expect(help).toMatch(/--json[\s\S]*--config <file>[\s\S]*--help/);
});

test.each(names)('%s describes each of its arguments', async (name) => {
  const [, listed = ''] = /^Arguments:\n([\s\S]*?)\n\n/m.exec(await helpOf(name)) ?? [];
  const [, usage = ''] = /^Usage: calsyncd \S+ \[options\](.*)$/m.exec(await helpOf(name)) ?? [];
  const names = [...usage.matchAll(/[<[]([a-z-]+)/g)].map(([, argument]) => argument);
  expect(listed.split('\n').flatMap((line) => /^ {2}([a-z-]+) {2,}\S/.exec(line)?.[1] ?? [])).toEqual(names);
});

test('the help lists all commands, below headings in a fixed order', async () => {
  const help = await helpOf();
  const listed = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name).filter((name) => name !== 'help');
  expect(listed.toSorted()).toEqual(names.filter((name) => name !== 'complete'));
  expect([...help.matchAll(/^([A-Z].*):$/gm)].map(([, heading]) => heading)).toEqual([
    'Options',
    'Start and check',
    'Runs',
    'Events and sources',
    'The built-in site and the feeds',
    'Commands',
  ]);
});

/** Lines that are meant to be copied are not wrapped. */
const COPIED = /^(?:Usage: | {2}npm run -s calsyncd -- )/;

test.each([[], ...names.map((name) => [name])])(
  'a terminal shows the help without breaking words: %s',
  async (...argv) => {
    const inFile = await helpOf(...argv);
    for (const columns of [40, 60, 80, 120]) {
      const shown = await helpIn(columns, ...argv);
      expect(shown.split('\n').filter((line) => line.length > columns && !COPIED.test(line))).toEqual([]);
      expect(shown.split(/\s+/)).toEqual(inFile.split(/\s+/));
    }
    expect(inFile).not.toMatch(/^ {8}\S/m);
  },
);

test('a terminal of the usual width shows commands and what they do side by side', async () => {
  expect(await helpIn(80)).toMatch(/^ {2}runs \[source\] +the history of runs, newest first$/m);
  expect(await helpIn(60)).toMatch(/^ {2}runs \[source\]\n {6}the history of runs, newest first$/m);
});
