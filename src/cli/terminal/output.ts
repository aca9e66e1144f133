import path from 'node:path';
import type { Writable } from 'node:stream';
import { whyUnwritable } from '../../files/why-unwritable.ts';

/** Why standard output has failed: the exit code to use, and a message for people, if any. */
export interface LostOutput {
  readonly exitCode: number;
  readonly message: string | undefined;
}

/** What a shell returns for a program that wrote to a pipe without a reader: 128 + SIGPIPE. */
const EXIT_BROKEN_PIPE = 141;
const EXIT_UNWRITABLE = 1;

/** Distinguishes a reader that has gone (`… | head`), which is normal, from a device that accepts no more. */
export function lostOutput(error: NodeJS.ErrnoException): LostOutput {
  if (error.code === 'EPIPE') return { exitCode: EXIT_BROKEN_PIPE, message: undefined };
  return { exitCode: EXIT_UNWRITABLE, message: `The output cannot be written: ${whyUnwritable(error)}.` };
}

/**
 * Returns a function that writes to `stream`. At the first failed write it calls `onLost`, and from then on discards
 * its input. Without this error listener, a failed write would crash the process.
 */
export function writerTo(stream: Writable, onLost: (error: NodeJS.ErrnoException) => void): (text: string) => void {
  let isLost = false;
  stream.on('error', (error) => {
    if (isLost) return;
    isLost = true;
    onLost(error);
  });
  return (text) => {
    if (!isLost) stream.write(text);
  };
}

/**
 * Messages name commands as they are run in a checkout. An installed package, below node_modules, uses npx; a service
 * or an image sets its own command (`asked`).
 */
export function withCommandAsCalled(text: string, folder: string, asked: string | undefined): string {
  const called = asked ?? (folder.split(path.sep).includes('node_modules') ? 'npx calsyncd' : undefined);
  return called === undefined ? text : text.replaceAll('npm run -s calsyncd -- ', `${called} `);
}
