import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decodeEntities } from '../../../src/html/references.ts';
import { listUsers } from '../../../src/site/users/list-users.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { editorsOf, redirectedId, sendForm, versionIn, type Editors } from '../../support/editors.ts';
import { png } from '../../support/pictures.ts';
import { quickAccount } from '../../support/quick-account.ts';
import { tokenOf, type Browser, type Shown } from '../../support/site-pages.ts';

// A form sent after its session has ended, or with the token of another one: nobody has to type anything twice.

let site: TestSite;
let editors: Editors;
beforeAll(async () => {
  site = await builtinSite();
});
beforeEach(async () => {
  editors = await editorsOf(site);
});
afterAll(() => site.close());

const TYPED = {
  title: 'Late "night" <reading>',
  startDay: '2026-12-05',
  startTime: '21:00',
  endDay: '2026-12-06',
  endTime: '01:00',
  venue: 'Café Ölberg & Söhne',
  tags: 'night, 夜',
  cost: '5',
  description: '\n<b>First</b> line\n\nSecond one, "quoted"',
};
const NOT_SAVED = 'Nothing has been saved yet';
const keptIn = ({ html }: Shown): string => decodeEntities(/name="kept" value="([^"]*)"/.exec(html)?.[1] ?? '');
const eventCount = async (): Promise<number> =>
  (await site.ask('editor', 'GET', '/events?status=any')).body['total'] as number;

/** The values in the fields of a page. */
function typedIn({ html }: Shown): Readonly<Record<string, string>> {
  const inputs = [...html.matchAll(/<input(?=[^>]* name="(\w+)")(?=[^>]* value="([^"]*)")[^>]*>/g)];
  const texts = [...html.matchAll(/<textarea[^>]* name="(\w+)"[^>]*>\n?([^<]*)</g)];
  return Object.fromEntries([...inputs, ...texts].map(([, name = '', value = '']) => [name, decodeEntities(value)]));
}

/** Signs in again on the page that asks for it, sending `changes` instead of the usual fields. */
async function signInOn(
  browser: Browser,
  path: string,
  gate: Shown,
  changes: Readonly<Record<string, string>> = {},
): Promise<Shown> {
  const { password } = await quickAccount(site.db, 'author');
  const form = new FormData();
  const fields = { token: tokenOf(gate), kept: keptIn(gate), login: 'author', password, do: 'signin', ...changes };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return browser.post(path, form);
}

test('the time of the last sign-in is known even after the session has ended and others have signed in', async () => {
  const lastHere = async (): Promise<Readonly<Record<string, Date | null>>> =>
    Object.fromEntries((await listUsers(site.db, 10)).map((user) => [user.login, user.lastHere]));
  const at = new Date(site.clock.now);
  await editors.signIn('author');
  await sessionsEnd();
  await editors.signIn('editor');
  expect(await lastHere()).toMatchObject({ author: at, editor: new Date(site.clock.now), contributor: null });
});

async function sessionsEnd(): Promise<void> {
  site.clock.now += 13 * 3_600_000;
  editors.renew();
}

/** Somebody whose browser has dropped the session cookie, as it does when the session ends. */
async function signedOut(path: string): Promise<{ readonly browser: Browser; readonly page: Shown }> {
  const { browser } = await editors.signIn('author');
  const page = await browser.get(path);
  await sessionsEnd();
  for (const name of browser.cookies.keys()) if (!name.endsWith('_visit')) browser.cookies.delete(name);
  return { browser, page };
}

describe('a new event', () => {
  const path = '/edit/event/new/';

  test('is in the form again after signing in, with every word, and stored only when it is sent again', async () => {
    const before = await eventCount();
    const { browser, page } = await signedOut(path);
    const gate = await browser.post(path, { ...TYPED, allDay: 'yes', token: tokenOf(page), do: 'publish' });
    expect([gate.status, gate.html]).toEqual([
      401,
      expect.stringContaining('You were signed out in the meantime') as string,
    ]);
    const wrong = await signInOn(browser, path, gate, { password: 'wrong' });
    expect([wrong.status, keptIn(wrong)]).toEqual([403, keptIn(gate)]);
    const shown = await signInOn(browser, path, wrong);
    expect([shown.status, shown.html]).toEqual([200, expect.stringContaining(NOT_SAVED) as string]);
    expect(typedIn(shown)).toMatchObject(TYPED);
    expect(shown.html).toMatch(/name="allDay" value="yes" checked/);
    expect(await eventCount()).toBe(before);
    const done = await browser.post(path, { ...TYPED, tags: '', token: tokenOf(shown), do: 'publish' });
    expect((await site.ask('editor', 'GET', `/events/${redirectedId(done)}`)).body['start_date']).toBe(
      '2026-12-05 21:00:00',
    );
  });

  test('sent with the token of another session is shown again at once', async () => {
    const { browser } = await editors.signIn('author');
    const before = await eventCount();
    const token = tokenOf(await (await editors.signIn('author')).browser.get(path));
    const shown = await browser.post(path, { ...TYPED, token, do: 'publish' });
    expect([shown.status, typedIn(shown)]).toEqual([403, expect.objectContaining(TYPED) as object]);
    expect([shown.html.includes(NOT_SAVED), await eventCount()]).toEqual([true, before]);
    expect((await browser.post(path, { ...TYPED, tags: '', token: tokenOf(shown), do: 'draft' })).status).toBe(303);
  });

  test('loses its picture, however large, and says so', async () => {
    const { browser, page } = await signedOut(path);
    for (const bytes of [100, 5_000_000]) {
      const form = new FormData();
      for (const [name, value] of Object.entries({ token: tokenOf(page), ...TYPED })) form.set(name, value);
      form.set('image', new File([Buffer.from(png(4, 3, 1)), Buffer.alloc(bytes)], 'a.png', { type: 'image/png' }));
      form.set('do', 'publish');
      const gate = await browser.post(path, form);
      expect(keptIn(gate).length).toBeLessThan(1_000);
      const shown = await signInOn(browser, path, gate);
      expect(typedIn(shown)).toMatchObject(TYPED);
      expect(shown.html).toContain('A picture cannot be kept');
      await browser.post('/edit/signout', { token: tokenOf(shown) });
    }
  });

  test.each([
    ['refused for a long text', { description: 'x'.repeat(300_000) }, 413],
    ['refused for a text that grows when it is kept', { description: '"'.repeat(200_000) }, 413],
    ['accepted for as long a text as an event may have', { description: 'x'.repeat(200_000) }, 401],
  ] as const)('is checked for its size before anybody signs in: %s', async (_, more, status) => {
    const { browser, page } = await signedOut(path);
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...TYPED, ...more, token: tokenOf(page) })) form.set(name, value);
    expect((await browser.post(path, form)).status).toBe(status);
  });
});

