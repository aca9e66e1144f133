import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publisherRoutes } from '../../../src/cli/web/publisher-pages.ts';
import { listAnswers } from '../../../src/publisher/answers.ts';
import { listActs } from '../../../src/run/watch/acts.ts';
import type { Handle } from '../../../src/web/start-web.ts';
import { signedInConsole, type ConsoleClient } from '../../support/console.ts';
import { body, feedServer, status, type FeedServer } from '../../support/feed-server.ts';
import { comingEvents } from '../../support/coming.ts';
import { calendarText } from '../../support/feed-text.ts';
import { mailServer, type MailServer } from '../../support/mail-server.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// Who is notified of what: the receivers in the console, and the publisher of a feed with a page at a secret address.

let program: SyncingApp;
let app: OpenedApp;
let mails: MailServer;
let feeds: FeedServer;
let browser: ConsoleClient;

beforeAll(async () => {
  [program, mails, feeds] = await Promise.all([syncingApp(), mailServer(), feedServer()]);
  program.clock.now = Date.now();
  app = await program.open(`builtin: { title: Town calendar, timezone: Europe/Warsaw }
fetch: { allow_addresses: [127.0.0.1/32] }
alerts:
  mail: { server: "${mails.url}", from: calendar@town.example }
  receivers:
    clerk: { mail: clerk@town.example, quiet: "22:00-07:00", after: 24h }
    office: { slack: "${feeds.url}/slack-hunter2", hears: [held] }
sources:
  town: { url: "${feeds.url}/town.ics", publisher: hall@town.example }
`);
  browser = await signedInConsole(app);
  feeds.on('/town.ics', body(calendarText(comingEvents(10)).replaceAll('DTSTAMP', 'X-STAMP')));
  await app.sync('town');
});
afterAll(async () => {
  await program.close();
  await Promise.all([mails.close(), feeds.close()]);
});
beforeEach(() => mails.refuse(undefined));

describe('alerts in the settings', () => {
  test('list the receivers and what each is notified of', async () => {
    const { status: code, text, html } = await browser.get('/settings/alerts/');
    expect(code).toBe(200);
    expect(text).toContain('2 receivers are notified when something needs a person.');
    expect(text).toContain(
      'clerk , mail failing, held, conflict, stale, late, handed-in, suggestions, backup, recovered · after 24 h · quiet from 22:00 to 07:00',
    );
    expect(html).not.toContain('hunter2');
  });

  test('send a test message and show whether it was accepted', async () => {
    const done = await browser.post('/settings/alerts/', { do: 'test', receiver: 'clerk' });
    expect(done.to).toBe('/settings/alerts/?tested=clerk');
    expect((await browser.get(done.to)).text).toContain('clerk took the test message.');
    expect(mails.mails.at(-1)).toMatchObject({
      to: ['clerk@town.example'],
      headers: { subject: 'Town calendar: this is a test' },
    });
    feeds.on('/slack-hunter2', status(404, 'no_service'));
    const failed = await browser.post('/settings/alerts/', { do: 'test', receiver: 'office' });
    const page = await browser.get(failed.to);
    expect(page.text).toContain('office did not accept the test message: answered 404: no_service.');
    expect(page.html).not.toContain('hunter2');
    expect(page.text).toContain('What was sent 2 messages');
    const todo = (await browser.get('/')).text;
    expect(todo).toContain('1 message to office could not be sent');
    expect(todo).not.toContain('to clerk could not be sent');
    const acts = await listActs(app.state.database.query(), {}, 5);
    expect(acts.map(({ kind, details }) => [kind, details['test']])).toEqual([
      ['alert', 'office'],
      ['alert', 'clerk'],
    ]);
  });
});

const PAGE = /http:\/\/127\.0\.0\.1:8080(\/publisher\/[\w-]{32})</;
/** The address of the publisher's page, as the console shows it. */
async function addressShown(): Promise<string> {
  const [, address = ''] = PAGE.exec((await browser.get('/sources/town/report/')).html) ?? [];
  return address;
}
/** Requests a page as somebody without an account. */
async function visit(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; to: string; html: string; headers: Headers }> {
  const [[, handle]] = publisherRoutes(app) as unknown as [[string, Handle]];
  const response = await handle(new Request(`http://127.0.0.1:8080${path}`, init), '192.0.2.1');
  const location = response.headers.get('location');
  const { pathname, search } = new URL(location ?? '', `http://127.0.0.1:8080${path}`);
  const to = location === null ? '' : pathname + search;
  return { status: response.status, to, html: await response.text(), headers: response.headers };
}
const answerWith = (path: string, fields: Record<string, string>) =>
  visit(path, { method: 'POST', body: new URLSearchParams(fields) });

