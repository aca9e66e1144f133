import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listActs } from '../../../src/run/watch/acts.ts';
import { hiddenIn, signedInConsole, type ConsoleClient } from '../../support/console.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';
import { announcedFields } from '../../support/announced-fields.ts';

// The configuration file in the console, and the people who may sign in.

const FIRST = `builtin: { title: Town calendar }
sources:
  theatre:
    url: https://theatre.example/a.ics
    auth: { bearer: "s3cret-of-the-file" }
`;
const SECOND = `${FIRST}  cinema: { url: "https://cinema.example/a.ics" }\n`;

let world: SyncingApp;
let app: OpenedApp;
let admin: ConsoleClient;
let clerk: ConsoleClient;

const file = (): string => readFileSync(app.config.file, 'utf8');
const write = async (yaml: string): Promise<void> => {
  writeFileSync(app.config.file, yaml);
  await app.reload.load();
};
/** The path of the version that is compared with the first link of the page. */
const versionPath = async (index: number): Promise<string> =>
  [...(await admin.get('/settings/')).html.matchAll(/\/operator(\/settings\/versions\/\d+\/)/g)][index]?.[1] ?? '';

beforeAll(async () => {
  world = await syncingApp();
  app = await world.open(FIRST);
  await app.reload.look();
  admin = await signedInConsole(app, 'developer', 'administrator');
  clerk = await signedInConsole(app, 'clerk', 'editor');
});
afterAll(() => world.close());

