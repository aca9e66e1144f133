import type { Io } from '../terminal/io.ts';
import { durationInWords, makePace, makePaces, type Come } from './pace.ts';
import { statusLine, type StatusLine } from './status-line.ts';

/** What some work tells whoever is watching. */
export interface Status extends Pick<StatusLine, 'say' | 'waits'> {
  /** How far it has come. */
  readonly tell: (come: Come) => void;
  /** What is read meanwhile, of feeds and of sites: said where nothing else is counted. */
  readonly reads: (come: Come) => void;
}

/**
 * Says what is going on while it does, how far it is, how fast, and how long it will still take. `clock` counts
 * milliseconds, from any moment on.
 */
export async function whileWorking<T>(
  io: Io,
  what: string,
  work: (status: Status) => Promise<T>,
  clock: () => number = () => performance.now(),
): Promise<T> {
  const [begun, pace, read] = [clock(), makePace(clock), makePaces(clock)];
  const words = (): string => pace.words() ?? read.words() ?? durationInWords(clock() - begun);
  const line = statusLine(io, () => `  ${what}: ${words()}`, clock);
  try {
    return await work({ tell: pace.take, reads: read.take, say: line.say, waits: line.waits });
  } finally {
    line.close();
  }
}
