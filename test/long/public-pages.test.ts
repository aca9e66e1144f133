import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SCRIPT, STYLE } from '../../src/look/styles.ts';
import {
  preloadAxe,
  inBothColourSchemes,
  complaintsOf,
  clippedInPrintOf,
  faultsOf,
  launchChromium,
  FONT_SIZE_PX,
  roomFaultsOf,
  sidewaysFaultsOf,
  takePictures,
  widthFaultsOf,
  WIDTHS,
  type Room,
} from '../support/browser.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { putSamples } from '../support/samples.ts';
import { until } from '../support/until.ts';

// Every public page that links lead to, with the events of the samples, in a real browser: nothing is broken, heavy,
// inaccessible, wider than the screen, or moves while it loads. Screenshots are in the directory that the run names.

/** Pages without a link to them: missing and former ones, those for known people, and empty results. */
const BESIDE = [
  '/nothing/',
  '/event/nothing/',
  '/feeds/nothing',
  '/authorize',
  '/month/1950-01/',
  '/?search=nothing+like+it',
  '/?from=2026-01-01',
  '/?lasting=all',
  '/month/?free=1&search=a',
  '/event/taken-off/',
  '/event/taken-off/embed/',
  '/event/closed/',
  '/event/choir-1/',
  '/suggest/',
  '/week/sheet/',
  // Full weeks, with short titles and with long ones.
  '/week/2099-06-01/sheet/',
  '/week/2099-06-08/sheet/',
];
/** In bytes: the list with its style and script as sent; the style uncompressed; the script compressed. */
const WEIGHTS = { list: 60_000, style: 25_000, script: 5_000 };
const PAGES_MAX = 120;

let home: Home;
let daemon: Daemon;
let browser: Browser;
let pages: readonly string[] = [];
let password = '';

beforeAll(async () => {
  home = await programHome('');
  await putSamples(path.join(home.directory, 'samples'));
  const config = await readFile('config/calsyncd.yaml', 'utf8');
  // Even the name of the site may have a very long word.
  const own = config.replace('Town calendar', 'Donaudampfschifffahrtsgesellschaftsveranstaltungskalender');
  await home.write('calsyncd.yaml', own.replace('builtin:\n', 'builtin:\n  suggestions: true\n'));
  daemon = home.start();
  await daemon.ready();
  password = /shown only this once:\s+(\S+)/.exec(daemon.stdout())?.[1] ?? '';
  await makeHidden();
});
afterAll(async () => {
  await browser?.close();
  await home.close();
});
beforeEach(async (context) => {
  browser ??= await launchChromium(context);
});

