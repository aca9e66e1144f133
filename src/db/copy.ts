import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { from, to, type CopyStreamQuery } from 'pg-copy-streams';
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
      copyOut: (statement) => client.query(to(statement)),
      copyIn: (statement) => copyIn(client.query(from(statement))),
    });
    await client.query('commit');
    isWhole = true;
    return done;
  } finally {
    // Broken off, the connection may be in the middle of a table. Closing it undoes the transaction.
    client.release(!isWhole);
  }
}

function copyIn(rows: CopyStreamQuery): CopyIn {
  const ended = finished(rows);
  // Whoever writes or ends hears of it.
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