describe('the configuration file', () => {
  test('is shown line by line without its secrets, as in force', async () => {
    const { text, html } = await clerk.get('/settings/');
    expect(text).toMatch(/One file\..* has been in force since/);
    expect(text).toContain('5 auth: { bearer: •••••• }');
    expect(html).not.toContain('s3cret');
    expect(text).toContain('Nothing: the file is in force.');
  });

  test('that is broken has each problem beside its line, and the program goes on', async () => {
    await write(`${FIRST}  cinema: { ulr: "https://cinema.example/a.ics" }\n`);
    const { text, html } = await admin.get('/settings/');
    expect(text).toMatch(/is not loaded ?: 2 problems keep it from being used/);
    expect(html).toMatch(/<mark>ulr<\/mark>.*<span class="msg">Unknown key/);
    expect(text).toContain('What is marked has to be fixed first.');
    expect(app.context.sources.has('cinema')).toBe(false);
  });

  test('that was edited shows what loading it changes, and is loaded when an administrator asks', async () => {
    writeFileSync(app.config.file, SECOND);
    const edited = await admin.get('/settings/');
    expect(edited.text).toContain('will be loaded within seconds');
    expect(edited.text).toContain('new source cinema');
    expect(edited.html).toMatch(/<h3>Line by line<\/h3>[^]*<ins class="plus"> {2}cinema: \{ url: &quot;https/);
    expect((await clerk.post('/settings/', { do: 'load' })).text).toContain('only administrators may');
    expect(app.context.sources.has('cinema')).toBe(false);
    expect((await admin.post('/settings/', { do: 'load' })).to).toBe('/settings/?done=loaded');
    expect(app.context.sources.has('cinema')).toBe(true);
    expect((await admin.get('/settings/')).text).toContain('outside this console 1 source new');
  });

  test('can be restored to an earlier version if nobody has edited it meanwhile', async () => {
    const path = await versionPath(0);
    const shown = await admin.get(path);
    expect(shown.text).toContain('removed source cinema');
    expect(shown.html).not.toContain('s3cret');
    expect((await clerk.get(path)).text).not.toContain('Take it back');

    const meanwhile = `${SECOND}# somebody was here\n`;
    const hash = /name="hash" value="(\w+)"/.exec(shown.html)?.[1] ?? '';
    await write(meanwhile);
    const refused = await admin.post(path, { do: 'back', hash });
    expect(refused.text).toContain('somebody has changed the file since you opened this page');
    expect(refused.text).toContain('# somebody was here');
    expect(file()).toBe(meanwhile);

    const now = /name="hash" value="(\w+)"/.exec(refused.html)?.[1] ?? '';
    expect((await admin.post(path, { do: 'back', hash: now, reason: 'the cinema has closed' })).to).toBe(
      '/settings/?done=back#versions',
    );
    expect(file()).toBe(FIRST);
    expect(app.context.sources.has('cinema')).toBe(false);
    const [act] = await listActs(app.state.database.query(), {}, 1);
    expect(act).toMatchObject({
      kind: 'configure',
      by: { name: 'developer', from: 'console' },
      reason: 'the cinema has closed',
      details: { changes: '1 source removed' },
    });
    expect((await admin.get('/settings/')).text).toMatch(/by developer, and has been in force/);
  });

  test('shows old and new values, but not of secrets', async () => {
    const slower = FIRST.replace('url: https://theatre.example/a.ics', 'url: https://theatre.example/b.ics');
    writeFileSync(app.config.file, slower.replace('s3cret-of-the-file', 'another-s3cret'));
    const { html, text } = await admin.get('/settings/');
    expect(text).toContain('changed source theatre · address, auth');
    expect(html).toContain('<del class="cut">    url: https://theatre.example/a.ics</del>');
    expect(html).toContain('<ins class="plus">    url: https://theatre.example/b.ics</ins>');
    expect(html).not.toContain('s3cret');
    const many = Array.from({ length: 300 }, (_, index) => `  # line ${index}\n`).join('');
    writeFileSync(app.config.file, `${FIRST}${many}`);
    expect((await admin.get('/settings/')).text).toContain('# line 199 … and 100 more lines');
    await write(FIRST);
  });

  test('is split into pages if it is long', async () => {
    const many = Array.from({ length: 900 }, (_, index) => `  # line ${index}\n`).join('');
    await write(`${FIRST}${many}`);
    const first = await admin.get('/settings/');
    expect(first.text).toContain('Lines 1 to 400 of 905');
    expect((await admin.get('/settings/?from=801')).text).toContain('Lines 801 to 905 of 905');
    expect(Buffer.byteLength(first.html)).toBeLessThan(150_000);
  });

  test('answers 404 for a version that is not kept', async () => {
    expect((await admin.get('/settings/versions/4711/')).status).toBe(404);
  });
});

describe('what was typed is shown again', () => {
  test('a refused file address', async () => {
    const { html } = await admin.post('/add/', { do: 'look', url: 'file:///srv/feeds/town.ics' });
    expect(html).toContain('value="file:///srv/feeds/town.ics"');
  });

  test.each(['show', 'save'])('settings of a source with mistakes: %s', async (act) => {
    const page = '/sources/theatre/settings/';
    const { html } = await admin.post(page, { do: act, every: 'banana', timezone: 'Europe/Rome' });
    expect(html).toMatch(/name="every"\s+value="banana"/);
    expect(html).toMatch(/name="timezone"\s+value="Europe\/Rome"/);
    expect(file()).not.toContain('banana');
  });
});

test('the copy button copies the new entry of the file, without removed or surrounding lines', async () => {
  const { html } = await admin.post('/sources/theatre/settings/', { do: 'show', every: '2h', language: 'pl' });
  expect(html).toContain('data-copy="#block-text"');
  const block = /<pre id="block-text" hidden>([^]*?)<\/pre>/.exec(html)?.[1]?.trim().split('\n');
  expect(block?.map((line) => line.trim())).toEqual([
    'theatre:',
    'url: https://theatre.example/a.ics',
    'auth: { bearer: •••••• }',
    'every: 2h',
    'language: pl',
  ]);
});

describe('a mistake in a form', () => {
  test('is shown at its field, and the list of mistakes links there', async () => {
    const page = '/sources/theatre/settings/';
    expect((await admin.get(page)).html).toContain(`formaction="/operator${page}#block"`);
    const { html } = await admin.post(page, { do: 'show', every: 'banana', 'window.past': 'long' });
    for (const name of ['every', 'window.past']) {
      expect(html).toMatch(
        new RegExp(`name="${name}".* id="field-${name}" aria-invalid="true" aria-describedby="field-${name}-fault"`),
      );
      expect(html).toMatch(new RegExp(`id="field-${name}-fault">Expected a duration`));
      expect(html).toContain(`<a href="#field-${name}">`);
    }
    // Nobody would look for it in a collapsed group.
    expect(html).toMatch(/<details class="well-box" open>\s*<summary><b>More<\/b>/);
    expect(html.match(/aria-invalid/g)).toHaveLength(2);
  });

  test('has no link if no field belongs to its key', async () => {
    const before = file();
    writeFileSync(app.config.file, before.replace('theatre:\n', 'theatre:\n    evry: 2h\n'));
    const { html, text } = await admin.post('/sources/theatre/settings/', { do: 'show', language: 'pl' });
    writeFileSync(app.config.file, before);
    expect(text).toMatch(/sources\.theatre\.evry ?: Unknown key/);
    expect(html).not.toContain('href="#field-');
  });

  test('is shown for a receiver of alerts, too', async () => {
    const sent = { do: 'show', name: 'desk', channel: 'mail', mail: 'nobody', hears: 'held', sources: 'none' };
    const { html } = await admin.post('/settings/alerts/add/', { ...sent, after: 'later' });
    expect([...html.matchAll(/<p class="small wrong[^>]* id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      'field-mail-fault',
      'field-sources-fault',
      'field-after-fault',
    ]);
  });

  test('is shown where the button leads, even before there is a change to show', async () => {
    const { html } = await admin.post('/settings/alerts/add/', { do: 'show', name: '', channel: 'mail' });
    expect(html).toMatch(/id="block"[^]*Give the receiver a name first/);
    expect(html).not.toContain('Nothing yet.');
  });
});

test.each(['settings', 'rules'])('"Saved." is shown once: the forms of the %s do not repeat it', async (tab) => {
  const page = `/sources/theatre/${tab}/`;
  const { html, text } = await admin.get(`${page}?saved`);
  expect(text).toContain('Saved.');
  const actions = [...html.matchAll(/<form\s+method="post"\s+action="([^"]*)"/g)].map(([, action]) => action);
  expect(actions).toContain(`/operator${page}`);
  expect(actions.filter((action) => action?.includes('saved'))).toEqual([]);
});

describe('people', () => {
  test('are for administrators only', async () => {
    expect((await clerk.get('/settings/people/')).status).toBe(403);
    expect((await clerk.get('/settings/')).text).not.toContain('People');
    expect((await clerk.post('/settings/', { do: 'invite', login: 'x', role: 'administrator' })).status).toBe(400);
  });

  test('get an account, another role and a new password, which the history shows', async () => {
    const made = await admin.post('/settings/people/', { do: 'invite', login: 'librarian', role: 'editor', email: '' });
    expect(made.text).toMatch(/The password of librarian ?, shown only this once: \S{10,}/);
    const again = await admin.post('/settings/people/', {
      do: 'invite',
      login: 'Librarian',
      role: 'author',
      email: 'desk@library.example',
    });
    expect(again.text).toContain('There is an account "Librarian" already. It can be given a new password.');
    expect(again.html).toContain('name="login" value="Librarian"');
    expect(announcedFields(again.html)).toEqual([['login', true, expect.stringContaining('already')]]);
    expect(again.html).toMatch(/name="login"[^>]* autofocus/);
    const noAddress = { do: 'invite', login: 'reader', role: 'editor', email: 'desk' };
    expect(announcedFields((await admin.post('/settings/people/', noAddress)).html)).toEqual([
      ['email', true, '"desk" is no e-mail address.'],
    ]);
    expect(again.html).toContain('value="desk@library.example"');
    expect(again.html).toMatch(/<option value="author" selected>[^]*Create the account/);
    expect(made.html).toContain('name="login" value=""');
    const listed = await admin.get('/settings/people/');
    expect(listed.text).toMatch(/librarian editor: the console/);
    // Somebody who stays signed in for weeks is here later than that.
    expect(listed.text).toContain('Account May Last sign-in Change');
    await admin.post('/settings/people/', { do: 'role', login: 'librarian', role: 'author' });
    const changed = await admin.get('/settings/people/');
    expect(changed.text).toMatch(/librarian author: only the site/);
    expect(changed.text).toContain(
      'Programs keep theirs: librarian takes those back at /authorize , and so does calsyncd password USER --revoke .',
    );
    const given = await admin.post('/settings/people/', { do: 'password', login: 'librarian' });
    expect(given.text).toMatch(/The password of librarian ?, shown only this once/);
    const acts = await listActs(app.state.database.query(), {}, 3);
    expect(acts.map(({ kind, details }) => [kind, details['changes']])).toEqual([
      ['account', 'gave librarian a new password'],
      ['account', 'made librarian an author'],
      ['account', 'made an account for librarian, with the role editor'],
    ]);
  });

  test('get one password even if the form is sent twice or the page reloaded', async () => {
    const { once } = hiddenIn((await admin.get('/settings/people/')).html, 'value="invite"');
    const send = async (fields: Readonly<Record<string, string>>): Promise<string> => {
      const { text } = await admin.post('/settings/people/', { once: once!, ...fields });
      return /The password of \w+ ?, shown only this once: (\S+)/.exec(text)?.[1] ?? text;
    };
    const invited = { do: 'invite', login: 'hasty', role: 'editor', email: '' };
    const [first, second] = await Promise.all([send(invited), send(invited)]);
    expect([first.length > 8, second]).toEqual([true, first]);
    expect(await send(invited)).toBe(first);
    const given = { do: 'password', login: 'hasty' };
    const password = await send(given);
    expect(password).not.toBe(first);
    expect(await send(given)).toBe(password);
    const acts = await listActs(app.state.database.query(), {}, 10);
    expect(acts.filter(({ details }) => String(details['changes']).includes('hasty'))).toHaveLength(2);
  });

  test('get the role that was chosen last, even on an older page', async () => {
    await admin.post('/settings/people/', { do: 'invite', login: 'wavering', role: 'editor', email: '' });
    const { once } = hiddenIn((await admin.get('/settings/people/')).html, 'value="invite"');
    const choose = async (role: string): Promise<unknown> => {
      await admin.post('/settings/people/', { once: once!, do: 'role', login: 'wavering', role });
      return /wavering (\w+):/.exec((await admin.get('/settings/people/')).text)?.[1];
    };
    expect([await choose('author'), await choose('editor'), await choose('author')]).toEqual([
      'author',
      'editor',
      'author',
    ]);
  });

  test('get one account from two forms sent at once, and the other says what to do', async () => {
    const invited = { do: 'invite', login: 'twice', role: 'editor', email: '' };
    const answers = await Promise.all([1, 2].map(async () => admin.post('/settings/people/', invited)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(
      answers
        .map(({ text }) => /of twice ?, shown only|account "twice" already\. It can be given/.exec(text)?.[0])
        .toSorted(),
    ).toEqual(['account "twice" already. It can be given', expect.stringContaining('of twice')]);
  });

  test('cannot change their own role, nor that of calsyncd itself', async () => {
    for (const login of ['developer', 'Developer']) {
      const own = await admin.post('/settings/people/', { do: 'role', login, role: 'editor' });
      expect(own.text).toContain('Your own role is changed by another administrator.');
    }
    const sync = await admin.post('/settings/people/', { do: 'role', login: 'calsyncd', role: 'administrator' });
    expect(sync.text).toContain('its role cannot be changed');
  });
});
