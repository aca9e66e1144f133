import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from './database.ts';

const AGAIN_MS = 1_000;

/** Listens on a channel of the database. */
export interface Listening {
  /**
   * Runs a query on the listening connection, so that whoever gets its result also receives all later notifications.
   */
  readonly ask: <R extends pg.QueryResultRow>(statement: string, values?: readonly unknown[]) => Promise<readonly R[]>;
  readonly close: () => Promise<void>;
}

export interface Listeners {
  readonly onMessage: (payload: string) => void;
  /** Called whenever listening has begun, also after a lost connection: notifications before that were missed. */
  readonly onBegun: () => void;
}

interface Ear {
  readonly client: pg.PoolClient;
  readonly end: () => void;
}

/** Listens on a separate connection, and reconnects if it is lost. */
export function listenTo(database: Database, channel: string, { onMessage, onBegun }: Listeners): Listening {
  const stopping = new AbortController();
  let current: Promise<Ear> | undefined;
  const connect = async (): Promise<Ear> => {
    const client = await database.pool.connect();
    let isOver = false;
    const end = (): void => {
      // A client may be released only once.
      if (!isOver) client.release(true);
      isOver = true;
    };
    client.on('error', () => {
      end();
      current = undefined;
      void keepListening();
    });
    client.on('notification', ({ payload }) => onMessage(payload ?? ''));
    await client.query(`listen ${channel}`).catch((error: unknown) => {
      end();
      throw error;
    });
    return { client, end };
  };
  const keepListening = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const begun = (current ??= connect());
      const ear = await begun.catch(() => undefined);
      if (ear) return onBegun();
      current = undefined;
      await sleep(AGAIN_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  const begun = keepListening();
  return {
    ask: async (statement, values = []) => {
      const ear = await current;
      if (!ear) throw new Error('the connection that listens is lost; it is opened again');
      return (await ear.client.query(statement, [...values])).rows as never;
    },
    close: async () => {
      stopping.abort();
      await begun;
      (await current?.catch(() => undefined))?.end();
    },
  };
}
