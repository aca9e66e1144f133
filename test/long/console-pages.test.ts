import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  preloadAxe,
  inBothColourSchemes,
  brokenWordsOf,
  complaintsOf,
  coveredControlsOf,
  clippedOutlinesOf,
  clippedInPrintOf,
  faultsOf,
  launchChromium,
  FONT_SIZE_PX,
  roomFaultsOf,
  takePictures,
  widthFaultsOf,
  WIDTHS,
  type Room,
} from '../support/browser.ts';
import { consoleWorld, breakSources, weekly, type ConsoleWorld } from '../support/console-world.ts';
import { body } from '../support/feed-server.ts';
import { calendarText } from '../support/feed-text.ts';

// Every page of the console that links lead to, in a real browser: nothing is broken, too heavy, inaccessible by
// keyboard or screen reader, or wider than the screen. Screenshots are in the directory that the run names.

/** In bytes of HTML, after decompression. */
const WEIGHT_MAX = 150_000;

let world: ConsoleWorld;
let browser: Browser;
let pages: readonly string[] = [];
/** Pages with words too long for a narrow screen, looked at even if others have their shape. */
let wide: readonly string[] = [];

const WORD = 'Donaudampfschifffahrt'.repeat(9);
const NO_FILE = `file:feeds/of/all/the/clubs/that/we/follow/${'PyconUK+2015.pyconuk.org'.repeat(3)}.ics`;

beforeAll(async () => {
  world = await consoleWorld('', `  archive: { url: "${NO_FILE}", every: 1h }\n`);
  await breakSources(world);
  const stories = weekly('story', 'Story time <for children> & parents', 20).map((event, index) => ({
    ...event,
    ...(index === 3 ? { title: WORD, lines: [`CATEGORIES:${WORD}`, `DESCRIPTION:${WORD}`] } : {}),
  }));
  world.feeds.on('/library.ics', body(calendarText(stories)));
  const { stdout } = await world.home.command(['sync', 'library', '--json']);
  const { runs } = JSON.parse(stdout) as { readonly runs: readonly [{ readonly run: string }] };
  wide = [
    `events/${await slugOf(WORD)}/`,
    `runs/${runs[0].run}/`,
    `runs/${runs[0].run}/?undo`,
    'runs/?show=failed',
    'sources/archive/',
    'events/?view=list&over=yes',
  ].map((path) => `${world.daemon.url}/operator/${path}`);
});
afterAll(async () => {
  await browser?.close();
  await world.close();
});
beforeEach(async (context) => {
  browser ??= await launchChromium(context);
});

/** The slug of the first event that a search for a word finds. */
async function slugOf(word: string): Promise<string> {
  const found = await fetch(`${world.daemon.url}/api/calendar/events/v1/events?search=${word}`);
  const [{ slug }] = ((await found.json()) as { readonly events: readonly [{ readonly slug: string }] }).events;
  return slug;
}

/** Pages that differ only in their subject look alike: one of each shape is looked at. */
const shapeOf = (address: string): string => {
  const { pathname, searchParams } = new URL(address);
  const names = [...new Set(searchParams.keys())];
  // Pages with several choices look alike.
  return `${pathname
    .replace(/\/(sources|events|runs)\/[^/]+\//, '/$1/*/')
    .replace(/\/help\/(?!keys\/)[^/]+\//, '/help/*/')
    .replace(/\d+/g, '#')}?${names.length > 1 ? 'several' : names.join('')}`;
};

/** The first of the pages that differ only in their query. */
const ofEachPath = (all: readonly string[]): readonly string[] => [
  ...new Map(all.toReversed().map((one) => [shapeOf(one).replace(/\?.*/, ''), one])).values(),
];

