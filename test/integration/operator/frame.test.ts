import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeEntities } from '../../../src/html/references.ts';
import { ROUTES } from '../../../src/operator/routes.ts';
import { consoleBrowser, signedInConsole, tokenIn, type Answered, type ConsoleClient } from '../../support/console.ts';
import { quickAccount } from '../../support/quick-account.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';
import { announcedFields } from '../../support/announced-fields.ts';

let program: SyncingApp;
let app: OpenedApp;
const YAML = 'builtin: { title: Town calendar }\nsources: {}\n';

beforeAll(async () => {
  program = await syncingApp();
  app = await program.open(YAML);
});
afterAll(() => program.close());

const account = async (login: string, role: 'administrator' | 'editor' | 'author'): Promise<string> =>
  (await quickAccount(app.state.database.query(), login, { role })).password;

async function signIn(
  browser: ConsoleClient,
  { path = '/', ...fields }: Readonly<Record<string, string>>,
  peer?: string,
): Promise<Answered> {
  const token = tokenIn((await browser.get(path)).html);
  const body = new URLSearchParams({ token, do: 'signin', ...fields });
  return browser.send(path, { method: 'POST', body }, peer);
}

describe('signing in to the console', () => {
  test('is required first, and leads to the requested page', async () => {
    const browser = consoleBrowser(app);
    const path = '/runs/?source=theatre';
    const page = await browser.get(path);
    expect([page.status, page.html]).toEqual([401, expect.stringContaining('name="password"') as string]);
    const done = await signIn(browser, { login: 'ada', password: await account('ada', 'editor'), path });
    expect([done.status, done.to]).toEqual([303, path]);
    expect((await browser.get('/')).text).toContain('ada');
  });

  test.each(['//evil.example/', '/nothing/here', '/signout'])('leads to the first page, not %s', async (path) => {
    const done = await signIn(consoleBrowser(app), { login: 'bob', password: await account('bob', 'editor'), path });
    expect([done.status, done.to]).toEqual([303, '/']);
  });

  test('is refused with a wrong password, and blocked for a while after many', async () => {
    const browser = consoleBrowser(app);
    await account('carol', 'editor');
    const answers: Answered[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1)
      answers.push(await signIn(browser, { login: 'carol', password: 'wrong' }, '127.0.0.9'));
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 429]);
    // Screen readers read out what is wrong with the focused field.
    expect(answers.slice(4).flatMap(({ html }) => announcedFields(html))).toEqual([
      ['login', true, expect.stringContaining('not correct')],
      ['password', true, expect.stringContaining('not correct')],
      ['login', false, expect.stringContaining('too many wrong attempts')],
      ['password', false, expect.stringContaining('too many wrong attempts')],
    ]);
  });

  test('is for editors and administrators', async () => {
    const done = await signIn(consoleBrowser(app), { login: 'dora', password: await account('dora', 'author') });
    expect([done.status, done.text]).toEqual([
      403,
      expect.stringContaining('it is for editors and administrators') as string,
    ]);
  });

  test('sets cookies for the console and the editing pages only, which no script can read', async () => {
    const done = await signIn(consoleBrowser(app), { login: 'eve', password: await account('eve', 'editor') });
    expect(done.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^calsyncd_operator=[\w-]{43}\.[\w-]{43}; Path=\/operator; Max-Age=43200; HttpOnly; SameSite=Lax$/,
      ) as string,
      expect.stringMatching(/^calsyncd_edit=\S+; Path=\/edit; Max-Age=43200; HttpOnly; SameSite=Lax$/) as string,
    ]);
  });

  test('lasts thirty days if the user chooses to stay signed in', async () => {
    const done = await signIn(consoleBrowser(app), {
      login: 'eve',
      password: await account('eve', 'editor'),
      stay: 'yes',
    });
    expect(done.headers.getSetCookie()[0]).toContain('Max-Age=2592000');
  });

  test('ends with signing out', async () => {
    const browser = await signedInConsole(app);
    expect((await browser.post('/signout', {})).to).toBe('/');
    expect((await browser.get('/')).status).toBe(401);
  });
});

const keptIn = (html: string): string => decodeEntities(/name="kept" value="([^"]*)"/.exec(html)?.[1] ?? '');

