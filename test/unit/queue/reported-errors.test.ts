import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rateLimited } from '../../../src/queue/backend.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what a queue reports again and again is told once a minute, and what is new within a second', () => {
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