/** Follows links from the first page to one page of each shape. */
async function crawl(page: Page): Promise<{ readonly found: readonly string[]; readonly broken: readonly string[] }> {
  const found = new Map<string, string>();
  const broken: string[] = [];
  const open = [`${world.daemon.url}/operator/`];
  for (let address = open.shift(); address !== undefined; address = open.shift()) {
    const shape = shapeOf(address);
    if (found.has(shape)) continue;
    const answer = await page.goto(address);
    found.set(shape, address);
    if (answer?.status() !== 200) broken.push(`${answer?.status()} ${address}`);
    if (!answer?.headers()['content-type']?.startsWith('text/html')) continue;
    const links = await page.evaluate<string[]>('[...document.querySelectorAll("a[href]")].map((link) => link.href)');
    open.push(
      ...links
        .map((link) => link.replace(/#.*/, ''))
        .filter(
          (link) =>
            link.startsWith(`${world.daemon.url}/operator/`) && !link.includes('/assets/') && !link.endsWith('/feed/'),
        ),
    );
  }
  return { found: [...found.values()], broken };
}

test('every link leads to a page that answers 200', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await world.signIn(page);
  const { found, broken } = await crawl(page);
  // The pages of docs/ look alike, and only one of them links to the help on keys, which is added here.
  const slug = await slugOf('concert');
  // The first page of each shape is looked at in every width, so an event with much to show goes first.
  pages = [`${world.daemon.url}/operator/events/${slug}/`, ...found, `${world.daemon.url}/operator/help/keys/`];
  process.stderr.write(`${pages.length} shapes of pages: ${pages.map((one) => new URL(one).pathname).join(' ')}\n`);
  await context.close();
  expect(broken).toEqual([]);
  expect(pages.length).toBeGreaterThan(8);
});

/** Between a phone and a desktop, on the narrowest screen, and with text that the reader has enlarged. */
const ROOMS: readonly Room[] = [
  [820, FONT_SIZE_PX, widthFaultsOf],
  [320, FONT_SIZE_PX, widthFaultsOf],
  [1280, 24, widthFaultsOf],
  [390, 2 * FONT_SIZE_PX, widthFaultsOf],
];

test.each(WIDTHS)('%i pixels wide, no page is broken, inaccessible or too heavy', async (width) => {
  const lookAt = inBothColourSchemes(faultsOf);
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  await preloadAxe(page);
  await world.signIn(page);
  const wrong = complaintsOf(page);
  // A filter or a sort order changes what is shown, not how: those pages are looked at in one width only.
  const ofOwnPath = [...ofEachPath(pages), ...wide];
  const shown = width === 1440 ? [...pages, ...wide] : ofOwnPath;
  for (const [index, address] of shown.entries()) {
    let weight = 0;
    const weigh = async (response: { body: () => Promise<Buffer> }): Promise<void> => {
      weight += (await response.body().catch(() => Buffer.alloc(0))).length;
    };
    const answer = await page.goto(address);
    if (answer) await weigh(answer);
    if (weight > WEIGHT_MAX) wrong.push(`${address} weighs ${weight}`);
    const name = `${String(index).padStart(2, '0')}${new URL(address).pathname.replaceAll(/[^a-z]+/gi, '-')}`;
    await takePictures(page, 'console', `${name}${width}`);
    await page.evaluate('for (const one of document.querySelectorAll("details:not(.menu)")) one.open = true');
    const faults = [...(await lookAt(page))];
    if (width === 1440 && ofOwnPath.includes(address))
      faults.push(...(await roomFaultsOf(page, ROOMS, 'console', name)));
    wrong.push(...faults.map((fault) => `${address} ${fault}`));
  }
  await context.close();
  expect(wrong).toEqual([]);
});

test('the preview of a pasted address fits a narrow screen, however long the titles of its events are', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 900 } });
  const page = await context.newPage();
  await world.signIn(page);
  await page.goto(`${world.daemon.url}/operator/add/`);
  await page.fill('#url', `${world.feeds.url}/library.ics`);
  await page.click('button[value=look]');
  await page.waitForSelector('.cards');
  expect(await page.textContent('.cards')).toContain(WORD);
  expect(await widthFaultsOf(page)).toEqual([]);
  await context.close();
});

