import { setImmediate as turnOfTheLoop } from 'node:timers/promises';

const PATIENCE_MS = 1_000;

/**
 * Asks once for all callers that wait at the same time, among them all whose requests have arrived together. A caller
 * that comes while an answer is under way gets the next one, because the present one may be older than what the caller
 * knows. An answer that takes longer than `patienceMs`, as over a connection that has gone silent, holds up no others.
 */
export function coalesced<T>(ask: () => T | Promise<T>, patienceMs = PATIENCE_MS): () => Promise<T> {
  let running: Promise<void> | undefined;
  let next: Promise<T> | undefined;
  const askNext = async (): Promise<T> => {
    if (running) await endOrTimeout(running, patienceMs);
    await turnOfTheLoop();
    next = undefined;
    const answer = (async () => ask())();
    const over = (): void => {
      if (running === ended) running = undefined;
    };
    const ended = answer.then(over, over);
    running = ended;
    return answer;
  };
  return () => (next ??= askNext());
}

async function endOrTimeout(running: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([running, promise]);
  clearTimeout(timer);
}
