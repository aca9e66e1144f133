import { describe, expect, test } from 'vitest';
import { isAgreed, confirm, Declined } from '../../../src/cli/terminal/confirmed.ts';
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

describe('a question before something that cannot be undone', () => {
  test.each([
    ['y', undefined],
    [' Yes ', undefined],
    ['n', new Declined()],
    ['', new Declined()],
    ['yesterday', new Declined()],
    [null, new Declined()],
  ])('the answer %j: %s', async (answer, declined) => {
    const person = io(answer);
    const asked = confirm({ io: person, options: {} }, 'The account "anna" ends.');
    expect(await asked.catch((error: unknown) => error)).toEqual(declined);
    expect(person.asked).toEqual(['The account "anna" ends. This cannot be undone. Do it? [y/N] ']);
  });

  test('--yes answers it', async () => {
    const person = io('n');
    await confirm({ io: person, options: { yes: true } }, 'It ends.');
    expect(person.asked).toEqual([]);
  });

  test.each([
    ['without a terminal', io(), {}],
    ['with --json', io('y'), { json: true }],
  ])('is a usage error %s', async (_where, nobody, options) => {
    await expect(confirm({ io: nobody, options }, 'It ends.')).rejects.toThrow(
      new WrongUse('It ends. This cannot be undone, and there is no terminal to ask on: add --yes to do it.'),
    );
    expect(nobody.asked).toEqual([]);
  });

  test('a change that was shown is made if somebody agrees, and not without a terminal', async () => {
    expect(await isAgreed({ io: io('y'), options: {} }, 'Forget it.')).toBe(true);
    expect(await isAgreed({ io: io(), options: {} }, 'Forget it.')).toBe(false);
    await expect(isAgreed({ io: io('no'), options: {} }, 'Forget it.')).rejects.toThrow(Declined);
  });
});