describe('a receiver', () => {
  const file = (): Promise<string> => readFile(app.config.file, 'utf8');
  const hears = ['held', 'failing'];
  const fields = { do: 'save', channel: 'mail', mail: 'boss@town.example', hears, name: 'boss' };

  test('is added, tested, changed and removed with forms, and the rest of the file stays', async () => {
    const before = await file();
    const shown = await browser.post('/settings/alerts/add/', { ...fields, do: 'show', after: 'soon' });
    expect(shown.text).toContain('Expected a duration such as 30d');
    expect(shown.html).toContain('value="boss@town.example"');
    const { to } = await browser.post('/settings/alerts/add/', { ...fields, after: '2h', sources: 'town' });
    expect(await file()).toBe(
      before.replace(
        'sources:\n',
        '    boss:\n      mail: boss@town.example\n      hears: [held, failing]\n      sources: [town]\n      after: 2h\nsources:\n',
      ),
    );
    const page = await browser.get(to);
    expect(page.text).toContain('boss is notified from now on.');
    expect(page.text).toContain('boss , mail held, failing · only town · after 2 h');
    await browser.post('/settings/alerts/', { do: 'test', receiver: 'boss' });
    expect(mails.mails.at(-1)?.to).toEqual(['boss@town.example']);

    const path = '/settings/alerts/receivers/boss/';
    await browser.post(path, { ...fields, after: '2h', sources: 'town', quiet: '22:00-07:00' });
    expect(await file()).toContain('      after: 2h\n      quiet: "22:00-07:00"\n');
    expect((await browser.post(path, { ...fields, hears: [] })).text).toContain('Tick at least one kind of message');
    await browser.post(path, { do: 'remove' });
    expect(await file()).toBe(before);
    expect(await listActs(app.state.database.query(), {}, 2)).toMatchObject(
      Array.from({ length: 2 }, () => ({ kind: 'configure', by: { name: 'clerk', from: 'console' } })),
    );
  });

  test('gets secrets only from environment variables that the configuration lists', async () => {
    const env = { OFFICE_HOOK: `${feeds.url}/hook` };
    Object.assign(process.env, env);
    Object.assign(program.env, env);
    const before = await file();
    const slack = { ...fields, name: 'desk', channel: 'slack', mail: '' };
    try {
      const refused = await browser.post('/settings/alerts/add/', { ...slack, 'address-in': 'OFFICE_HOOK' });
      expect(refused.text).toContain('A form of the console cannot put ${OFFICE_HOOK} here');
      await writeFile(app.config.file, `${before}operator: { environment: [OFFICE_HOOK] }\n`);
      await app.reload.load();
      expect((await browser.get('/settings/alerts/add/')).html).toContain('<option value="OFFICE_HOOK">');
      await browser.post('/settings/alerts/add/', { ...slack, 'address-in': 'OFFICE_HOOK' });
      expect(await file()).toContain('    desk:\n      slack: "${OFFICE_HOOK}"\n      hears: [held, failing]\n');
      feeds.on('/hook', body('ok'));
      const tested = await browser.post('/settings/alerts/', { do: 'test', receiver: 'desk' });
      expect((await browser.get(tested.to)).text).toContain('desk took the test message.');
      const typed = await browser.post('/settings/alerts/add/', {
        ...slack,
        name: 'typed',
        'address-in': 'https://x.example/T0',
      });
      expect(typed.text).toContain('Expected an address under one of the keys');
      expect(await file()).not.toContain('x.example');
    } finally {
      delete process.env['OFFICE_HOOK'];
      await writeFile(app.config.file, before);
      await app.reload.load();
    }
  });

  test('keeps a secret that is written in the file, and no page shows it', async () => {
    const { html, text } = await browser.get('/settings/alerts/receivers/office/');
    expect(text).toContain('in the file, as it stands there');
    const asIs = { do: 'save', channel: 'slack', mail: '', 'address-in': 'as written', hears: ['held', 'late'] };
    const saved = await browser.post('/settings/alerts/receivers/office/', asIs);
    expect(saved.to).toBe('/settings/alerts/?saved=office');
    expect(await file()).toContain(`office: { slack: "${feeds.url}/slack-hunter2", hears: [held, late] }`);
    expect(html + saved.html).not.toContain('hunter2');
  });

  test('cannot be added by editors', async () => {
    const editor = await signedInConsole(app, 'writer', 'editor');
    expect((await editor.get('/settings/alerts/add/')).status).toBe(403);
    expect((await editor.get('/settings/alerts/')).html).not.toContain('/settings/alerts/add/');
    expect((await browser.get('/settings/alerts/receivers/nobody/')).status).toBe(404);
  });
});

