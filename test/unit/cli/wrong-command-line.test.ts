import { expect, test } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';

async function said(...words: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const code = await runProgram(words, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    isTerminal: false,
    now: Date.now,
    stopped: new Promise(() => undefined),
  });
  return { code, out, err };
}

test.each([
  [
    ['shw', 'last'],
    'There is no command "shw". Did you mean show? "npm run -s calsyncd -- --help" shows how to use it.',
  ],
  [['help', 'shw'], 'There is no command "shw". Did you mean show?'],
  [['events', '--sate'], '"events" has no option --sate. Did you mean --state?'],
  [['--foo'], 'calsyncd has no option --foo.'],
  [['explain'], '"explain" needs <slug>: the last part of the address of the event\'s page, or all of it.'],
  [['show'], '"show" needs <run>: its name, the beginning of it, or "last".'],
  [['explain', 'a', 'b'], '"explain" takes at most 1 argument, and was given 2: a, b.'],
  [['check', 'foo'], '"check" takes no arguments, and was given foo.'],
  [['events', '--page'], '"events": --page needs a value: --page <number>.'],
  [['export', 'all', '-o'], '"export": --output needs a value: --output <file>.'],
])('%j: %s', async (words, message) => {
  const { code, out, err } = await said(...words);
  expect({ code, out }).toEqual({ code: 64, out: '' });
  expect(err.startsWith(message)).toBe(true);
});

test('with --json, the message is JSON', async () => {
  const { code, out } = await said('explain', '--json');
  expect(code).toBe(64);
  expect(JSON.parse(out)).toEqual({
    error: { code: 'wrong-use', message: expect.stringContaining('"explain" needs <slug>') as string },
  });
});

test('without a configuration file nothing is done, as the folder may be the wrong one', async () => {
  const { code, out, err } = await said('runs', '--config', 'none/of/these.yaml');
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^The configuration cannot be used:\n.*it does not exist/);
});
