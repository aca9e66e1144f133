import { createServer, type Server } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import {
  coveredControlsOf,
  faultsOf,
  FONT_SIZE_PX,
  inBothColourSchemes,
  launchChromium,
  navigate,
  preloadAxe,
  roomFaultsOf,
  takePicture,
  takePictures,
  widthFaultsOf,
  WIDTHS,
  type Room,
} from '../support/browser.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { calendarText } from '../support/feed-text.ts';
import { needsProgram, output } from '../support/program.ts';

// What visitors take away from the calendar, in a real browser: a list on their own site, a link, a subscription.
// Screenshots are in the directory that the run names.

const YAML = `builtin: { title: Town calendar, timezone: Europe/Warsaw, languages: [en, pl] }
sources:
  hall: { url: "file:hall.ics", window: { past: 30d, future: 400d } }
feeds:
  all: { title: Everything on, color: "#336699" }
`;
const inDays = (days: number): string =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}T180000`;
const TITLES = ['Jazz & Blues <live>', 'Book fair', 'Chess', 'ערב שירה', '早春音乐会'];
const EVENTS = TITLES.map((title, index) => ({
  uid: `e${index}`,
  title,
  start: inDays(10 + index),
  lines: ['LOCATION:Town Hall', `CATEGORIES:${index === 0 ? 'Music' : 'Other'}`, 'DESCRIPTION:Come & see.'],
}));

// The programs block this process for longer than the daemon keeps an idle connection.
const FRESH = { headers: { connection: 'close' } };

let home: Home;
let daemon: Daemon;
let browser: Browser | undefined;
let other: Server;
let elsewhere = '';
const pages = new Map<string, string>();
beforeAll(async () => {
  home = await programHome(YAML);
  await home.write('hall.ics', calendarText(EVENTS));
  daemon = home.start();
  await daemon.ready();
  other = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(pages.get(request.url ?? '') ?? '');
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  elsewhere = `http://localhost:${(other.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser?.close();
  other.close();
  await home.close();
});

async function opened(context: TestContext): Promise<Browser> {
  return (browser ??= await launchChromium(context));
}

const frameHeight = (page: Page): Promise<number> => page.evaluate('document.querySelector("iframe").clientHeight');
const contentHeight = async (page: Page): Promise<number> => {
  const inside = page.frames().find((frame) => frame.url().includes('/embed/'));
  return (await inside?.evaluate<number>('Math.ceil(document.documentElement.getBoundingClientRect().height)')) ?? 0;
};

describe('the list on another site', () => {
  test.for(['with-script', 'script-only'])('is as high as its content, with the code of %s', async (id, context) => {
    const page = await (await opened(context)).newPage({ viewport: { width: 900, height: 800 } });
    await page.goto(`${daemon.url}/embed/new?count=4`);
    pages.set('/', `<!doctype html><title>Library</title><h1>Library</h1>${await page.locator(`#${id}`).inputValue()}`);
    await page.goto(elsewhere);
    await expect.poll(async () => (await frameHeight(page)) - (await contentHeight(page))).toBe(0);
    const wide = await frameHeight(page);
    await expect.poll(() => page.frameLocator('iframe').locator('.ev').count()).toBe(4);
    await takePicture(page, 'taken-away', id);
    // The height follows the content.
    await page.setViewportSize({ width: 260, height: 800 });
    await expect.poll(async () => (await frameHeight(page)) > wide).toBe(true);
    await expect.poll(async () => (await frameHeight(page)) - (await contentHeight(page))).toBe(0);
    // Only the calendar can set the height, and only to reasonable numbers.
    const narrow = await frameHeight(page);
    await page.evaluate('postMessage({ type: "calsyncd:size", height: 5 }, "*")');
    const inside = page.frames().find((frame) => frame.url().includes('/embed/'));
    for (const height of ['"9px;position:fixed"', '-1', '1e9', '2.5', 'null'])
      await inside?.evaluate(`parent.postMessage({ type: "calsyncd:size", height: ${height} }, "*")`);
    await inside?.evaluate('new Promise((resolve) => setTimeout(resolve))');
    expect(await frameHeight(page)).toBe(narrow);
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.frameLocator('iframe').getByRole('link', { name: 'Jazz & Blues <live>' }).click(),
    ]);
    await tab.waitForURL(`${daemon.url}/event/jazz**`);
    expect(await page.context().cookies()).toEqual([]);
    await page.close();
  });

  test('works without JavaScript', async (context) => {
    const closed = await (await opened(context)).newContext({ javaScriptEnabled: false });
    const page = await closed.newPage();
    await page.goto(`${daemon.url}/embed/new?category=music`);
    pages.set('/plain', `<!doctype html><title>Library</title>${await page.locator('#plain').inputValue()}`);
    await page.goto(`${elsewhere}/plain`);
    const list = page.frameLocator('iframe');
    expect(await titlesIn(page)).toEqual(['Jazz & Blues <live>']);
    expect(await list.getByRole('link', { name: 'Subscribe in your calendar' }).getAttribute('href')).toBe(
      `${daemon.url}/feeds/events?category=music`,
    );
    await closed.close();
  });

  test('previews each choice at once', async (context) => {
    const page = await (await opened(context)).newPage();
    await page.goto(`${daemon.url}/embed/new`);
    await navigate(page, () => page.locator('.chip', { hasText: 'Music' }).click());
    expect(new URL(page.url()).searchParams.get('category')).toBe('music');
    expect(await titlesIn(page)).toEqual(['Jazz & Blues <live>']);
    await page.close();
  });
});

