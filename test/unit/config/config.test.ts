import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../../src/config/from-environment.ts';
import { loadConfig } from '../../../src/config.ts';
import type { SourceConfig } from '../../../src/config/config.ts';
import { revealAll } from '../../../src/config/secret.ts';
import { schemaText } from '../../../src/config/write-schema.ts';
import { sourceKey } from '../../../src/sync/model/slug.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'calsyncd-config-'));
const file = path.join(directory, 'calsyncd.yaml');
afterAll(() => rmSync(directory, { recursive: true }));

function load(text: string, env: Record<string, string> = {}): ReturnType<typeof loadConfig> {
  writeFileSync(file, text);
  return loadConfig({ path: file, env });
}

/** Problems as `line:column code message`. */
const problemsOf = (text: string, env: Record<string, string> = {}): string[] =>
  load(text, env).problems.map(
    ({ code, message, where }) => `${where.line ?? '-'}:${where.column ?? '-'} ${code} ${message}`,
  );

function valueOf(text: string, env: Record<string, string> = {}): NonNullable<ReturnType<typeof loadConfig>['value']> {
  const { value, problems } = load(text, env);
  if (!value) throw new Error(JSON.stringify(problems));
  return value;
}

const source = (lines: string): string =>
  `sources:\n  a:\n    url: https://a.example/a.ics\n${lines.replace(/^/gm, '    ')}\n`;
const sourceOf = (lines: string, env: Record<string, string> = {}) =>
  valueOf(source(lines), env).sources[0] as SourceConfig;

describe('an empty file', () => {
  test.each(['', '# nothing\n', '{}\n', 'sources:\nfeeds:\n'])('%j configures only the built-in site', (text) => {
    expect(valueOf(text)).toEqual({
      file,
      port: 8080,
      host: '127.0.0.1',
      dataDir: path.resolve('data'),
      databaseUrl: undefined,
      redisUrl: undefined,
      traces: undefined,
      logLevel: 'info',
      sites: {
        site: {
          name: 'site',
          url: 'builtin',
          namespace: 'calendar/events/v1',
          username: undefined,
          applicationPassword: undefined,
          language: undefined,
          languageParameter: undefined,
          requestsInFlight: 4,
          fullEveryMs: 86_400_000,
        },
      },
      builtin: {
        title: 'Calendar',
        description: '',
        timezone: 'UTC',
        languages: ['en', 'pl'],
        publicUrl: '',
        suggestions: false,
        trashDays: 30,
        namespaceAlias: undefined,
        currency: { symbol: '$', position: 'prefix' },
      },
      sources: [],
      feeds: [],
      alerts: { webhook: undefined, mail: undefined, receivers: [] },
      operator: { allowAddresses: [], trustedProxies: [], environment: [] },
      backup: { schedule: undefined, keep: 7, folder: undefined },
      metrics: { token: undefined, perSource: false },
      fetch: {
        contact: undefined,
        allowAddresses: [],
        allowFiles: [directory, path.resolve('data/uploads')],
        bytesMax: 50_000_000,
      },
    });
  });
});

