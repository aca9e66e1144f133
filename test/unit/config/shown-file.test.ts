import { describe, expect, test } from 'vitest';
import { lineDifference } from '../../../src/config/change/line-difference.ts';
import { maskSecrets } from '../../../src/config/change/mask-secrets.ts';

describe('a file that is shown tells no secret', () => {
  test.each([
    ['site: { url: "https://a.example/wp-json", username: a, application_password: s3cret word }'],
    ['sources:\n  a:\n    url: https://a.example/a.ics\n    auth: { basic: { username: u, password: "s3cret" } }'],
    ['sources:\n  a:\n    url: https://a.example/a.ics\n    auth:\n      headers:\n        X-Any: s3cret'],
    ['sources:\n  a:\n    url: https://user:s3cret@a.example/a.ics'],
    ['sources:\n  a:\n    url: https://a.example/a.ics?key=s3cret'],
    ['feeds:\n  a:\n    secret: |\n      s3cret-s3cret-s3cret\nbuiltin: { title: T }'],
    ['feeds: { a: { secret: "${NAME:-s3cret-of-the-default}" } }'],
    // Files that cannot be read.
    ['site:\n  application_password: s3cret\n  username: [a'],
    ['site:\n  aplication_password: s3cret\n  url: builtin'],
    ['sources:\n  a:\n    auth:\n      headers:\n        X-Any: s3cret\n   url: 3'],
    ['sources: { a: { url: 3, auth: { bearer: s3cret, basic: { username: u, password: s3cret } } }'],
    ['alerts:\n  webhook: "https://hooks.example/s3cret'],
    ['alerts:\n  webhook:\n    https://hooks.example/s3cret\n  x: {'],
  ])('%s', (text) => {
    const masked = maskSecrets(text);
    expect(masked).not.toContain('s3cret');
    expect(masked.split('\n').length).toBe(text.split('\n').length);
  });

  test('and shows all the rest, also the name of the variable that has one', () => {
    const text =
      '# The town\nsite: { url: "https://a.example/wp-json", username: ' +
      'a, application_password: "${WP_PASSWORD}" }\nsources:\n  library: ' +
      '{ url: https://a.example/a.ics, title: 3 }\n';
    expect(maskSecrets(text)).toBe(text);
    expect(maskSecrets('alerts: { webhook: "https://hooks.example/1" } # ours')).toBe(
      'alerts: { webhook: •••••• } # ours',
    );
  });
});

const shown = (before: string, after: string): readonly string[] =>
  lineDifference(before, after).map(
    ({ kind, text, number }) => `${{ same: ' ', gone: '-', new: '+' }[kind]}${number} ${text}`,
  );

describe('the difference of two texts', () => {
  test.each([
    ['a\nb\nc', 'a\nb\nc', [' 1 a', ' 2 b', ' 3 c']],
    ['a\nb\nc', 'a\nx\nc', [' 1 a', '-2 b', '+2 x', ' 3 c']],
    ['a\nb\nc', 'a\nc', [' 1 a', '-2 b', ' 2 c']],
    ['a\nc', 'a\nb\nc', [' 1 a', '+2 b', ' 3 c']],
    ['a\nb\nc\nd\ne', 'x\nb\nd\ny\ne', ['-1 a', '+1 x', ' 2 b', '-3 c', ' 3 d', '+4 y', ' 5 e']],
  ])('%j and %j', (before, after, lines) => expect(shown(before, after)).toEqual(lines));

  test('gives both texts back, whatever they are', () => {
    const texts = ['', 'a', 'a\n', 'a\nb\na\nb', 'b\na\nb', 'a\na\na', 'x\na\ny\nb'];
    for (const before of texts)
      for (const after of texts) {
        const lines = lineDifference(before, after);
        const without = (kind: string): string =>
          lines
            .filter((line) => line.kind !== kind)
            .map(({ text }) => text)
            .join('\n');
        expect([without('new'), without('gone')]).toEqual([before, after]);
      }
  });
});
