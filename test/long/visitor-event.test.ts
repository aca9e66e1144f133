import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  brokenWordsOf,
  complaintsOf,
  faultsOf,
  FONT_SIZE_PX,
  inBothColourSchemes,
  launchChromium,
  navigate,
  preloadAxe,
  roomFaultsOf,
  takePictures,
  widthFaultsOf,
  WIDTHS,
  type Room,
} from '../support/browser.ts';
import { visitedSite, type VisitedSite } from '../support/visited-site.ts';

// The pages of events, places, organizers and categories in a real browser: with the pictures of the samples, with huge
// ones, without any, with very long titles, from right to left. Screenshots are in the directory that the run names.

const ORIGIN = 'https://site.example';

let visited: VisitedSite;
let browser: Browser;
let page: Page;
let complaints: string[];

const at = (day: string, from: string, to: string): object => ({
  start_date: `${day} ${from}`,
  end_date: `${day} ${to}`,
});
const theatre = { venue: 'Teatr Nowy', address: 'Rynek 3', zip: '05-220', city: 'Zielonka' };
const picture = (name: string): string => `https://pictures.example/${name}`;
const EVENTS = [
  {
    slug: 'story',
    title: 'Dziady, Part Three',
    venue: theatre,
    organizer: [
      { organizer: 'The Troupe', phone: '22 555 01 12', email: 'kasa@town.example', website: 'https://town.example' },
    ],
    categories: ['Drama'],
    tags: ['Surtitles'],
    cost: '25 - 40 zł',
    website: 'https://town.example/dziady',
    image: picture('dziady.webp'),
    description: 'Tickets at https://town.example/kasa?a=1&b=2 or from kasa@town.example.\n\nTwo parts, one interval.',
    ...at('2026-12-02', '19:00', '21:30'),
  },
  {
    slug: 'plain',
    title: 'Repair café',
    categories: ['Workshop'],
    cost: '0',
    description: '<p>Bring:</p><ul><li>a lamp</li></ul><ol><li>Queue</li></ol>',
    ...at('2026-12-19', '10:00', '14:00'),
  },
  {
    slug: 'off',
    title: 'Cancelled: Men: Zielonka – Marki',
    categories: ['Sport'],
    tags: ['cancelled'],
    image: picture('match.webp'),
    ...at('2026-11-28', '14:00', '15:50'),
  },
  { slug: 'over', title: 'Autumn barbecue', categories: ['Sport'], ...at('2026-11-07', '15:00', '21:00') },
  { slug: 'taken-off', title: 'Advent wreaths', categories: ['Workshop'], ...at('2026-12-03', '15:00', '18:00') },
  {
    slug: 'long',
    title: `${'Kammermusikabend mit Donaudampfschifffahrtsgesellschaftskapitänen '.repeat(4)}und Gästen`.slice(0, 300),
    categories: ['Music'],
    ...at('2026-12-04', '19:00', '21:00'),
  },
  {
    slug: 'hebrew',
    title: 'ערב קריאה: שירים מהצפון',
    description: 'קריאה בשני קולות, בעברית ובפולנית.',
    venue: { venue: 'הספרייה' },
    categories: ['Reading'],
    ...at('2026-12-08', '19:00', '20:30'),
  },
  {
    slug: 'chinese',
    title: '早春音乐会：民乐与钢琴',
    description: '一场为所有人准备的音乐会。'.repeat(20),
    categories: ['Music'],
    ...at('2026-12-09', '19:00', '20:30'),
  },
  { slug: 'huge', title: 'A huge picture', image: picture('huge.jpg'), ...at('2026-12-10', '19:00', '20:00') },
  { slug: 'tall', title: 'A tall poster', image: picture('tall.png'), ...at('2026-12-11', '19:00', '20:00') },
  {
    slug: 'moved',
    title: 'Moved',
    venue: 'Teatr Mały',
    image: picture('sky.webp'),
    ...at('2026-12-12', '19:00', '20:00'),
  },
];
const PAGES = [
  ...EVENTS.map(({ slug }) => `/event/${slug}/`),
  '/venue/teatr-nowy/',
  '/venue/teatr-maly/',
  '/organizer/the-troupe/',
  '/category/workshop/',
  '/tag/surtitles/',
  '/event/nothing-here/',
];

const plain = (width: number, height: number): ReturnType<typeof sharp> =>
  sharp({ create: { width, height, channels: 3, background: { r: 40, g: 120, b: 90 } } });

beforeAll(async () => {
  const made: Readonly<Record<string, Uint8Array>> = {
    'huge.jpg': await plain(7_000, 5_000).jpeg().toBuffer(),
    'tall.png': await plain(900, 2_000).png().toBuffer(),
  };
  visited = await visitedSite(EVENTS, ['en'], async (url) => {
    const name = url.split('/').at(-1) ?? '';
    return { kind: 'fetched', bytes: made[name] ?? (await readFile(`config/samples/pictures/${name}`)) };
  });
  const { site } = visited;
  await site.ask('administrator', 'DELETE', '/events/by-slug/taken-off');
  await site.ask('administrator', 'PUT', '/events/by-slug/moved', {
    ...at('2026-12-13', '18:00', '19:00'),
    venue: { venue: 'Town Hall' },
  });
});
afterAll(async () => {
  await browser?.close();
  await visited.close();
});

