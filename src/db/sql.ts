import type pg from 'pg';

/** The result of a statement: its rows, and how many rows it wrote. */
export interface Result<Row> {
  readonly rows: Row[];
  readonly rowCount: number | null;
}

/** Executes statements, each on its own or all in one transaction. */
export interface Queryable {
  readonly isTransaction: boolean;
  readonly run: <Row>(text: string, values: unknown[]) => Promise<Result<Row>>;
  /** Runs `work` in a transaction, which is rolled back if it fails. Transactions cannot be nested. */
  readonly transaction: <T>(work: (transaction: Queryable) => Promise<T>) => Promise<T>;
}

/** SQL with its values: a whole statement or a part of one. */
export class Sql<Row = unknown> {
  /** The text before, between and after the values: one more item than there are values. */
  readonly #texts: readonly string[];
  readonly #values: readonly unknown[];

  /** `parts` are values or SQL; a part without a text after it is at the end. */
  constructor(texts: readonly string[], parts: readonly unknown[]) {
    let text = texts[0] ?? '';
    const [own, values]: [string[], unknown[]] = [[], []];
    const add = (value: unknown): void => {
      own.push(text);
      values.push(value);
      text = '';
    };
    for (const [index, part] of parts.entries()) {
      if (part instanceof Sql) {
        text += part.#texts[0];
        for (const [place, value] of part.#values.entries()) {
          add(value);
          text += part.#texts[place + 1];
        }
      } else add(part);
      text += texts[index + 1] ?? '';
    }
    this.#texts = [...own, text];
    this.#values = values;
  }

  /** The text, with numbered placeholders for the values. */
  compile(): { readonly text: string; readonly values: unknown[] } {
    let text = this.#texts[0] ?? '';
    for (let number = 1; number < this.#texts.length; number += 1) text += `$${number}${this.#texts[number]}`;
    return { text, values: [...this.#values] };
  }

  execute(db: Queryable): Promise<Result<Row>> {
    const { text, values } = this.compile();
    return db.run(text, values);
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const raw = <Row = unknown>(text: string): Sql<Row> => new Sql<Row>([text], []);
const id = (...names: readonly string[]): Sql => raw(names.map(quoted).join('.'));
const COMMA = raw(', ');

/** A template for SQL. What is inserted is a value, which PostgreSQL receives separately from the text, or SQL. */
export const sql = Object.assign(
  <Row = unknown>(texts: TemplateStringsArray, ...parts: readonly unknown[]): Sql<Row> => new Sql<Row>(texts, parts),
  {
    /** Trusted text, inserted as it is. */
    raw,
    /** A quoted name; of two names, the first is the schema. */
    id,
    /** The same, as names are usually written: `schema.table`. */
    ref: (path: string): Sql => id(...path.split('.')),
    /** A constant in the text, so that the statement is planned for it. */
    lit: (value: string | number): Sql =>
      raw(typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`),
    join: (parts: readonly unknown[], separator: Sql = COMMA): Sql => {
      const { text } = separator.compile();
      return new Sql(
        parts.map((_, index) => (index === 0 ? '' : text)),
        parts,
      );
    },
  },
);

const MARK = '/* prepared */';

/**
 * Starts a statement that each connection parses and plans only once, because planning takes as long as running it. For
 * statements whose text is always the same, and whose best plan depends neither on their values nor on the growth of
 * their tables.
 */
export const PREPARED = sql.raw(MARK);

const prepared = new Map<string, { readonly text: string; readonly name: string }>();

/** Gives marked statements a name, because node-postgres prepares named statements. */
function namedIfMarked(text: string): { readonly text: string; readonly name?: string } {
  if (!text.startsWith(MARK)) return { text };
  const named = prepared.get(text) ?? { text, name: `p${prepared.size + 1}` };
  prepared.set(text, named);
  return named;
}

/** Errors of the system that broke off a conversation with the database; the system does not say whose errors they are. */
const brokenOff = new WeakSet<Error>();

/** Whether an error says that the system could not reach the database, or lost it in the middle. */
export const isBrokenOff = (error: unknown): error is Error => error instanceof Error && brokenOff.has(error);

/** Notes an error of the system, such as ECONNREFUSED, as one of the database. */
function noted(error: unknown): never {
  const isOfSystem = error instanceof AggregateError || (error instanceof Error && 'syscall' in error);
  if (isOfSystem) brokenOff.add(error);
  throw error;
}

/** Executes statements on the connections of a pool, each when `inTurn` lets it. */
export const queryableOf = (
  pool: Pick<pg.Pool, 'connect'>,
  inTurn: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
): Queryable => ({
  isTransaction: false,
  run: <Row>(text: string, values: unknown[]) =>
    inTurn(async () => {
      const client = await pool.connect().catch(noted);
      try {
        return await runOn<Row>(client, text, values);
      } finally {
        client.release();
      }
    }),
  transaction: (work) =>
    inTurn(async () => {
      const client = await pool.connect().catch(noted);
      let broken: Error | undefined;
      try {
        return await inTransaction(client, work, (error) => {
          broken = error;
        });
      } finally {
        client.release(broken);
      }
    }),
});

const runOn = <Row>(client: pg.PoolClient, text: string, values: unknown[]): Promise<Result<Row>> =>
  client.query({ ...namedIfMarked(text), values }).catch(noted) as unknown as Promise<Result<Row>>;

async function inTransaction<T>(
  client: pg.PoolClient,
  work: (transaction: Queryable) => Promise<T>,
  onBroken: (error: Error) => void,
): Promise<T> {
  let hasEnded = false;
  await client.query('begin').catch(noted);
  try {
    const done = await work({
      isTransaction: true,
      run: async (text, values) => {
        // By now, somebody else may be using its connection.
        if (hasEnded) throw new Error('the transaction of this statement has ended');
        return runOn(client, text, values);
      },
      transaction: async () => {
        throw new Error('there is no transaction inside another');
      },
    });
    hasEnded = true;
    const { command } = await client.query('commit').catch(noted);
    // PostgreSQL ends a transaction like this if one of its statements has failed, even if nobody noticed.
    if (command !== 'COMMIT') throw new Error('the transaction was undone, because a statement of it had failed');
    return done;
  } catch (error) {
    hasEnded = true;
    // A connection that cannot even do this must not be reused.
    await client.query('rollback').catch(onBroken);
    throw error;
  }
}
