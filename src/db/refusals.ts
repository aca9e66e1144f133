import pg from 'pg';
import { AppError } from '../error.ts';
import { isBrokenOff } from './sql.ts';
import { isLost, isPassing, reasonOf } from './wait.ts';

/** The role and the database in an address, as SQL identifiers. */
interface Names {
  readonly role: string;
  readonly database: string;
}

/** What to do about refusals that are due to the server's setup, by PostgreSQL's error code. */
const ADVICE: Readonly<Record<string, (message: string, names: Names) => AppError>> = {
  '42501': (message, { role, database }) =>
    new AppError(
      'database-no-right',
      `The database does not let ${role} do that: ${message}. The role of DATABASE_URL needs to own the database. ` +
        `As its administrator: ALTER DATABASE ${database} OWNER TO ${role}; or, for what it makes there, ` +
        `GRANT CREATE ON DATABASE ${database} TO ${role}; and in that database GRANT CREATE ON SCHEMA public TO ${role};`,
    ),
  '25006': (message, { role, database }) =>
    new AppError(
      'database-read-only',
      `The database is read-only: ${message}. If the server is a replica, name its primary in DATABASE_URL; ` +
        `else: ALTER DATABASE ${database} RESET default_transaction_read_only; and the same with ALTER ROLE ${role}.`,
    ),
  '53300': (message, { role }) =>
    new AppError(
      'database-full',
      `The database accepts no more connections: ${message}. Each process of calsyncd may need ${CONNECTIONS_MAX}: ` +
        `ALTER ROLE ${role} CONNECTION LIMIT -1; or a higher max_connections in postgresql.conf, or end what else is connected.`,
    ),
};

/** For all pools of a process together, including those for the queue and for listening. */
const CONNECTIONS_MAX = 50;

/**
 * Error codes of mistakes in our statements, whatever the server and its settings; their stack trace helps to find
 * them.
 */
const OURS = /^(?:0A|22|23|26|2F|42|XX)/;

/**
 * Explains to the operator a refusal that is due to the server's setup, and what to do; undefined for any other error.
 * `databaseUrl` is the address of the database, unless it is the embedded one.
 */
export function refusalBySetup(error: unknown, databaseUrl?: string): AppError | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return ADVICE[error.code ?? '']?.(error.message, namesIn(databaseUrl));
}

const AGAIN = 'Try again in a moment.';

/** The same for any error of the database. If it may be our mistake, the AppError has it as its cause. */
export function databaseRefusal(error: unknown, databaseUrl?: string): AppError | undefined {
  const bySetup = refusalBySetup(error, databaseUrl);
  if (bySetup) return bySetup;
  if (isBrokenOff(error))
    return new AppError('database-unreachable', `The database does not answer: ${reasonOf(error)}. ${AGAIN}`);
  if (!(error instanceof pg.DatabaseError) && !isLost(error)) return undefined;
  const { message, code = '' } = error as Error & { readonly code?: string };
  const advice = isPassing(error) ? AGAIN : 'Incomplete changes were rolled back.';
  return new AppError(
    'database-refused',
    `The database refused the request: ${message}${code && ` (${code})`}. ${advice}`,
    OURS.test(code) ? { cause: error } : {},
  );
}

function namesIn(databaseUrl: string | undefined): Names {
  const url = databaseUrl === undefined ? null : URL.parse(databaseUrl);
  const role = url?.username || url?.searchParams.get('user') || '';
  return {
    role: identifier(decoded(role) || 'the_role'),
    database: identifier(decoded(url?.pathname.slice(1) ?? '') || 'the_database'),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const identifier = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
