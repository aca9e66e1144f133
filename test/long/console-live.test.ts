import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { consoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { needsProgram } from '../support/program.ts';
import { until } from '../support/until.ts';

// What the one script of the console adds, in a real browser beside a real daemon.

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

let world: ConsoleWorld;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  world = await consoleWorld();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await world?.close();
});
beforeEach(async (context) => {
  needsProgram(context, CHROMIUM, ['--version'], 'apt-get install chromium, or name one in CHROMIUM');
  browser ??= await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  page = await (await browser.newContext()).newPage();
  await world.signIn(page);
  complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
});

const isGrey = (): Promise<boolean> => page.evaluate<boolean>('document.documentElement.classList.contains("silent")');

test('a page goes grey within 90 seconds after the daemon was killed, and comes back with it', async () => {
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
  // It had heard of it when it was killed, or up to a beat before.
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
