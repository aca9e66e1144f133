import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'calsyncd-receivers-'));
const file = path.join(directory, 'calsyncd.yaml');
afterAll(() => rmSync(directory, { recursive: true }));

const MAIL = 'mail: { server: "smtp://mail.example:587", from: calendar@town.example }';

function load(
  alerts: string,
  env: Record<string, string> = { X: 'https://x.example/hunter2', CODE: 'hunter2-hunter2' },
) {
  writeFileSync(file, `sources: { city-library: { url: file:a.ics } }\nalerts:\n${alerts.replace(/^/gm, '  ')}\n`);
  return loadConfig({ path: file, env });
}

const said = (alerts: string): readonly string[] => {
  const { problems, warnings } = load(alerts);
  return [...problems, ...warnings].map(
    ({ code, message, where }) => `${where.line}:${where.column} ${code} ${message}`,
  );
};

describe('receivers', () => {
  test('one with only an address hears of everything at once, but gets no digest', () => {
    expect(load(`${MAIL}\nreceivers:\n  clerk: { mail: clerk@town.example }`).value?.alerts).toEqual({
      webhook: undefined,
      mail: {
        server: 'smtp://mail.example:587',
        from: 'calendar@town.example',
        username: undefined,
        password: undefined,
      },
      receivers: [
        {
          name: 'clerk',
          channel: 'mail',
          address: expect.anything() as unknown,
          token: undefined,
          hears: ['failing', 'held', 'conflict', 'stale', 'late', 'handed-in', 'suggestions', 'backup', 'recovered'],
          sources: [],
          afterMs: 0,
          quiet: undefined,
          digestAt: 480,
          code: undefined,
        },
      ],
    });
  });

  test('one may limit kinds, sources and hours, or get a digest', () => {
    const yaml =
      'receivers:\n  boss: { slack: "${X}", hears: failing, sources: city-library, after: ' +
      '24h, quiet: "22:00-07:00" }\n  phone: { ntfy: "${X}", hears: [digest], digest_at: "7:30" }';
    expect(load(yaml).value?.alerts.receivers).toMatchObject([
      {
        channel: 'slack',
        hears: ['failing'],
        sources: ['city-library'],
        afterMs: 86_400_000,
        quiet: { from: 1320, to: 420 },
      },
      { channel: 'ntfy', hears: ['digest'], digestAt: 450 },
    ]);
  });

  test('printing them shows no addresses or codes', () => {
    const { value } = load('receivers: { office: { teams: "${X}", code: "${CODE}" } }');
    expect(JSON.stringify(value) + inspect(value, { depth: null, showHidden: true })).not.toContain('hunter2');
    expect(value?.alerts.receivers[0]?.code?.reveal()).toBe('hunter2-hunter2');
  });

  test.each<[string, readonly string[]]>([
    [
      'receivers: { clerk: { mail: clerk@town.example } }',
      ['3:31 config-missing Nothing says how mails are sent: add server and from under alerts.mail.'],
    ],
    [
      `${MAIL}\nreceivers: { clerk: { mail: "Clerk <clerk@town.example>" } }`,
      [
        '4:31 config-value Expected a mail address such as clerk@town.example, found "Clerk <clerk@town.example>". Write clerk@town.example alone.',
      ],
    ],
    [
      'receivers: { office: { hears: [failing] } }',
      ['3:24 config-missing Expected an address under one of the keys mail, ntfy, webhook, slack, teams.'],
    ],
    [
      'receivers: { office: { slack: "${X}", teams: "${X}" } }',
      [
        '3:48 config-both Expected only one of mail, ntfy, webhook, slack, teams, found slack and teams. Write another receiver for the second.',
      ],
    ],
    [
      'receivers: { office: { slack: "${X}", hears: [faling] } }',
      [expect.stringMatching(/^3:49 config-value Expected .* found "faling"\. Did you mean "failing"\?$/) as string],
    ],
    [
      'receivers: { office: { slack: "${X}", sources: [city-libary] } }',
      ['3:51 config-value There is no source "city-libary". Did you mean "city-library"?'],
    ],
    [
      'receivers: { office: { slack: "${X}", quiet: 22-7, digest_at: "8 pm" } }',
      [
        '3:48 config-value Expected hours of the day such as 22:00-07:00, found "22-7".',
        '3:65 config-value Expected a time of the day such as 08:00, found "8 pm". Write "20:00".',
        '3:65 config-unused It hears no digest, so this is not used: add digest to hears.',
      ],
    ],
    [
      'receivers: { office: { slack: "${X}", token: "${X}", code: "${SHORT:-abc}" } }',
      [
        '3:62 config-value Expected at least 8 characters, hard to guess: with it one decides what the site shows.',
        '3:48 config-unused Only ntfy takes a token: it is not used.',
      ],
    ],
    [
      'receivers: { office: { slack: "${X}", hears: [failing, suggestions], sources: [city-library] } }',
      [
        expect.stringMatching(
          /config-unused Events that people submit or suggest belong to no source, .* is not notified of them: suggestions\.$/,
        ) as string,
      ],
    ],
    [
      'mail: { server: mail.example:465, from: calendar@town.example, username: me }',
      [
        '3:9 config-missing Expected username and password together.',
        '3:19 config-value Expected the address of a mail server such as smtp://mail.example.org:587 or ' +
          'smtps://mail.example.org, found "mail.example:465". Write smtps://mail.example:465 instead.',
      ],
    ],
    [
      'mail: { server: "smtp://me:word@mail.example", from: "a@b@c" }',
      [
        expect.stringMatching(/Write the user as username and the password as password beside it\.$/) as string,
        '3:56 config-value Expected a mail address such as clerk@town.example, found "a@b@c".',
      ],
    ],
  ])('%s', (alerts, expected) => expect(said(alerts)).toEqual(expected));
});
