import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  complaintsOf,
  clippedOutlinesOf,
  faultsOf,
  launchChromium,
  navigate,
  takePicture,
} from '../support/browser.ts';
import { visitedSite, type VisitedSite } from '../support/visited-site.ts';

// Month, week, series and past events in a real browser. Screenshots are in the directory that the run names.

const WIDTHS = [390, 820, 1440];
const PHONE_MAX = 720;
const WEEK_ROWS_MAX = 992;

let visited: VisitedSite;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  visited = await visitedSite();
});
afterAll(async () => {
  await browser?.close();
  await visited.close();
});

beforeEach(async (context) => {
  browser ??= await launchChromium(context);
});
afterEach(async () => {
  await page?.context().close();
});

async function open(width: number, options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, ...options });
  page = await context.newPage();
  complaints = complaintsOf(page);
}
const to = (address: string): Promise<unknown> => page.goto(`${visited.url}${address}`);
const here = (): string => page.url().slice(visited.url.length);

/** Takes a screenshot, and checks what must be right on every page. */
async function look(name: string): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  await takePicture(page, 'views', `${name}-${width}`);
  expect({ name, faults: await faultsOf(page), complaints }).toEqual({ name, faults: [], complaints: [] });
}

/** The boxes of the visible elements that a selector matches. */
const boxes = (selector: string): Promise<readonly { x: number; y: number; width: number; height: number }[]> =>
  page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => ` +
      'one.checkVisibility()).map((one) => { const { x, y, width, height } = one.getBoundingClientRect(); ' +
      'return { x, y, width, height }; })',
  );

describe.each(WIDTHS)('%i pixels wide', (width) => {
  const isPhone = width < PHONE_MAX;

  test('the month has bars over several days, or is a list of days', async () => {
    await open(width);
    await to('/month/2026-12/');
    await look('month');
    expect(await page.locator('thead').isVisible()).toBe(!isPhone);
    expect(await page.locator('.phone').isVisible()).toBe(isPhone);
    const [market] = await boxes('td#m-4 .bar');
    const [day] = await boxes('td#m-4');
    // Friday to Sunday: three columns, or one line of a list.
    expect(Math.round((market?.width ?? 0) / (day?.width ?? 1))).toBe(isPhone ? 1 : 3);
    expect(await page.locator('td#m-5 .rest').innerText()).toMatch(/^\+3/);
    const bars = await boxes('td .bar');
    const overlaps = bars.filter((bar, index) =>
      bars
        .slice(index + 1)
        .some(
          (other) =>
            bar.x < other.x + other.width - 1 &&
            other.x < bar.x + bar.width - 1 &&
            bar.y < other.y + other.height - 1 &&
            other.y < bar.y + bar.height - 1,
        ),
    );
    expect(overlaps).toEqual([]);
  });

  test('the current month hides past days on a phone until they are chosen', async () => {
    await open(width);
    await to('/month/');
    await look('month-now');
    expect(await page.locator('td#m-24').isVisible()).toBe(!isPhone);
    if (isPhone) await page.locator('.mini a[href="#m-24"]').click();
    expect(await page.locator('td#m-24').isVisible()).toBe(true);
    expect(await page.locator('[aria-current=date]').first().innerText()).toContain('25');
  });

  test('the week has seven columns, or a row for each day, and links to other weeks', async () => {
    await open(width);
    await to('/week/');
    await look('week');
    const days = await boxes('.week > section');
    expect(days).toHaveLength(7);
    expect(new Set(days.map(({ x }) => Math.round(x))).size).toBe(width < WEEK_ROWS_MAX ? 1 : 7);
    expect(await clippedOutlinesOf(page)).toEqual([]);
    await page.getByRole('link', { name: /→/ }).click();
    expect(here()).toBe('/week/2026-11-30/');
    await page.getByRole('link', { name: 'Today' }).click();
    expect(here()).toBe('/week/2026-11-23/');
  });

  test('a series is one line in the list, which leads to all its dates and from there to one of them', async () => {
    await open(width);
    await to('/');
    const series = page.locator('.ev', { hasText: 'Every Wednesday until 3 March' });
    expect(await series.count()).toBe(1);
    await series.getByRole('link', { name: '14 more dates' }).click();
    await page.waitForURL('**/dates/');
    await look('dates');
    await page.getByRole('link', { name: /Wed.? 16 Dec/ }).click();
    expect(await page.locator('h1').innerText()).toBe('Story time for small ears');
    await page.getByRole('link', { name: /more dates?$/ }).click();
    expect(here()).toMatch(/\/dates\/$/);
    expect(await page.locator('.lead').innerText()).toBe('Every Wednesday until 3 March');
  });

  test('an event that is over says so', async () => {
    await open(width);
    await to('/event/season-finale-and-barbecue/');
    await look('over');
    expect(await page.getByText('This is over.').isVisible()).toBe(true);
  });
});

test('month, week and dates are accessible in dark colours', async () => {
  await open(1_440, { colorScheme: 'dark' });
  await to('/month/2026-12/');
  await look('month-dark');
  await to('/week/');
  await look('week-dark');
  await to('/event/story-time-for-small-ears/dates/');
  await look('dates-dark');
  expect(await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")).toBe(true);
});

test('without JavaScript, a category is chosen, kept from month to month, and left again', async () => {
  await open(1_440, { javaScriptEnabled: false });
  await to('/month/2026-12/');
  await navigate(page, () => page.locator('.legend').getByRole('link', { name: 'Music' }).click());
  expect(here()).toBe('/month/2026-12/?category=music');
  expect(await page.locator('h1').innerText()).toBe('December 2026');
  expect(await page.locator('.result .chip').innerText()).toMatch(/^Music/);
  expect(await page.locator('td a.one').allInnerTexts()).toHaveLength(3);
  await page.getByRole('link', { name: /November 2026/ }).click();
  expect(here()).toBe('/month/2026-11/?category=music');
  await page.getByRole('link', { name: 'All categories' }).click();
  expect(here()).toBe('/month/2026-11/');
});

test('by keyboard alone, "3 more" in the month leads to that day', async () => {
  await open(1_440);
  await to('/month/2026-12/');
  const focused = (): Promise<string> =>
    page.evaluate('document.activeElement.matches("a") ? document.activeElement.textContent : ""');
  for (let presses = 0; presses < 80 && !(await focused()).includes('3 more on'); presses += 1)
    await page.keyboard.press('Tab');
  expect(await focused()).toContain('3 more on 5 December');
  await page.keyboard.press('Enter');
  await page.waitForURL(/from=2026-12-05/);
  expect(await page.locator('h1').innerText()).toContain('5 December');
});

test('following the links of the views leads to a few dozen pages, not on for ever', async () => {
  // Links between filtered pages have rel="nofollow", so search engines do not follow them.
  const [seen, queue] = [new Set<string>(), ['/month/', '/week/', '/month/2026-12/?search=a', '/week/?free=1']];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const html = await (await fetch(`${visited.url}${path}`)).text();
    for (const [link, next = ''] of html.matchAll(/<a [^>]*href="(\/(?:month|week)\/[^"]*)"[^>]*>/g))
      if (!link.includes('nofollow')) queue.push(next);
  }
  // Nine months with events, and the weeks in between.
  expect(seen.size).toBeGreaterThan(20);
  expect(seen.size).toBeLessThan(60);
});
