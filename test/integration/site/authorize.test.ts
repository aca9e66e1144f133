import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowOf, sql } from '../../../src/db/database.ts';
import { makeFirstAdministrator, resetAccountPassword } from '../../../src/site/authorize/accounts.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { quickAccount } from '../../support/quick-account.ts';
import { pagesOf, tokenOf, type Browser, type Shown } from '../../support/site-pages.ts';
import { basic } from '../../support/site-shell.ts';
import { announcedFields } from '../../support/announced-fields.ts';

let site: TestSite;
let open: (peer?: string) => Browser;
let password = '';

beforeAll(async () => {
  site = await builtinSite();
  ({ password } = await quickAccount(site.db, 'editor'));
});
beforeEach(() => {
  open = pagesOf(site);
});
afterAll(() => site.close());

/** Signs in as the editor, unless told otherwise, and returns the answer. */
async function signIn(browser: Browser, { query = '', login = 'editor', secret = password } = {}): Promise<Shown> {
  const page = await browser.get(`/authorize${query}`);
  return browser.post('/authorize/login', {
    ...Object.fromEntries(new URLSearchParams(query)),
    token: tokenOf(page),
    login,
    password: secret,
  });
}

async function signedIn(query = ''): Promise<Browser> {
  const browser = open();
  expect((await signIn(browser, { query })).status).toBe(303);
  return browser;
}

const me = (login: string, secret: string): Promise<Shown> =>
  open().get('/api/calendar/events/v1/events?status=draft', { authorization: basic(login, secret) });
const shownPassword = ({ html }: Shown): string => /class="secret">([^<]+)</.exec(html)?.[1] ?? '';
const approve = (browser: Browser, page: Shown, fields: Readonly<Record<string, string>>): Promise<Shown> =>
  browser.post('/authorize/approve', { token: tokenOf(page), decision: 'approve', ...fields });

async function passwordsNamed(name: string): Promise<readonly unknown[]> {
  const { rows } = await sql`select name, app_id from site.application_passwords where name = ${name}`.execute(site.db);
  return rows;
}

describe('signing in', () => {
  test('leads back to the request of the application', async () => {
    const query = '?app_name=My+phone&success_url=https%3A%2F%2Fapp.example%2Fdone';
    const { status, headers } = await signIn(open(), { query });
    expect([status, headers.get('location')]).toEqual([303, `/authorize${query}`]);
  });

  test('sets a cookie for these pages only, which scripts cannot read', async () => {
    const { headers } = await signIn(open());
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^calsyncd_session=[\w-]{43}\.[\w-]{43}; Path=\/authorize; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/,
      ) as string,
    ]);
  });

  test.each([
    ['editor', 'wrong'],
    ['nobody', 'x'],
    ['calsyncd', ''],
    ['administrator', ''],
    ['', ''],
  ])('as %s with the password "%s" is refused, always with the same message', async (login, secret) => {
    const { status, html, headers } = await signIn(open(), { login, secret });
    expect([status, headers.getSetCookie()]).toEqual([403, []]);
    const wrong = [true, expect.stringContaining('The user name or the password is not correct.') as string];
    expect(announcedFields(html)).toEqual([
      ['login', ...wrong],
      ['password', ...wrong],
    ]);
  });

  test('accepts the login in any case, or the e-mail address', async () => {
    expect((await signIn(open(), { login: 'EDITOR' })).status).toBe(303);
    expect((await signIn(open(), { login: 'editor@site.example' })).status).toBe(303);
  });

  test('is slowed down per login and network, without locking anybody else out', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1)
      await signIn(open(`2001:db8:0:1::${attempt}`), { secret: 'wrong' });
    const refused = await signIn(open('2001:db8:0:1:ffff::1'));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(announcedFields(refused.html).map(([name, isWrong]) => [name, isWrong])).toEqual([
      ['login', false],
      ['password', false],
    ]);
    expect((await signIn(open('2001:db8:0:2::1'))).status).toBe(303);
    site.clock.now += 1_000;
    expect((await signIn(open('2001:db8:0:1::5'))).status).toBe(303);
  });

  test('under attack from many networks gives each one attempt per login, and the right password still works', async () => {
    for (let attempt = 0; attempt < 50; attempt += 1)
      expect((await signIn(open(`203.0.113.${attempt}`), { secret: 'wrong' })).status).toBe(403);
    expect((await signIn(open('203.0.113.7'), { secret: 'wrong' })).status).toBe(429);
    expect((await signIn(open('203.0.113.99'), { secret: 'wrong' })).status).toBe(403);
    expect((await signIn(open('203.0.113.99'), { secret: 'wrong' })).status).toBe(429);
    expect((await signIn(open('203.0.113.100'), {})).status).toBe(303);
  });

  test('is slowed down per address, whatever the login', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1)
      await signIn(open('192.0.2.7'), { login: `guess ${attempt}`, secret: 'x' });
    expect((await signIn(open('192.0.2.7'))).status).toBe(429);
    expect((await signIn(open('192.0.2.8'))).status).toBe(303);
  });

  test('ends with signing out, even for a browser that kept the cookie', async () => {
    const browser = await signedIn();
    const kept = new Map(browser.cookies);
    const page = await browser.get('/authorize');
    expect(page.html).toContain('You are signed in as <strong>editor</strong>');
    await browser.post('/authorize/logout', { token: tokenOf(page) });
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect((await browser.get('/authorize')).html).toContain('<h1>Sign in</h1>');
  });

  test('lasts half a day', async () => {
    const browser = await signedIn();
    site.clock.now += 12 * 3_600_000 + 1;
    expect((await browser.get('/authorize')).html).toContain('<h1>Sign in</h1>');
  });

  test('is not possible with a forged cookie', async () => {
    const browser = open();
    const [token, signature] = (await signedIn()).cookies.get('calsyncd_session')!.split('.');
    for (const forged of [`${token}.x`, `x.${signature}`, `${token}`, '']) {
      browser.cookies.set('calsyncd_session', forged);
      expect((await browser.get('/authorize')).html).toContain('<h1>Sign in</h1>');
    }
  });
});

