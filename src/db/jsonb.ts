import { sql, type Sql } from './sql.ts';

/**
 * A plain value as JSON that PostgreSQL takes: half a character, which a cut text may end with, becomes U+FFFD, and NUL
 * is left out, as PostgreSQL holds neither.
 */
export const jsonText = (value: unknown): string => storable(JSON.stringify(value));

/** The same with what JSON.stringify has given; most texts stay as they are. */
export const storable = (json: string): string =>
  // JSON.stringify escapes these two, and backslashes, which are passed over in pairs.
  json.includes('\\u')
    ? json.replace(/\\(?:\\|u0000|ud[89a-f][\da-f]{2})/g, (escaped) => STORED[escaped] ?? '\ufffd')
    : json;

const STORED: Readonly<Record<string, string>> = { '\\\\': '\\\\', '\\u0000': '' };

/** The same as a value in a statement. */
export const jsonb = <T = unknown>(value: T): Sql<T> => sql<T>`${jsonText(value)}::jsonb`;
