import pg from 'pg';
import { instantFromDigits } from '../time.ts';

type Read = (text: string) => unknown;

/** Types of columns, which node-postgres knows only by their numbers. */
const { INT8, TIMESTAMPTZ } = pg.types.builtins;
const INT4_LIST = 1007;

const readAsUsual = (oid: number): Read => pg.types.getTypeParser(oid, 'text') as Read;
const [usualInstant, usualList] = [readAsUsual(TIMESTAMPTZ), readAsUsual(INT4_LIST)];

// `2027-01-10 17:00:00+00`: the form of nearly all instants on a connection in UTC.
const WHOLE_SECOND = '2027-01-10 17:00:00+00'.length;

/** Reads an instant in PostgreSQL's form. The usual form takes a quarter of the time that node-postgres needs. */
export const instantFromText = (text: string): Date =>
  text.length === WHOLE_SECOND && text.endsWith('+00')
    ? new Date(instantFromDigits(text))
    : (usualInstant(text) as Date);

/** Reads a list of integers in PostgreSQL's form: `{1,2}`. */
export function integersFromText(text: string): number[] {
  if (text === '{}') return [];
  return /^\{[\d,-]+\}$/.test(text) ? text.slice(1, -1).split(',').map(Number) : (usualList(text) as number[]);
}

/** Readers, by type number, for values that node-postgres would read slowly or as another type. */
const READERS: Readonly<Record<number, Read>> = {
  // PostgreSQL's integers (bigint, count) fit into a double here; by default, ids would be strings.
  [INT8]: Number,
  [TIMESTAMPTZ]: instantFromText,
  [INT4_LIST]: integersFromText,
};

/** The `types` of a node-postgres pool: how it reads the values in results. */
export const VALUE_TYPES = {
  getTypeParser: ((oid: number, format: 'text' | 'binary' = 'text') =>
    (format === 'text' ? READERS[oid] : undefined) ??
    pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};