describe('a form', () => {
  test.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, { origin: 'null' }] as Readonly<
    Record<string, string>
  >[])('of another site is refused: %j', async (headers) => {
    const browser = await signedInConsole(app);
    const token = tokenIn((await browser.get('/')).html);
    const answer = await browser.send('/signout', {
      method: 'POST',
      body: new URLSearchParams({ token }),
      headers,
    });
    expect([answer.status, (await browser.get('/')).status]).toEqual([403, 200]);
  });

  test('without the token of this browser is refused', async () => {
    const [browser, other] = [await signedInConsole(app), await signedInConsole(app)];
    const token = tokenIn((await other.get('/')).html);
    const body = new URLSearchParams({ token });
    await browser.send('/signout', { method: 'POST', body });
    expect((await browser.get('/')).status).toBe(200);
  });

  test('that is sent far too often has to wait', async () => {
    const browser = await signedInConsole(app, 'robot');
    const token = tokenIn((await browser.get('/')).html);
    const send = (): Promise<Answered> =>
      browser.send('/', { method: 'POST', body: new URLSearchParams({ token, do: 'nothing' }) });
    const statuses = [];
    for (let sent = 0; sent < 60; sent += 1) statuses.push((await send()).status);
    expect([...new Set(statuses)]).toEqual([400]);
    const refused = await send();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    program.clock.now += 1_000;
    expect((await send()).status).toBe(400);
  });

  test('that is too large is refused before anybody signs in', async () => {
    const answer = await consoleBrowser(app).send('/', { method: 'POST', body: 'x'.repeat(300_000) });
    expect(answer.status).toBe(413);
  });

  test('sent after the session has ended is filled in again after signing in', async () => {
    const browser = await signedInConsole(app, 'late');
    const path = '/settings/people/';
    const typed = { login: '"<b>Zoe</b>', email: 'zoe@theatre.example', role: 'author' };
    const token = tokenIn((await browser.get(path)).html);
    await browser.post('/signout', {});
    const gate = await browser.send(path, {
      method: 'POST',
      body: new URLSearchParams({ ...typed, token, do: 'invite' }),
    });
    expect([gate.status, gate.text]).toEqual([
      401,
      expect.stringContaining('You were signed out in the meantime') as string,
    ]);
    const kept = keptIn(gate.html);
    const send = (password: string): Promise<Answered> => {
      const fields = { login: 'late', password, token: tokenIn(gate.html), kept, do: 'signin' };
      return browser.send(path, { method: 'POST', body: new URLSearchParams(fields) });
    };
    const wrong = await send('wrong');
    expect([wrong.status, keptIn(wrong.html)]).toEqual([403, kept]);
    const shown = await send(await account('late', 'administrator'));
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('Nothing has been done yet') as string]);
    const somebodyNew = shown.html.slice(shown.html.indexOf('Add a person'));
    expect([...somebodyNew.matchAll(/ value="([^"]*)" (?:selected)/g)].map(([, role]) => role)).toEqual(['author']);
    expect(somebodyNew).toContain('value="&quot;&lt;b&gt;Zoe&lt;/b&gt;"');
    expect(somebodyNew).toContain('value="zoe@theatre.example"');
    expect((await browser.get(path)).text).not.toContain('Zoe');
  });
});

describe('a page', () => {
  test('loads only our own assets', async () => {
    const browser = await signedInConsole(app);
    const page = await browser.get('/');
    expect(page.headers.get('content-security-policy')).toContain(
      "default-src 'none'; style-src 'self'; script-src 'self'",
    );
    expect(page.html).not.toMatch(/<style|style="|<script>|<(?:link|script|img|iframe|source|use)\b[^>]*https?:/);
    const paths = [...page.html.matchAll(/(?:href|src)="\/operator(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths.map((path) => /\w+$/.exec(path)?.[0])).toEqual(expect.arrayContaining(['css', 'js']));
    for (const path of paths) {
      const asset = await browser.get(path);
      expect([path, asset.status, asset.headers.get('cache-control')]).toEqual([
        path,
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
  });

  test('that does not exist is a 404', async () => {
    expect((await (await signedInConsole(app)).get('/nothing/')).status).toBe(404);
  });

  test('is served to this machine only unless the configuration names a network', async () => {
    const far = await consoleBrowser(app).send('/', {}, '203.0.113.7');
    expect([far.status, far.text]).toEqual([403, expect.stringContaining('allow_addresses: [203.0.113.7]') as string]);
    const open = await program.open(`${YAML}operator: { allow_addresses: [203.0.113.0/24] }\n`);
    expect((await consoleBrowser(open).send('/', {}, '203.0.113.7')).status).toBe(401);
    const farther = await consoleBrowser(open).send('/', {}, '198.51.100.7');
    expect(farther.text).toContain('this machine and the networks of its configuration only');
    expect(farther.text).not.toContain('203.0.113');
  });
});

describe('what is for administrators only', () => {
  const routes = ROUTES.filter(({ right }) => right === 'administrator');

  test.each(routes.map(({ path, acts = {} }) => [path, Object.keys(acts)] as const))(
    'is refused to an editor: %s %j',
    async (path, acts) => {
      const editor = await signedInConsole(app, 'eve', 'editor');
      const place = path.replaceAll(/:\w+/g, 'town');
      const before = readFileSync(app.config.file, 'utf8');
      const answers = [await editor.get(place)];
      for (const act of acts) answers.push(await editor.post(place, { do: act }));
      expect(answers.map(({ status, text }) => [status, text.includes('Only administrators may do this')])).toEqual(
        answers.map(() => [403, true]),
      );
      expect(readFileSync(app.config.file, 'utf8')).toBe(before);
    },
  );

  test('includes the pages that change the configuration and people', () =>
    expect(routes.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/add/', '/settings/people/', '/sources/:source/settings/', '/sources/:source/rules/']),
    ));
});
