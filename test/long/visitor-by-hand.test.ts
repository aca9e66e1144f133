import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signInTo, weekly } from '../support/console-world.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText } from '../support/feed-text.ts';
import { png } from '../support/pictures.ts';
import { needsProgram } from '../support/program.ts';
import { until } from '../support/until.ts';

// What people write by hand, in a real browser beside a real daemon: editors, authors and visitors, with and without a
// script.

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

let feeds: FeedServer;
let home: Home;
let daemon: Daemon;
let browser: Browser;
let password = '';
let axe = '';

beforeAll(async () => {
  feeds = await feedServer();
  feeds.on('/library.ics', body(calendarText(weekly('story', 'Story time', 3))));
  home = await programHome(`builtin: { title: Town calendar, timezone: Europe/Warsaw, suggestions: true }
sources:
  library: { url: "${feeds.url}/library.ics", every: 1h }
fetch: { allow_addresses: [127.0.0.1/32] }
`);
  daemon = home.start();
  await daemon.ready();
  password = /shown only this once:\s+(\S+)/.exec(daemon.stdout())?.[1] ?? '';
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await home?.close();
  await feeds?.close();
  if (home) await rm(home.directory, { recursive: true, force: true });
});
beforeEach(async (context) => {
  needsProgram(context, CHROMIUM, ['--version'], 'apt-get install chromium, or name one in CHROMIUM');
  browser ??= await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
});

const open = async (options: BrowserContextOptions = {}): Promise<Page> =>
  (await browser.newContext(options)).newPage();

async function signIn(page: Page, login: string, secret: string): Promise<void> {
  await page.goto(`${daemon.url}/edit/`);
  await page.getByLabel('User name or e-mail address').fill(login);
  await page.getByLabel('Password').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'My events' }).waitFor();
}

async function account(login: string, role: string): Promise<string> {
  const { stdout } = await home.command(['password', login, '--account', '--role', role, '--json']);
  return (JSON.parse(stdout) as { readonly password: string }).password;
}

/** Nothing on the page is unreachable for a reader, and nothing is wider than the window. */
async function expectReadable(page: Page): Promise<void> {
  await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
  await page.evaluate(axe);
  const found = await page.evaluate<readonly string[]>(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  );
  expect(found).toEqual([]);
}

const DAY = '2030-03-06';

