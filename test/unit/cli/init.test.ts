import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'calsyncd-init-'));
  file = path.join(directory, 'config', 'calsyncd.yaml');
});
afterEach(() => rm(directory, { recursive: true }));

async function command(words: readonly string[], answers?: readonly (string | undefined)[]) {
  const said = { out: '', err: '', asked: [] as string[] };
  const left = [...(answers ?? [])];
  const code = await runProgram([...words, '--config', file], {
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    isTerminal: answers !== undefined,
    now: Date.now,
    stopped: new Promise(() => undefined),
    ...(answers && {
      ask: async (question: string) => {
        said.asked.push(question);
        return left.shift();
      },
    }),
  });
  return { code, ...said };
}

test('five answers make a configuration that passes check; a wrong answer is asked for again', async () => {
  const answers = [
    'Łódź: "what’s on"',
    'Europe/Warsow',
    'Europe/Warsaw',
    'pl, en',
    '',
    'https://www.town.example/a.ics',
  ];
  const { code, out, err, asked } = await command(['init'], answers);
  expect(code).toBe(0);
  expect(asked).toHaveLength(6);
  expect(err).toContain('Europe/Warsaw');
  expect(out).toMatch(/^Wrote .*calsyncd\.yaml\. Next:\n.*sync --dry-run/);
  expect(await readFile(file, 'utf8')).toBe(
    'builtin:\n  title: "Łódź: \\"what’s on\\""\n  timezone: "Europe/Warsaw"\n' +
      '  languages: ["pl","en"]\nsources:\n  town-example:\n    url: "https://www.town.example/a.ics"\n' +
      '    every: 1h\nfeeds:\n  all: { title: "All events" }\n',
  );
  expect(await command(['check'])).toMatchObject({ code: 0, err: '' });
});

test('a script gives answers as options, and the others have defaults', async () => {
  expect(await command(['init', '--title', 'Campus', '--contact', 'web@campus.example', '--json'])).toMatchObject({
    code: 0,
    err: '',
  });
  expect(await readFile(file, 'utf8')).toBe(
    'builtin:\n  title: "Campus"\n  timezone: "UTC"\n  languages: ["en"]\n' +
      'fetch:\n  contact: "web@campus.example"\nfeeds:\n  all: { title: "All events" }\n',
  );
  expect(await command(['check'])).toMatchObject({ code: 0 });
});

test('without a terminal or options, a message says that nobody was asked and how to answer', async () => {
  const { code, err } = await command(['init']);
  expect(code).toBe(0);
  expect(err).toContain('There is no terminal to ask on');
  expect(err).toContain('--title, --timezone, --languages, --contact, --feed');
});

test.each([
  [['--timezone', 'Nowhere'], '--timezone: '],
  [['--feed', 'ftp://town.example/a.ics'], '--feed: '],
])('%j is a usage error, and writes nothing', async (options, said) => {
  const { code, err } = await command(['init', ...options]);
  expect(code).toBe(64);
  expect(err).toContain(said);
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

test('no file is overwritten, and ending the questions early leaves none', async () => {
  expect(await command(['init'], ['Campus', undefined])).toMatchObject({ code: 1, err: 'Nothing was done.\n' });
  await expect(readFile(file)).rejects.toThrow('ENOENT');
  await command(['init']);
  await writeFile(file, '# mine\n');
  expect(await command(['init'])).toMatchObject({ code: 64, out: '' });
  expect(await readFile(file, 'utf8')).toBe('# mine\n');
});
