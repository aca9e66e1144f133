import type { Io } from '../terminal/io.ts';
import { durationInWords, makePace, makePaces, type WorkProgress } from './pace.ts';
import { statusLine, type StatusLine } from './status-line.ts';

/** How work reports its status. */
export interface Status extends Pick<StatusLine, 'say' | 'waits'> {
  /** Takes the progress of the work. */
  readonly tell: (come: WorkProgress) => void;
  /** Takes the progress of reading feeds and sites; shown if nothing else is counted. */
  readonly reads: (come: WorkProgress) => void;
}

/**
 * Runs `work` and shows what it is doing, its progress, its rate and the time left. `clock` counts milliseconds from
 * any starting point.
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
