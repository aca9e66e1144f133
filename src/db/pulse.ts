import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { poolConfig, type DatabaseAddress } from './database.ts';

const BEAT_EVERY_MS = 1_000;
/** A server that needs longer for `SELECT 1` is too slow for anybody who waits for a page. */
const ANSWER_MS_MAX = 5_000;

/** Whether the database answers, checked every second on a separate connection. */
export interface DatabaseWatch {
  readonly isAway: () => boolean;
  /** Calls `listener` when the database goes away. Returns a function that removes the listener. */
  readonly onAway: (listener: () => void) => () => void;
  readonly stop: () => Promise<void>;
}

/**
 * Starts checking. `onChange` is called when the database goes away (with the reason) and when it is back. `silentMs`
 * is the time since its last answer or, before the first one, since the start.
 */
export function watchDatabase(
  address: DatabaseAddress,
  onChange: (away: Error | null, silentMs: number) => void,
): DatabaseWatch {
  let line: Line | undefined;
  let isAway = false;
  let answeredAt = performance.now();
  const listeners = new Set<() => void>();
  const stopping = new AbortController();
  const drop = (): void => {
    line?.client.end().catch(() => undefined);
    line = undefined;
  };
  const beat = async (): Promise<Error | null> => {
    const asked = ask((line ??= openLine(address))).then(
      () => null,
      (error: Error) => error,
    );
    const answer = await Promise.race([asked, silence()]);
    if (answer) drop();
    return answer;
  };
  const note = (answer: Error | null): void => {
    const silentMs = performance.now() - answeredAt;
    if (answer === null) answeredAt = performance.now();
    if ((answer !== null) === isAway) return;
    isAway = answer !== null;
    onChange(answer, silentMs);
    if (isAway) for (const listener of listeners) listener();
  };
  const beating = (async () => {
    while (!stopping.signal.aborted) {
      note(await beat());
      await sleep(BEAT_EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    isAway: () => isAway,
    onAway: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    stop: async () => {
      stopping.abort();
      await beating;
      drop();
    },
  };
}

/**
 * Resolves once the database has not answered for `ms`, whether it is silent (which takes 5 s to notice) or refuses
 * connections. Stops watching when `signal` is aborted.
 */
export function untilSilent(address: DatabaseAddress, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const pulse = watchDatabase(address, (away, silentMs) => {
    clearTimeout(timer);
    if (away) timer = setTimeout(resolve, Math.max(0, ms - silentMs));
  });
  const stop = (): void => {
    clearTimeout(timer);
    void pulse.stop();
  };
  signal.addEventListener('abort', stop, { once: true });
  return promise;
}

interface Line {
  readonly client: pg.Client;
  readonly opened: Promise<void>;
}

function openLine(address: DatabaseAddress): Line {
  const client = new pg.Client({ ...poolConfig(address, 1), connectionTimeoutMillis: ANSWER_MS_MAX });
  client.on('error', () => undefined);
  return { client, opened: client.connect().then(() => undefined) };
}

async function ask({ client, opened }: Line): Promise<void> {
  await opened;
  await client.query('SELECT 1');
}

async function silence(): Promise<Error> {
  await sleep(ANSWER_MS_MAX, undefined, { ref: false });
  // An answer may have arrived while this process itself was busy; read it first.
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  return new Error(`no answer within ${ANSWER_MS_MAX / 1000} seconds`);
}
