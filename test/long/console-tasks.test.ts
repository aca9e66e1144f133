import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { faultsOf, launchChromium, navigate } from '../support/browser.ts';
import { consoleWorld, breakSources, weekly, type ConsoleWorld } from '../support/console-world.ts';
import { body } from '../support/feed-server.ts';
import { calendarText } from '../support/feed-text.ts';
import { mailServer, type MailServer } from '../support/mail-server.ts';
import { until } from '../support/until.ts';

// The most frequent tasks of operators, each from the first page of the console to the end in a real browser, with a
// fixed number of clicks. Typing and choosing are not counted: they cannot be avoided.

const CODE = 'not-to-be-guessed';

let world: ConsoleWorld;
let post: MailServer;
let browser: Browser;
let page: Page;
let clicks = 0;

beforeAll(async () => {
  post = await mailServer();
  world = await consoleWorld(`alerts:
  mail: { server: "${post.url}", from: calendar@town.example }
  receivers:
    clerk: { mail: clerk@town.example, code: ${CODE} }
`);
  await breakSources(world);
});
afterAll(async () => {
  await browser?.close();
  await world.close();
  await post.close();
});
beforeEach(async (context) => {
  browser ??= await launchChromium(context);
  if (page === undefined) {
    page = await (await browser.newContext()).newPage();
    await world.signIn(page);
  }
  await page.goto(`${world.daemon.url}/operator/`);
  clicks = 0;
});

const click = async (target: Locator): Promise<void> => {
  clicks += 1;
  await target.first().click();
  // On a page that is still loading, the last link would be another one.
  await page.waitForLoadState();
};
const link = (name: string | RegExp): Locator => page.getByRole('link', { name });
const press = (name: string | RegExp): Locator => page.getByRole('button', { name });
const text = async (): Promise<string> => ((await page.locator('main').textContent()) ?? '').replace(/\s+/g, ' ');
const shows = async (wanted: RegExp): Promise<void> => {
  await expect.poll(text, { timeout: 30_000 }).toMatch(wanted);
};
async function expectReadable(): Promise<void> {
  await page.waitForLoadState();
  await page.evaluate('for (const one of document.querySelectorAll("details:not(.menu)")) one.open = true');
  expect(await faultsOf(page)).toEqual([]);
}
const findStory = async (): Promise<void> => {
  const search = page.getByRole('searchbox', { name: 'Find an event' });
  await search.fill('Story');
  await navigate(page, () => search.press('Enter'));
};
const onSite = async (title: string): Promise<number> => {
  const answer = await fetch(
    `${world.daemon.url}/api/calendar/events/v1/events?search=${encodeURIComponent(title)}&per_page=1`,
  );
  return ((await answer.json()) as { total: number }).total;
};

test('1. seeing why a plan waits, and what it means: one click', async () => {
  await click(link(/^Review/));
  await shows(/This run would remove 16 of 62/);
  await shows(/16 pages would say/);
  expect(clicks).toBe(1);
});

test('2. writing to the publisher of a feed that fails: four clicks', async () => {
  await click(link(/^Sources/));
  await click(link('cinema'));
  await click(link('Write to them'));
  await page.getByLabel('To', { exact: true }).fill('office@cinema.example');
  await click(press('Send the letter'));
  const letter = await until('the letter', () => post.mails.find(({ to }) => to[0] === 'office@cinema.example'));
  expect(letter.text).toContain('can no longer be read');
  expect(letter.text).toContain('the address may not be read');
  expect(clicks).toBe(4);
});

test('3. having all failing feeds read again: one click', async () => {
  await click(press(/^Check the \d that fail|^Check the one that fails/));
  await shows(/You asked for (?:a run|runs of \d sources)\./);
  expect(clicks).toBe(1);
});

test('4. seeing what a run would change, without writing it: three clicks', async () => {
  world.feeds.on(
    '/library.ics',
    body(calendarText([...weekly('story', 'Story time <for children> & parents', 20), ...weekly('chess', 'Chess', 1)])),
  );
  await click(link(/^Sources/));
  await click(link('library'));
  await click(press('Show what would change'));
  await shows(/A run would add 1/);
  await expectReadable();
  expect(await onSite('Chess')).toBe(0);
  expect(clicks).toBe(3);
});

