import pg from 'pg';
import { instantFromDigits } from '../time.ts';

type Read = (text: string) => unknown;

/** The types of columns that node-postgres knows by number alone. */
const { INT8, TIMESTAMPTZ } = pg.types.builtins;
const INT4_LIST = 1007;

const readAsUsual = (oid: number): Read => pg.types.getTypeParser(oid, 'text') as Read;
const [usualInstant, usualList] = [readAsUsual(TIMESTAMPTZ), readAsUsual(INT4_LIST)];

// `2027-01-10 17:00:00+00`: what nearly all instants are to a connection that computes in UTC.
const WHOLE_SECOND = '2027-01-10 17:00:00+00'.length;

/** An instant in PostgreSQL's form. Most take a quarter of the time that node-postgres needs for any. */
export const instantFromText = (text: string): Date =>
  text.length === WHOLE_SECOND && text.endsWith('+00')
    ? new Date(instantFromDigits(text))
    : (usualInstant(text) as Date);

/** A list of integers in PostgreSQL's form: `{1,2}`. */
export function integersFromText(text: string): number[] {
  if (text === '{}') return [];
  return /^\{[\d,-]+\}$/.test(text) ? text.slice(1, -1).split(',').map(Number) : (usualList(text) as number[]);
}

/** How values are read that node-postgres would read otherwise, or slowly, by the number of their type. */
const READERS: Readonly<Record<number, Read>> = {
  // PostgreSQL's integers (bigint, count) fit a double here; otherwise ids would be strings.
  [INT8]: Number,
  [TIMESTAMPTZ]: instantFromText,
  [INT4_LIST]: integersFromText,
};

/** How values in answers of the database are read: the `types` of a node-postgres pool. */
export const VALUE_TYPES = {
  getTypeParser: ((oid: number, format: 'text' | 'binary' = 'text') =>
    (format === 'text' ? READERS[oid] : undefined) ??
    pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};
