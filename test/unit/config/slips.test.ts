import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { loadConfig, readConfig } from '../../../src/config.ts';

// What operators get wrong, and what `check` says: a code, the line, and what to write instead.

const directory = mkdtempSync(path.join(os.tmpdir(), 'calsyncd-slips-'));
afterAll(() => rmSync(directory, { recursive: true }));
writeFileSync(path.join(directory, 'library.ics'), '');

interface Checked {
  readonly code: number;
  readonly ok: boolean;
  readonly problems: readonly {
    readonly code: string;
    readonly message: string;
    readonly where: { readonly line?: number };
  }[];
}

async function check(text: string | Uint8Array): Promise<Checked> {
  const file = path.join(directory, 'calsyncd.yaml');
  writeFileSync(file, text);
  let out = '';
  const code = await runProgram(['check', '--json', '--config', file], {
    out: (said) => {
      out += said;
    },
    err: () => undefined,
    isTerminal: false,
    now: () => 0,
    stopped: new Promise(() => undefined),
  });
  return { code, ...(JSON.parse(out) as Omit<Checked, 'code'>) };
}

test('a setting without effect is a note and not a problem, also beside problems', async () => {
  const noted = 'site: { username: clerk }\n';
  const notes = [{ code: 'config-unused', where: { line: 1, field: 'site.username' } }];
  expect(await check(`${noted}${source('')}`)).toMatchObject({ code: 0, ok: true, problems: [], notes });
  expect(await check(`${noted}every: 1h\n`)).toMatchObject({
    code: 1,
    ok: false,
    problems: [{ code: 'config-unknown-key' }],
    notes,
  });
});

const source = (lines: string): string =>
  `sources:\n  library:\n    url: https://library.example/a.ics\n${lines.replace(/^/gm, '    ')}\n`;
const remote = (rest = ''): string =>
  `site:\n  url: https://town.example/wp-json\n${rest}sources: { library: { url: "https://library.example/a.ics" } }\n`;

