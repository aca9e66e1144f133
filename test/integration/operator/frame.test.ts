import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resetAccountPassword } from '../../../src/site/authorize/accounts.ts';
import { consoleBrowser, signedInConsole, tokenIn, type Answered, type ConsoleClient } from '../../support/console.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

let program: SyncingApp;
let app: OpenedApp;
const YAML = 'builtin: { title: Town calendar }\nsources: {}\n';

beforeAll(async () => {
  program = await syncingApp();
  app = await program.open(YAML);
});
afterAll(() => program.close());

const account = async (login: string, role: 'administrator' | 'editor' | 'author'): Promise<string> =>
  (await resetAccountPassword(app.state.database.query(), login, { role })).password;

async function signIn(
  browser: ConsoleClient,
  fields: Readonly<Record<string, string>>,
  peer?: string,
): Promise<Answered> {
  const token = tokenIn((await browser.get('/')).html);
  return browser.send(
    '/signin',
    { method: 'POST', body: new URLSearchParams({ token, next: '/', ...fields }), headers: {} },
    peer,
  );
}

describe('signing in to the console', () => {
  test('is asked for first, and leads to the page that was asked for', async () => {
    const browser = consoleBrowser(app);
    const page = await browser.get('/runs/?source=theatre');
    expect([page.status, page.html]).toEqual([401, expect.stringContaining('value="/runs/?source=theatre"') as string]);
    const done = await signIn(browser, {
      login: 'ada',
      password: await account('ada', 'editor'),
      next: '/runs/?source=theatre',
    });
    expect([done.status, done.to]).toEqual([303, '/runs/?source=theatre']);
    expect((await browser.get('/')).text).toContain('ada');
  });

  test.each([
    'https://evil.example/',
    '//evil.example/',
    String.raw`/\evil.example`,
    '/signout',
    'javascript:alert(1)',
  ])('never leads to %s', async (next) => {
    const browser = consoleBrowser(app);
    const done = await signIn(browser, { login: 'bob', password: await account('bob', 'editor'), next });
    expect([done.status, done.to]).toEqual([303, '/']);
  });

  test('is refused with a wrong password, and takes longer after many', async () => {
    const browser = consoleBrowser(app);
    await account('carol', 'editor');
    const answers: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1)
      answers.push((await signIn(browser, { login: 'carol', password: 'wrong' }, '127.0.0.9')).status);
    expect(answers).toEqual([403, 403, 403, 403, 403, 429]);
  });

  test('is for editors and administrators', async () => {
    const done = await signIn(consoleBrowser(app), { login: 'dora', password: await account('dora', 'author') });
    expect([done.status, done.text]).toEqual([
      403,
      expect.stringContaining('it is for editors and administrators') as string,
    ]);
  });

  test('gives cookies that only the console and the pages for editing get, and no script reads', async () => {
    const done = await signIn(consoleBrowser(app), { login: 'eve', password: await account('eve', 'editor') });
    expect(done.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^calsyncd_operator=[\w-]{43}\.[\w-]{43}; Path=\/operator; Max-Age=43200; HttpOnly; SameSite=Lax$/,
      ) as string,
      expect.stringMatching(/^calsyncd_edit=\S+; Path=\/edit; Max-Age=43200; HttpOnly; SameSite=Lax$/) as string,
    ]);
  });

  test('lasts thirty days on a device of one’s own', async () => {
    const done = await signIn(consoleBrowser(app), {
      login: 'eve',
      password: await account('eve', 'editor'),
      stay: 'yes',
    });
    expect(done.headers.getSetCookie()[0]).toContain('Max-Age=2592000');
  });

  test('ends by signing out', async () => {
    const browser = await signedInConsole(app);
    expect((await browser.post('/signout', {})).to).toBe('/');
    expect((await browser.get('/')).status).toBe(401);
  });
});

describe('a form', () => {
  test('of another site is not carried out', async () => {
    const browser = await signedInConsole(app);
    const token = tokenIn((await browser.get('/')).html);
    const answer = await browser.send('/signout', {
      method: 'POST',
      body: new URLSearchParams({ token }),
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect([answer.status, (await browser.get('/')).status]).toEqual([403, 200]);
  });

  test('without the token of this browser is not carried out', async () => {
    const [browser, other] = [await signedInConsole(app), await signedInConsole(app)];
    const token = tokenIn((await other.get('/')).html);
    const body = new URLSearchParams({ token });
    await browser.send('/signout', { method: 'POST', body });
    expect((await browser.get('/')).status).toBe(200);
  });

  test('that comes much more often than hands can send it has to wait', async () => {
    const browser = await signedInConsole(app, 'robot');
    const token = tokenIn((await browser.get('/')).html);
    const send = (): Promise<Answered> =>
      browser.send('/', { method: 'POST', body: new URLSearchParams({ token, do: 'nothing' }) });
    const statuses = [];
    for (let sent = 0; sent < 61; sent += 1) statuses.push((await send()).status);
    expect([...new Set(statuses.slice(0, 60)), statuses.at(-1)]).toEqual([400, 429]);
    program.clock.now += 1_000;
    expect((await send()).status).toBe(400);
  });

  test('that is too large is refused before it is read', async () => {
    const answer = await consoleBrowser(app).send('/signin', { method: 'POST', body: 'x'.repeat(20_000) });
    expect(answer.status).toBe(413);
  });
});

describe('a page', () => {
  test('may load nothing that is not our own', async () => {
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

  test('that does not exist says so', async () => {
    expect((await (await signedInConsole(app)).get('/nothing/')).status).toBe(404);
  });

  test('is for this machine unless the configuration names a network', async () => {
    const far = await consoleBrowser(app).send('/', {}, '203.0.113.7');
    expect([far.status, far.text]).toEqual([403, expect.stringContaining('allow_addresses: [203.0.113.7]') as string]);
    const open = await program.open(`${YAML}operator: { allow_addresses: [203.0.113.0/24] }\n`);
    expect((await consoleBrowser(open).send('/', {}, '203.0.113.7')).status).toBe(401);
  });
});
