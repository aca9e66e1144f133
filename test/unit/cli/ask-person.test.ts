import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askOn } from '../../../src/cli/terminal/ask-person.ts';

const answers = async (isTerminal: boolean, typed: readonly string[], questions: number) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = '';
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
  });
  const ask = askOn(input, output, isTerminal);
  const all: (string | undefined)[] = [];
  for (let at = 0; at < questions; at += 1) {
    const answer = ask(`question ${at}? `);
    const text = typed[at];
    if (text !== undefined) input.write(text);
    all.push(await answer);
  }
  input.destroy();
  return { all, shown };
};

test.each([true, false])('lines typed ahead answer the next questions (on a terminal: %s)', async (isTerminal) => {
  const { all, shown } = await answers(isTerminal, ['one\ntwo\nthree\n'], 3);
  expect(all).toEqual(['one', 'two', 'three']);
  expect(shown).toMatch(/question 0\?[^]*question 1\? two\n[^]*question 2\? three\n/);
});

test('an answer begun before its question can be finished after it', async () =>
  expect((await answers(true, ['one\ntw', 'o\n'], 2)).all).toEqual(['one', 'two']));

test('the end of the input counts as no answer', async () => {
  const input = new PassThrough();
  const ask = askOn(input, new PassThrough(), false);
  const answer = ask('really? ');
  input.end();
  expect(await answer).toBeUndefined();
  expect(await ask('really? ')).toBeUndefined();
});