test('5. finding out why an event is as it is: one click, after a search', async () => {
  await findStory();
  await shows(/“Story” 20 events/);
  await click(link(/Story time/));
  await shows(/It comes from the feed of library ?, line \d+/);
  await shows(/Why is it not newer\?/);
  expect(clicks).toBe(1);
});

test('6. detaching an event from its source, and giving it back: five clicks', async () => {
  await findStory();
  await click(link(/Story time/));
  const more = page.locator('main summary').filter({ hasText: 'More' });
  await click(more);
  await click(press(/Make it our own: library leaves it alone/));
  await shows(/somebody’s own: its source leaves it alone/);
  await expectReadable();
  await page.goto(page.url());
  await click(page.getByText('Give it back to library…'));
  await click(press('Yes, give it back to library'));
  await shows(/gave the event back to its source/);
  await more.waitFor();
  expect(clicks).toBe(5);
});

test('7. removing completely what should never have been published: four clicks', async () => {
  await findStory();
  await click(link(/Story time/).last());
  await click(page.locator('main summary').filter({ hasText: 'More' }));
  await click(page.getByText('Take it back altogether…'));
  await click(press('Yes, take it back'));
  await shows(/It has been taken off the site/);
  await expect.poll(() => onSite('Story time')).toBe(19);
  expect(clicks).toBe(4);
});

test('8. having a feed read more often: four clicks, and one more to see what that changes', async () => {
  await click(link(/^Sources/));
  await click(link('library'));
  await click(link('Settings').last());
  await page.getByLabel('Read it every', { exact: false }).first().fill('30m');
  await click(press('Show what that changes'));
  await shows(/every: 30m/);
  await click(press('Save'));
  await until('the file', async () =>
    (await readFile(path.join(world.home.directory, 'calsyncd.yaml'), 'utf8')).includes('30m'),
  );
  expect(clicks).toBe(5);
});

test('9. inviting a colleague: three clicks', async () => {
  await click(link('Settings'));
  await click(link('People'));
  await page.getByLabel('Name to sign in with').fill('librarian');
  await click(press('Create the account'));
  await shows(/The password of librarian ?, shown only this once/);
  expect(clicks).toBe(3);
});

test('10. sending a test message to a receiver: three clicks', async () => {
  await click(link('Settings'));
  await click(link('Alerts'));
  const before = post.mails.length;
  await click(press(/Send a test to clerk/));
  await until('the test', () => (post.mails.length > before ? true : undefined));
  expect(clicks).toBe(3);
});

test('deciding by the link in a mail: what is not ticked stays, and a wrong code does nothing', async () => {
  const mail = await until('a mail about the theatre', () =>
    post.mails.find(({ headers }) => (headers['subject'] ?? '').startsWith('theatre: 16 of 62')),
  );
  const [address = ''] = /http:\/\/\S+\/review\/\S+/.exec(mail.text) ?? [];
  // Nobody is signed in on this phone.
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 800 } })).newPage();
  await phone.goto(address);
  const ticks = phone.locator('input[name=tick]');
  expect(await ticks.count()).toBe(48);
  for (const index of [0, 1]) await ticks.nth(index).uncheck();
  await phone.getByLabel('The code of clerk').fill('a guess');
  await phone.getByRole('button', { name: 'Approve: write what is ticked' }).click();
  await phone.getByText('That is not the code of clerk. Nothing was done.').waitFor();
  expect(await ticks.nth(0).isChecked()).toBe(false);
  expect(await ticks.nth(2).isChecked()).toBe(true);
  expect(await onSite('Dziady')).toBe(30);
  await phone.getByLabel('The code of clerk').fill(CODE);
  await phone.getByRole('button', { name: 'Approve: write what is ticked' }).click();
  await expect.poll(() => onSite('Dziady'), { timeout: 60_000 }).toBe(16);
  await phone.goto(address);
  expect(await phone.locator('body').innerText()).toContain('This plan is closed');
});
