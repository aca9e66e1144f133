import { sql, type Sql } from './sql.ts';

/**
 * A plain value as JSON that PostgreSQL accepts: a lone surrogate, with which a truncated text may end, becomes U+FFFD,
 * and NUL is removed, because PostgreSQL can store neither.
 */
export const jsonText = (value: unknown): string => storable(JSON.stringify(value));

/** The same for the output of JSON.stringify; most texts stay unchanged. */
export const storable = (json: string): string =>
  // JSON.stringify escapes these two, and backslashes, which are skipped in pairs.
  json.includes('\\u')
    ? json.replace(/\\(?:\\|u0000|ud[89a-f][\da-f]{2})/g, (escaped) => STORED[escaped] ?? '\ufffd')
    : json;

const STORED: Readonly<Record<string, string>> = { '\\\\': '\\\\', '\\u0000': '' };

/** The same, as a value in a statement. */
export const jsonb = <T = unknown>(value: T): Sql<T> => sql<T>`${jsonText(value)}::jsonb`;
