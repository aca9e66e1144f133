import { describe, expect, test } from 'vitest';
import { maskSecrets } from '../../../src/config/change/mask-secrets.ts';

describe('a configuration file is shown without its secrets', () => {
  test.each([
    ['site: { url: "https://a.example/wp-json", username: a, application_password: s3cret word }'],
    ['sources:\n  a:\n    url: https://a.example/a.ics\n    auth: { basic: { username: u, password: "s3cret" } }'],
    ['sources:\n  a:\n    url: https://a.example/a.ics\n    auth:\n      headers:\n        X-Any: s3cret'],
    ['sources:\n  a:\n    url: https://user:s3cret@a.example/a.ics'],
    ['sources:\n  a:\n    url: https://a.example/a.ics?key=s3cret'],
    ['feeds:\n  a:\n    secret: |\n      s3cret-s3cret-s3cret\nbuiltin: { title: T }'],
    ['feeds: { a: { secret: "${NAME:-s3cret-of-the-default}" } }'],
    // Files with mistakes.
    ['site:\n  application_password: s3cret\n  username: [a'],
    ['site:\n  aplication_password: s3cret\n  url: builtin'],
    ['sources:\n  a:\n    auth:\n      headers:\n        X-Any: s3cret\n   url: 3'],
    ['sources: { a: { url: 3, auth: { bearer: s3cret, basic: { username: u, password: s3cret } } }'],
    ['sources: { a: { url: 3, auth: { headers: { "X Any": a, X-Any: s3cret }, basic: s3cret } } }'],
    ['sources: { a: { url: 3, auth: [a, s3cret], every: 1h } }'],
    ['alerts:\n  webhook: "https://hooks.example/s3cret'],
    ['sources:\n  a:\n    url: user:s3cret@a.example/a.ics'],
    ["sources: { a: { url: 'user:s3cret@a.example/a.ics' }, b: { url: user:s3cret@a.example/b.ics } }"],
    ['alerts:\n  webhook:\n    https://hooks.example/s3cret\n  x: {'],
  ])('%s', (text) => {
    const masked = maskSecrets(text);
    expect(masked).not.toContain('s3cret');
    expect(masked.split('\n').length).toBe(text.split('\n').length);
  });

  test('and with all the rest, including the names of variables', () => {
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
