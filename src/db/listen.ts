import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from './database.ts';

const AGAIN_MS = 1_000;

/** Listens on a channel of the database. */
export interface Listening {
  /** Asks on the connection that listens, so that whoever gets an answer also hears what is told. */
  readonly ask: <R extends pg.QueryResultRow>(statement: string, values?: readonly unknown[]) => Promise<readonly R[]>;
  readonly close: () => Promise<void>;
}

export interface Listeners {
  readonly onMessage: (payload: string) => void;
  /** Called when it has begun to listen, also after a lost connection: what was told before was not heard. */
  readonly onBegun: () => void;
}

interface Ear {
  readonly client: pg.PoolClient;
  readonly end: () => void;
}

/** Listens on a connection of its own, and connects again when that is lost. */
export function listenTo(database: Database, channel: string, { onMessage, onBegun }: Listeners): Listening {
  const stopping = new AbortController();
  let current: Promise<Ear> | undefined;
  const connect = async (): Promise<Ear> => {
    const client = await database.pool.connect();
    let isOver = false;
    const end = (): void => {
      // A pool takes a client back once.
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