describe('a source', () => {
  test('with only an address has the defaults', () => {
    expect(sourceOf('')).toEqual({
      name: 'a',
      was: undefined,
      site: 'site',
      publisher: undefined,
      url: 'https://a.example/a.ics',
      format: undefined,
      schedule: { everyMs: 3_600_000 },
      language: undefined,
      window: { pastMs: 30 * 86_400_000, futureMs: 540 * 86_400_000 },
      drafts: {
        timezone: undefined,
        utcTimes: 'local',
        status: 'publish',
        categories: { map: {}, add: [], unknown: 'create', words: {} },
        tags: { map: {}, words: {}, add: [] },
        defaultVenue: undefined,
        venueAliases: {},
        defaultOrganizer: undefined,
        organizerAliases: {},
        set: [],
        only: [],
        skip: [],
        columns: {},
      },
      authority: { default: 'preserve', fields: {} },
      missing: { action: 'trash', after: 3 },
      hold: { share: 0.2, moreThan: 3 },
      auth: { headers: {} },
      paused: false,
      ownFeed: false,
    });
  });

  test.each([
    ['every: 15m', { schedule: { everyMs: 900_000 } }],
    ['utc_times: utc', { drafts: { utcTimes: 'utc' } }],
    ['every: 90s', { schedule: { everyMs: 90_000 } }],
    [
      'set: [{ when: [{ field: title, matches: jazz }], add_tags: music, featured: true }]',
      {
        drafts: {
          set: [
            {
              when: [{ field: 'title', matches: 'jazz' }],
              only_where_empty: false,
              add_tags: ['music'],
              featured: true,
            },
          ],
        },
      },
    ],
    [
      'categories: { words: { Music: [jazz, live band] } }\nvenue: { aliases: { Rathaus: Town Hall } }\norganizer: { default: Town }',
      {
        drafts: {
          categories: { map: {}, add: [], unknown: 'create', words: { Music: ['jazz', 'live band'] } },
          venueAliases: { Rathaus: 'Town Hall' },
          defaultOrganizer: 'Town',
        },
      },
    ],
    ['every: 1w', { schedule: { everyMs: 604_800_000 } }],
    [
      'cron: "*/15  6-22 * * MON-fri"\ntimezone: Europe/Warsaw',
      { schedule: { cron: '*/15 6-22 * * mon-fri', timezone: 'Europe/Warsaw' } },
    ],
    ['cron: 0 30 4 1,15 * *', { schedule: { cron: '0 30 4 1,15 * *', timezone: 'UTC' } }],
    ['window: { past: 7d }', { window: { pastMs: 7 * 86_400_000, futureMs: 540 * 86_400_000 } }],
    ['authority: site', { authority: { default: 'site', fields: {} } }],
    [
      'authority: { title: feed, description: site }',
      { authority: { default: 'preserve', fields: { title: 'feed', description: 'site' } } },
    ],
    ['missing: { after: 1 }', { missing: { action: 'trash', after: 1 } }],
    ['hold: { share: 12.5%, more_than: 0 }', { hold: { share: 0.125, moreThan: 0 } }],
    [
      'categories: { map: { Concert: Music, 2027: Year }, add: Library, unknown: ignore }',
      { drafts: { categories: { map: { Concert: 'Music', 2027: 'Year' }, add: ['Library'], unknown: 'ignore' } } },
    ],
    ['venue: { default: Main Library }', { drafts: { defaultVenue: 'Main Library' } }],
    ['only: [{ field: title, matches: "(?i)jazz" }]', { drafts: { only: [{ field: 'title', matches: '(?i)jazz' }] } }],
    [
      'columns: { title: Titel, start_date: Beginn }',
      { drafts: { columns: { title: 'Titel', start_date: 'Beginn' } } },
    ],
    ['venue: { default: 0123 }', { drafts: { defaultVenue: '0123' } }],
  ])('%s', (lines, expected) => expect(sourceOf(lines)).toMatchObject(expected));
  test('"no" is read as Norwegian', () => {
    expect(valueOf(`builtin: { languages: [no] }\n${source('language: no')}`).sources[0]).toMatchObject({
      language: 'no',
    });
  });

  test.each([
    ['file:samples/library.ics', 'samples/library.ics'],
    ['file:a b/ü.ics', 'a b/ü.ics'],
    ['file:./x/../y.csv', 'y.csv'],
    ['file:100% of it.ics', '100% of it.ics'],
  ])('the address %s is relative to the configuration file', (url, below) =>
    expect(valueOf(`sources: { a: { url: "${url}" } }`).sources[0]?.url).toBe(
      new URL(`file://${encodeURI(path.join(directory, below))}`).href,
    ),
  );

  test.each(['file:///srv/feeds/a%20b.ics', 'file:/srv/feeds/a b.ics', 'file:/srv/feeds/a%20b.ics'])(
    '%s is absolute',
    (url) => expect(valueOf(`sources: { a: { url: "${url}" } }`).sources[0]?.url).toBe('file:///srv/feeds/a%20b.ics'),
  );

  test('a user in the address becomes its credentials', () => {
    const { url, auth } = valueOf('sources: { a: { url: "webcal://me%40x:p%3Aw@a.example/a.ics?b=1" } }')
      .sources[0] as SourceConfig;
    expect([url, auth.basic?.username, auth.basic?.password.reveal()]).toEqual([
      'webcal://a.example/a.ics?b=1',
      'me@x',
      'p:w',
    ]);
  });
});

