import { setImmediate as turnOfTheLoop } from 'node:timers/promises';

const PATIENCE_MS = 1_000;

/**
 * Asks once for all callers that wait at the same time, including all whose requests have arrived together. A caller
 * that comes while an answer is in progress gets the next one, because the current one may be older than what the
 * caller knows. An answer that takes longer than `patienceMs`, for example over a connection that has gone silent, does
 * not delay others.
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

const KEYS_MAX = 50;
// While one answer is being processed, another can be made.
const AT_ONCE = 2;

/**
 * The same for callers that ask for different things: up to `atOnce` answers are in progress. The first caller's key is
 * asked for without waiting, and those who wait meanwhile are asked for together, by their keys, up to `keysMax`. Gives
 * undefined for a key without an answer. An error goes to all callers whose keys were asked for together.
 */
export function batchedByKey<Key, Answer>(
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Answer>>,
  { keysMax = KEYS_MAX, atOnce = AT_ONCE, patienceMs = PATIENCE_MS } = {},
): (key: Key) => Promise<Answer | undefined> {
  const waiting = new Map<Key, PromiseWithResolvers<Answer | undefined>>();
  let underWay = 0;
  let isPlanned = false;
  const askSome = async (): Promise<void> => {
    isPlanned = false;
    const group = [...waiting].slice(0, keysMax);
    for (const [key] of group) waiting.delete(key);
    const answering = answerAll(ask, group);
    await endOrTimeout(answering, patienceMs);
    underWay -= 1;
    begin();
  };
  const begin = (): void => {
    if (isPlanned || waiting.size === 0 || underWay >= atOnce) return;
    isPlanned = true;
    underWay += 1;
    if (underWay === 1) void askSome();
    else setImmediate(askSome);
  };
  return (key) => {
    const asked = waiting.get(key) ?? Promise.withResolvers<Answer | undefined>();
    waiting.set(key, asked);
    begin();
    return asked.promise;
  };
}

/** Never rejects itself: an error only goes to those who wait. */
async function answerAll<Key, Answer>(
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Answer>>,
  group: readonly (readonly [Key, PromiseWithResolvers<Answer | undefined>])[],
): Promise<void> {
  try {
    const answers = await ask(group.map(([key]) => key));
    for (const [key, { resolve }] of group) resolve(answers.get(key));
  } catch (error) {
    for (const [, { reject }] of group) reject(error);
  }
}

async function endOrTimeout(running: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([running, promise]);
  clearTimeout(timer);
}

/** Remembers the results of forms, for people who send one again: by a second click, or by reloading the answer. */
export type SentOnce<T> = (key: string, carryOut: () => Promise<T>) => Promise<T>;

const KEPT_MAX = 500;

/**
 * Carries out what a form asks for once: if it is sent again, with the same key, while it is in progress or within
 * `keepMs` of its answer, it gets that answer. Forms that failed, or whose answers are kept for no time, are carried
 * out again.
 */
export function sentOnce<T>(keepMs: (answer: T) => number, now: () => number): SentOnce<T> {
  const known = new Map<string, { readonly answer: Promise<T>; until: number }>();
  const forget = (key: string): unknown => known.delete(key);
  return async (key, carryOut) => {
    for (const [each, { until }] of known) if (until <= now()) forget(each);
    const before = known.get(key);
    if (before) return before.answer;
    const [oldest] = known.keys();
    if (known.size >= KEPT_MAX && oldest !== undefined) forget(oldest);
    const sent = { answer: carryOut(), until: Infinity };
    known.set(key, sent);
    try {
      const answer = await sent.answer;
      sent.until = now() + keepMs(answer);
      return answer;
    } catch (error) {
      forget(key);
      throw error;
    }
  };
}
