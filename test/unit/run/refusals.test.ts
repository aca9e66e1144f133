import { expect, test } from 'vitest';
import { adviceOn } from '../../../src/run/discover/refusals.ts';

test('an address without a scheme is tried with https, so a server without it is reached by writing http', () => {
  expect(adviceOn('feed-not-tls', 'https://intranet.example:8080/events.ics')).toContain(
    'begin the address with http://',
  );
});