/** The headers that traces are sent with, or the name of the variable if it is wrong. */
const headersIn = (text: string) => {
  const { value, problems } = readEnvironment({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    OTEL_EXPORTER_OTLP_HEADERS: text,
  });
  return problems.length > 0 ? problems[0]?.where.field : revealAll(value.traces?.headers ?? {});
};

describe('the environment', () => {
  test('fills in the variables that values name, or their defaults', () => {
    const text = source(
      'auth: { bearer: "${TOKEN}", headers: { X-Key: "a-${TOKEN}" } }\n' +
        'missing: { after: "${AFTER:-5}" }\ntimezone: ${ZONE:-Europe/Berlin}\n' +
        'venue: { default: "$${TOKEN}" }',
    );
    const { auth, missing, drafts } = valueOf(text, { TOKEN: 't' }).sources[0] as SourceConfig;
    expect([
      auth.bearer?.reveal(),
      auth.headers['X-Key']?.reveal(),
      missing.after,
      drafts.timezone,
      drafts.defaultVenue,
    ]).toEqual(['t', 'a-t', 5, 'Europe/Berlin', '${TOKEN}']);
  });

  test('sets the port, the host, the addresses of servers, and the log level', () => {
    const env = {
      PORT: '0',
      HOST: '::1',
      DATA_DIR: '/srv/data',
      DATABASE_URL: 'postgres://u:p@h/d',
      REDIS_URL: 'redis://h',
      LOG_LEVEL: 'debug',
    };
    expect(valueOf('', env)).toMatchObject({ port: 0, host: '::1', dataDir: '/srv/data', logLevel: 'debug' });
    expect([valueOf('', env).databaseUrl?.reveal(), valueOf('', env).redisUrl?.reveal()]).toEqual([
      'postgres://u:p@h/d',
      'redis://h',
    ]);
  });

  test('has percent-encoded headers for traces', () => {
    expect(headersIn('Authorization=Bearer%20a%3Db, x-scope=one=two,')).toEqual({
      authorization: 'Bearer a=b',
      'x-scope': 'one=two',
    });
    expect(headersIn('')).toEqual({});
    const wrong = ['a', 'a b=c', 'a=%zz', 'a=%0a', 'a=%ff', '=a', 'a=b,c'];
    expect(wrong.filter((text) => headersIn(text) !== 'OTEL_EXPORTER_OTLP_HEADERS')).toEqual([]);
  });

  test('is checked like the file, without showing what may be a password', () => {
    const { problems } = load('', {
      PORT: 'http',
      HOST: 'a b',
      DATABASE_URL: 'mysql://u:hunter2@h/d',
      REDIS_URL: 'hunter2',
      LOG_LEVEL: 'loud',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hunter2%',
    });
    expect(problems.map(({ where }) => where.field)).toEqual([
      'OTEL_EXPORTER_OTLP_HEADERS',
      'PORT',
      'HOST',
      'DATABASE_URL',
      'REDIS_URL',
      'LOG_LEVEL',
    ]);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  test.each(['DATABASE_URL', 'REDIS_URL'])('%s is refused if a percent sign begins no escape', (name) => {
    const address = (password: string): string =>
      `${name === 'REDIS_URL' ? 'redis' : 'postgres'}://u:${password}@h:5432/d`;
    const problemsWith = (password: string): string =>
      load('', { [name]: address(password) })
        .problems.map(({ message }) => message)
        .join();
    for (const wrong of ['hunter2%zz', 'hunter2%', 'hunter2%e4', '%C3%A4%2'])
      expect(problemsWith(wrong)).toBe(
        `${name} in the environment: expected an address in which every % begins an escape in UTF-8, as in %40 for @; ` +
          'write %25 for % itself.',
      );
    expect(['hunter2%25', '%C3%A4', 'hunter2'].map(problemsWith)).toEqual(['', '', '']);
  });

  test('CONFIG names the file', () => {
    writeFileSync(file, 'builtin: { title: Named }');
    expect(loadConfig({ env: { CONFIG: file } }).value?.builtin.title).toBe('Named');
  });
});

test.each([
  ['a secret', 'secret: abcdefghijklmnopqrst', ['secret']],
  ['a login', 'basic: { username: me, password: hunter2 }', ['basic']],
  [
    'a secret and a login',
    'secret: abcdefghijklmnopqrst, basic: { username: me, password: hunter2 }',
    ['secret', 'basic'],
  ],
])('a feed with %s is not public', (_, keys, access) => {
  const [feed, open] = valueOf(`feeds: { staff: { ${keys} }, all: {} }`).feeds;
  expect([Object.keys(feed?.access ?? {}), open?.access]).toEqual([access, undefined]);
});

test('printing the configuration shows no secrets', () => {
  const value = valueOf(
    'site: { url: https://x.example/wp-json, username: me, application_password: hunter2 }\nalerts: { webhook: https://x.example/hunter2 }\n' +
      source('auth: { basic: { username: me, password: hunter2 }, headers: { X: hunter2 } }'),
    { DATABASE_URL: 'postgres://u:hunter2@h/d' },
  );
  const prints = [
    JSON.stringify(value),
    inspect(value, { depth: null, showHidden: true }),
    `${value.databaseUrl}`,
    String(value.alerts.webhook),
  ];
  expect(prints.filter((print) => print.includes('hunter2'))).toEqual([]);
  expect(value.sites['site']?.applicationPassword?.reveal()).toBe('hunter2');
});

describe('warnings do not prevent loading', () => {
  test.each([
    ['alerts: { webhook: https://x.example/secret }', '1:20 config-secret-in-file'],
    ['sources: { a: { url: "https://u:p@x.example/a" } }', '1:22 config-secret-in-file'],
    ['site: { username: me }', '1:19 config-unused'],
    ['sources: { a: { url: "https://x.example/a", auth: { headers: { USER-agent: "${P}" } } } }', '1:76 config-unused'],
    ['site: { url: "http://x.example/api", username: me, application_password: "${P}" }', '1:14 config-clear-text'],
    ['sources: { a: { url: "http://x.example/a", auth: { bearer: "${P}" } } }', '1:22 config-clear-text'],
  ])('%s', (text, expected) => {
    const { value, warnings } = load(text, { P: 'p' });
    expect(value).toBeDefined();
    expect(warnings.map(({ code, where }) => `${where.line}:${where.column} ${code}`)).toEqual([expected]);
  });
});

describe('problems say what is wrong, where, and what is expected', () => {
  test.each<[string, string[]]>([
    ['sources: [a', ['1:10 config-yaml The bracket "["']],
    ['sources:\n\ta: 1', ['2:1 config-yaml']],
    ['builtin: { title: a }\nbuiltin: { title: b }', ['2:1 config-yaml The key "builtin" appears a second time here.']],
    ['- a', ['-:- config-type Expected a map of keys and values, found a list.']],
    ['source: {}', ['1:1 config-unknown-key Unknown key "source". Did you mean "sources"?']],
    [
      'zzz: 1',
      [
        '1:1 config-unknown-key Unknown key "zzz". Known here: site, sites, builtin, sources, feeds, alerts, operator, backup, metrics, fetch.',
      ],
    ],
    ['__proto__: { a: 1 }', ['1:1 config-unknown-key Unknown key "__proto__".']],
    ['sources: { constructor: { url: file:a.ics } }', []],
    [
      'sources: { a: { utl: x } }',
      ['1:15 config-missing Expected the key "url"', '1:17 config-unknown-key Unknown key "utl". Did you mean "url"?'],
    ],
    ['sources: { 12: { url: file:a.ics } }', ['1:12 config-name "12" cannot be a name here.']],
    ['sources: { "a:b": { url: file:a.ics } }', ['1:12 config-name "a:b" cannot be a name here.']],
    [
      'sources: { a: https://x.example }',
      ['1:15 config-type Expected a map of keys and values, found a single value.'],
    ],
    ['sources: { a: { url: [x] } }', ['1:22 config-type Expected a text, found a list.']],
    [
      'sources:\n  a:\n    url:\n',
      ['3:5 config-value Expected an address beginning with https:, http:, webcal: or file:, found nothing.'],
    ],
    [
      'sources: { a: { url: ftp://x } }',
      ['1:22 config-value Expected an address beginning with https:, http:, webcal: or file:, found "ftp://x".'],
    ],
    ['sources: { a: { url: "file://host/a" } }', ['1:22 config-value Expected an address']],
    [
      source('every: 3 weeks'),
      ['4:12 config-value Expected a duration such as 30d, 12h, 15m or 90s of at least 1s, found "3 weeks".'],
    ],
    [source('every: 0s'), ['4:12 config-value Expected a duration']],
    [source('every: 1h\ncron: "* * * * *"'), ['5:11 config-both Expected either every or cron, found both.']],
    ...[
      '* * * *',
      '* * * * * * *',
      '60 * * * *',
      '* 24 * * *',
      '* * 0 * *',
      '* * * 13 *',
      '* * * * 8',
      '5-1 * * * *',
      '*/0 * * * *',
      'a * * * *',
      '1,, * * * *',
      '0 0 30 2 *',
      '0 0 31 4,6 *',
      '0 0 31 4-6/2 *',
      '0 0 30 2-12/13 *',
    ].map((cron): [string, string[]] => [source(`cron: "${cron}"`), ['4:11 config-value Expected a cron expression']]),
    [
      source('timezone: Europe/Warsow'),
      ['4:15 config-value Expected a time zone such as Europe/Warsaw or UTC, found "Europe/Warsow".'],
    ],
    [source('format: ics'), ['4:13 config-value Expected one of ical, csv, found "ics".']],
    [
      source('status: published'),
      [
        '4:13 config-value Expected one of publish, draft, pending, private, found "published". Did you mean "publish"?',
      ],
    ],
    [source('authority: { titel: feed }'), ['4:18 config-unknown-key Unknown key "titel". Did you mean "title"?']],
    [source('authority: me'), ['4:16 config-value Expected one of preserve, feed, site, found "me".']],
    [source('missing: { after: 0 }'), ['4:23 config-value Expected a whole number from 1 to 1000, found "0".']],
    [source('missing: { after: 2.5 }'), ['4:23 config-value Expected a whole number']],
    [source('hold: { share: 20 }'), ['4:20 config-value Expected a percentage such as 20%, found "20".']],
    [source('hold: { share: 120% }'), ['4:20 config-value Expected a percentage']],
    [source('only: [{ field: title, matches: "(jazz" }]'), ['4:37 config-value Expected a regular expression']],
    [
      source('only: [{ field: titel, matches: jazz }, { matches: x }]'),
      ['4:21 config-value Expected one of title', '4:45 config-missing Expected the key "field"'],
    ],
    [source('tags: { add: { a: 1 } }'), ['4:18 config-type Expected a list, found a map.']],
    [
      source('auth: { bearer: "${TOKEN}" }'),
      ['4:21 config-unset The environment has no TOKEN. Set it, or write ${TOKEN:-…} with a default.'],
    ],
    [source('auth: { bearer: "" }'), ['4:21 config-value Expected a secret, found an empty one.']],
    [
      source('auth: { bearer: a, basic: { username: a, password: b } }'),
      ['4:11 config-both Expected either bearer or basic, found both.'],
    ],
    [
      source('auth: { headers: { "X Y": a } }'),
      ['4:24 config-name "X Y" cannot be a name here. Expected the name of a header.'],
    ],
    [
      source('columns: { titel: Titel, title: "" }'),
      [
        '4:16 config-unknown-key Unknown key "titel". Did you mean "title"?',
        '4:37 config-value Expected a text, found an empty one.',
      ],
    ],
    [
      source('site: main'),
      ['4:11 config-unknown-site There is no site "main": the file has no sites. Remove this key.'],
    ],
    [
      'sites: { main: {}, campus: {} }\nsources: { a: { url: file:a, site: mian }, b: { url: file:b } }\nfeeds: { all: {} }',
      [
        '2:36 config-unknown-site There is no site "mian". Did you mean "main"?',
        '2:47 config-missing There are several sites: expected the key "site" with one of main, campus.',
        '3:15 config-missing There are several sites',
      ],
    ],
    ['backup: { every: 1d, cron: "0 3 * * *" }', ['1:28 config-both Expected either every or cron, found both.']],
    ['backup: { every: 5m }', ['1:18 config-value Expected a duration']],
    ['backup: { keep: 0 }', ['1:17 config-value Expected a whole number']],
    ['site: {}\nsites: { main: {} }', ['2:8 config-both Expected either site or sites, found both.']],
    ['sites: {}', ['1:8 config-too-few Expected at least one entry.']],
    [
      'site: { url: https://x.example/wp-json, username: me }',
      ['1:7 config-missing Expected username and application_password together.'],
    ],
    [
      'site: { url: "https://me:hunter2@x.example/wp-json" }',
      [
        '1:14 config-value Expected "builtin" or the address of an API root such as https://example.org/wp-json, found "https://[secret]@x.example/wp-json".',
      ],
    ],
    [
      'builtin: { public_url: "https:/x.example" }\nsources: { a: { url: "https:x.example/a.ics" } }',
      [
        '1:24 config-value Expected an address such as https://calendar.example.org, or "" for none, found "https:/x.example".' +
          ' Two slashes follow the colon: write https://x.example instead.',
        '2:22 config-value Expected an address beginning with https:, http:, webcal: or file:, found "https:x.example/a.ics".' +
          ' Two slashes follow the colon: write https://x.example/a.ics instead.',
      ],
    ],
    [
      'sources: { a: { url: "http://me:hunter/2@x.example/?token=abc" }, b: { url: "htp://x.example/?token=abc" } }',
      [
        '1:22 config-value Expected an address beginning with https:, http:, webcal: or file:, found "http://[secret]@x.example/?token=[secret]".',
        '1:77 config-value Expected an address beginning with https:, http:, webcal: or file:, found "htp://x.example/?token=[secret]".',
      ],
    ],
    [
      'site: { namespace: v1, full_every: 1s, requests_in_flight: 100 }',
      [
        '1:20 config-value Expected a namespace',
        '1:36 config-value Expected a duration',
        '1:60 config-value Expected a whole number from 1 to 64, found "100".',
      ],
    ],
    [
      'builtin: { languages: [], trash_days: -1, public_url: calendar.example }',
      [
        '1:23 config-too-few',
        '1:39 config-value Expected a whole number from 0 to 3650',
        '1:55 config-value Expected an address such as https://calendar.example.org',
      ],
    ],
    [
      'builtin: { public_url: "https://calendar.example/town/?lang=pl#top" }',
      [
        '1:24 config-value Expected an address such as https://calendar.example.org, or "" for none, ' +
          'found "https://calendar.example/town/?lang=pl#top". Its pages are below it: write https://calendar.example/town/ instead.',
      ],
    ],
    [
      'feeds: { a: { color: "#12", window: { past: x }, featured: yes } }',
      [
        '1:22 config-value Expected a colour',
        '1:45 config-value Expected a duration',
        '1:60 config-value Expected true or false, found "yes".',
      ],
    ],
    [
      'feeds: { a: { secret: short, variant: small, cancelled: no } }',
      [
        '1:23 config-value Expected at least 16 letters',
        '1:39 config-value Expected one of full, lite, google',
        '1:57 config-value Expected one of keep, hide, title',
      ],
    ],
    [
      'feeds: { a.csv: {}, b.ICS: {}, c.x: {} }',
      [
        '1:17 config-value Expected a name without ".csv" at its end',
        '1:28 config-value Expected a name without ".ICS"',
      ],
    ],
    ['feeds: { a: { secret: "has spaces in it, alas" } }', ['1:23 config-value Expected at least 16 letters']],
    [
      'builtin: { languages: [en, pl] }\nfeeds: { a: { language: pl }, b: { language: de } }',
      ['2:46 config-value The built-in site has no events in "de". Its languages are en, pl'],
    ],
    [
      'sources: { a: { url: https://a.example/a.ics, language: de } }',
      ['1:57 config-value The built-in site has no events in "de". Its languages are en, pl'],
    ],
    [
      'sites: { b: {}, x: { url: https://x.example/wp-json } }\nsources: { a: { url: https://a.example/a.ics, language: de, site: x } }',
      [],
    ],
    [
      'site: { url: https://x.example/wp-json }\nfeeds: { a: { language: pl } }',
      ['2:25 config-missing Only sites that separate languages'],
    ],
    [
      'fetch: { allow_addresses: [10.0.0.0/33, "::1/129", x] }',
      [
        '1:28 config-value',
        '1:41 config-value',
        '1:52 config-value Expected an address or a network such as 10.0.0.0/8 or fd00::/8, found "x".',
      ],
    ],
    [
      'sources: { a: { url: file:a, was: b }, b: { url: file:b } }',
      ['1:43 config-same-key "b" is a name of "a" too: only one source can have had it.'],
    ],
  ])('%s', (text, expected) => {
    const problems = problemsOf(text);
    expect(problems.map((problem, index) => problem.slice(0, (expected[index] ?? problem).length))).toEqual(expected);
    expect(load(text).value === undefined).toBe(expected.length > 0);
  });

  test('a missing file', () => {
    expect(loadConfig({ path: path.join(directory, 'none.yaml'), env: {} }).problems).toMatchObject([
      { code: 'config-file', message: expect.stringContaining('does not exist') },
    ]);
  });

  test('duplicate keys on any level', () => {
    expect(
      problemsOf(
        'sources:\n  a: { url: file:a, every: 1h, every: 2h }\n  b: { url: file:b }\n  a: { url: file:c }\nsources: {}\n',
      ),
    ).toEqual([
      '2:32 config-yaml The key "every" appears a second time here.',
      '4:3 config-yaml The key "a" appears a second time here.',
      '5:1 config-yaml The key "sources" appears a second time here.',
    ]);
  });

  test('two source names with the same key', () => {
    const seen = new Map<string, string>();
    let pair: readonly string[] = [];
    for (let count = 0; pair.length === 0; count += 1) {
      const [name, key] = [`s${count}`, sourceKey(`s${count}`)];
      const other = seen.get(key);
      if (other !== undefined) pair = [other, name];
      seen.set(key, name);
    }
    expect(problemsOf(`sources:\n  ${pair[0]}: { url: file:a }\n  ${pair[1]}: { url: file:b }`)).toEqual([
      expect.stringMatching(/^3:\d+ config-same-key .* Rename the newer source\.$/),
    ]);
    const onSites = (one: string, other: string): readonly string[] =>
      problemsOf(`sites:
  one: { url: '${one}', username: a, application_password: b }
  other: { url: '${other}', username: a, application_password: b }
sources:
  ${pair[0]}: { url: file:a, site: one }
  ${pair[1]}: { url: file:b, site: other }`);
    for (const same of ['https://A.example/wp-json/', 'http://a.example/wp-json'])
      expect(onSites('https://a.example/wp-json', same)).toContainEqual(expect.stringMatching(/config-same-key/));
    expect(onSites('https://a.example/wp-json', 'https://b.example/wp-json')).toEqual([]);
  });
});

test('settings can be shared through an alias and a merge key', () => {
  const text =
    'sources:\n  a: &base { url: file:a.ics, every: 2h, tags: { add: [x] } }\n  b: { <<: *base, url: file:b.ics }\n';
  expect(valueOf(text).sources[1]).toMatchObject({
    url: new URL(`file://${directory}/b.ics`).href,
    schedule: { everyMs: 7_200_000 },
    drafts: { tags: { add: ['x'] } },
  });
});

test('a complaint about an aliased value is placed at its own key, one about an inherited key where the key is written', () => {
  const text =
    'sources:\n  a: &base { url: file:a.ics, every: &often 5 apples }\n' +
    '  b: { url: file:b.ics,\n    every: *often }\n  c: { <<: *base, url: file:c.ics }\n';
  expect(load(text, {}).problems.map(({ where }) => [where.field, where.line, where.column])).toEqual([
    ['sources.a.every', 2, 45],
    ['sources.c.every', 2, 45],
    ['sources.b.every', 4, 5],
  ]);
});

test('the schema for editors is up to date (npm run schema)', () => {
  expect(readFileSync('config/calsyncd.schema.json', 'utf8')).toBe(schemaText());
});

test('the sample configuration has no problems', () => {
  expect(loadConfig({ path: 'config/calsyncd.yaml', env: {} })).toMatchObject({ problems: [], warnings: [] });
});
