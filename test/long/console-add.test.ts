import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultsOf, launchChromium, navigate } from '../support/browser.ts';
import { consoleWorld, weekly, type ConsoleWorld } from '../support/console-world.ts';
import { body } from '../support/feed-server.ts';
import { calendarText } from '../support/feed-text.ts';

// A source is added, another one gets a rule, and the new one is removed, in a real browser, with and without
// JavaScript.

let world: ConsoleWorld;
let browser: Browser;
beforeAll(async () => {
  world = await consoleWorld();
  world.feeds.on(
    '/jazz.ics',
    body(
      calendarText(weekly('jazz', 'Quartet in blue', 12)).replace(
        'VERSION:2.0',
        'VERSION:2.0\r\nX-WR-CALNAME:Jazz cellar',
      ),
    ),
  );
  world.feeds.on(
    '/programme',
    body('<title>Jazz</title><a href="/jazz.ics">Calendar</a>', { 'content-type': 'text/html' }),
  );
});
afterAll(async () => {
  await browser?.close();
  await world.close();
});
beforeEach(async (context) => {
  browser ??= await launchChromium(context);
});

/** Accessibility faults of the page at a width. */
async function violations(page: Page, width: number): Promise<readonly string[]> {
  await page.waitForLoadState();
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
  return faultsOf(page);
}

test('an uploaded file with a very long name fits the width of a phone', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await world.signIn(page);
  await page.goto(`${world.daemon.url}/operator/add/`);
  await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
  const buffer = Buffer.from(calendarText(weekly('choir', 'Choir', 3)));
  await page.setInputFiles('input[type=file]', {
    name: `${'Donaudampf'.repeat(9)}.ics`,
    mimeType: 'text/calendar',
    buffer,
  });
  await page.click('button[value=upload]');
  const told = await page.locator('label.opt').innerText();
  expect(told).toMatch(/^donaudampfdonaudampfdonaudampf\.ics · 3 coming events/);
  expect(await violations(page, 390)).toEqual([]);
  await context.close();
});

test('the block can be copied without the clipboard API, or else is selected for copying by hand', async () => {
  const context = await browser.newContext();
  await context.addInitScript(`
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
    addEventListener('copy', () => (window.copied = document.activeElement.value));`);
  const page = await context.newPage();
  await world.signIn(page);
  await page.goto(`${world.daemon.url}/operator/add/`);
  await page.fill('#url', `${world.feeds.url}/jazz.ics`);
  await page.click('button[value=look]');
  const copy = page.locator('button[data-copy]');
  await copy.click();
  await page.locator('button:has-text("Copied")').waitFor();
  expect(await page.evaluate('window.copied')).toMatch(/^ *jazz-cellar:\n +url: .*\/jazz\.ics/);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Copied');
  await page.evaluate(`document.execCommand = () => false`);
  await copy.click();
  expect(await page.locator('#block-text').isVisible()).toBe(true);
  expect(await page.evaluate('String(getSelection())')).toContain('jazz-cellar:');
  await context.close();
});

describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  test('a pasted address is previewed and saved, a rule is tried, and the source is removed', async () => {
    const context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    await world.signIn(page);
    await page.goto(`${world.daemon.url}/operator/add/`);
    await page.fill('#url', `${world.feeds.url}/programme`);
    await navigate(page, () => page.click('button[value=look]'));
    expect(await page.textContent('h2#feeds')).toContain('It leads to 1 calendar');
    expect(await page.locator('.cards .card').count()).toBe(10);
    const wrong = javaScriptEnabled ? [...(await violations(page, 390)), ...(await violations(page, 1440))] : [];
    expect(wrong).toEqual([]);
    await page.fill('input[name=name]', `jazz-${javaScriptEnabled}`);
    await page.click('button[value=save]');
    await page.waitForURL(/\/operator\/runs\/jazz-/);
    expect(await page.textContent('main')).toContain('12');

    await page.goto(`${world.daemon.url}/operator/sources/library/rules/`);
    if (!(await page.locator('button[formaction*="kind=skip"]').isVisible()))
      await page.click('summary:has-text("Add a rule")');
    await page.click('button[formaction*="kind=skip"]');
    await page.fill('input[name=expression]', '(?i)story');
    await navigate(page, () => page.click('.box button[value=try]'));
    expect(await page.innerText('#rules')).toContain('0 of 20 events come through');
    expect(javaScriptEnabled ? await violations(page, 390) : []).toEqual([]);

    await page.goto(`${world.daemon.url}/operator/sources/jazz-${javaScriptEnabled}/settings/`);
    await page.click('summary:has-text("out…")');
    await page.click('button[value=remove]');
    await page.waitForURL(/\/operator\/sources\/\?said=taken-out:\d+$/);
    expect(await page.textContent('main')).not.toContain(`jazz-${javaScriptEnabled}`);
    await context.close();
  });
});
