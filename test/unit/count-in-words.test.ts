import { expect, test } from 'vitest';
import { countInWords } from '../../src/count-in-words.ts';

test.each([
  [countInWords(0, 'event'), '0 events'],
  [countInWords(1, 'event'), '1 event'],
  [countInWords(2, 'event'), '2 events'],
  [countInWords(1, 'good fetch', 'good fetches'), '1 good fetch'],
  [countInWords(2, 'good fetch', 'good fetches'), '2 good fetches'],
])('%s', (words, expected) => expect(words).toBe(expected));
