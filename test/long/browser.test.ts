import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { coming, comingStart } from '../support/coming.ts';
import { complaintsOf, launchChromium, sendTwice, takePicture } from '../support/browser.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { calendarText } from '../support/feed-text.ts';

// The pages of the spawned program in a real browser, on a phone and on a desktop. The directory that the run names has
// screenshots of them.

const WIDTHS = [390, 1280];
const YAML = `builtin: { title: Town calendar, description: "What is on in Zielonka.", timezone: Europe/Warsaw }
sources:
  hall: { url: "file:hall.ics", window: { past: 3650d, future: 3650d } }
`;
const PLACE = 'LOCATION:Town Hall\\, ul. Leśna 1\\, 05-220 Zielonka';
const EVENTS = [
  {
    uid: 'jazz',
    title: 'Jazz & Blues with a rather long name that has to find its place on a phone',
    start: comingStart(5, '200000'),
    lines: [
      PLACE,
      'CATEGORIES:Music',
      'GEO:52.31;21.16',
      'DESCRIPTION:Doors at 19:00.\\nBring friends.',
      'URL:https://jazz.example/a/very/long/address/that/does/not/break/anywhere/at/all?id=1234567890',
    ],
  },
  { uid: 'fair', title: 'Book fair', start: comingStart(9, '100000'), lines: [PLACE, 'CATEGORIES:Books,Market'] },
  { uid: 'walk', title: 'Spring walk', start: comingStart(31, '100000'), lines: [PLACE] },
  ...Array.from({ length: 8 }, (_, index) => ({
    uid: `market-${index}`,
    title: `Market stall ${index + 1}`,
    start: comingStart(12, `${String(8 + index).padStart(2, '0')}0000`),
    lines: ['CATEGORIES:Market'],
  })),
];

let home: Home;
let daemon: Daemon;
let browser: Browser;
let other: Server;
let password = '';
let page: Page;
let complaints: string[];

const otherUrl = (): string => `http://127.0.0.1:${(other.address() as AddressInfo).port}`;

beforeAll(async () => {
  home = await programHome(YAML);
  await home.write('hall.ics', calendarText(EVENTS));
  daemon = await home.start();
  other = createServer(({ url = '' }, response) => {
    const framed = `<iframe width="600" height="338" src="${decodeURIComponent(url.slice(7))}"></iframe>`;
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        '<!doctype html><link rel="icon" href="data:,"><title>Elsewhere</title>' +
          `<p>${url.startsWith('/frame') ? framed : 'arrived'}</p>`,
      );
  }).listen(0, '127.0.0.1');
  await Promise.all([daemon.ready(), once(other, 'listening')]);
  password = /shown only this once:\s+(\S+)/.exec(daemon.stdout())?.[1] ?? '';
});
afterAll(async () => {
  await browser?.close();
  other.close();
  await home.close();
});

beforeEach(async (context) => {
  browser ??= await launchChromium(context);
});
afterEach(async () => {
  await page?.context().close();
});

/** Opens a page and collects its complaints: script errors, violations of its content policy, failed loads. */
async function open(width: number, options: { readonly javaScriptEnabled?: boolean } = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, ...options });
  page = await context.newPage();
  complaints = complaintsOf(page);
}

const to = (address: string): Promise<unknown> => page.goto(`${daemon.url}${address}`, { waitUntil: 'load' });

// Runs in the page.
const LOOK = `({
  sideways: Math.max(0, document.documentElement.scrollWidth - innerWidth),
  headings: document.querySelectorAll('h1').length,
  language: document.documentElement.lang,
  unlabelled: [
    ...document.querySelectorAll('input:not([type=hidden]):not([hidden]), select, textarea'),
  ].filter((field) => field.labels.length === 0 && !field.getAttribute('aria-label')).length,
  nameless: [...document.querySelectorAll('a, button')].filter((one) => one.textContent.trim() === '' && !one.getAttribute('aria-label')).length,
})`;

/** Takes a screenshot, and checks what must be right on every page. */
async function look(name: string, width: number): Promise<void> {
  await page.waitForLoadState('load');
  await takePicture(page, 'pages', `${name}-${width}`);
  const seen = await page.evaluate<Readonly<Record<string, unknown>>>(LOOK);
  expect({ name, ...seen, complaints }).toEqual({
    name,
    sideways: 0,
    headings: 1,
    language: 'en',
    unlabelled: 0,
    nameless: 0,
    complaints: [],
  });
}

