import { setImmediate as turnOfTheLoop } from 'node:timers/promises';

/**
 * Asks once for all callers that wait at the same time, among them all whose requests have arrived together. A caller
 * that comes while an answer is under way gets the next one, because the present one may be older than what the caller
 * knows.
 */
export function coalesced<T>(ask: () => T | Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const askNext = async (): Promise<T> => {
    await running;
    await turnOfTheLoop();
    next = undefined;
    const answer = (async () => ask())();
    running = answer.then(
      () => undefined,
      () => undefined,
    );
    return answer;
  };
  return () => (next ??= askNext());
}
