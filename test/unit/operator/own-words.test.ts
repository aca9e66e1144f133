import { expect, test } from 'vitest';
import { ownWords, withWords } from '../../../src/operator/frame/own-words.ts';

const asked = (path: string, token = 'a token of this browser'): Parameters<typeof ownWords>[0] => ({
  caller: { token } as Parameters<typeof ownWords>[0]['caller'],
  url: new URL(`http://town.example/operator${path}`),
});
const SENTENCE = 'This event is in no conflict any more. <Nothing> & "nobody" 100 %.';

test.each(['/conflicts/', '/conflicts/?source=town'])('a sentence of ours is shown at %s', (path) => {
  const to = withWords(asked('/'), path, SENTENCE);
  expect(to).toMatch(/^\/conflicts\/\?(?:source=town&)?refused=/);
  expect(ownWords(asked(to))).toBe(SENTENCE);
});

test.each<[what: string, path: string]>([
  ['bare', '/conflicts/?refused=Your+account+is+closed.+Call+0900+1234'],
  ['with an empty seal', '/conflicts/?refused=Call+us&seal='],
  [
    'with the seal of another one',
    withWords(asked('/'), '/conflicts/', SENTENCE).replace(/refused=[^&]+/, 'refused=Call'),
  ],
  ['made in another browser', withWords(asked('/', 'theirs'), '/conflicts/', SENTENCE)],
  ['that is empty', withWords(asked('/'), '/conflicts/', '')],
])('a sentence %s is not', (_, path) => {
  expect(ownWords(asked(path))).toBeUndefined();
});