/** The titles of the list in a frame, after waiting for it. */
async function titlesIn(page: Page): Promise<readonly string[]> {
  const titles = page.frameLocator('iframe').locator('h3');
  await titles.first().waitFor();
  return titles.allTextContents();
}

test('a link can be copied, and shared if the browser supports that', async (context) => {
  const page = await (await opened(context)).newPage();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${daemon.url}/embed/?category=music`);
  const address = (await page.locator('h3 a').getAttribute('href')) ?? '';
  await page.addInitScript('navigator.share = undefined');
  await page.goto(daemon.url + address);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(daemon.url + address);
  expect(await page.locator('[data-share]').isVisible()).toBe(false);
  await page.addInitScript('navigator.share = async (what) => { window.shared = what; }');
  await page.reload();
  await page.getByRole('button', { name: 'Share' }).click();
  expect(await page.evaluate('window.shared.url')).toBe(daemon.url + address);
  await page.close();
});

test('the number of events and the address follow each choice in the builder', async (context) => {
  const page = await (await opened(context)).newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${daemon.url}/feeds/events`);
  expect(await page.locator('.count').textContent()).toBe('5 events');
  await page.locator('label', { hasText: 'Music' }).click();
  await expect.poll(() => page.locator('.count').textContent(), { timeout: 30_000 }).toBe('1 event');
  const address = await page.locator('#live-address').inputValue();
  expect(address).toBe(`${daemon.url}/feeds/events.ics?categories=music`);
  expect((await (await fetch(address)).text()).match(/^SUMMARY:/gm)).toHaveLength(1);
  await page.close();
});

test.for([
  [320, 256],
  [390, 700],
  [640, 400],
])(
  'the number in the builder does not cover the element that has the focus, %i × %i pixels',
  async ([width = 0, height = 0], context) => {
    const page = await (await opened(context)).newPage({ viewport: { width, height } });
    await page.goto(`${daemon.url}/feeds/events`);
    expect(await coveredControlsOf(page)).toEqual([]);
    await page.close();
  },
);

test.for(WIDTHS)('the pages are accessible in light and in dark colours, %i pixels wide', async (width, context) => {
  const lookAt = inBothColourSchemes(faultsOf);
  const place = await (await opened(context)).newContext({ viewport: { width, height: 900 } });
  const page = await place.newPage();
  await preloadAxe(page);
  for (const [name, address] of Object.entries({
    subscribe: '/feeds/',
    feed: '/feeds/all',
    tested: '/feeds/all',
    builder: '/feeds/events?category=music&when=weekend&free=1',
    missing: '/feeds/nothing',
    embed: '/embed/',
    'embed-new': '/embed/new?category=music',
  })) {
    await page.goto(daemon.url + address);
    if (name === 'tested') await navigate(page, () => page.getByRole('button', { name: 'Test this feed' }).click());
    await takePictures(page, 'taken-away', `${name}-${width}`);
    const faults = [...(await lookAt(page))];
    if (width === 1440) faults.push(...(await roomFaultsOf(page, TABLET, 'taken-away', name)));
    expect({ name, faults }).toEqual({ name, faults: [] });
  }
  await place.close();
});

/** Between a phone and a desktop. */
const TABLET: readonly Room[] = [[820, FONT_SIZE_PX, widthFaultsOf]];

describe('third-party programs read', () => {
  test.for(['rss', 'atom'])('the feed as %s', async (form, context) => {
    const python = '/usr/bin/python3';
    needsProgram(context, python, ['-c', 'import feedparser'], 'apt-get install python3-feedparser');
    const text = await (await fetch(`${daemon.url}/feeds/all.${form}`, FRESH)).text();
    const read = JSON.parse(
      output(
        python,
        [
          '-c',
          `import sys, json, feedparser
feed = feedparser.parse(sys.stdin.buffer.read())
print(json.dumps({'bozo': feed.bozo, 'version': feed.version, 'title': feed.feed.title,
  'entries': [{'title': e.title, 'id': e.id, 'link': e.link, 'year': e.published_parsed[0]} for e in feed.entries]}))`,
        ],
        { input: text },
      ),
    ) as {
      bozo: unknown;
      version: string;
      title: string;
      entries: readonly { title: string; id: string; link: string; year: number }[];
    };
    expect([Boolean(read.bozo), read.version, read.title]).toEqual([
      false,
      form === 'rss' ? 'rss20' : 'atom10',
      'Everything on',
    ]);
    expect(read.entries.map(({ title }) => title)).toHaveLength(TITLES.length);
    expect(read.entries.slice(1).map(({ title }) => title)).toEqual(TITLES.slice(1));
    expect(new Set(read.entries.map(({ id }) => id)).size).toBe(TITLES.length);
    for (const { link, year } of read.entries) {
      expect(link).toContain(`${daemon.url}/event/`);
      expect(year).toBeGreaterThan(2025);
    }
  });

  test('the QR codes of pages and feeds', async (context) => {
    needsProgram(context, 'zbarimg', ['--version'], 'apt-get install zbar-tools');
    const shown = await (await opened(context)).newPage({ viewport: { width: 400, height: 400 } });
    for (const address of [
      '/event/jazz/',
      '/feeds/events?categories=music&search=%E6%97%A9%E6%98%A5',
      `/venue/${'x'.repeat(300)}/`,
    ]) {
      const [page, query = ''] = address.split('?');
      await shown.goto(`${daemon.url}/qr${page}.svg${query === '' ? '' : `?${query}`}`);
      const picture = path.join(home.directory, 'code.png');
      await writeFile(picture, await shown.screenshot());
      expect(output('zbarimg', ['--quiet', '--raw', picture]).trim()).toBe(daemon.url + address);
    }
    await shown.close();
  });
});