const SLIPS: readonly (readonly [
  name: string,
  text: string | Uint8Array,
  code: string,
  line: number | undefined,
  sentence: string,
])[] = [
  [
    'a missing file',
    'sources:\n  library:\n    url: file:libary.ics\n',
    'config-no-file',
    3,
    `There is no file ${directory}/libary.ics. ${directory} has library.ics. ` +
      'A relative address begins at the directory of the configuration: ' +
      'write it as file:library.ics',
  ],
  [
    'a missing file in a missing folder',
    'sources:\n  library:\n    url: file:none/library.ics\n',
    'config-no-file',
    3,
    `There is no file ${directory}/none/library.ics. A relative address begins at the directory of the configuration.`,
  ],
  [
    'a missing logo',
    `builtin: { logo: "file:logo.svg" }\nsources: { library: { url: "file:library.ics" } }\n`,
    'config-no-file',
    1,
    'The pages go without a logo',
  ],
  ['a directory', `sources: { library: { url: "file:." } }\n`, 'config-no-file', 1, 'is a directory.'],
  [
    'a file outside the folders that feeds may be read from',
    'sources: { hosts: { url: "file:/etc/hosts" } }\n',
    'config-file-outside',
    1,
    '/etc/hosts is not in a directory that feeds may be read from. Allow it: fetch: { allow_files: [/etc] }',
  ],
  [
    'an empty file',
    '# nothing yet\n',
    'config-empty',
    undefined,
    'Write at least one source: sources: { city-library: { url: "https://library.example/events.ics" } }',
  ],
  ['an unknown colour', 'feeds:\n  all:\n    color: tael\n', 'config-value', 3, 'Did you mean teal?'],
  ['a colour of three digits', 'feeds: { all: { color: "#f00" } }\n', 'config-value', 1, 'Write "#ff0000".'],
  [
    'a colour without quotes',
    'feeds:\n  all:\n    color: #ff0000\n',
    'config-value',
    3,
    'Everything after "#" is a comment: write "#ff0000" in quotes.',
  ],
  ['a language by its name', source('language: English'), 'config-value', 4, 'Write en.'],
  [
    'an unknown language',
    'builtin:\n  languages: [en, xx]\n',
    'config-language',
    2,
    'There is no language "xx". Write the code of one, such as en, pl, de or uk.',
  ],
  [
    'a page of Google Calendar',
    'sources:\n  town:\n    url: https://calendar.google.com/calendar/embed?src=town%40group.calendar.google.com\n',
    'config-page',
    3,
    'This is the address of a page of Google Calendar, not of its feed. ' +
      'Write https://calendar.google.com/calendar/ical/town%40group.calendar.google.com/public/basic.ics',
  ],
  [
    'a page of Facebook',
    'sources: { club: { url: "https://www.facebook.com/ourclub/events" } }\n',
    'config-page',
    1,
    'Ask the publisher for another calendar',
  ],
  [
    'two sources with one address',
    'sources:\n  library: { url: "https://library.example/a.ics" }\n  books: { url: "webcal://library.example/a.ics" }\n',
    'config-same-address',
    3,
    '"library" in line 2 has the same address, so every event would appear twice. ' +
      'Remove one of the two, or divide the events between them with only: and skip:.',
  ],
  [
    'a field in braces',
    source('set:\n  - { title: "Star: {title}" }'),
    'config-placeholder',
    5,
    '{title} is written as it stands, as only numbers are filled in. For what the feed says, begin the rule with ' +
      'when: [{ field: title, matches: ".+" }], and write {0}.',
  ],
  [
    'a group of when in a rule without when',
    source('set: [{ add_tags: ["{1}"] }]'),
    'config-placeholder',
    4,
    '{1} becomes nothing: it is what when has found, and this rule has no when.',
  ],
  [
    'a group that the expression does not have',
    source('set: [{ when: [{ field: title, matches: "(?i)^(?:a|b) (.+)$" }], title: "{1} {2}" }]'),
    'config-placeholder',
    4,
    '{2} becomes nothing: the expression of the first rule of when has 1 group.',
  ],
  [
    'a remote site without a login',
    remote(),
    'config-no-login',
    2,
    'Write username: and application_password: "${SITE_APPLICATION_PASSWORD}" beside its url',
  ],
  [
    'a language without the parameter to send it in',
    remote('  username: editor\n  language: de\n'),
    'config-missing',
    4,
    'No language is sent to this site: set language_parameter beside it to the name of its parameter',
  ],
  [
    'an impossible minute',
    source('cron: "99 * * * *"'),
    'config-value',
    4,
    '"99" is no minute: write * for any, or 0 to 59.',
  ],
  [
    'a misspelt day in a cron expression',
    source('cron: "0 3 * * munday"'),
    'config-value',
    4,
    '"munday" is no day of the week: write * for any, or 0 to 7, or sun to sat.',
  ],
  ['a day that never comes', source('cron: "0 3 31 2,4 *"'), 'config-value', 4, 'No such day ever comes'],
  [
    'a password in the address of a site',
    'site: { url: "https://clerk:hunter2@town.example/wp-json" }\n',
    'config-value',
    1,
    'Take the user and the password out of the address.',
  ],
  [
    'a duration with too many digits',
    source('every: 99999999d'),
    'config-value',
    4,
    'Its number has six digits at most.',
  ],
  [
    'an alias without an anchor',
    'sources:\n  library: *shared\n',
    'config-type',
    2,
    'Nothing above is marked &shared. Write &shared before the value that is meant',
  ],
  [
    'thousands of nested brackets',
    `sources: ${'['.repeat(5000)}${']'.repeat(5000)}\n`,
    'config-yaml',
    1,
    'Too many brackets are opened here',
  ],
  [
    'a name that is too long',
    `sources: { ${'a'.repeat(65)}: { url: "https://library.example/a.ics" } }\n`,
    'config-name',
    1,
    'Expected a name of at most 64 letters (a to z, A to Z)',
  ],
  ['a cron expression without quotes', source('cron: */5 * * * *'), 'config-yaml', 4, 'Write cron: "*/5 * * * *"'],
  [
    'a colon in a text without quotes',
    'builtin:\n  title: Town: calendar\n',
    'config-yaml',
    2,
    'Write title: "Town: calendar"',
  ],
  [
    'a key that is indented too little',
    source('').replace(/\n {4}\n$/, '\n   every: 1h\n'),
    'config-yaml',
    4,
    'This line is indented by 3, the line before it by 4.',
  ],
  ['a key that is indented too far', source('  every: 1h'), 'config-yaml', 4, 'Begin it at the same column as "url".'],
  [
    'a source that is not indented',
    'sources:\nlibrary:\n  url: https://library.example/a.ics\n',
    'config-unknown-key',
    2,
    'Indent it by two spaces to put it under "sources"',
  ],
  [
    'a tab',
    'sources:\n\tlibrary:\n\t\turl: https://library.example/a.ics\n',
    'config-yaml',
    2,
    'Indent with spaces instead, two for each level.',
  ],
  [
    'a list of sources',
    'sources:\n  - url: https://library.example/a.ics\n',
    'config-type',
    2,
    'Write a name and a colon in place of each "-", such as "city-library:", and its keys in the lines below, indented.',
  ],
  ['no space after a colon', source('every:1h'), 'config-yaml', 4, 'Write every: 1h'],
  [
    'no space after a colon, above other keys',
    source('every:1h\ntimezone: UTC'),
    'config-yaml',
    4,
    'There must be a space after the colon. Write every: 1h',
  ],
  [
    'an equals sign',
    source('every = 1h\ntimezone: UTC'),
    'config-yaml',
    4,
    'There must be a colon after the key. Write every: 1h',
  ],
  [
    'a group without a colon',
    source('').replace('sources:', 'sources'),
    'config-yaml',
    1,
    'This line has no colon. Write sources:',
  ],
  [
    'a source without a colon',
    source('').replace('library:', 'library'),
    'config-yaml',
    2,
    'This line has no colon. Write library:',
  ],
  ['a key without a colon', source('every: 1h').replace('url:', 'url'), 'config-yaml', 3, 'This line has no colon.'],
  [
    'a dash without a space',
    source('only:\n  -field: title\n    matches: jazz'),
    'config-yaml',
    5,
    'Write - field: title instead.',
  ],
  [
    'JSON whose last bracket is missing',
    '{ "sources": { "library": { "url": "https://library.example/a.ics" } }',
    'config-yaml',
    1,
    'The bracket "{" that is opened in this line is never closed.',
  ],
  [
    'no space after the only colon',
    'sources:\n  library:\n    url:https://library.example/a.ics\n',
    'config-type',
    3,
    'Write url: https://library.example/a.ics',
  ],
  [
    'a quote that is not closed',
    'builtin:\n  title: "Town\n  timezone: UTC\n',
    'config-yaml',
    2,
    'Write title: "Town"',
  ],
  [
    'quotes around the first word',
    'builtin:\n  title: "Town" calendar\n',
    'config-yaml',
    2,
    `title: '"Town" calendar'`,
  ],
  ['a character that YAML reserves', 'builtin:\n  title: @home\n', 'config-yaml', 2, 'Write title: "@home"'],
  [
    'a bracket that is not closed',
    'sources:\n  a: { url: https://a.example/a.ics\n  b: { url: https://b.example/b.ics }\n',
    'config-yaml',
    2,
    'Write "}" where it ends.',
  ],
  [
    'a backslash in double quotes',
    source('only: [{ field: title, matches: "\\d+ Uhr" }]'),
    'config-yaml',
    4,
    `Write the text in single quotes: '\\d+ Uhr'.`,
  ],
  [
    'a regular expression with an open group',
    source('only: [{ field: title, matches: "(jazz" }]'),
    'config-value',
    4,
    'A "(" is never closed: write ")" where the group ends, or \\( for the character itself.',
  ],
  [
    'a regular expression that begins with a star',
    source('skip: [{ field: title, matches: "*Staff*" }]'),
    'config-value',
    4,
    'write .* for any text, or \\* for the character itself.',
  ],
  [
    'a regular expression that would take for ever',
    source('skip: [{ field: title, matches: "^(a+)+$" }]'),
    'config-value',
    4,
    'from character 2 on something that repeats or has alternatives is itself repeated: (a+)+. Take one of the signs out',
  ],
  [
    '(?i) in the middle of a regular expression',
    source('skip: [{ field: title, matches: "staff(?i)" }]'),
    'config-value',
    4,
    '(?i) can only be at the very beginning.',
  ],
  [
    'a single rule that is not in a list',
    source('only: { field: title, matches: jazz }'),
    'config-type',
    4,
    'only: [{ … }].',
  ],
  [
    'UTF-16',
    Buffer.from(`\uFEFF${source('')}`, 'utf16le'),
    'config-encoding',
    1,
    'The file is written in UTF-16. Save it as UTF-8',
  ],
  [
    'a zero byte',
    Buffer.from('builtin:\n  title: Stadt\0bücherei\n'),
    'config-encoding',
    2,
    'There is a zero byte here',
  ],
  [
    'letters of another charset',
    Buffer.from('builtin:\n  title: Stadtbücherei\n', 'latin1'),
    'config-encoding',
    2,
    'A character here is not UTF-8. Save the file as UTF-8',
  ],
  ['a duration in words', source('every: 1 hour'), 'config-value', 4, 'Write 1h.'],
  ['a duration in years', source('window: { future: 2y }'), 'config-value', 4, 'Write 730d.'],
  ['a duration in months', source('window: { future: 6mo }'), 'config-value', 4, 'Write 180d.'],
  [
    'a duration without a unit',
    source('every: 60'),
    'config-value',
    4,
    'Write 60m for minutes, 60h for hours or 60d for days.',
  ],
  [
    'a cron expression as a duration',
    source('every: "*/15 * * * *"'),
    'config-value',
    4,
    'That is a cron expression: write cron: "*/15 * * * *" instead of this key.',
  ],
  ['a share without a percent sign', source('hold: { share: 20 }'), 'config-value', 4, 'Write 20%.'],
  ['a city for a time zone', source('timezone: Warsaw'), 'config-value', 4, 'Did you mean Europe/Warsaw?'],
  [
    'an address without https:',
    'sources:\n  library:\n    url: library.example/events\n',
    'config-value',
    3,
    'Write https://library.example/events',
  ],
  [
    'a path for an address',
    'sources:\n  library:\n    url: ./library.ics\n',
    'config-value',
    3,
    'Write file:library.ics instead.',
  ],
  ['yes for true', 'feeds:\n  all:\n    featured: yes\n', 'config-value', 3, 'Write true.'],
  [
    'the key of a source at the top',
    'every: 1h\n',
    'config-unknown-key',
    1,
    'It belongs under the name of one of the sources',
  ],
  [
    'a source at the end of the file, below the published feeds',
    'sources: {}\nfeeds:\n  choir:\n    url: https://choir.example/a.ics\n',
    'config-unknown-key',
    4,
    '"choir" is a source, then: move it and its lines below "sources".',
  ],
  [
    'a path that begins with ~',
    'sources:\n  library:\n    url: ~/feeds/library.ics\n',
    'config-value',
    3,
    'Write file: and the path. "~" stands for a home directory only in a shell: write the whole path, from "/" on.',
  ],
  [
    'a file: address that begins with ~',
    'sources:\n  library:\n    url: file:~/feeds/library.ics\n',
    'config-no-file',
    3,
    'library.ics. "~" stands for a home directory only in a shell: write the whole path, from "/" on.',
  ],
  [
    'a list where there are keys',
    source('categories: [Music]'),
    'config-type',
    4,
    'Expected a map of keys and values, found a list. Known here: map, add, unknown, words.',
  ],
  [
    'a value where there are keys',
    source('window: 90d'),
    'config-type',
    4,
    'Expected a map of keys and values, found a single value. Known here: past, future.',
  ],
  [
    'a list of names where each has a value',
    source('categories:\n  map: [Konzert]'),
    'config-type',
    5,
    'Write each entry as "name: value", without the "-".',
  ],
  [
    'a colon in a text in braces',
    'builtin: { title: What is on: Zielonka, timezone: Europe/Warsaw }\n',
    'config-yaml',
    1,
    'must be in quotes. Write title: "What is on: Zielonka" instead.',
  ],
  [
    'a list with dashes in braces',
    'builtin: { title: Town,\n  languages:\n    - en }\n',
    'config-yaml',
    3,
    'Within brackets a comma stands between entries, and text that contains a colon and a space must be in quotes.',
  ],
  [
    'an open quote in braces',
    source('venue: { default: "Main Library }\nevery: 1h'),
    'config-yaml',
    4,
    'The quote that begins here is never closed.',
  ],
  [
    'a misspelt key',
    'sources:\n  library:\n    ulr: https://library.example/a.ics\n',
    'config-unknown-key',
    3,
    'Did you mean "url"?',
  ],
  [
    'a variable that is not set',
    remote('  username: editor\n  application_password: ${NO_SUCH_PASSWORD}\n'),
    'config-unset',
    4,
    'The environment has no NO_SUCH_PASSWORD. Set it, or write ${NO_SUCH_PASSWORD:-…} with a default.',
  ],
  ...['${TOKEN', '${my token}', '${}', '${TOKEN:-${OTHER}}'].map((written): (typeof SLIPS)[number] => [
    `a variable written ${written}`,
    source(`auth: { bearer: "${written}" }`),
    'config-unset',
    4,
    'A "${" here begins no variable. Write ${NAME}',
  ]),
  [
    'blanks that are not plain spaces before a key in the middle',
    source('\nlanguage: en\ntimezone: UTC').replace('    language', '\u00A0\u00A0\u00A0\u00A0language'),
    'config-yaml',
    5,
    'Delete the blanks here and type them again.',
  ],
  ...['\u00A0\u00A0url: ', '  url:\u00A0', '  \u200Burl: '].map((before): (typeof SLIPS)[number] => [
    `a blank that is not a plain space in ${JSON.stringify(before)}`,
    `sources:\n  library:\n  ${before}https://library.example/a.ics\n`,
    'config-yaml',
    3,
    'Delete the blanks here and type them again.',
  ]),
];

