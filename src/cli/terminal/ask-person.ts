import type { Readable, Writable } from 'node:stream';
import type { Io } from './io.ts';
import { canRedraw } from './screen.ts';

type Ask = NonNullable<Io['ask']>;

/** Asks questions at the terminal of this process; undefined when the input ends before an answer. */
export const askPerson: Ask = (question) => {
  asking ??= askOn(process.stdin, process.stderr, canRedraw(process.stderr));
  return asking(question);
};
let asking: Ask | undefined;

/** Asks one question after the other. What was typed before its question was shown answers it. */
export function askOn(input: Readable, output: Writable, isTerminal: boolean): Ask {
  /** Whole lines that came with an earlier answer, and the beginning of the next one. */
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
    // The line that answers a question is no event.
    lines.on('line', (line) => typedAhead.push(line));
    // readline takes Ctrl-C for itself: it is meant for the program.
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
