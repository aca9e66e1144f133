import type { Io } from './io.ts';
import { canRedraw } from './screen.ts';

/** Asks a question at the terminal of this process; undefined when the input ends before an answer. */
export const askPerson: NonNullable<Io['ask']> = async (question) => {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: canRedraw(process.stderr),
  });
  const ended = new Promise<undefined>((resolve) => {
    lines.on('close', () => resolve(undefined));
  });
  // readline takes Ctrl-C for itself: it is meant for the program.
  lines.on('SIGINT', () => {
    process.stderr.write('\n');
    process.kill(process.pid, 'SIGINT');
  });
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
};
