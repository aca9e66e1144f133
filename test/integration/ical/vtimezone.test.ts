import { expect, test } from 'vitest';
import { wrongInstants, ZONES } from '../../support/zone-check.ts';

// Here for its half minute only: it needs no database.
test('every IANA zone has its offsets from 1990 to 2035', { timeout: 300_000 }, () => {
  const wrong = ZONES.flatMap((zone) => wrongInstants(zone, Date.UTC(1990, 0, 1), Date.UTC(2035, 11, 31)));
  expect(wrong).toEqual([]);
});
