import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { comingStart } from '../support/coming.ts';
import { faultsOf, launchChromium, navigate } from '../support/browser.ts';
import { consoleWorld, CUT_SEASON, breakSources, SEASON, type ConsoleWorld } from '../support/console-world.ts';
import { body } from '../support/feed-server.ts';
import { calendarText } from '../support/feed-text.ts';
import { until } from '../support/until.ts';

// A held run is reviewed, approved in part and undone, in a real browser with a real daemon: without JavaScript, with
// it, and by keyboard alone.

let world: ConsoleWorld;
let browser: Browser;

beforeAll(async () => {
  world = await consoleWorld();
  await breakSources(world);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});
beforeEach(async (context) => {
  browser ??= await launchChromium(context);
});

async function signedIn(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await world.signIn(page);
  return page;
}

/** Checks that the page is accessible, and breaks no names. */
async function expectReadable(page: Page): Promise<void> {
  await page.evaluate('for (const one of document.querySelectorAll("details:not(.menu)")) one.open = true');
  expect(await faultsOf(page)).toEqual([]);
  expect(await brokenNames(page)).toEqual([]);
}

/** Names squeezed so narrow that they break between letters. */
const brokenNames = (page: Page): Promise<unknown> =>
  page.evaluate(
    `[...document.querySelectorAll('.ev .l > :first-child')]
      .filter((name) => name.getBoundingClientRect().width < 40).map((name) => name.textContent)`,
  );

const heading = (page: Page): Promise<string> => page.locator('h1').innerText();
async function ended(page: Page): Promise<void> {
  await until('the run to end', async () => {
    await page.goto(page.url());
    // The heading of a page that was opened during the run changes with it, but the rest only after another load.
    return (await page.locator('#run-part').count()) === 0 && !(await heading(page)).includes('is being');
  });
}

test('without JavaScript, the counts are shown again before anything is written', async () => {
  const page = await signedIn({ javaScriptEnabled: false });
  await reviewLink(page).click();
  expect(await heading(page)).toBe('The feed of theatre has lost 16 of its 62 coming events');
  await page.locator('input[name=remove]').nth(0).uncheck();
  await page.locator('input[name=remove]').nth(1).uncheck();
  await navigate(page, () => page.getByRole('button', { name: 'date or place 32' }).click());
  expect(await page.locator('main').innerText()).toContain('32 of 48 are shown.');
  expect(new URL(page.url()).searchParams.getAll('except')).toHaveLength(2);
  const [, year, month] = /^(....)(..)/.exec(SEASON[16]?.start ?? '') ?? [];
  await page.getByRole('combobox', { name: 'Month' }).selectOption(`${year}-${month}`);
  await page.getByRole('button', { name: 'everything 48' }).click();
  expect(await page.locator('input[name=remove]').nth(0).isChecked()).toBe(false);
  expect(await page.locator('input[name=remove]').nth(2).isChecked()).toBe(true);
  await navigate(page, () => page.getByRole('link', { name: 'Both feeds side by side' }).click());
  expect(await page.locator('table.sides del').allInnerTexts()).toContain('SUMMARY:Dziady, Part Two');
  const shared = (): Promise<number> =>
    page.locator('table.sides').getByText('CATEGORIES:Stage').filter({ visible: true }).count();
  const onDesk = await shared();
  await page.setViewportSize({ width: 390, height: 844 });
  // Where the feeds are stacked, lines that both have are shown once.
  expect(await shared()).toBeLessThan(onDesk);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goBack();
  await page.locator('.bar .yes summary').click();
  await navigate(page, () => page.getByRole('button', { name: 'Yes, write it' }).click());
  expect(await page.locator('main').innerText()).toContain('Of the events, this takes 14 off the site and moves 32.');
  await page.getByRole('textbox', { name: /Why/ }).fill('they do take place');
  await page.getByRole('button', { name: 'Yes, write it' }).click();
  await ended(page);
  expect(await heading(page)).toBe('theatre: 32 changed, 14 removed');
  expect(await page.locator('main').innerText()).toContain('2 events were left out, as it was decided');
  await page.getByRole('link', { name: 'Take it back…' }).click();
  await page.getByRole('button', { name: 'Take back 46 of 46' }).click();
  await ended(page);
  expect(await heading(page)).toBe('theatre: 46 events taken back');
});

