import { describe, expect, test } from 'vitest';
import { confirmed } from '../../../src/cli/terminal/confirmed.ts';
import type { Io } from '../../../src/cli/terminal/io.ts';
import { WrongUse } from '../../../src/cli/terminal/wrong-use.ts';

const io = (answer?: string | null): Io & { readonly asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    out: () => undefined,
    err: () => undefined,
    isTerminal: answer !== undefined,
    now: () => 0,
    stopped: new Promise(() => undefined),
    ...(answer === undefined
      ? {}
      : {
          ask: async (question: string) => {
            asked.push(question);
            return answer ?? undefined;
          },
        }),
  };
};

describe('a question before what cannot be taken back', () => {
  test.each([
    ['y', true],
    [' Yes ', true],
    ['n', false],
    ['', false],
    ['yesterday', false],
    [null, false],
  ])('%j: %s', async (answer, done) => {
    const person = io(answer);
    expect(await confirmed({ io: person, options: {} }, 'The account "anna" ends.')).toBe(done);
    expect(person.asked).toEqual(['The account "anna" ends. This cannot be taken back. Do it? [y/N] ']);
  });

  test('--yes answers it', async () => {
    const person = io('n');
    expect(await confirmed({ io: person, options: { yes: true } }, 'It ends.')).toBe(true);
    expect(person.asked).toEqual([]);
  });

  test('is wrong use where nobody can be asked', async () => {
    await expect(confirmed({ io: io(), options: {} }, 'It ends.')).rejects.toThrow(
      new WrongUse('It ends. This cannot be taken back, and nobody can be asked here: add --yes to do it.'),
    );
  });
});
