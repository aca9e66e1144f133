import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { complaintsOf, launchChromium, sendTwice } from '../support/browser.ts';
import { consoleWorld, breakSources, weekly, type ConsoleWorld } from '../support/console-world.ts';
import { body } from '../support/feed-server.ts';
import { calendarText } from '../support/feed-text.ts';
import { until } from '../support/until.ts';

// What the console's script adds, in a real browser with a real daemon.

let world: ConsoleWorld;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  world = await consoleWorld();
  await breakSources(world);
  world.feeds.on('/library.ics', body(calendarText(weekly('story', 'Other stories', 20))));
  await world.home.command(['sync', 'library']);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});
beforeEach(async (context) => {
  browser ??= await launchChromium(context);
  page = await (await browser.newContext()).newPage();
  await world.signIn(page);
  complaints = complaintsOf(page);
});

const isGrey = (): Promise<boolean> => page.evaluate<boolean>('document.documentElement.classList.contains("silent")');

test('single keys move between rows and search, and can be switched off', async () => {
  await page.goto(`${world.daemon.url}/operator/`);
  const focused = (): Promise<string> =>
    page.evaluate<string>('document.activeElement.matches("[data-row]") ? document.activeElement.textContent : ""');
  await page.keyboard.press('j');
  const first = await focused();
  expect(first).not.toBe('');
  await page.keyboard.press('j');
  expect(await focused()).not.toBe(first);
  await page.keyboard.press('k');
  expect(await focused()).toBe(first);
  await page.keyboard.press('/');
  await page.keyboard.type('jk?');
  expect(await page.getByLabel('Find an event').inputValue()).toBe('jk?');
  await page.evaluate('document.activeElement.blur()');
  await page.locator('.who summary').click();
  const keys = page.locator('[data-keys]');
  expect(await keys.getAttribute('aria-pressed')).toBe('true');
  await keys.click();
  expect(await keys.getAttribute('aria-pressed')).toBe('false');
  await page.keyboard.press('Escape');
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('j');
  expect(await focused()).toBe('');
  await page.locator('.who summary').click();
  await keys.click();
  await page.keyboard.press('Escape');
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('j');
  expect(await focused()).toBe(first);
  expect(complaints).toEqual([]);
});

test('a menu closes when the focus leaves it', async () => {
  await page.goto(`${world.daemon.url}/operator/sources/`);
  const menu = page.locator('.sources .menu').first();
  await menu.locator('summary').press('Enter');
  const inside = await menu.locator('a, button').count();
  for (let pressed = 0; pressed < inside; pressed += 1) await page.keyboard.press('Tab');
  expect(await menu.evaluate((element) => element.matches('[open]:focus-within'))).toBe(true);
  await page.keyboard.press('Tab');
  expect(await page.locator('.menu[open]').count()).toBe(0);
});

test('a double click sends a form only once', async () => {
  await page.goto(`${world.daemon.url}/operator/settings/people/`);
  await page.getByLabel('Name to sign in with').fill('librarian');
  expect(await sendTwice(page, '[name=login][required]')).toEqual([false, true]);
  await page.getByText('shown only this once').waitFor();
});

test('the page updates itself when something no longer waits, but not the list that has the focus', async () => {
  await page.goto(`${world.daemon.url}/operator/`);
  const before = await page.locator('.matter').count();
  expect(await page.locator('#waiting').textContent()).toBe(`, ${before} waiting`);
  // Is lost if the page is reloaded.
  await page.evaluate('window.same = true');
  await page.locator('.matter [data-row]').last().focus();
  world.feeds.on('/library.ics', body(calendarText(weekly('story', 'Story time <for children> & parents', 20))));
  await world.home.command(['sync', 'library']);
  await until('the count in the navigation', async () =>
    (await page.locator('#waiting').textContent())?.includes(`${before - 1} waiting`),
  );
  // The list stays as it is while the focus is in it.
  expect(await page.evaluate('document.activeElement.matches(".matter [data-row]")')).toBe(true);
  await page.evaluate('document.activeElement.blur()');
  await until('the matter to be gone', async () => (await page.locator('.matter').count()) === before - 1, 20_000);
  expect(await page.evaluate('window.same')).toBe(true);
  expect(complaints).toEqual([]);
});

test('a page goes grey within 95 seconds after the daemon is killed, and recovers with it', async () => {
  await until('a beat', () =>
    page.evaluate<boolean>('/, [0-5] s ago/.test(document.querySelector("[data-last]").textContent)'),
  );
  expect(await isGrey()).toBe(false);
  expect(complaints).toEqual([]);
  const killedAt = Date.now();
  await world.daemon.kill();
  await until('the page to go grey', isGrey, 120_000);
  const seconds = (Date.now() - killedAt) / 1000;
  process.stderr.write(`The page went grey ${seconds.toFixed(1)} s after the daemon was killed.\n`);
  // The last beat came when the daemon was killed, or up to one interval before.
  expect(seconds).toBeLessThan(95);
  expect(await page.locator('[data-silence]').isVisible()).toBe(true);
  expect(await page.locator('form[method=post] button').first().isDisabled()).toBe(true);
  const again = world.home.start();
  await again.ready();
  await until('the page to come back', async () => !(await isGrey()), 60_000);
  expect(await page.locator('[data-silence]').isVisible()).toBe(false);
  expect(await page.locator('form[method=post] button').first().isDisabled()).toBe(false);
  await again.stop('SIGTERM');
});