/** The link to the plan that waits. */
const reviewLink = (page: Page) => page.getByRole('link', { name: /^Review/ }).first();

test('with JavaScript, a plan is approved in part by keyboard alone', async () => {
  const renamed = CUT_SEASON.map((event) => ({ ...event, title: `Postponed: ${event.title}` }));
  world.feeds.on('/theatre.ics', body(calendarText(renamed)));
  await world.home.command(['sync', 'theatre']);
  const page = await signedIn();
  await reviewLink(page).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/runs/**');
  expect(await page.locator('.say').first().innerText()).toContain('titles begin with “Postponed:” now.');
  await page.locator('input[name=change]').first().focus();
  await page.keyboard.press('Space');
  const counted = page.locator('.bar [data-n=change]').first();
  const [left, all] = (await counted.innerText()).split(' of ').map(Number);
  expect(left).toBe(Number(all) - 1);
  await page.keyboard.press('a');
  expect(await page.evaluate('document.activeElement.closest("details").className')).toBe('yes');
  await page.keyboard.press('Tab');
  await page.keyboard.type('all of them are');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.bar').first().waitFor({ state: 'detached' });
  await ended(page);
  expect(await heading(page)).toBe(`theatre: ${left} changed`);
  expect(await page.locator('main').innerText()).toContain('all of them are');
});

test('with JavaScript, a plan of several pages needs one confirmation, or a second one after a tick was changed', async () => {
  const many = Array.from({ length: 70 }, (_, at) => ({
    uid: `more-${at}`,
    title: `Another ${at}`,
    start: comingStart(at),
  }));
  world.feeds.on(
    '/theatre.ics',
    body(calendarText([...SEASON.map((event) => ({ ...event, title: 'Other' })), ...many])),
  );
  await world.home.command(['sync', 'theatre']);
  const page = await signedIn();
  await navigate(page, () => reviewLink(page).click());
  expect(await page.locator('main').innerText()).toContain('page 1 of');
  const yes = page.getByRole('button', { name: 'Yes, write it' });
  await page.locator('input[name=change]').first().uncheck();
  await page.locator('.bar .yes summary').click();
  await yes.click();
  expect(await heading(page)).toBe('Approve the plan of theatre?');
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await page.locator('.bar .yes summary').click();
  await yes.click();
  await ended(page);
  expect(await heading(page)).toMatch(/^theatre: 70 new, 61 changed/);
});

test('the printed page has no controls and lists every event', async () => {
  const page = await signedIn();
  world.feeds.on('/theatre.ics', body(calendarText(SEASON.slice(0, 20))));
  const { stdout } = await world.home.command(['sync', 'theatre', '--json']);
  const { runs } = JSON.parse(stdout) as { runs: readonly { run: string }[] };
  await world.home.command(['reject', runs[0]?.run ?? '']);
  await page.goto(`${world.daemon.url}/operator/runs/${runs[0]?.run}/`);
  expect(await page.locator('.ev .l').count()).toBeGreaterThan(5);
  await page.emulateMedia({ media: 'print' });
  expect(await brokenNames(page)).toEqual([]);
  for (const pressed of ['.top', '.bar', 'button', 'input'])
    expect(await page.locator(pressed).filter({ visible: true }).count()).toBe(0);
});

test('the page of each run is accessible, and so is that of its undo', async () => {
  const page = await signedIn();
  const { stdout } = await world.home.command(['runs', '--json', '--limit', '50']);
  const { runs } = JSON.parse(stdout) as { runs: readonly { run: string; state: string; writes: number }[] };
  const addresses = runs.flatMap(({ run, writes }) => [`/runs/${run}/`, ...(writes > 0 ? [`/runs/${run}/?undo`] : [])]);
  expect(new Set(runs.map(({ state }) => state)).size).toBeGreaterThan(1);
  for (const address of ['/runs/?show=all', ...addresses]) {
    await page.goto(`${world.daemon.url}/operator${address}`);
    await expectReadable(page);
  }
});