/** Creates what the samples do not have, such as an event that was taken off, and one with a password. */
async function makeHidden(): Promise<void> {
  const { stdout } = await home.command(['password', 'robot', 'test', '--role', 'editor', '--json']);
  const { application_password: secret } = JSON.parse(stdout) as { readonly application_password: string };
  const ask = async (method: string, route: string, body?: object): Promise<{ readonly id: number }> => {
    const answer = await fetch(`${daemon.url}/api/calendar/events/v1/events${route}`, {
      method,
      headers: { authorization: `Basic ${btoa(`robot:${secret}`)}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([route, answer.ok]).toEqual([route, true]);
    return (await answer.json()) as { readonly id: number };
  };
  const days = { start_date: '2099-05-05 10:00', end_date: '2099-05-05 11:00' };
  await ask('POST', '', { title: 'Closed', slug: 'closed', password: 'sesame', ...days });
  const { id } = await ask('POST', '', {
    title: 'Taken off',
    slug: 'taken-off',
    organizer: { organizer: 'Club' },
    ...days,
  });
  await ask('DELETE', `/${id}`);
  // A series with one cancelled date.
  for (const [index, day] of ['2099-05-05', '2099-05-12', '2099-05-19'].entries())
    await ask('POST', '', {
      title: 'Choir',
      slug: `choir-${index}`,
      ...(index === 1 && { tags: ['cancelled'] }),
      start_date: `${day} 18:00`,
      end_date: `${day} 19:00`,
    });
  for (const [monday, title] of [
    [1, 'Evening of songs'],
    [8, 'The complete and unabridged history of the municipal waterworks, told by those who built it. '.repeat(3)],
  ] as const)
    for (let number = 0; number < 18; number += 1) {
      const day = `2099-06-${String(monday + (number % 7)).padStart(2, '0')}`;
      await ask('POST', '', { title, start_date: `${day} 10:${10 + number}`, end_date: `${day} 11:30` });
    }
  // A very long word has to fit pages, columns and sheets.
  const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(4);
  const today = new Date().toISOString().slice(0, 10);
  await ask('POST', '', {
    title: word,
    start_date: `${today} 23:00`,
    end_date: `${today} 23:30`,
    venue: { venue: word },
    // Too many for menus: the others are chosen by typing their name.
    tags: Array.from({ length: 200 }, (_, number) => `Topic ${number}`),
  });
}

/** Pages that need more than an address: a self-test of a feed, a wrong password, and a sign-in. */
const DONE: readonly (readonly [name: string, go: (page: Page) => Promise<unknown>])[] = [
  [
    'self-test',
    async (page) => {
      await page.goto(`${daemon.url}/feeds/all`);
      await page.getByRole('button', { name: 'Test this feed' }).click();
      await page.getByRole('button', { name: 'Test this feed again' }).waitFor();
    },
  ],
  [
    'wrong-password',
    async (page) => {
      await page.goto(`${daemon.url}/event/closed/`);
      await page.getByLabel('Password').fill('wrong');
      await page.keyboard.press('Enter');
      await page.getByText('That password is not correct.').waitFor();
    },
  ],
  [
    'signed-in',
    async (page) => {
      await page.goto(`${daemon.url}/authorize`);
      await page.getByLabel('User name or e-mail address').fill('admin');
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    },
  ],
];

/** Pages that differ only in their subject look alike: one of each shape is looked at. */
const shapeOf = (address: string): string => {
  const { pathname, searchParams } = new URL(address);
  const names = [...new Set(searchParams.keys())];
  const query = names.length > 1 ? 'several' : names.join('');
  const shape = pathname
    .replace(/^\/(event|venue|organizer|category|tag)\/[^/]+/, '/$1/*')
    .replace(/^\/feeds\/(venue|organizer|category|tag)\/[^/]+/, '/feeds/$1/*')
    .replace(/\d+/g, '#');
  // Files are not pages, and pages with several choices look alike.
  return /\.\w+$/.test(shape) ? shape : `${shape}?${query}`;
};
const isHtml = (answer: Response | null): boolean =>
  answer?.headers()['content-type']?.startsWith('text/html') === true;

/** The first of the pages that differ only in their query. */
const ofEachPath = (all: readonly string[]): readonly string[] => [
  ...new Map(all.toReversed().map((one) => [shapeOf(one).replace(/\?.*/, ''), one])).values(),
];

interface Found {
  readonly found: readonly string[];
  readonly broken: readonly string[];
}

/** Follows links from the first page to one page of each shape. */
async function crawl(page: Page): Promise<Found> {
  const found = new Map<string, string>();
  const broken: string[] = [];
  const open = [`${daemon.url}/`];
  for (let address = open.shift(); address !== undefined; address = open.shift()) {
    const shape = shapeOf(address);
    if (found.has(shape)) continue;
    found.set(shape, address);
    // The browser would download a file.
    const head = await page.request.head(address);
    if (head.status() !== 200) broken.push(`${head.status()} ${address}`);
    if (!head.headers()['content-type']?.startsWith('text/html')) {
      found.set(shape, '');
      continue;
    }
    await page.goto(address);
    const links = await page.evaluate<string[]>('[...document.querySelectorAll("a[href]")].map((link) => link.href)');
    open.push(...links.map((link) => link.replace(/#.*/, '')).filter((link) => link.startsWith(`${daemon.url}/`)));
    if (found.size > PAGES_MAX)
      throw new Error(`more than ${PAGES_MAX} shapes of pages: ${[...found.keys()].join(' ')}`);
  }
  return { found: [...found.values()].filter((address) => address !== ''), broken };
}

test('the page of feeds links to the form for suggestions', async () => {
  expect(await (await fetch(`${daemon.url}/feeds/`)).text()).toContain('href="/suggest/"');
});

test('every link leads to an address that answers 200', async () => {
  const context = await browser.newContext();
  const { found, broken } = await crawl(await context.newPage());
  await context.close();
  pages = [...new Set([...found, ...BESIDE.map((one) => `${daemon.url}${one}`)])];
  process.stderr.write(
    `${pages.length} shapes of pages: ${pages.map((one) => one.slice(daemon.url.length)).join(' ')}\n`,
  );
  expect(broken).toEqual([]);
  expect(pages.length).toBeGreaterThan(12);
});

/** Between a phone and a desktop, on the narrowest screen, and on a phone and a desktop with text twice as large. */
const ROOMS: readonly Room[] = [
  [820, FONT_SIZE_PX, widthFaultsOf],
  [320, FONT_SIZE_PX, sidewaysFaultsOf],
  [390, 2 * FONT_SIZE_PX, sidewaysFaultsOf],
  [1280, 2 * FONT_SIZE_PX, sidewaysFaultsOf],
];
const BUTTONS = `[...document.querySelectorAll('.btn, button')].filter((one) => one.checkVisibility()).map((one) => one.innerText)`;

/** Buttons that would be printed. */
async function pressedOnPaper(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ media: 'print' });
  const shown = await page.evaluate<readonly string[]>(BUTTONS);
  await page.emulateMedia({ media: null });
  return shown.map((button) => `on paper there is a button ${button}`);
}

test.each(WIDTHS)('%i pixels wide, no page is broken or inaccessible', async (width) => {
  const lookAt = inBothColourSchemes(allFaultsOf);
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  await preloadAxe(page);
  const wrong = complaintsOf(page, /status of (?:403|404|410)/);
  await page.addInitScript(WATCH_SHIFTS);
  // A filter changes what is shown, not how: those pages are looked at in one width only.
  const ofOwnPath = ofEachPath(pages);
  const shown = width === 1440 ? pages : ofOwnPath;
  for (const [index, address] of shown.entries()) {
    const answer = await page.goto(address, { waitUntil: 'load' });
    if (!isHtml(answer)) wrong.push(`${address} is no page`);
    const name = `${String(index).padStart(2, '0')}${new URL(address).pathname.replaceAll(/[^a-z]+/gi, '-')}`;
    await takePictures(page, 'public', `${name}-${width}`);
    wrong.push(
      ...(await page.evaluate<readonly string[]>('globalThis.shifts')).map((one) => `${address} moves by ${one}`),
    );
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
    const faults = [...(await lookAt(page))];
    if (width === 1440 && ofOwnPath.includes(address))
      faults.push(...(await roomFaultsOf(page, ROOMS, 'public', name)), ...(await pressedOnPaper(page)));
    wrong.push(...faults.map((fault) => `${address} ${fault}`));
  }
  for (const [name, go] of DONE) {
    await go(page);
    await takePictures(page, 'public', `done-${name}-${width}`);
    wrong.push(...(await lookAt(page)).map((fault) => `${name} ${fault}`));
  }
  await context.close();
  expect(wrong).toEqual([]);
});

/** The site behind a slow network: first such a share of each page, and the rest later. */
async function slowly(share: () => number): Promise<Server> {
  const server = createServer((request, response) => {
    void (async () => {
      const answer = await fetch(`${daemon.url}${request.url}`);
      const body = Buffer.from(await answer.arrayBuffer());
      const type = answer.headers.get('content-type') ?? '';
      response.setHeader('content-type', type);
      if (!type.startsWith('text/html')) return response.end(body);
      const cut = Math.floor(body.length * share());
      response.write(body.subarray(0, cut));
      // Long enough for the browser to render what it has.
      await sleep(150);
      return response.end(body.subarray(cut));
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

test.each([390, 1440])('nothing moves on a page that arrives in pieces, %i pixels wide', async (width) => {
  let share = 0;
  const server = await slowly(() => share);
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(WATCH_SHIFTS);
  const moved: string[] = [];
  for (const address of ['/', '/embed', '/month/'])
    for (share = 0.1; share < 1; share += 0.1) {
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${address}`);
      const shifts = await page.evaluate<readonly string[]>('globalThis.shifts');
      moved.push(...shifts.map((one) => `${address} at ${share.toFixed(2)} by ${one}`));
    }
  await context.close();
  server.close();
  expect(moved).toEqual([]);
});

/** The number of events that are bars or boxes, and how many of them show where they end. */
const boundsBy = (style: string, value: string): string =>
  `(() => { const all = [...document.querySelectorAll('.bar, .wk')].filter((one) => one.checkVisibility());
  return [all.length, all.filter((one) => getComputedStyle(one).${style} === '${value}').length]; })()`;
const BOUNDED = [
  ['on paper', { media: 'print' }, boundsBy('printColorAdjust', 'exact')],
  ['in forced colours', { forcedColors: 'active' }, boundsBy('outlineStyle', 'solid')],
] as const;

test('printed pages cut nothing off', async () => {
  const context = await browser.newContext({ bypassCSP: true, viewport: { width: 794, height: 1_123 } });
  const page = await context.newPage();
  await page.emulateMedia({ media: 'print' });
  await until('events that stand side by side', async () => {
    await page.goto(daemon.url);
    return (await page.locator('.strip').count()) > 0 || undefined;
  });
  const cut: string[] = [];
  for (const path of ['/', '/event/choir-0/', '/month/', '/week/', '/feeds/']) {
    await page.goto(`${daemon.url}${path}`);
    // Media queries see the width of the whole sheet, which includes the margins of @page.
    await page.addStyleTag({ content: 'body { margin: 14mm }' });
    const found = await clippedInPrintOf(page);
    cut.push(...found.map((name) => `${path} ${name}`));
  }
  await context.close();
  expect(cut).toEqual([]);
});

test.each(BOUNDED)('%s, weeks and months show how long events last', async (_, media, bounds) => {
  const context = await browser.newContext({ viewport: { width: 1_000, height: 900 } });
  const page = await context.newPage();
  await page.emulateMedia(media);
  for (const path of ['/month/', '/week/']) {
    const [all, bounded] = await until(`events in ${path}`, async () => {
      await page.goto(`${daemon.url}${path}`);
      const counts = await page.evaluate<readonly number[]>(bounds);
      return counts[0] === 0 ? undefined : counts;
    });
    expect([path, bounded]).toEqual([path, all]);
  }
  await context.close();
});

test('forced colours leave no empty space for patterns, which are invisible there', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const patterns = (): Promise<number> => page.locator('.art').filter({ visible: true }).count();
  await page.goto(`${daemon.url}/event/choir-0/`);
  const before = await patterns();
  await page.emulateMedia({ forcedColors: 'active' });
  expect([before > 0, await patterns()]).toEqual([true, 0]);
  await context.close();
});

