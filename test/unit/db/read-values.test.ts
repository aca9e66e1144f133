import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { instantFromText, integersFromText, VALUE_TYPES } from '../../../src/db/read-values.ts';

const { INT8, TIMESTAMPTZ, INT4, TEXT } = pg.types.builtins;
const INT4_LIST = 1007;
/** As node-postgres reads it by itself. */
const asUsual = (oid: number, text: string): unknown => pg.types.getTypeParser(oid, 'text')(text);

const read = (oid: number, text: string): unknown => VALUE_TYPES.getTypeParser(oid, 'text')(text);

const pad = (number: number, digits = 2): string => String(number).padStart(digits, '0');
const inUtc = (at: Date): string =>
  `${pad(at.getUTCFullYear(), 4)}-${pad(at.getUTCMonth() + 1)}-${pad(at.getUTCDate())} ` +
  `${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}:${pad(at.getUTCSeconds())}`;

describe('an instant', () => {
  it('is read as node-postgres reads it', () => {
    const instant = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    const fraction = fc.constantFrom('', '.5', '.123', '.123456');
    const zone = fc.constantFrom('+00', '+00', '+01', '-03:30', '+05:45');
    fc.assert(
      fc.property(instant, fraction, zone, (at, digits, offset) => {
        const text = `${inUtc(at)}${digits}${offset}`;
        expect(instantFromText(text)).toEqual(asUsual(TIMESTAMPTZ, text));
      }),
    );
  });

  it.each([
    ['2027-01-10 17:00:00+00', '2027-01-10T17:00:00.000Z'],
    ['2027-01-10 17:00:00.25+00', '2027-01-10T17:00:00.250Z'],
    ['2027-01-10 17:00:00+05:30', '2027-01-10T11:30:00.000Z'],
    ['0027-01-10 17:00:00+00', '0027-01-10T17:00:00.000Z'],
    ['0001-12-31 00:00:00+00 BC', '0000-12-31T00:00:00.000Z'],
    ['10000-01-01 00:00:00+00', '+010000-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(instantFromText(text).toISOString()).toBe(iso);
  });
});

it('a list of integers is read as node-postgres reads it', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.integer(), fc.constant(null))), (list) => {
      const text = `{${list.map((one) => one ?? 'NULL').join()}}`;
      expect(integersFromText(text)).toEqual(asUsual(INT4_LIST, text));
    }),
  );
});

it('every other type is read as node-postgres reads it, and a bigint as a number', () => {
  expect([read(INT8, '12'), read(INT4, '12'), read(TEXT, '12')]).toEqual([12, 12, '12']);
  expect(VALUE_TYPES.getTypeParser(INT4, 'binary')).toBe(pg.types.getTypeParser(INT4, 'binary'));
});