describe('a slip in the configuration', () => {
  test.each(SLIPS)('%s', async (_name, text, code, line, sentence) => {
    const { code: exit, ok, problems } = await check(text);
    expect({ exit, ok }).toEqual({ exit: 1, ok: false });
    expect(problems).toContainEqual({
      code,
      message: expect.stringContaining(sentence) as string,
      where: expect.objectContaining(line === undefined ? {} : { line }) as object,
    });
  });

  test('is reported once, whatever follows from it', async () => {
    const yaml = SLIPS.filter(([, , code]) => code === 'config-yaml');
    for (const [name, text] of yaml)
      expect({ name, problems: (await check(text)).problems.length }).toEqual({
        name,
        problems: name === 'a tab' ? 2 : 1,
      });
  });

  test.each([
    'application_password: "hunter2',
    'application_password: @hunter2',
    'application_password:hunter2',
    'application_password = hunter2',
    'application_password: hunter2: x',
    'application_password: "hunter2" x',
    'url: editor:hunter2@town.example',
    'url: @https://u:hunter2@x.example',
  ])('is reported without secrets: %s', async (line) => {
    const checked = await check(`site:\n  username: editor\n  ${line}\n  language: en\n`);
    expect(checked.problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(checked)).not.toContain('hunter2');
  });

  test('that leaves the rest usable does not stop other commands', async () => {
    const file = path.join(directory, 'calsyncd.yaml');
    writeFileSync(file, 'sources: { library: { url: "file:libary.ics" } }\n');
    let [out, err] = ['', ''];
    const code = await runProgram(['preview', path.join(directory, 'town.ics'), '--config', file], {
      out: (said) => {
        out += said;
      },
      err: (said) => {
        err += said;
      },
      isTerminal: false,
      now: () => 0,
      stopped: new Promise(() => undefined),
    });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^Note: There is no file .*libary\.ics/);
  });
});

