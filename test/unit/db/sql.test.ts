import { expect, test } from 'vitest';
import { sql, type Sql } from '../../../src/db/sql.ts';

const inner = sql`b = ${'two'}`;

test.each<[what: string, piece: Sql, text: string, values: readonly unknown[]]>([
  ['text alone', sql`select 1`, 'select 1', []],
  ['values', sql`a = ${1} and b = ${null}`, 'a = $1 and b = $2', [1, null]],
  ['a list as one value', sql`a = any (${[1, 2]})`, 'a = any ($1)', [[1, 2]]],
  ['a piece between values', sql`a = ${1} and ${inner} and c = ${3}`, 'a = $1 and b = $2 and c = $3', [1, 'two', 3]],
  ['a piece twice', sql`${inner} or ${inner}`, 'b = $1 or b = $2', ['two', 'two']],
  ['several pieces', sql`in (${sql.join([1, inner, sql`c`])})`, 'in ($1, b = $2, c)', [1, 'two']],
  ['several pieces with another separator', sql.join([inner, sql`c`], sql` and `), 'b = $1 and c', ['two']],
  ['no pieces', sql`(${sql.join([])})`, '()', []],
  ['names', sql`${sql.id('a', 'b.c')} ${sql.ref('a.b')} ${sql.id('a"b')}`, '"a"."b.c" "a"."b" "a""b"', []],
  ['constants', sql`${sql.lit(5)} ${sql.lit("it's")}`, "5 'it''s'", []],
  ['trusted text', sql`${sql.raw('a > 1')} ${1}`, 'a > 1 $1', [1]],
])('compiling %s', (_, piece, text, values) => expect(piece.compile()).toEqual({ text, values }));
