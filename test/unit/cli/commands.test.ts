import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';

const names = readdirSync(path.resolve(import.meta.dirname, '../../../src/cli/commands'))
  .map((file) => path.basename(file, '.ts'))
  .toSorted();

async function helpOf(...argv: string[]): Promise<string> {
  let text = '';
  const take = (more: string): void => {
    text += more;
  };
  await runProgram([...argv, '--help'], {
    out: take,
    err: take,
    isTerminal: false,
    now: Date.now,
    stopped: new Promise(() => undefined),
  });
  return text;
}

test.each(names)('the file %s.ts is the command of that name, and tells how it is used', async (name) => {
  const help = await helpOf(name);
  expect(help).toMatch(new RegExp(`^Usage: calsyncd ${name} `));
  expect(help).toMatch(/--json[\s\S]*--config <file>[\s\S]*--help/);
});

test.each(names)('%s says what each of its arguments is', async (name) => {
  const [, listed = ''] = /^Arguments:\n([\s\S]*?)\n\n/m.exec(await helpOf(name)) ?? [];
  const [, usage = ''] = /^Usage: calsyncd \S+ \[options\](.*)$/m.exec(await helpOf(name)) ?? [];
  const names = [...usage.matchAll(/[<[]([a-z-]+)/g)].map(([, argument]) => argument);
  expect(listed.split('\n').flatMap((line) => /^ {2}([a-z-]+) {2,}\S/.exec(line)?.[1] ?? [])).toEqual(names);
});

test('the help lists all of them, below headings in a fixed order', async () => {
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