describe('a blank that is not a plain space', () => {
  test.each([
    ['at the beginning of a file, as Windows writes it', '\uFEFFsources:\n  library: { evry: 1h }\n'],
    [
      'in a text, far from the mistake',
      'builtin:\n  description: |\n    Town\n    \u00A0 hall: open\nsources:\n  library: { evry: 1h }\n',
    ],
  ])('%s is not blamed for another mistake', async (_, text) =>
    expect(await check(text)).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([
        expect.objectContaining({ message: expect.stringContaining('Unknown key "evry"') }),
      ]),
    }),
  );
});

describe('a valid configuration has no problems', () => {
  test.each([
    ['builtin:\n  description: |\n    Town\n    \u00A0 hall: open\n'],
    ['sources: { library: { url: "https://library.example/$${month}.ics?a=$b" } }\n'],
    ['sources: { library: { url: "file:library.ics" } }\n'],
    [
      'sources:\n  music: { url: "https://library.example/a.ics", only: ' +
        '[{ field: categories, matches: Music }] }\n  rest: { url: "https://library.example/a.ics", skip: ' +
        '[{ field: categories, matches: Music }] }\n',
    ],
    [
      'site: { url: "https://town.example/wp-json", language: xx, language_parameter: ' +
        'lang, username: u, application_password: "${HOME}" }\nsources: ' +
        '{ library: { url: "https://library.example/a.ics", language: xx } }\n',
    ],
    [
      'builtin: { languages: [en, pt-BR, haw] }\nsources: { town: { url: ' +
        '"https://calendar.google.com/calendar/ical/town%40group.calendar.google.com/public/basic.ics" } }\n',
    ],
    ['feeds: { all: { color: Teal }, music: { color: "#1e90ff" } }\n'],
  ])('%s', async (text) => expect(await check(text)).toMatchObject({ code: 0, ok: true, problems: [] }));
});