describe('the page for a publisher', () => {
  test('says how the feed is read, what is wrong with it and how to fix it', async () => {
    const page = await visit(await addressShown());
    expect(page.status).toBe(200);
    expect(page.html).toMatch(/It is read, last \d\d:\d\d\.<\/b> Town calendar shows 10 coming events from it\./);
    expect(page.html).toContain('<h2>Events have no DTSTAMP</h2>');
    expect(page.html).toContain('How to fix it');
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-/) as string,
    });
  });

  test('says why the feed cannot be read', async () => {
    feeds.on('/town.ics', status(403));
    await app.sync('town');
    const { html } = await visit(await addressShown());
    expect(html).toMatch(/It cannot be read now: the address may not be read\./);
    expect(html).toContain('<h2>The address may not be read</h2>');
    feeds.on('/town.ics', body(calendarText(comingEvents(10)).replaceAll('DTSTAMP', 'X-STAMP')));
    await app.sync('town');
  });

  test('accepts an answer, which the console shows', async () => {
    const address = await addressShown();
    const done = await answerWith(address, { answer: 'wrong', text: 'The <b>third</b> is at eight.' });
    expect([done.status, done.to]).toEqual([303, `${address}?said=wrong`]);
    expect((await visit(done.to)).html).toContain('and look into it.');
    const shown = (await browser.get('/sources/town/report/')).text;
    expect(shown).toMatch(/What they answered something is not right \d\d:\d\d The <b>third<\/b> is at eight\./);
    expect(await listAnswers(app.state.database.query(), { site: 'builtin', source: 'town' })).toMatchObject([
      { isRight: false, text: 'The <b>third</b> is at eight.' },
    ]);
  });

  test('accepts an answer at an address with a trailing slash, too', async () => {
    const done = await answerWith(`${await addressShown()}/`, { answer: 'right' });
    expect((await visit(done.to)).html).toContain('The people who run the calendar will see your answer.');
  });

  test('accepts twenty answers a day, and no unknown answers or methods', async () => {
    const address = await addressShown();
    const said: string[] = [];
    for (let count = 0; count < 19; count += 1)
      said.push((await answerWith(address, { answer: 'right' })).to.split('=')[1] ?? '');
    expect(said).toEqual([...Array<string>(18).fill('right'), 'many']);
    expect((await answerWith(address, { answer: 'perhaps' })).status).toBe(400);
    expect((await visit(address, { method: 'DELETE' })).status).toBe(405);
  });

  test('can get a new address, and the former one is a 404', async () => {
    const former = await addressShown();
    const done = await browser.post('/sources/town/report/', { do: 'rotate' });
    expect(done.to).toBe('/sources/town/report/?said=rotated');
    const address = await addressShown();
    expect(address).not.toBe(former);
    expect([(await visit(former)).status, (await visit(address)).status]).toEqual([404, 200]);
  });

  test.each([
    '/publisher/',
    '/publisher/short',
    `/publisher/${'x'.repeat(32)}`,
    `/publisher/${'x'.repeat(32)}/stop?to=a@b.example`,
  ])('does not exist at a guessed address: %s', async (path) => expect((await visit(path)).status).toBe(404));
});

describe('a letter to a publisher', () => {
  test('is drafted, sent as edited, and can be unsubscribed from with one click', async () => {
    const page = await browser.get('/sources/town/report/');
    expect(page.html).toContain('value="hall@town.example"');
    expect(page.html).toMatch(/value="Your calendar: \d points? to look at"/);
    const letter = { do: 'write', to: 'hall@town.example', subject: 'Your dates', text: 'Hello,\n\nplease look.' };
    expect((await browser.post('/sources/town/report/', letter)).to).toBe('/sources/town/report/?said=sent');
    const sent = mails.mails.at(-1);
    const address = await addressShown();
    expect(sent?.headers).toMatchObject({
      to: 'hall@town.example',
      subject: 'Your dates',
      'list-unsubscribe': `<http://127.0.0.1:8080${address}/stop?to=hall%40town.example>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
    expect(sent?.text).toMatch(
      /^Hello,\n\nplease look\.\n\nHow your calendar is read: http:\/\/127\.0\.0\.1:8080\/publisher\//,
    );
    expect((await browser.get('/sources/town/report/')).text).toContain('“Your dates” to hall@town.example');
    const stop = `${address}/stop?to=hall%40town.example`;
    expect((await visit(stop)).html).toContain('No more letters?');
    expect((await answerWith(stop, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);
    const before = mails.mails.length;
    const refused = await browser.post('/sources/town/report/', letter);
    expect(refused.text).toContain('hall@town.example wants no more letters about this feed');
    expect(refused.html).toContain('please look.');
    expect(mails.mails).toHaveLength(before);
  });

  test.each(['a@b.example, c@d.example', 'Hall <hall@town.example>', 'hall@town.example\r\nBcc: x@y.example', ''])(
    'goes to one address only, not to %j',
    async (to) => {
      const before = mails.mails.length;
      const refused = await browser.post('/sources/town/report/', { do: 'write', to, subject: 'x', text: 'y' });
      expect(refused.text).toContain('The letter was not sent: that is not one mail address.');
      expect(mails.mails).toHaveLength(before);
    },
  );

  test('that the mail server refuses is shown again', async () => {
    mails.refuse({ code: 550, words: 'no such user' });
    const letter = { do: 'write', to: 'old@town.example', subject: 'x', text: 'a long letter' };
    const refused = await browser.post('/sources/town/report/', letter);
    expect(refused.text).toContain('The letter was not sent: answered 550 no such user.');
    expect(refused.html).toContain('a long letter');
  });
});
