import { expect, test } from 'vitest';
import { wrongInstants, ZONES } from '../support/zone-check.ts';

// Computes for half a minute.
test('the VTIMEZONE of every IANA zone has the right offsets from 1990 to 2035', () => {
  const wrong = ZONES.flatMap((zone) => wrongInstants(zone, Date.UTC(1990, 0, 1), Date.UTC(2035, 11, 31)));
  expect(wrong).toEqual([]);
});