test('the fields of a refused sign-in are marked visibly, not only for screen readers', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${world.daemon.url}/operator/`);
  await page.fill('[name=login]', 'nobody');
  await page.fill('[name=password]', 'wrong');
  await page.click('button.go');
  await page.waitForSelector('[role=alert]');
  const marked = await page.evaluate<readonly boolean[]>(
    `(() => {
      const alarm = document.createElement('i');
      alarm.style.color = 'var(--bad)';
      document.body.append(alarm);
      const { color } = getComputedStyle(alarm);
      return [...document.querySelectorAll('input[aria-invalid]')].map((one) => getComputedStyle(one).borderColor === color);
    })()`,
  );
  expect(marked).toEqual([true, true]);
  await context.close();
});

test('forced colours still show which page is the current one', async () => {
  const context = await browser.newContext({ forcedColors: 'active' });
  const page = await context.newPage();
  await world.signIn(page);
  await page.goto(`${world.daemon.url}/operator/sources/`);
  const lined = await page.evaluate<readonly string[]>(
    `[...document.querySelectorAll('.nav > a')]
      .filter((one) => getComputedStyle(one).borderBottomColor !== getComputedStyle(document.body).backgroundColor)
      .map((one) => one.textContent.trim())`,
  );
  expect(lined).toEqual(['Sources']);
  await context.close();
});

test.each([390, 1440])('the focus ring is visible on all sides, %i pixels wide', async (width) => {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  await world.signIn(page);
  for (const path of ['', 'sources/', 'sources/theatre/', 'events/', 'runs/', 'settings/people/']) {
    await page.goto(`${world.daemon.url}/operator/${path}`);
    expect({ path, cut: await clippedOutlinesOf(page) }).toEqual({ path, cut: [] });
  }
  await context.close();
});

test('printed pages cut nothing off and break no words, and an event fits one sheet', async () => {
  // A sheet of A4 within the default margins of browsers.
  const context = await browser.newContext({ viewport: { width: 718, height: 1_047 } });
  const page = await context.newPage();
  await world.signIn(page);
  await page.emulateMedia({ media: 'print' });
  const cut: unknown[] = [];
  for (const path of ['', 'sources/', 'runs/', 'settings/', 'help/production/']) {
    await page.goto(`${world.daemon.url}/operator/${path}`);
    cut.push(...[...(await clippedInPrintOf(page)), ...(await brokenWordsOf(page))].map((one) => [path, one]));
  }
  expect(cut).toEqual([]);
  await page.goto(`${world.daemon.url}/operator/events/${await slugOf('puppets')}/`);
  const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(paper.match(/\/Type ?\/Page\b/g)).toHaveLength(1);
  await context.close();
});

test('the bar has room for the name of the calendar in every width', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await world.signIn(page);
  const cut: number[] = [];
  for (const width of [320, 390, 701, 768, 1020, 1081, 1180, 1280, 1281, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    if (
      await page.evaluate<boolean>(
        '(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector(".brand span"))',
      )
    )
      cut.push(width);
  }
  expect(cut).toEqual([]);
  await context.close();
});

test('at 400 % zoom, bars cover neither half of the window nor the element that has the focus', async () => {
  const context = await browser.newContext({ viewport: { width: 320, height: 256 } });
  const page = await context.newPage();
  await world.signIn(page);
  for (const path of ['', 'add/', 'settings/people/']) {
    await page.goto(`${world.daemon.url}/operator/${path}`);
    expect({ path, covered: await coveredControlsOf(page) }).toEqual({ path, covered: [] });
  }
  await page.goto(`${world.daemon.url}/operator/`);
  await page.mouse.wheel(0, 1000);
  await expect
    .poll(async () => page.locator('.nav').boundingBox())
    .toMatchObject({ y: expect.toSatisfy((y: number) => y < 0) as number });
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await page.keyboard.press('Tab');
  await page.locator('.nav summary').press('Enter');
  await page.getByRole('link', { name: 'Help', exact: true }).last().click();
  await page.waitForURL('**/help/');
  await context.close();
});
