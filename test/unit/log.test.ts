import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../../src/log.ts';
import { redact } from '../../src/redact.ts';

const logged = (...of: Parameters<typeof written>): unknown[] => written(...of).map((line) => JSON.parse(line));

/** The lines of a log as they are written. */
function written(
  level: Parameters<typeof createLogger>[0],
  say: (log: ReturnType<typeof createLogger>) => void,
): readonly string[] {
  const lines: string[] = [];
  say(
    createLogger(
      level,
      new Writable({
        write: (chunk, _encoding, done) => {
          lines.push(String(chunk));
          done();
        },
      }),
    ),
  );
  return lines;
}

describe('the logger', () => {
  test('writes one JSON value per line, with the level as a word', () => {
    const lines = logged('info', (log) => log.info({ source: 'library', run: '7', created: 3 }, 'run done'));
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        source: 'library',
        run: '7',
        created: 3,
        msg: 'run done',
      },
    ]);
  });

  test('is silent below its level', () =>
    expect(
      logged('warn', (log) => {
        log.info('no');
        log.warn('yes');
      }),
    ).toHaveLength(1));

  test('logs an error with its cause, without the secrets in either', () => {
    const error = new Error('login failed', { cause: new Error('connect to postgres://me:hunter2@db:5432/app') });
    const text = JSON.stringify(logged('info', (log) => log.error({ error }, 'database')));
    expect(text).toContain('login failed');
    expect(text).toContain('postgres://[secret]@db:5432/app');
    expect(text).not.toContain('hunter2');
  });

  test('escapes control characters from feeds, for terminals that show the log', () =>
    expect(written('info', (log) => log.info({ title: '\u001b[31m\u009b31m\u202ered' }, 'read'))).toEqual([
      expect.stringContaining(String.raw`"title":"\u001b[31m\u009b31m\u202ered"`),
    ]));

  test('redacts secrets at any depth, and in texts', () => {
    const headers = { Authorization: 'Basic aHVudGVyMg==', cookie: ['hunter2'], accept: 'text/calendar' };
    const lines = logged('info', (log) =>
      log.info(
        {
          auth: { basic: { password: 'hunt"er2' } },
          request: { headers },
          application_password: 'hunter2',
          token: { value: { of: 'hunter2' } },
        },
        'asked https://clerk:hunter2@town.example/',
      ),
    );
    expect(JSON.stringify(lines)).not.toMatch(/hunt|aHVu/);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'asked https://[secret]@town.example/',
        request: { headers: { Authorization: '[secret]', cookie: '[secret]', accept: 'text/calendar' } },
      }),
    ]);
  });
});

test.each([
  ['https://user:pass@example.org/a.ics', 'https://[secret]@example.org/a.ics'],
  ['https://user:p@ss@example.org/a.ics?to=a@b', 'https://[secret]@example.org/a.ics?to=a@b'],
  ['https://user:pa/ss@example.org/a.ics', 'https://[secret]@example.org/a.ics'],
  ['https://user:pa?s#s@example.org/a.ics', 'https://[secret]@example.org/a.ics'],
  ['https://example.org:8443/calendar/a@b/c.ics', 'https://example.org:8443/calendar/a@b/c.ics'],
  ['https://example.org/?contact=a:1@b', 'https://example.org/?contact=a:1@b'],
  ['webcal://token@example.org/a.ics?x=1', 'webcal://[secret]@example.org/a.ics?x=1'],
  ['https://example.org/a.ics?token=abc&x=1', 'https://example.org/a.ics?token=[secret]&x=1'],
  ['https://example.org/a.ics?x=1&access_token=abc#f', 'https://example.org/a.ics?x=1&access_token=[secret]#f'],
  [
    'https://calendar.google.com/calendar/ical/a%40b/private-0a1b2c/basic.ics',
    'https://calendar.google.com/calendar/ical/a%40b/private-[secret]/basic.ics',
  ],
  ['sent Authorization: Bearer abc.def.ghi to it', 'sent Authorization: Bearer [secret] to it'],
  ['Basic training, Token of love', 'Basic training, Token of love'],
  ['mail me@example.org', 'mail me@example.org'],
])('%s is logged as %s', (text, expected) => expect(redact(text)).toBe(expected));