describe.each(WIDTHS)('%i pixels wide', (width) => {
  test('the list: events, search, a category and its feed', async () => {
    await open(width);
    await to('/');
    await look('list', width);
    expect(await page.locator('.evs .ev').count()).toBe(EVENTS.length);
    await page.locator('#q').fill('fair');
    await page.locator('#q').press('Enter');
    await page.waitForURL('**/?search=fair**');
    expect(await page.locator('.evs h3 a').allTextContents()).toEqual(['Book fair']);
    await to('/category/market/');
    await look('category', width);
    expect(await page.locator('.evs .ev').count()).toBe(9);
    await page
      .locator('main')
      .getByRole('link', { name: /^Subscribe/ })
      .first()
      .click();
    await page.waitForURL('**/feeds/**');
    expect([new URL(page.url()).pathname, complaints]).toEqual(['/feeds/category/market', []]);
  });

  test('the month: a table or a list of days, and the link to the next month', async () => {
    await open(width);
    await to(`/month/${coming(0, 'yyyy-MM')}/`);
    await look('month', width);
    const isTable = width > 700;
    expect(await page.locator('thead').isVisible()).toBe(isTable);
    expect(await page.locator('td.empty').first().isVisible()).toBe(isTable);
    expect(await page.getByRole('link', { name: `4 more on ${coming(12, 'd LLLL')}` }).isVisible()).toBe(true);
    const next = coming(31, 'LLLL yyyy');
    await page.getByRole('link', { name: new RegExp(next) }).click();
    await page.waitForURL(`${daemon.url}/month/${coming(31, 'yyyy-MM')}/`);
    expect(await page.locator('h1').textContent()).toBe(next);
  });

  test('an event is opened and downloaded by keyboard and click', async () => {
    await open(width);
    await to('/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.getByRole('link', { name: /^Jazz/ }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/event/**');
    await look('event', width);
    expect(await page.getByRole('link', { name: 'Show on map' }).count()).toBeLessThanOrEqual(1);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Calendar file' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^jazz-.*\.ics$/);
  });

  test('the embedded card fits the frame of another site, and other pages refuse to be framed', async () => {
    await open(width);
    await to('/');
    const event = await page.getByRole('link', { name: /^Jazz/ }).getAttribute('href');
    await to(`${event}embed/`);
    await look('card', width);
    // Nothing is cut off in the frame sizes that oEmbed returns, which do not scroll.
    for (const [frameWidth, frameHeight] of [
      [600, 338],
      [450, 254],
      [200, 200],
    ] as const) {
      await page.setViewportSize({ width: frameWidth, height: frameHeight });
      expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBe(frameHeight);
    }
    await page.goto(`${otherUrl()}/frame/${encodeURIComponent(`${daemon.url}${event}embed/`)}`, {
      waitUntil: 'networkidle',
    });
    await takePicture(page, 'pages', `framed-${width}`);
    expect(await page.frameLocator('iframe').locator('h1').textContent()).toContain('Jazz & Blues');
    expect(complaints).toEqual([]);
    // Other sites cannot frame the pages themselves.
    await page.goto(`${otherUrl()}/frame/${encodeURIComponent(`${daemon.url}${event}`)}`, { waitUntil: 'networkidle' });
    expect(complaints.join(' ')).toMatch(/frame-ancestors/);
  });

  test('month and event pages work without JavaScript', async () => {
    await open(width, { javaScriptEnabled: false });
    await to(`/month/${coming(0, 'yyyy-MM')}/`);
    await page.getByRole('link', { name: 'Book fair' }).click();
    await page.waitForURL('**/event/**');
    expect(await page.locator('h1').textContent()).toBe('Book fair');
    expect(complaints).toEqual([]);
  });

  test('the API documentation can be read and tried', async () => {
    await open(width);
    await to('/api/calendar/events/v1/doc');
    await page.locator('.opblock').first().waitFor();
    await takePicture(page, 'pages', `doc-${width}`);
    await page
      .locator('#operations-events-listEvents, [id^="operations-events"]')
      .first()
      .locator('.opblock-summary-control')
      .click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table tbody .response-col_status').first().waitFor();
    await takePicture(page, 'pages', `doc-tried-${width}`);
    expect(await page.locator('.live-responses-table tbody .response-col_status').first().textContent()).toContain(
      '200',
    );
    expect({
      complaints,
      sideways: await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)'),
    }).toEqual({ complaints: [], sideways: 0 });
  });

  test('an application is approved, and its password works until it is revoked', async () => {
    await open(width);
    await to(`/authorize?${new URLSearchParams({ app_name: `Phone ${width}`, success_url: `${otherUrl()}/done` })}`);
    await look('sign-in', width);
    await page.getByLabel('User name or e-mail address').fill('admin');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('not correct');
    // The browser logs the status of the refusal.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('403')]);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Approve an application' }).waitFor();
    await look('approve', width);
    await page.getByRole('button', { name: /^Yes/ }).click();
    await page.waitForURL(`${otherUrl()}/done**`);
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('site_url'), searchParams.get('user_login')]).toEqual([daemon.url, 'admin']);
    const authorization = `Basic ${Buffer.from(`admin:${searchParams.get('password')}`).toString('base64')}`;
    const drafts = (): Promise<number> =>
      fetch(`${daemon.url}/api/calendar/events/v1/events?status=draft`, { headers: { authorization } }).then(
        ({ status }) => status,
      );
    expect(await drafts()).toBe(200);
    await to('/authorize');
    await look('passwords', width);
    await page.getByRole('button', { name: `Revoke Phone ${width}` }).click();
    await page.getByText(`Phone ${width}`).waitFor({ state: 'detached' });
    expect(await drafts()).toBe(401);
    await page.getByLabel('Name of the application').fill('Tablet'.repeat(30));
    expect(await sendTwice(page, '[name=app_name]')).toEqual([false, true]);
    await page.locator('.secret').waitFor();
    await look('new-password', width);
    expect(await page.locator('.secret').textContent()).toMatch(/^(?:\w{4} ){5}\w{4}$/);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await look('signed-out', width);
  });
});

test('the password of the first administrator is shown at the first start only', async () => {
  expect(password).toMatch(/^\w{20}$/);
  const { stdout } = await home.command(['password', 'admin', '--account', '--json']);
  const made = JSON.parse(stdout) as { username: string; password: string };
  expect(made).toEqual({ username: 'admin', password: expect.stringMatching(/^\w{20}$/) as string });
  await daemon.stop('SIGTERM');
  daemon = await home.start();
  await daemon.ready();
  expect(daemon.stdout()).not.toContain('shown only this once');
});
