import { expect, test } from 'vitest';
import { FIRST_WAIT_MS, nextAfter, WRITE_ATTEMPTS } from '../../../src/run/write/attempts.ts';
import { DAY_MS } from '../../../src/time.ts';

const open = { open: 3, because: 'busy' };

test.each([
  ['ten minutes', 600_000, 600_000],
  ['no time', 0, FIRST_WAIT_MS],
  ['years', 50 * 365 * DAY_MS, DAY_MS],
  ['an infinite time', Infinity, DAY_MS],
])('a site that asks for %s is left alone for a reasonable time', (_, retryAfterMs, afterMs) =>
  expect(nextAfter({ ...open, retryAfterMs }, 1)).toEqual({ kind: 'again', afterMs, because: 'busy', ofSite: true }),
);

test('a site that asks for no time is tried again after longer and longer waits, until it is given up', () => {
  const waits = Array.from({ length: WRITE_ATTEMPTS }, (_, before) =>
    nextAfter({ ...open, retryAfterMs: undefined }, before + 1),
  );
  expect(waits.map((next) => ('afterMs' in next ? next.afterMs : next.kind))).toEqual([
    1_000,
    2_000,
    4_000,
    8_000,
    16_000,
    'given-up',
  ]);
});