test('a sheet for the noticeboard fits one page of A4', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const sheets = pages.filter((one) => new URL(one).pathname.endsWith('/sheet/'));
  const counts: (readonly [string, number | undefined])[] = [];
  for (const address of sheets) {
    await page.goto(address, { waitUntil: 'load' });
    const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    counts.push([address, paper.match(/\/Type ?\/Page\b/g)?.length]);
    expect(paper).toMatch(/\/MediaBox ?\[0 0 59[45][.\d]* 84[12]/);
  }
  await context.close();
  expect(sheets.length).toBeGreaterThanOrEqual(2);
  expect(counts.filter(([, count]) => count !== 1)).toEqual([]);
});

test('the list, the style and the script stay small', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const sizes: Promise<readonly [type: string, octets: number]>[] = [];
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? '';
    sizes.push(
      response
        .request()
        .sizes()
        .then(({ responseBodySize }) => [type, responseBodySize]),
    );
  });
  await page.goto(`${daemon.url}/`, { waitUntil: 'networkidle' });
  const loaded = await Promise.all(sizes);
  await context.close();
  const weight = loaded.filter(([type]) => !type.startsWith('image/')).reduce((sum, [, octets]) => sum + octets, 0);
  const weights = { list: weight, style: Buffer.byteLength(STYLE), script: gzipSync(SCRIPT).length };
  process.stderr.write(`Weights: ${JSON.stringify(weights)}\n`);
  for (const [name, most] of Object.entries(WEIGHTS))
    expect([name, weights[name as keyof typeof weights]]).toEqual([
      name,
      expect.toSatisfy((octets: number) => octets <= most),
    ]);
});