test('an editor adds an event with a picture by keyboard, repeats it, and visitors find it', async () => {
  const page = await open();
  await signIn(page, 'admin', password);
  await page.getByRole('link', { name: 'New event' }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Title').fill('Open garden');
  await page.getByLabel('First day').fill(DAY);
  await page.getByLabel('Begins at').fill('15:00');
  await page.getByLabel('Place').fill('Town garden');
  await page.getByLabel('Picture', { exact: true }).setInputFiles({
    name: 'garden.png',
    mimeType: 'image/png',
    buffer: Buffer.from(png(640, 400, 3)),
  });
  await expectReadable(page);
  await page.getByRole('button', { name: 'Publish' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Published. Visitors see it now.').waitFor();
  await page.getByText('Repeat this event').click();
  await page.getByLabel('Up to and including').fill('2030-03-27');
  await page.getByRole('button', { name: 'Make these dates' }).click();
  await page.getByText('3 dates were made.').waitFor();
  await expectReadable(page);
  await page.getByRole('link', { name: 'See its page' }).click();
  await page.waitForURL(/\/event\/[a-z-]+\/$/);
  expect(await page.locator('h1').innerText()).toBe('Open garden');
  expect(await page.locator('main').innerText()).toContain('Town garden');
  expect(await page.locator('main img').first().getAttribute('src')).toContain('/media/');
}, 120_000);

test('without a script: what an author hands in waits in the To do, and an editor publishes it', async () => {
  const author = await open({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await signIn(author, 'anna', await account('anna', 'contributor'));
  await author.getByRole('link', { name: 'New event' }).first().click();
  await author.getByLabel('Title').fill('Choir night');
  await author.getByLabel('First day').fill(DAY);
  await author.getByRole('button', { name: 'Hand in' }).click();
  // A browser that checks the form itself would ask for it.
  expect(await author.locator('#startTime-fault').innerText()).toBe('This is needed.');
  await author.getByLabel('Begins at').fill('19:00');
  await author.getByRole('button', { name: 'Hand in' }).click();
  await author.getByText('Handed in. An editor looks at it').waitFor();

  const editor = await open({ javaScriptEnabled: false });
  await signInTo(editor, daemon.url, password);
  await editor.getByRole('link', { name: '1 event handed in', exact: true }).click();
  await editor.getByRole('link', { name: 'Choir night' }).click();
  await editor.getByRole('button', { name: 'Publish' }).click();
  await editor.getByText('Published. Visitors see it now.').waitFor();
}, 120_000);

test('a visitor suggests an event; it is moderated, and published', async () => {
  const visitor = await open({ viewport: { width: 390, height: 844 } });
  await visitor.goto(daemon.url);
  await visitor.getByRole('link', { name: 'Suggest an event' }).click();
  await visitor.getByLabel('Title').fill('Street party');
  await visitor.getByLabel('First day').fill(DAY);
  await visitor.getByLabel('Begins at').fill('16:00');
  await visitor.getByLabel('Place').fill('Elm Street');
  await visitor.getByLabel('Your e-mail address').fill('neighbour@mail.example');
  await expectReadable(visitor);
  // Faster than three seconds is no person: the form asks to be sent again, with all that was typed.
  await until('the form to be old enough', async () => {
    await visitor.getByRole('button', { name: 'Send the suggestion' }).click();
    return (await visitor.locator('h1').innerText()) === 'Thank you for the suggestion';
  });
  expect(await visitor.context().cookies()).toEqual([]);

  const editor = await open();
  await signInTo(editor, daemon.url, password);
  await editor.getByRole('link', { name: '1 suggestion from visitors', exact: true }).click();
  await expectReadable(editor);
  expect(await editor.locator('main').innerText()).toContain('neighbour@mail.example');
  await editor.getByRole('button', { name: /^Publish.*Street party/ }).click();
  await editor.getByText('There are no suggestions.').waitFor();
  await visitor.goto(`${daemon.url}/?search=street+party`);
  expect(await visitor.locator('main').innerText()).toContain('Street party');
}, 120_000);

test('an imported event is made one’s own, and given back', async () => {
  const page = await open();
  await signIn(page, 'admin', password);
  await until('the source to be read', async () => {
    await page.goto(`${daemon.url}/edit/?of=all&search=story`);
    return (await page.getByRole('link', { name: 'Story time' }).count()) > 0;
  });
  await page.getByRole('link', { name: 'Story time' }).first().click();
  await page.getByText('This event comes from library.').waitFor();
  await page.getByRole('button', { name: 'Make it our own' }).click();
  await until('the event to be one’s own', async () => {
    await page.reload();
    return (await page.getByText('This event came from library, and is your own now.').count()) > 0;
  });
  await expectReadable(page);
  await page.getByRole('button', { name: 'Give it back to its source' }).click();
  await until('the event to follow its source', async () => {
    await page.reload();
    return (await page.getByText('This event comes from library.').count()) > 0;
  });
  expect(await page.getByRole('button', { name: 'Make it our own' }).count()).toBe(1);
}, 120_000);

test('a place gets its address, which its events show', async () => {
  const page = await open();
  await signIn(page, 'admin', password);
  await page.getByRole('link', { name: 'Places' }).click();
  await page.getByRole('link', { name: 'Town garden' }).click();
  await page.getByLabel('Street and number').fill('Mill Lane 4');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. All its events show it.').waitFor();
  await expectReadable(page);
  await page.goto(`${daemon.url}/event/open-garden/`);
  expect(await page.locator('main').innerText()).toContain('Mill Lane 4');
}, 120_000);
