import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rateLimited } from '../../../src/queue/backend.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a repeated error of a queue is reported once a minute, and a new one at once', () => {
  const told: string[] = [];
  const report = rateLimited(({ message }) => told.push(message));
  for (let second = 0; second < 120; second += 1) {
    report(new Error('refused'));
    report(new Error('refused'));
    vi.advanceTimersByTime(1_000);
  }
  expect(told).toEqual(['refused', 'refused']);
  report(new Error('full'));
  report(new Error('refused'));
  expect(told).toEqual(['refused', 'refused', 'full']);
});