describe('a file that this user may not read', () => {
  let open: string;
  beforeAll(() => {
    open = mkdtempSync(path.join(os.tmpdir(), 'calsyncd-closed-'));
    chmodSync(open, 0o755);
    mkdirSync(path.join(open, 'club/feeds'), { recursive: true });
    for (const file of ['club/feeds/a.ics', 'own.ics']) writeFileSync(path.join(open, file), '', { mode: 0o200 });
    chmodSync(path.join(open, 'club'), 0o600);
  });
  afterAll(() => rmSync(open, { recursive: true }));

  /** The doubts of a user who is not root, as root may read everything. */
  function doubtsAbout(file: string): readonly string[] {
    const bytes = Buffer.from(`sources: { club: { url: "file:${file}" } }\n`);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      return readConfig(path.join(open, 'calsyncd.yaml'), bytes).doubts.map(({ message }) => message);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  }

  test('is reported with the first folder on the path that may not be entered', () => {
    expect(doubtsAbout('club/feeds/a.ics')).toEqual([
      `${open}/club/feeds/a.ics cannot be read by the user that runs this program, which may not enter ${open}/club. ` +
        `Copy the file to ${open}, or give that user permission: chmod a+x ${open}/club.`,
    ]);
  });

  test.skipIf((statSync('/root').mode & 0o001) !== 0)(
    'is reported in a home directory, which a service does not see',
    () => {
      expect(doubtsAbout('/root/feeds/a.ics')).toEqual([
        '/root/feeds/a.ics cannot be read by the user that runs this program, which may not enter /root. ' +
          `A systemd service sees no home directories: copy the file to ${open}.`,
      ]);
    },
  );

  test.skipIf(process.getuid?.() === 0)('is reported in an open folder with the permission that it lacks', () => {
    expect(doubtsAbout('own.ics')).toEqual([
      `${open}/own.ics cannot be read by the user that runs this program. Give that user permission: chmod a+r ${open}/own.ics.`,
    ]);
  });
});