describe('an application', () => {
  test('gets a working password at its success URL', async () => {
    const asked = {
      app_name: 'My phone',
      app_id: '0b6f7c1e-3a52-4c8e-9b1d-2f4a5c6d7e8f',
      success_url: 'https://app.example/done?state=1',
    };
    const browser = await signedIn();
    const page = await browser.get(`/authorize?${new URLSearchParams(asked)}`);
    expect(page.html).toContain('<strong>My phone</strong> would like to use this calendar as you');
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://app.example; frame-ancestors 'none'",
    );
    const { status, headers } = await approve(browser, page, asked);
    const to = new URL(headers.get('location')!);
    expect([
      status,
      to.origin,
      to.pathname,
      to.searchParams.get('state'),
      to.searchParams.get('site_url'),
      to.searchParams.get('user_login'),
    ]).toEqual([302, 'https://app.example', '/done', '1', 'https://site.example', 'editor']);
    expect((await me('editor', to.searchParams.get('password')!)).status).toBe(200);
    expect(await passwordsNamed('My phone')).toEqual([{ name: 'My phone', app_id: asked.app_id }]);
  });

  test('without a success URL has its password shown once', async () => {
    const browser = await signedIn();
    const shown = await approve(browser, await browser.get('/authorize?app_name=Tablet'), { app_name: 'Tablet' });
    expect(shown.status).toBe(200);
    expect(shownPassword(shown)).toMatch(/^(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    expect((await me('editor', shownPassword(shown))).status).toBe(200);
    expect(shownPassword(await browser.get('/authorize'))).toBe('');
  });

  test.each<[Readonly<Record<string, string>>, string]>([
    [{ success_url: 'https://app.example/done', reject_url: 'https://app.example/no' }, 'https://app.example/no'],
    [{ success_url: 'https://app.example/done' }, 'https://app.example/done?success=false'],
    [{}, '/authorize'],
  ])('that is rejected (%j) is told so at %s', async (addresses, to) => {
    const browser = await signedIn();
    const fields = { app_name: 'No', ...addresses };
    const page = await browser.get(`/authorize?${new URLSearchParams(fields)}`);
    const { status, headers } = await browser.post('/authorize/approve', {
      token: tokenOf(page),
      decision: 'reject',
      ...fields,
    });
    expect([status, headers.get('location')]).toEqual([302, to]);
    expect(await passwordsNamed('No')).toEqual([]);
  });

  test.each<[Readonly<Record<string, string>>]>([
    [{ app_id: 'nonsense' }],
    [{ success_url: 'javascript:alert(1)' }],
    [{ success_url: 'http://app.example/' }],
    [{ reject_url: '/no' }],
  ])('that asks for %j is refused on the page, signed in or not, and on approval', async (fields) => {
    const browser = await signedIn();
    expect([
      (await open().get(`/authorize?${new URLSearchParams(fields)}`)).status,
      (await browser.get(`/authorize?${new URLSearchParams(fields)}`)).status,
    ]).toEqual([400, 400]);
    expect((await approve(browser, await browser.get('/authorize'), { app_name: 'x', ...fields })).status).toBe(400);
  });

  test('without a name cannot be approved', async () => {
    const browser = await signedIn();
    const asked = { app_name: '', success_url: 'https://app.example/done' };
    expect(await approve(browser, await browser.get(`/authorize?${new URLSearchParams(asked)}`), asked)).toMatchObject({
      status: 400,
      html: expect.stringContaining('Name the application') as string,
    });
  });
});

describe('forms from elsewhere', () => {
  test.each(['', 'x', 'token of somebody else'])('do nothing with the token "%s"', async (kind) => {
    const browser = await signedIn();
    const token = kind.length > 1 && kind !== 'x' ? tokenOf(await (await signedIn()).get('/authorize')) : kind;
    for (const action of ['approve', 'create', 'revoke', 'account', 'logout'])
      expect(
        (await browser.post(`/authorize/${action}`, { token, app_name: 'evil', decision: 'approve' })).status,
      ).toBe(403);
    expect(await passwordsNamed('evil')).toEqual([]);
  });

  test('are not read if larger than any form of ours', async () => {
    const browser = open();
    const token = tokenOf(await browser.get('/authorize'));
    expect(
      (await browser.post('/authorize/login', { token, login: 'editor', password, more: 'x'.repeat(10_000) })).status,
    ).toBe(413);
    expect((await browser.post('/authorize/login', { token, login: 'editor', password })).status).toBe(303);
  });

  test('cannot sign in a browser with the token of another one', async () => {
    const token = tokenOf(await open().get('/authorize'));
    expect((await open().post('/authorize/login', { token, login: 'editor', password })).status).toBe(403);
  });

  test('do nothing for a browser that is not signed in', async () => {
    const browser = open();
    const token = tokenOf(await browser.get('/authorize'));
    expect((await browser.post('/authorize/create', { token, app_name: 'evil' })).status).toBe(401);
    expect([
      (await browser.post('/authorize/nonsense', { token })).status,
      (await browser.post('/authorize', { token })).status,
    ]).toEqual([404, 404]);
  });
});

describe("one's own passwords", () => {
  test('are created once, even if the form is sent again or its answer reloaded', async () => {
    const browser = await signedIn();
    const page = await browser.get('/authorize');
    const [, once = ''] = /name="once" value="([^"]+)"/.exec(page.html)!;
    const form = { token: tokenOf(page), once, app_name: 'Clicked twice' };
    const create = async (fields = form): Promise<string> =>
      shownPassword(await browser.post('/authorize/create', fields));
    const [first, second] = await Promise.all([create(), create()]);
    expect([second, await create()]).toEqual([first, first]);
    expect((await me('editor', first)).status).toBe(200);
    expect(await passwordsNamed('Clicked twice')).toHaveLength(1);
    // A form without a name is refused, and another name gets a password of its own.
    const unnamed = { ...form, app_name: '' };
    expect(await Promise.all([create(unnamed), create({ ...form, app_name: 'Other' })])).toEqual([
      '',
      expect.any(String),
    ]);
    site.clock.now += 600_000;
    expect(await create()).not.toBe(first);
  });

  test("are listed and revoked one by one, and nobody else's can be", async () => {
    const browser = await signedIn();
    const made = await browser.post('/authorize/create', {
      token: tokenOf(await browser.get('/authorize')),
      app_name: 'Old <phone>',
    });
    const secret = shownPassword(made);
    expect((await me('editor', secret)).status).toBe(200);
    const page = await browser.get('/authorize');
    const uuid = /Old &lt;phone&gt;<\/th>[\s\S]*?name="uuid" value="([^"]+)"/.exec(page.html)![1]!;
    const other = rowOf(
      await sql<{ uuid: string }>`insert into site.application_passwords (user_id, name, hash)
        values (${site.callers.administrator.id}, 'x', 'x') returning uuid`.execute(site.db),
    );
    expect((await browser.post('/authorize/revoke', { token: tokenOf(page), uuid: other.uuid })).status).toBe(404);
    const revoked = await browser.post('/authorize/revoke', { token: tokenOf(page), uuid });
    expect(revoked.status).toBe(303);
    expect((await browser.get(revoked.headers.get('location')!)).html).toContain('The password is revoked.');
    expect((await me('editor', secret)).status).toBe(401);
    expect((await browser.post('/authorize/revoke', { token: tokenOf(page), uuid })).status).toBe(404);
  });

  test('are dated in the time zone of the site, not in UTC', async () => {
    const browser = await signedIn();
    await browser.post('/authorize/create', {
      token: tokenOf(await browser.get('/authorize')),
      app_name: 'Late phone',
    });
    await sql`update site.application_passwords set created = '2027-01-09T23:30:00Z' where name = 'Late phone'`.execute(
      site.db,
    );
    const { html } = await browser.get('/authorize');
    expect(html).toContain('<time datetime="2027-01-09T23:30:00.000Z">2027-01-10</time>');
  });

  test.each([
    ['author', true],
    ['subscriber', false],
  ])('are shown to the %s with a link to the event editor: %s', async (login, leads) => {
    const { password: secret } = await quickAccount(site.db, login);
    const browser = open();
    await signIn(browser, { login, secret });
    expect((await browser.get('/authorize')).html.includes('href="/edit">Write events in the browser')).toBe(leads);
  });

  test('the account password signs in to these pages, but not to the REST interface', async () => {
    expect((await me('editor', password)).status).toBe(401);
    const browser = open();
    const page = await browser.get('/authorize');
    const owner = await signedIn();
    const made = await owner.post('/authorize/create', { token: '', app_name: 'x' });
    const application = shownPassword(
      await owner.post('/authorize/create', { token: tokenOf(await owner.get('/authorize')), app_name: 'Tablet' }),
    );
    expect((await me('editor', application)).status).toBe(200);
    expect([
      made.status,
      (await browser.post('/authorize/login', { token: tokenOf(page), login: 'editor', password: application })).status,
    ]).toEqual([403, 403]);
    expect((await browser.get('/authorize')).html).toContain('<h1>Sign in</h1>');
  });

  test('the account password can be changed, which signs out everywhere else', async () => {
    const { password: former } = await resetAccountPassword(site.db, 'author');
    const [browser, elsewhere] = [open(), open()];
    for (const one of [browser, elsewhere]) await signIn(one, { login: 'author', secret: former });
    const change = async (fields: Readonly<Record<string, string>>) =>
      browser.post('/authorize/account', { token: tokenOf(await browser.get('/authorize')), ...fields });
    const refused = async (fields: Readonly<Record<string, string>>) => {
      const { status, html } = await change(fields);
      return [status, announcedFields(html).map(([name]) => name), /name="(\w+)"[^>]* autofocus/.exec(html)?.[1]];
    };
    expect(await refused({ former: 'wrong', password: 'correct horse battery' })).toEqual([403, ['former'], 'former']);
    expect(await refused({ former, password: 'short' })).toEqual([400, ['password'], 'password']);
    const changed = await change({ former, password: 'correct horse battery' });
    expect(changed.status).toBe(303);
    const { html } = await browser.get(changed.headers.get('location')!);
    expect(html).toContain('<strong>author</strong>');
    expect(html).toContain('Your password is changed. Wherever else you were signed in, you are signed out.');
    expect((await browser.get('/authorize?done=constructor')).html).not.toContain('class="note"');
    expect((await elsewhere.get('/authorize')).html).toContain('<h1>Sign in</h1>');
    expect((await signIn(open(), { login: 'author', secret: 'correct horse battery' })).status).toBe(303);
    expect((await signIn(open(), { login: 'author', secret: former })).status).toBe(403);
  });
});

