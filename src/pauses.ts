import { setImmediate } from 'node:timers/promises';

const WORK_MS_MAX = 20;

/** Maps a list, and lets other work have its turn each time this has taken 20 ms: long texts in a long list must not stop the process. */
export async function mapWithPauses<T, R>(items: Iterable<T>, map: (item: T) => R): Promise<R[]> {
  const results: R[] = [];
  let begun = performance.now();
  for (const item of items) {
    if (performance.now() - begun > WORK_MS_MAX) {
      await setImmediate();
      begun = performance.now();
    }
    results.push(map(item));
  }
  return results;
}
