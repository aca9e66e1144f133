import { expect, test } from 'vitest';
import { statusesInWords, trafficOf } from '../../../src/run/log/traffic.ts';

test('each request and each answer is counted once', () => {
  const statuses: Record<string, number> = { 200: 4 };
  let sent = 4;
  const take = trafficOf({ requests: () => sent, statuses: () => ({ ...statuses }) });
  expect(take()).toEqual({ requests: 0, statuses: {} });
  sent = 7;
  statuses['200'] = 5;
  statuses['none'] = 1;
  expect(take()).toEqual({ requests: 3, statuses: { 200: 1, none: 1 } });
  statuses['503'] = 1;
  expect(take()).toEqual({ requests: 0, statuses: { 503: 1 } });
});

test('answers are listed by their status', () => {
  expect(statusesInWords({ 503: 2, 200: 31, none: 1 })).toBe('31 × 200, 2 × 503, 1 without an answer');
  expect(statusesInWords({})).toBe('');
});