test('wrong credentials for the REST interface are slowed down, right ones never, even from the same address', async () => {
  const browser = await signedIn();
  const secret = shownPassword(
    await browser.post('/authorize/create', { token: tokenOf(await browser.get('/authorize')), app_name: 'Sync' }),
  );
  const ask = (peer: string, given: string) =>
    openOnce(peer).get('/api/calendar/events/v1/events', { authorization: basic('editor', given) });
  const openOnce = open;
  for (let attempt = 0; attempt < 20; attempt += 1) expect((await ask('192.0.2.5', 'wrong')).status).toBe(401);
  const slowed = await ask('192.0.2.5', 'wrong');
  expect([slowed.status, slowed.headers.get('retry-after'), JSON.parse(slowed.html)]).toEqual([
    429,
    '1',
    expect.objectContaining({ code: 'rest_too_many_attempts' }),
  ]);
  expect((await ask('192.0.2.6', secret)).status).toBe(200);
  expect((await ask('192.0.2.5', secret)).status).toBe(200);
  expect((await ask('192.0.2.5', 'wrong')).status).toBe(429);
});

test('these pages are neither cached nor framed', async () => {
  const { headers } = await open().get('/authorize');
  expect([headers.get('cache-control'), headers.get('content-security-policy')]).toEqual([
    'no-store',
    expect.stringContaining("frame-ancestors 'none'"),
  ]);
});

