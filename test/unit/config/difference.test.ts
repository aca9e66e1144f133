import { describe, expect, test } from 'vitest';
import { readConfig, type Config } from '../../../src/config.ts';
import {
  differenceInWords,
  differenceOf,
  isNoDifference,
  KEYS,
  withRestartSettingsOf,
} from '../../../src/config/change/difference.ts';

const configOf = (yaml: string, env: Readonly<Record<string, string>> = {}): Config => {
  const { value, problems } = readConfig('/etc/calsyncd.yaml', Buffer.from(yaml), env);
  if (!value) throw new Error(problems.map(({ message }) => message).join('\n'));
  return value;
};

const source = (name: string, more = ''): string => `  ${name}: { url: "https://${name}.example/a.ics"${more} }\n`;
const A = `sources:\n${source('theatre')}${source('cinema')}`;

const said = (before: string, after: string): string =>
  differenceInWords(differenceOf(configOf(before), configOf(after)));

describe('the difference of two configurations', () => {
  test.each([
    ['nothing changed', A, `# a remark\n${A}`],
    ['nothing changed', A, `sources:\n${source('cinema')}${source('theatre')}`],
    ['1 source new', A, `${A}${source('library')}`],
    ['1 source removed', A, `sources:\n${source('cinema')}`],
    [
      '1 source renamed',
      A,
      `sources:\n${source('cinema')}  stage: { url: "https://theatre.example/a.ics", was: theatre }\n`,
    ],
    [
      '2 sources changed, 1 new',
      A,
      `sources:\n${source('theatre', ', every: 5m')}${source('cinema', ', paused: true')}${source('library')}`,
    ],
    [
      '1 feed new; builtin.title and fetch.contact changed',
      A,
      `${A}feeds: { jazz: {} }\nbuiltin: { title: Town }\nfetch: { contact: me@town.example }\n`,
    ],
    [
      'alerts.webhook changed',
      `${A}alerts: { webhook: "https://a.example/1" }\n`,
      `${A}alerts: { webhook: "https://a.example/2" }\n`,
    ],
    ['1 site changed', `site: { url: builtin, requests_in_flight: 3 }\n${A}`, A],
  ])('%s', (words, before, after) => expect(said(before, after)).toBe(words));

  test('names the changed keys of a source, and notices a changed secret without showing it', () => {
    const withPassword = (password: string): string =>
      `sources:\n${source('theatre', `, auth: { bearer: ${password} }, every: 5m`)}${source('cinema')}`;
    const difference = differenceOf(configOf(withPassword('first-secret')), configOf(withPassword('second-secret')));
    expect(difference.sources.changed).toEqual([{ name: 'theatre', keys: ['auth'] }]);
    expect(JSON.stringify(difference)).not.toContain('secret');
    expect(said(withPassword('same'), withPassword('same'))).toBe('nothing changed');
    expect(differenceOf(configOf(A), configOf(withPassword('first-secret'))).sources.changed).toEqual([
      { name: 'theatre', keys: ['schedule', 'auth'] },
    ]);
  });

  test('says what needs a restart, and does not apply until then', () => {
    const [before, after] = [
      configOf(A, { PORT: '8080' }),
      configOf(`sources:\n${source('cinema')}`, { PORT: '9090', REDIS_URL: 'redis://a:1' }),
    ];
    const difference = differenceOf(before, after);
    expect(differenceInWords(difference)).toBe('1 source removed; the port and the queue need a restart');
    const taken = withRestartSettingsOf(before, after);
    expect([taken.port, taken.redisUrl, taken.sources]).toEqual([8080, undefined, after.sources]);
    expect(differenceInWords(differenceOf(before, taken))).toBe('1 source removed');
    expect(differenceInWords(differenceOf(taken, after))).toBe('the port and the queue need a restart');
  });

  test('is empty between a configuration and itself', () => {
    const full = `${A}feeds: { jazz: { secret: abcdefghijklmnopqrst, window: { past: 3d } } }\nbuiltin: { currency: { symbol: zł } }\n`;
    expect(isNoDifference(differenceOf(configOf(full), configOf(full)))).toBe(true);
    expect(isNoDifference(differenceOf(configOf(full), configOf(A)))).toBe(false);
  });

  test('knows each key of a configuration', () =>
    expect(Object.keys(KEYS).toSorted()).toEqual(Object.keys(configOf(A)).toSorted()));
});