describe('a configuration file that cannot be read', () => {
  test.each([
    ['', 'No configuration file is named: the value of --config is empty.'],
    ['circle.yaml', 'circle.yaml cannot be read: its links form a loop.'],
    ['file.yaml/calsyncd.yaml', 'cannot be read: a part of its path is a file, not a directory.'],
    ['.', 'cannot be read: it is a directory.'],
    ['pipe.yaml', 'cannot be read: it is a pipe, a socket or a device, not a file.'],
    ['zero.yaml', 'cannot be read: it is a pipe, a socket or a device, not a file.'],
  ])('%j: the message says why', (name, sentence) => {
    const place = mkdtempSync(path.join(os.tmpdir(), 'calsyncd-unreadable-'));
    try {
      symlinkSync('circle.yaml', path.join(place, 'circle.yaml'));
      writeFileSync(path.join(place, 'file.yaml'), '');
      // A pipe that nobody writes to, and a device that never ends.
      execFileSync('mkfifo', [path.join(place, 'pipe.yaml')]);
      symlinkSync('/dev/zero', path.join(place, 'zero.yaml'));
      const { problems } = loadConfig({ path: name && path.join(place, name), env: {} });
      expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(sentence)]);
    } finally {
      rmSync(place, { recursive: true });
    }
  });
});