// On a busy machine, what is rendered before its row is complete shifts by less than this; 0.1 still counts as good.
const SHIFT_MAX = 0.01;
/** Records how far elements move while a page loads, and which. */
const WATCH_SHIFTS = `globalThis.shifts = [];
new PerformanceObserver((list) => {
  const told = ({ node }) => (node?.outerHTML ?? node?.textContent ?? '').slice(0, 100);
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput && value >= ${SHIFT_MAX}) globalThis.shifts.push(value.toFixed(4) + ' ' + sources.map(told).join(', '));
}).observe({ type: 'layout-shift', buffered: true })`;

// Pictures have a size before they are loaded, and those further down are loaded lazily.
const PICTURES = `[...document.images].flatMap((image) => {
  const isBelow = image.getBoundingClientRect().top + scrollY > 2 * innerHeight;
  const lacks = [
    ...(image.hasAttribute('width') && image.hasAttribute('height') ? [] : ['size']),
    ...(isBelow && image.loading !== 'lazy' ? ['loading="lazy"'] : []),
  ];
  return lacks.length === 0 ? [] : [image.outerHTML + ' lacks ' + lacks.join(' and ')];
})`;

/** Everything that is wrong with the open page. */
async function allFaultsOf(page: Page): Promise<readonly string[]> {
  return [...(await faultsOf(page)), ...(await page.evaluate<readonly string[]>(PICTURES))];
}