describe('the first administrator', () => {
  test('is created once, even by several processes at the same time, and can sign in', async () => {
    const fresh = await builtinSite();
    try {
      await sql`delete from site.users where login <> 'calsyncd'`.execute(fresh.db);
      const made = (await Promise.all([1, 2, 3].map(() => makeFirstAdministrator(fresh.db)))).filter(
        (one) => one !== undefined,
      );
      expect(made).toEqual([{ login: 'admin', password: expect.stringMatching(/^.{20}$/) as string }]);
      const browser = pagesOf(fresh)();
      const page = await browser.get('/authorize');
      expect(
        (await browser.post('/authorize/login', { token: tokenOf(page), login: 'admin', password: made[0]!.password }))
          .status,
      ).toBe(303);
      expect((await browser.get('/authorize')).html).toContain('administrator');
      expect(await makeFirstAdministrator(fresh.db)).toBeUndefined();
    } finally {
      await fresh.close();
    }
  });

  test('is an existing administrator, if there is one', async () => {
    const fresh = await builtinSite();
    try {
      expect(await makeFirstAdministrator(fresh.db)).toMatchObject({ login: 'administrator' });
    } finally {
      await fresh.close();
    }
  });

  test('a password is not reset for an unknown user', () =>
    expect(resetAccountPassword(site.db, 'nobody')).rejects.toThrow('has no user "nobody"'));

  test('a reset that names a role creates an unknown user, who can sign in', async () => {
    const { login, password: secret } = await resetAccountPassword(site.db, 'Nowa', {
      role: 'author',
      email: 'nowa@town.example',
    });
    expect(login).toBe('Nowa');
    const browser = open('192.0.2.77');
    const page = await browser.get('/authorize');
    expect(
      (await browser.post('/authorize/login', { token: tokenOf(page), login: 'nowa@town.example', password: secret }))
        .status,
    ).toBe(303);
    expect((await browser.get('/authorize')).html).toMatch(/Nowa[\s\S]*author/);
    await expect(resetAccountPassword(site.db, 'a:b', { role: 'author' })).rejects.toMatchObject({ code: 'bad_login' });
  });
});

