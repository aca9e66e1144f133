import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { from, to, type CopyStreamQuery } from 'pg-copy-streams';
import type { Database } from './database.ts';
import type { Queryable } from './sql.ts';

/** A transaction in which whole tables can also be read and written as text, without holding them in memory. */
export interface CopyTransaction {
  readonly query: Queryable;
  /** The output of `COPY … TO STDOUT`. Run no other statement before it has been read to its end. */
  readonly copyOut: (statement: string) => AsyncIterable<Buffer>;
  /** Accepts the input of `COPY … FROM STDIN`. Run no other statement before it has ended. */
  readonly copyIn: (statement: string) => CopyIn;
}

export interface CopyIn {
  readonly write: (bytes: Buffer) => Promise<void>;
  /** Resolves to the number of rows. */
  readonly end: () => Promise<number>;
}

/** Runs `work` in one transaction, which the statement `begin` starts. */
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
      copyOut: (statement) => client.query(to(statement)),
      copyIn: (statement) => copyIn(client.query(from(statement))),
    });
    await client.query('commit');
    isWhole = true;
    return done;
  } finally {
    // If the work was broken off, the connection may be in the middle of a table. Closing it rolls back the
    // transaction.
    client.release(!isWhole);
  }
}

function copyIn(rows: CopyStreamQuery): CopyIn {
  const ended = finished(rows);
  // The error is reported by `write` or `end`.
  ended.catch(() => undefined);
  return {
    write: async (bytes) => {
      if (!rows.write(bytes)) await Promise.race([once(rows, 'drain'), ended]);
    },
    end: async () => {
      rows.end();
      await ended;
      return rows.rowCount;
    },
  };
}
