import { Readable } from 'node:stream';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Connection, PoolClient } from 'pg';
import type { Database } from './database.ts';
import type { Queryable } from './sql.ts';

/** A transaction in which tables are also read and written whole, as text, without being in memory at once. */
export interface CopyTransaction {
  readonly query: Queryable;
  /** What `COPY … TO STDOUT` gives. Nothing else is asked before it is read to its end. */
  readonly copyOut: (statement: string) => AsyncIterable<Buffer>;
  /** Takes what `COPY … FROM STDIN` wants. Nothing else is asked before its end. */
  readonly copyIn: (statement: string) => CopyIn;
}

export interface CopyIn {
  readonly write: (bytes: Buffer) => Promise<void>;
  /** Gives the number of rows. */
  readonly end: () => Promise<number>;
}

/** Does `work` in one transaction, of the kind that `begin` starts. */
export async function inCopyTransaction<T>(
  database: Database,
  begin: string,
  work: (transaction: CopyTransaction) => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  let isWhole = false;
  try {
    await client.query(begin);
    const done = await work({
      query: {
        isTransaction: true,
        run: async (text, values) => client.query({ text, values }) as never,
        transaction: async () => {
          throw new Error('there is no transaction inside another');
        },
      },
      copyOut: (statement) => copyOut(client, statement),
      copyIn: (statement) => copyIn(client, statement),
    });
    await client.query('commit');
    isWhole = true;
    return done;
  } finally {
    // Broken off, the connection may be in the middle of a table. Closing it undoes the transaction.
    client.release(!isWhole);
  }
}

/** What node-postgres' connection has, but its types do not. */
interface CopyConnection extends Connection {
  readonly stream: Duplex;
  readonly sendCopyFromChunk: (chunk: Buffer) => void;
  readonly endCopyFrom: () => void;
}

const BUFFERED_BYTES = 1_000_000;

function copyOut(client: PoolClient, statement: string): AsyncIterable<Buffer> {
  let connection: CopyConnection | undefined;
  const rows = new Readable({
    highWaterMark: BUFFERED_BYTES,
    read: () => connection?.stream.resume(),
  });
  client.query({
    ...UNHEARD,
    submit: (current: Connection) => {
      connection = current as CopyConnection;
      current.query(statement);
    },
    // Copied, because what holds it is used again.
    handleCopyData: ({ chunk }: { readonly chunk: Buffer }) => {
      if (!rows.push(Buffer.from(chunk))) connection?.stream.pause();
    },
    handleError: (error: Error) => rows.destroy(error),
    handleReadyForQuery: () => rows.push(null),
  });
  return rows;
}

const PIECE_BYTES = 65_536;

function copyIn(client: PoolClient, statement: string): CopyIn {
  let connection: CopyConnection | undefined;
  let rows = 0;
  let failed: Error | undefined;
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // Whoever writes or ends hears of it.
  for (const { promise } of [begun, ended]) promise.catch(() => undefined);
  client.query({
    ...UNHEARD,
    submit: (current: Connection) => {
      connection = current as CopyConnection;
      current.query(statement);
    },
    handleCopyInResponse: () => begun.resolve(),
    handleCommandComplete: ({ text }: { readonly text: string }) => {
      rows = Number(/\d+$/.exec(text)?.[0] ?? 0);
    },
    handleError: (error: Error) => {
      failed = error;
      begun.reject(error);
      ended.reject(error);
    },
    handleReadyForQuery: () => ended.resolve(),
  });
  return {
    write: async (bytes) => {
      await begun.promise;
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        if (failed) throw failed;
        connection?.sendCopyFromChunk(bytes.subarray(at, at + PIECE_BYTES));
        if (connection?.stream.writableNeedDrain) await Promise.race([once(connection.stream, 'drain'), ended.promise]);
      }
    },
    end: async () => {
      await begun.promise;
      connection?.endCopyFrom();
      await ended.promise;
      return rows;
    },
  };
}

const nothing = (): void => undefined;
/** What node-postgres tells of a statement, and copying need not know. */
const UNHEARD = {
  callback: nothing,
  handleRowDescription: nothing,
  handleDataRow: nothing,
  handleCommandComplete: nothing,
  handleCopyInResponse: nothing,
  handleCopyData: nothing,
};