beforeEach(async (context) => {
  browser ??= await launchChromium(context);
});
afterEach(async () => {
  // Ignores requests for pictures that are still open when the page is closed.
  await page?.context().unrouteAll({ behavior: 'ignoreErrors' });
  await page?.context().close();
});

async function open(width: number, options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, ...options });
  page = await context.newPage();
  // Serves the site at its public address, where the pictures on its pages are, too.
  await context.route(`${ORIGIN}/**`, async (route) => {
    const answer = await fetch(visited.url + route.request().url().slice(ORIGIN.length));
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
    });
  });
  complaints = complaintsOf(page, /status of (?:404|410)/);
}

const SHIFTED = `new Promise((told) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value; })
    .observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => told(sum), 50);
})`;

/** Between a phone and a desktop. */
const ROOMS: readonly Room[] = [
  [820, FONT_SIZE_PX, async (tablet) => [...(await widthFaultsOf(tablet)), ...(await brokenWordsOf(tablet))]],
];
const lookAt = inBothColourSchemes(faultsOf);

/** Takes screenshots of a page, and returns everything that is wrong with it. */
async function look(address: string, width: number): Promise<object> {
  await page.goto(ORIGIN + address);
  const shifted = (await page.evaluate<number>(SHIFTED)).toFixed(2);
  const name = address.replaceAll(/[^a-z]+/g, '-').replaceAll(/^-|-$/g, '');
  await takePictures(page, 'events', `${name}-${width}`);
  const faults = [...(await lookAt(page))];
  if (width === WIDTHS[1]) faults.push(...(await roomFaultsOf(page, ROOMS, 'events', name)));
  const broken = await page.evaluate<readonly string[]>(
    '[...document.images].filter((one) => one.complete && one.naturalWidth === 0).map((one) => one.currentSrc)',
  );
  return {
    address,
    faults,
    shifted,
    broken: broken.filter((src) => !src.includes('/qr/')),
    complaints: complaints.splice(0),
  };
}

const WELL = { faults: [], shifted: '0.00', broken: [], complaints: [] };

test.each(WIDTHS)('%i pixels wide, no page is broken, inaccessible or moves while it loads', async (width) => {
  await open(width);
  await preloadAxe(page);
  for (const address of PAGES) expect(await look(address, width)).toEqual({ address, ...WELL });
});

test.each([390, 820, 1440])('a picture is loaded in a suitable width, %i pixels wide', async (width) => {
  await open(width);
  await page.goto(`${ORIGIN}/event/huge/`);
  const [wide, shown] = await page.evaluate<readonly [number, number]>(
    `(() => { const { naturalWidth, clientWidth } = document.querySelector('.hd'); return [naturalWidth, clientWidth]; })()`,
  );
  expect([wide >= shown, wide <= 1_280]).toEqual([true, true]);
  expect(await page.evaluate('document.querySelector(".hd").currentSrc')).toMatch(width < 600 ? /\/640\// : /\/1280\//);
});

test('a Hebrew event is set from right to left, and the rest of the page from left to right', async () => {
  await open(820);
  await page.goto(`${ORIGIN}/event/hebrew/`);
  const directionOf = (selector: string): Promise<string> =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`);
  expect([await directionOf('h1'), await directionOf('.prose'), await directionOf('.crumb')]).toEqual([
    'rtl',
    'rtl',
    'ltr',
  ]);
});

test('a moved event says when and where it was announced first, and a former one leads back to the list', async () => {
  await open(820);
  await page.goto(`${ORIGIN}/event/moved/`);
  expect(await page.locator('.note').innerText()).toMatch(
    /This event has been moved\.\s+It was first announced for Saturday, 12 December 2026, 19:00\. It was first announced at Teatr Mały\./,
  );
  await navigate(page, () => page.getByRole('link', { name: 'Teatr Mały' }).click());
  expect(await page.locator('h1').innerText()).toBe('Teatr Mały');
  // The former place lists a series in one line.
  expect(await page.locator('.ev h3', { hasText: 'Dziady, Part Two' }).count()).toBe(1);
  await page.goto(`${ORIGIN}/event/taken-off/`);
  expect(await page.locator('main').innerText()).toContain(
    '“Advent wreaths” (Thursday, 3 December 2026) was taken off',
  );
  await page.getByRole('link', { name: 'See what’s on' }).click();
  expect(new URL(page.url()).pathname).toBe('/');
});

test('lists in a description have markers, and text of the normal size', async () => {
  await open(390);
  await page.goto(`${ORIGIN}/event/plain/`);
  const lists = await page.evaluate(
    `['ul', 'ol'].map((list) => document.querySelector('.prose ' + list + ' li')).map((item) => getComputedStyle(item))
      .map(({ listStyleType, fontSize }) => [listStyleType, fontSize === getComputedStyle(document.querySelector('.prose')).fontSize])`,
  );
  expect(lists).toEqual([
    ['disc', true],
    ['decimal', true],
  ]);
});
