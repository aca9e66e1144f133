import { setImmediate } from 'node:timers/promises';

const WORK_MS_MAX = 20;

/**
 * Maps a list and yields to other work whenever 20 ms have passed, so that a long list of long texts does not block the
 * process.
 */
export async function mapWithPauses<T, R>(items: Iterable<T>, map: (item: T) => R): Promise<R[]> {
  const results: R[] = [];
  let begun = performance.now();
  for (const item of items) {
    results.push(map(item));
    if (performance.now() - begun > WORK_MS_MAX) {
      await yieldToOthers();
      begun = performance.now();
    }
  }
  return results;
}

/**
 * Node.js runs the first immediate before it polls for input; then it accepts a new connection, and after the second it
 * reads the request.
 */
async function yieldToOthers(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
}