test('a conflict with a change by somebody else is still noticed', async () => {
  const { browser: first } = await editors.signIn('author');
  const path = `/edit/event/${redirectedId(await sendForm(first, '/edit/event/new/', { ...TYPED, tags: '', do: 'publish' }))}/`;
  const { browser, page } = await signedOut(path);
  const { browser: editor } = await editors.signIn('editor');
  await sendForm(editor, path, { ...TYPED, tags: '', title: 'By the editor', do: 'save' });
  const sent = { ...TYPED, tags: '', title: 'By the author', cost: '', version: versionIn(page), do: 'save' };
  const gate = await browser.post(path, { ...sent, token: tokenOf(page) });
  const shown = await signInOn(browser, path, gate);
  expect(typedIn(shown)).toMatchObject({ title: 'By the author', cost: '', version: versionIn(page) });
  const conflict = await browser.post(path, { ...sent, token: tokenOf(shown) });
  expect([conflict.status, conflict.html]).toEqual([409, expect.stringContaining('By the editor') as string]);
});

test('what was typed about an event that does not exist is shown, and not filled into another form', async () => {
  const { browser } = await signedOut('/edit/');
  const path = '/edit/event/999999/';
  const gate = await browser.post(path, { ...TYPED, token: 'old', do: 'save' });
  const shown = await signInOn(browser, path, gate);
  expect(shown.html).toContain('no longer has a place in the form');
  for (const value of ['Late &quot;night&quot; &lt;reading&gt;', 'Second one'] as const)
    expect(shown.html).toContain(value);
});

test('signing in with an account that may not write keeps what was typed, for another account', async () => {
  const { browser, page } = await signedOut('/edit/event/new/');
  const gate = await browser.post('/edit/event/new/', { ...TYPED, token: tokenOf(page), do: 'publish' });
  const { password } = await quickAccount(site.db, 'subscriber');
  const refused = await signInOn(browser, '/edit/event/new/', gate, { login: 'subscriber', password });
  expect([refused.status, keptIn(refused)]).toEqual([403, keptIn(gate)]);
});

describe('another site', () => {
  test('cannot fill in a form: nothing that it sends is kept', async () => {
    const { browser } = await signedOut('/edit/event/new/');
    for (const from of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }] as const) {
      const answer = await browser.send('/edit/event/new/', new URLSearchParams(TYPED), from);
      expect([answer.status, answer.html.includes('Late')]).toEqual([403, false]);
    }
  });

  test('cannot sign anybody in, even with a password, without the token of the page', async () => {
    const { browser, page } = await signedOut('/edit/event/new/');
    const gate = await browser.post('/edit/event/new/', { ...TYPED, token: tokenOf(page), do: 'publish' });
    const forged = await signInOn(browser, '/edit/event/new/', gate, { token: 'forged' });
    expect([forged.status, (await browser.get('/edit/')).status]).toEqual([403, 401]);
  });

  test.each(['[]', '{"fields":[["title"]]}', '{"fields":{}}', 'nothing', '{"fields":[[1,2]]}'])(
    'cannot make a page fail by forging what is kept: %s',
    async (kept) => {
      const { browser } = await signedOut('/edit/');
      const gate = await browser.get('/edit/');
      expect((await signInOn(browser, '/edit/', gate, { kept })).status).toBe(303);
    },
  );
});
