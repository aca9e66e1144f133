import type { Readable, Writable } from 'node:stream';
import type { Io } from './io.ts';
import { canRedraw } from './screen.ts';

type Ask = NonNullable<Io['ask']>;

/** Asks questions on this process's terminal; undefined if the input ends before an answer. */
export const askPerson: Ask = (question) => {
  asking ??= askOn(process.stdin, process.stderr, canRedraw(process.stderr));
  return asking(question);
};
let asking: Ask | undefined;

/** Returns a function that asks one question after another. Lines typed before their question was shown answer it. */
export function askOn(input: Readable, output: Writable, isTerminal: boolean): Ask {
  /** Complete lines that came with an earlier answer, and the beginning of the next one. */
  const typedAhead: string[] = [];
  let begun = '';
  return async (question) => {
    const early = typedAhead.shift();
    if (early !== undefined) {
      output.write(`${question}${early}\n`);
      return early;
    }
    if (input.readableEnded) return undefined;
    const { createInterface } = await import('node:readline/promises');
    const lines = createInterface({ input, output, terminal: isTerminal });
    const ended = new Promise<undefined>((resolve) => {
      lines.on('close', () => resolve(undefined));
    });
    // The line that answers a question does not cause an event.
    lines.on('line', (line) => typedAhead.push(line));
    // readline intercepts Ctrl-C, which is meant for the program.
    lines.on('SIGINT', () => {
      output.write('\n');
      process.kill(process.pid, 'SIGINT');
    });
    try {
      const answer = lines.question(question);
      lines.write(begun);
      return await Promise.race([answer, ended]);
    } finally {
      begun = isTerminal ? lines.line : '';
      lines.close();
    }
  };
}
