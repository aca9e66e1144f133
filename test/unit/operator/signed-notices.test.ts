import { expect, test } from 'vitest';
import { noticeOf, withNotice } from '../../../src/operator/frame/signed-notices.ts';

const asked = (path: string, token = 'a token of this browser'): Parameters<typeof noticeOf>[0] => ({
  caller: { token } as Parameters<typeof noticeOf>[0]['caller'],
  url: new URL(`http://town.example/operator${path}`),
});
const SENTENCE = 'This event is in no conflict any more. <Nothing> & "nobody" 100 %.';

test.each(['/conflicts/', '/conflicts/?source=town'])('a sealed sentence is shown at %s', (path) => {
  const to = withNotice(asked('/'), path, SENTENCE);
  expect(to).toMatch(/^\/conflicts\/\?(?:source=town&)?refused=/);
  expect(noticeOf(asked(to))).toBe(SENTENCE);
});

test.each<[what: string, path: string]>([
  ['without a seal', '/conflicts/?refused=Your+account+is+closed.+Call+0900+1234'],
  ['with an empty seal', '/conflicts/?refused=Call+us&seal='],
  [
    'with the seal of another one',
    withNotice(asked('/'), '/conflicts/', SENTENCE).replace(/refused=[^&]+/, 'refused=Call'),
  ],
  ['made in another browser', withNotice(asked('/', 'theirs'), '/conflicts/', SENTENCE)],
  ['that is empty', withNotice(asked('/'), '/conflicts/', '')],
])('a sentence %s is not shown', (_, path) => {
  expect(noticeOf(asked(path))).toBeUndefined();
});
