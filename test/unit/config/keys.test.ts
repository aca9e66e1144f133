import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../../src/config.ts';
import { KEY_NOTES, type KeyNote } from '../../../src/config/keys/key-notes.ts';
import { configKeys, keysMeant, keysWith } from '../../../src/config/keys/config-keys.ts';

// The note of each key is tried: its example is accepted, and what it calls a mistake is refused.

const directory = mkdtempSync(path.join(os.tmpdir(), 'calsyncd-keys-'));
const file = path.join(directory, 'calsyncd.yaml');
afterAll(() => rmSync(directory, { recursive: true }));

const SOURCE = { url: 'https://library.example/events.ics' };
const MAIL = { server: 'smtp://mail.example.org', from: 'calendar@town.example' };
const SITES = {
  town: { url: 'builtin' },
  museum: { url: 'https://museum.example/wp-json', namespace: 'tribe/events/v1' },
};
/** What a key needs around it, by the beginning of its path. */
const AROUND: readonly (readonly [prefix: string, around: object])[] = [
  ['sources.NAME.site', { sites: SITES, sources: { NAME: SOURCE } }],
  ['sources.NAME.only[].field', { sources: { NAME: { ...SOURCE, only: [{ matches: 'a' }] } } }],
  ['sources.NAME.only[].matches', { sources: { NAME: { ...SOURCE, only: [{ field: 'title' }] } } }],
  ['sources.NAME.auth.basic', { sources: { NAME: { ...SOURCE, auth: { basic: { username: 'a', password: 'b' } } } } }],
  ['sources.NAME', { sources: { NAME: SOURCE } }],
  ['feeds.NAME.site', { sites: SITES, feeds: { NAME: {} } }],
  ['feeds.NAME.basic', { feeds: { NAME: { basic: { username: 'a', password: 'b' } } } }],
  ['alerts.mail.username', { alerts: { mail: { ...MAIL, password: '${SMTP}' } } }],
  ['alerts.mail.password', { alerts: { mail: { ...MAIL, username: 'calendar' } } }],
  ['alerts.mail', { alerts: { mail: MAIL } }],
  ['alerts.receivers.NAME.token', { alerts: { receivers: { NAME: { ntfy: 'https://ntfy.sh/topic' } } } }],
  [
    'alerts.receivers.NAME.sources',
    { sources: { 'city-library': SOURCE }, alerts: { mail: MAIL, receivers: { NAME: { mail: 'a@b.example' } } } },
  ],
  ['alerts.receivers.NAME.hears', { alerts: { mail: MAIL, receivers: { NAME: { mail: 'a@b.example' } } } }],
  ['alerts.receivers.NAME', { alerts: { mail: MAIL, receivers: { NAME: {} } } }],
  [
    'site.language',
    {
      site: {
        url: 'https://example.org/wp-json',
        username: 'a',
        application_password: '${SITE}',
        language_parameter: 'lang',
        language: 'pl',
      },
    },
  ],
  ['site.', { site: { url: 'https://example.org/wp-json', username: 'a', application_password: '${SITE}' } }],
];
const RECEIVES = /receivers\.NAME\.(?:after|quiet|digest_at|code)$/;

/** A file with little besides one key. */
function fileWith(key: string, value: string): string {
  const found = AROUND.find(([prefix]) => key.startsWith(prefix))?.[1] ?? {};
  const around = structuredClone(found) as Record<string, unknown>;
  let at: Record<string, unknown> = around;
  const parts = key.split('.');
  for (const part of parts.slice(0, -1)) {
    const name = part.replace('[]', '');
    const next = at[name] ?? (part.endsWith('[]') ? [{}] : {});
    at[name] = next;
    at = (Array.isArray(next) ? next[0] : next) as Record<string, unknown>;
  }
  if (RECEIVES.test(key)) at['mail'] = 'clerk@town.example';
  at[parts.at(-1) ?? ''] = parse(value) as unknown;
  return JSON.stringify(around);
}

function problemsWith(key: string, value: string): readonly string[] {
  const text = fileWith(key, value);
  writeFileSync(file, text);
  const variables = [...text.matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name = '']) => name);
  const env = Object.fromEntries(
    variables.map((name) => [name, name === 'HOOK_ADDRESS' ? 'https://hooks.example/a' : 'a-value-of-some-length']),
  );
  return loadConfig({ path: file, env }).problems.map(({ where, message }) => `${where.field}: ${message}`);
}

const keys = configKeys();
const noted = keys.filter(({ takes }) => takes !== 'keys of its own');

test('each key has an example and advice, and nothing else has', () => {
  expect(noted.length).toBeGreaterThan(100);
  expect(noted.filter(({ note }) => !note).map(({ path: name }) => name)).toEqual([]);
  const known = new Set(keys.map(({ path: name }) => name));
  expect(Object.keys(KEY_NOTES).filter((name) => !known.has(name))).toEqual([]);
  expect(Object.values(KEY_NOTES).filter(({ mind, wrong }) => mind === undefined && wrong === undefined)).toEqual([]);
});

describe.each(Object.entries(KEY_NOTES))('%s', (key, { example, wrong }: KeyNote) => {
  test(`takes ${example}`, () => expect(problemsWith(key, example)).toEqual([]));

  test.runIf(wrong !== undefined)(`refuses ${wrong}`, () => {
    const at = key.replaceAll('[]', '.0');
    expect(problemsWith(key, wrong ?? '')).toEqual(
      expect.arrayContaining([expect.stringMatching(`^${at.replaceAll('.', String.raw`\.`)}`)]),
    );
  });
});

test('a name means the key of that path, or all that end in it, with those below', () => {
  const meant = (name: string): readonly string[] => keysMeant(keys, name).map(({ path: found }) => found);
  expect(meant('builtin.brand')).toEqual(['builtin.brand']);
  expect(meant('metrics')).toEqual(['metrics', 'metrics.token', 'metrics.per_source']);
  expect(meant('missing')).toEqual(['', '.action', '.after'].map((below) => `sources.NAME.missing${below}`));
  expect(meant('timezone')).toEqual(['builtin.timezone', 'sources.NAME.timezone']);
  expect(meant('nothing')).toEqual([]);
});

test('a word finds the keys whose names, descriptions or values contain it', () => {
  const found = (word: string): readonly string[] => keysWith(keys, word).map(({ path: at }) => at);
  expect(found('Megabytes')).toEqual(['fetch.max_megabytes']);
  expect(found('visitors')).toContain('builtin.suggestions');
  expect(found('trash')).toContain('sources.NAME.missing.action');
  expect(found('xylophone')).toEqual([]);
  expect(found('a')).toEqual([]);
});

test('a cron expression may have a sixth field, and the advice says so', () => {
  writeFileSync(file, 'sources: { town: { url: "https://town.example/a.ics", cron: "*/30 * * * * *" } }\n');
  expect(loadConfig({ path: file, env: {} }).problems).toEqual([]);
  expect(KEY_NOTES['sources.NAME.cron']?.mind).toContain('A sixth field in front is the second');
});
