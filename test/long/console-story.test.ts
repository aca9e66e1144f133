import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/browser.ts';
import { consoleWorld, CUT_SEASON, weekly, type ConsoleWorld } from '../support/console-world.ts';
import { body } from '../support/feed-server.ts';
import { calendarText } from '../support/feed-text.ts';
import { mailServer, type MailServer } from '../support/mail-server.ts';
import { until } from '../support/until.ts';

// An operator's days in a real browser, with the spawned program, its database and feed servers: each step continues
// where the previous one ended.

let browser: Browser;

// Runs in the page.
const hasFocus = (element: unknown): boolean =>
  element === (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement;

beforeEach(async (context) => {
  browser ??= await launchChromium(context);
});
afterAll(() => browser?.close());

describe.each([
  ['with JavaScript', true, 'mouse'],
  ['without JavaScript', false, 'mouse'],
  ['by keyboard alone', true, 'keyboard'],
] as const)('%s', (_, javaScriptEnabled, hand) => {
  let world: ConsoleWorld;
  let context: BrowserContext;
  let page: Page;
  let post: MailServer;
  beforeAll(async () => {
    post = await mailServer();
    world = await consoleWorld(`alerts:
  mail: { server: "${post.url}", from: calendar@town.example }
  receivers:
    clerk: { mail: clerk@town.example }
`);
    world.feeds.on(
      '/club/',
      body(
        `<!doctype html><title>Chess club</title><link rel="alternate" type="text/calendar" href="/club/dates.ics"><p>Welcome</p>`,
        { 'content-type': 'text/html' },
      ),
    );
    world.feeds.on(
      '/club/dates.ics',
      body(calendarText([...weekly('open', 'Open evening', 12), ...weekly('staff', 'Committee', 6, '170000')])),
    );
  });
  afterAll(async () => {
    await context?.close();
    await world.close();
    await post.close();
  });

  /** Moves the focus to an element with the Tab key. */
  const reach = async (target: Locator): Promise<void> => {
    await target.waitFor();
    for (let presses = 0; presses < 400; presses += 1) {
      if (await target.evaluate(hasFocus)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`the keyboard does not reach ${target.toString()}`);
  };
  const press = async (target: Locator, key = 'Enter'): Promise<void> => {
    if (hand === 'mouse') return target.click();
    await reach(target);
    // Unlike keyboard.press, this waits for navigations that it starts, as a click does.
    await target.press(key);
  };
  const write = async (target: Locator, words: string): Promise<void> => {
    if (hand === 'mouse') return target.fill(words);
    await reach(target);
    await page.keyboard.press('Control+a');
    await page.keyboard.type(words);
  };
  const choose = async (target: Locator, option: string): Promise<void> => {
    if (hand === 'mouse') return void (await target.selectOption(option));
    await reach(target);
    await page.keyboard.type(option);
  };

  /** How many coming events visitors find by a title. */
  const onSite = async (title: string): Promise<number> => {
    const answer = await fetch(
      `${world.daemon.url}/api/calendar/events/v1/events?search=${encodeURIComponent(title)}&per_page=1`,
    );
    return ((await answer.json()) as { total: number }).total;
  };
  const to = (path: string): Promise<unknown> => page.goto(`${world.daemon.url}/operator${path}`);
  const text = async (): Promise<string> => ((await page.locator('main').textContent()) ?? '').replace(/\s+/g, ' ');
  /** Waits until the page, or the next one that is loading, says something. */
  const shows = async (wanted: RegExp, timeout = 20_000): Promise<void> => {
    await expect.poll(text, { timeout }).toMatch(wanted);
  };
  /** Reloads until the page says something, as people without JavaScript do. */
  const says = async (wanted: RegExp): Promise<void> => {
    for (let reloads = 0; reloads < 20; reloads += 1) {
      const isSaid = await shows(wanted, 2_000).then(
        () => true,
        () => false,
      );
      if (isSaid) return;
      await page.reload();
    }
    await shows(wanted);
  };

  test('signs in', async () => {
    context = await browser.newContext({ javaScriptEnabled });
    page = await context.newPage();
    await world.signIn(page);
    expect(await page.locator('h1').textContent()).toMatch(/wait|Nothing needs you/);
  });

  test('pastes the address of a web page, sees a preview, and saves the source', async () => {
    await to('/add/');
    await write(page.getByLabel(/Address of a calendar/), `${world.feeds.url}/club/`);
    await press(page.getByRole('button', { name: 'Look', exact: true }));
    await shows(/This is a web page\. It leads to 1 calendar/);
    await page.waitForLoadState();
    expect(await page.locator('.cards .card').count()).toBe(10);
    await write(page.getByLabel('Name', { exact: true }), 'chess-club');
    await press(page.getByRole('button', { name: 'Save and sync' }));
    await page.waitForURL('**/runs/**');
    await says(/18 /);
  });

  /** Approves the plan on the page. */
  const approve = async (): Promise<void> => {
    await press(page.locator('.bar .yes summary'));
    await press(page.locator('.bar .yes').getByRole('button', { name: 'Yes, write it' }));
    // Without JavaScript, the counts are shown once more for a second confirmation.
    const again = page.locator('form.box').getByRole('button', { name: 'Yes, write it' });
    if (!javaScriptEnabled) await press(again);
  };

  test('approves the first plan of the source, and sees it written', async () => {
    await approve();
    await says(/18 new/);
    // The plan says the same until it is written.
    await expect.poll(() => onSite('Open evening'), { timeout: 60_000 }).toBe(12);
  });

  test('leaves some events out by a rule, which can be tried before it is saved', async () => {
    await to('/sources/chess-club/rules/');
    await says(/18 of 18 events come through/);
    const leaveOut = page.getByRole('button', { name: /leave out/ });
    if (!(await leaveOut.isVisible())) await press(page.getByText('Add a rule', { exact: true }));
    await press(leaveOut);
    await choose(page.getByLabel('Field to check').first(), 'title');
    await write(page.getByLabel('Expression').first(), 'Committee');
    await press(page.getByRole('button', { name: 'Try', exact: true }).first());
    await shows(/12 of 18 events come through/);
    await press(page.getByRole('button', { name: 'Save', exact: true }));
    await shows(/Saved/);
    expect(await readFile(path.join(world.home.directory, 'calsyncd.yaml'), 'utf8')).toMatch(
      /# call the box office, ext\. 12\n[\s\S]*chess-club:[\s\S]*Committee/,
    );
  });

  test('gets a mail that a feed has lost many events, follows its link, and approves all but two removals', async () => {
    world.feeds.on('/theatre.ics', body(calendarText(CUT_SEASON)));
    await to('/sources/theatre/');
    await press(page.getByRole('button', { name: 'Check now' }).first());
    await says(/A plan waits/);
    const mail = await until('a mail about the theatre', () =>
      post.mails.find(({ headers }) => (headers['subject'] ?? '').startsWith('theatre: ')),
    );
    expect(mail.headers['subject']).toBe('theatre: 16 of 62 coming events would be removed');
    await page.goto(/http:\/\/\S+\/operator\/\S*/.exec(mail.text)?.[0] ?? '');
    await shows(/This run would remove 16 of 62/);
    const ticks = page.locator('input[name="remove"]');
    expect(await ticks.count()).toBe(16);
    for (const index of [0, 1]) await press(ticks.nth(index), 'Space');
    // The checkbox for a whole group needs JavaScript, and is not there without it.
    expect(await page.getByRole('checkbox', { name: 'All: Removed' }).count()).toBe(javaScriptEnabled ? 1 : 0);
    // The script updates the counts; without it, they are shown before anything is written.
    expect(await page.locator('.bar').first().textContent()).toMatch(
      javaScriptEnabled ? /14 of 16 removals/ : /16 removals/,
    );
    await approve();
    await says(/14 /);
  });

  test('undoes that run, after seeing what that would do', async () => {
    // While the run is being written, the page shows its progress instead.
    await says(/[Tt]ake it back/);
    await press(page.getByRole('link', { name: /[Tt]ake it back/ }).first());
    expect(await onSite('Dziady')).toBe(16);
    await press(page.getByRole('button', { name: /^Take back/ }));
    await expect.poll(() => onSite('Dziady'), { timeout: 60_000 }).toBe(30);
  });

  test('pauses a source until tomorrow', async () => {
    await to('/sources/library/');
    await press(page.getByText('Pause…'));
    await choose(page.locator('#pause select[name="until"]'), 'tomorrow');
    await write(page.locator('#pause input[name="reason"]'), 'their site is being rebuilt');
    await press(page.locator('#pause').getByRole('button').first());
    await shows(/paused/);
    await expect.poll(() => page.getByRole('button', { name: 'Resume' }).count()).toBeGreaterThan(0);
    await shows(/their site is being rebuilt/);
  });

  test('settles a conflict between the site and the feed', async () => {
    const { stdout } = await world.home.command(['password', 'admin', 'story', '--json']);
    const { application_password } = JSON.parse(stdout) as { application_password: string };
    const api = `${world.daemon.url}/api/calendar/events/v1/events`;
    const { events } = (await (await fetch(`${api}?search=Open+evening`)).json()) as { events: { id: number }[] };
    const edited = await fetch(`${api}/${events[0]?.id}`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`admin:${application_password}`)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ title: 'Open evening with cake' }),
    });
    expect(edited.status).toBe(200);
    world.feeds.on(
      '/club/dates.ics',
      body(
        calendarText([...weekly('open', 'Open evening for all', 1), ...weekly('open', 'Open evening', 12).slice(1)]),
      ),
    );
    await world.home.command(['sync', 'chess-club']);
    await to('/conflicts/');
    expect(await page.locator('h1').textContent()).toMatch(/1 event was changed here and in the feed/);
    await shows(/Open evening with cake/);
    await press(page.getByRole('button', { name: 'Keep the site’s' }));
    await says(/No event is in conflict/);
  });

  test('is told of a broken configuration while everything keeps running, and sees it fixed', async () => {
    const file = path.join(world.home.directory, 'calsyncd.yaml');
    const good = await readFile(file, 'utf8');
    await writeFile(file, good.replace('every: 2h', 'every: often'));
    await to('/settings/');
    await says(/often/);
    await shows(/every/);
    await to('/');
    await says(/configuration/i);
    expect((await fetch(`${world.daemon.url}/readyz`)).status).toBe(200);
    await writeFile(file, good.replace('every: 2h', 'every: 3h'));
    await to('/sources/cinema/');
    await says(/Every 3 h/);
  });
});
