import { afterEach, expect, test, vi } from 'vitest';
import { canRedraw } from '../../../src/cli/terminal/screen.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['xterm-256color', true, true],
  ['dumb', true, false],
  ['xterm-256color', false, false],
] as const)('TERM=%s, on a terminal: %s: lines can be redrawn: %s', (term, isTTY, expected) => {
  vi.stubEnv('TERM', term);
  expect(canRedraw({ isTTY })).toBe(expected);
});
