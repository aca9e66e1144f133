import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until there is a result. Throws with the name of what was waited for if there is none in time. */
export async function until<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  msMax = 90_000,
): Promise<T> {
  for (const end = performance.now() + msMax; performance.now() < end; await sleep(25)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
  }
  throw new Error(`waited ${msMax / 1000} seconds for ${what}`);
}
