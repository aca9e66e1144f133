import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../error.ts';
import { poolConfig, type Database, type DatabaseAddress } from './database.ts';

/**
 * Error codes (of Node.js or PostgreSQL) for conditions that pass with time or another attempt, unlike a wrong password
 * or a missing database.
 */
const PASSING = new Set([
  // Not started yet, or currently unreachable.
  'ECONNREFUSED',
  'ENOENT',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // Starting up or shutting down, full, or lost.
  '57P03',
  '53300',
  '57P01',
  '57P02',
  '57P05',
  '08000',
  '08003',
  '08006',
  '08001',
  '08004',
  // A timeout (lock, statement, idle transaction), or a conflict between transactions.
  '55P03',
  '57014',
  '25P03',
  '25P04',
  '40P01',
  '40001',
]);
/** Messages of node-postgres that have no code. */
const PASSING_MESSAGES = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
];

/**
 * Waits at most `timeoutMs` until a pool has a connection; `onFailure` is called with the reason after each failed
 * attempt. Call this first: BullMQ's objects never recover if they are created while PostgreSQL is down or full. Throws
 * AppError, which says where the database is.
 */
export async function waitForDatabase(
  database: Database,
  address: DatabaseAddress,
  timeoutMs: number,
  onFailure?: (reason: string) => void,
): Promise<void> {
  const until = performance.now() + timeoutMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 1000)) {
    const error = await tryPool(database);
    if (!error) return;
    if (!isPassing(error) || performance.now() + pauseMs > until) throw unreachable(address, error);
    onFailure?.(reasonOf(error));
    await sleep(pauseMs);
  }
}

/** A connection shows that the server is ready; the pool keeps it. */
async function tryPool({ pool }: Database): Promise<Error | null> {
  try {
    (await pool.connect()).release();
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** Tries once to log in and select. Returns the error, or null if the database answers. */
export async function tryDatabase(address: DatabaseAddress, timeoutMs: number): Promise<Error | null> {
  const client = new pg.Client({
    ...poolConfig(address, 1),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return null;
  } catch (error) {
    return error as Error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Whether a database error passes with time. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const parts = error instanceof AggregateError ? (error.errors as Error[]) : [error];
  return parts.some(
    (part) =>
      PASSING.has((part as NodeJS.ErrnoException).code ?? '') ||
      PASSING_MESSAGES.some((begins) => part.message.startsWith(begins)),
  );
}

/** Whether the connection broke off, which node-postgres reports without a code. */
export const isLost = (error: unknown): error is Error =>
  error instanceof Error && PASSING_MESSAGES.some((begins) => error.message.startsWith(begins));

/** Whether the server has refused the statement itself, and would do so again; nothing of it was carried out. */
export const isRefused = (error: unknown): boolean => error instanceof pg.DatabaseError && !isPassing(error);

/** Codes for a server whose certificate comes from an authority that Node.js does not know. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** Why a connection failed, also where several addresses of the server were tried. */
export const reasonOf = (error: Error): string =>
  error instanceof AggregateError ? (error.errors as Error[]).map(({ message }) => message).join('; ') : error.message;

function unreachable(address: DatabaseAddress, cause: Error): AppError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  const advice = UNTRUSTED.has(code)
    ? 'Name a file with the certificate of its authority at the end of DATABASE_URL: ?sslmode=verify-full&sslrootcert=FILE.'
    : `Check that it is running${'url' in address ? ' and that DATABASE_URL is right' : ''}.`;
  return new AppError(
    'database-unreachable',
    `The database ${describeAddress(address)} does not answer: ${reasonOf(cause)}. ${advice}`,
    { cause },
  );
}

/** An address for messages: without user and password. */
export function describeAddress(address: DatabaseAddress): string {
  if (!('url' in address)) return address.socketDirectory;
  const url = URL.parse(address.url);
  return url ? `${url.host}${url.pathname}` : 'of DATABASE_URL';
}
