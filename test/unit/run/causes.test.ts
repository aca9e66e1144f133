import { expect, test } from 'vitest';
import { causeInWords } from '../../../src/run/state/causes.ts';

test.each([
  [{ kind: 'settle', events: 1 } as const, 'settle 1 event'],
  [{ kind: 'settle', events: 3 } as const, 'settle 3 events'],
  [{ kind: 'settle', of: 'jazz-abcd', winner: 'feed' } as const, 'settle jazz-abcd for the feed'],
  [{ kind: 'undo', of: 'town-20270115T120000-0a1b2c' } as const, 'undo of town-20270115T120000-0a1b2c'],
  [{ kind: 'adopt' } as const, 'adopt'],
])('the cause %o in words', (cause, words) => expect(causeInWords(cause)).toBe(words));
