import { setImmediate } from 'node:timers/promises';

const WORK_MS_MAX = 20;

/**
 * Maps a list, and yields to other work whenever 20 ms have passed, so that a long list of long texts does not block
 * the process.
 */
export async function mapWithPauses<T, R>(items: Iterable<T>, map: (item: T) => R): Promise<R[]> {
  const results: R[] = [];
  const pauseIfDue = pauses();
  for (const item of items) {
    results.push(map(item));
    const due = pauseIfDue();
    if (due) await due;
  }
  return results;
}

/** The same for a loop that does more than map a list: returns a pause if 20 ms have passed since the last one. */
export function pauses(): () => Promise<void> | undefined {
  let begun = performance.now();
  const pauseOnce = async (): Promise<void> => {
    await pause();
    begun = performance.now();
  };
  return () => (performance.now() - begun > WORK_MS_MAX ? pauseOnce() : undefined);
}

/** Runs steps to their end, and pauses whenever 20 ms have passed. */
export async function withPauses<R>(steps: Iterator<void, R>): Promise<R> {
  const pauseIfDue = pauses();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    const due = pauseIfDue();
    if (due) await due;
  }
}

/**
 * Yields to other work. Node.js runs the first immediate before it polls for input; then it accepts a new connection,
 * and after the second immediate it reads the request.
 */
export async function pause(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
}