test.each([
  ['pl', 'Zaloguj się', 'Aplikacja <strong>Telefon</strong> chce używać', 'Nowe hasło dla'],
  ['de-AT', 'Anmelden', 'Die Anwendung <strong>Telefon</strong> möchte', 'Das neue Passwort für'],
  ['cs', 'Sign in', '<strong>Telefon</strong> would like', 'The new password for'],
])(
  'a site in %s has these pages in its language, or in English if there is no translation',
  async (language, heading, asking, made) => {
    const other = await builtinSite({ languages: [language] });
    try {
      const { password: secret } = await resetAccountPassword(other.db, 'editor');
      const browser = pagesOf(other)();
      const page = await browser.get('/authorize?app_name=Telefon');
      // A page in English declares that.
      expect(page.html).toContain(`<html lang="${language === 'cs' ? 'en' : language}">`);
      expect(page.html).toContain(`<h1>${heading}</h1>`);
      expect(
        (
          await browser.post('/authorize/login', {
            token: tokenOf(page),
            login: 'editor',
            password: secret,
            app_name: 'Telefon',
          })
        ).status,
      ).toBe(303);
      const question = await browser.get('/authorize?app_name=Telefon');
      expect(question.html).toContain(asking);
      expect((await approve(browser, question, { app_name: 'Telefon' })).html).toContain(made);
      expect((await browser.get('/authorize')).html).not.toMatch(/undefined|=>/);
      expect(other.errors).toEqual([]);
    } finally {
      await other.close();
    }
  },
);

test('the site reported no errors', () => expect(site.errors).toEqual([]));
