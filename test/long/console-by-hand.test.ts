import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, type TestContext } from 'vitest';
import { launchChromium, navigate } from '../support/browser.ts';
import { signInTo, weekly } from '../support/console-world.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText } from '../support/feed-text.ts';
import { printLine } from '../support/town.ts';

// The program runs as a user who can write neither the configuration file nor its folder: the console shows what to put
// into the file, and notices when somebody has put it there.

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const yaml = (feeds: string): string => `# The town's calendar
builtin: { title: Town calendar, timezone: Europe/Warsaw }
sources:
  library: # the one in the main street
    url: ${feeds}/library.ics
    every: 1h
  museum: { url: "${feeds}/library.ics?museum", every: 1h }
feeds:
  all: { title: Everything on }
fetch: { allow_addresses: [127.0.0.1/32] }
`;

let feeds: FeedServer;
let home: Home;
let daemon: Daemon;
let password = '';
let browser: Browser | undefined;
beforeAll(async () => {
  if (!isRoot) return;
  feeds = await feedServer();
  feeds.on('/library.ics', body(calendarText(weekly('story', 'Story time', 5))));
  feeds.on('/library.ics?museum', body(calendarText(weekly('stones', 'Old stones', 5))));
  feeds.on('/jazz.ics', body(calendarText(weekly('jazz', 'Quartet in blue', 4))));
  home = await programHome(yaml(feeds.url), ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']);
  await mkdir(home.dataDir, { mode: 0o700 });
  spawnSync('chown', [`${NOBODY}:${NOBODY}`, home.dataDir]);
  await chmod(home.directory, 0o755);
  await chmod(`${home.directory}/calsyncd.yaml`, 0o444);
  daemon = home.start([], { HOME: home.dataDir });
  await daemon.ready();
  password = /shown only this once:\s+(\S+)/.exec(daemon.stdout())?.[1] ?? '';
});
afterAll(async () => {
  await browser?.close();
  if (!isRoot) return;
  await home.close();
  await feeds.close();
  await rm(home.directory, { recursive: true, force: true });
});
beforeEach(async (context) => {
  needsRoot(context);
  browser ??= await launchChromium(context);
});

function needsRoot(context: TestContext): void {
  if (isRoot) return;
  printLine('NOT RUN: the console of a program that may not write its file (only root can start it as somebody else)');
  context.skip();
}

const file = (): Promise<string> => readFile(`${home.directory}/calsyncd.yaml`, 'utf8');
const paste = (change: (text: string) => string): Promise<unknown> =>
  file().then((text) => home.write('calsyncd.yaml', change(text)));

async function openedPage(javaScriptEnabled: boolean): Promise<Page> {
  const context = await (browser as Browser).newContext({ javaScriptEnabled });
  const page = await context.newPage();
  await signInTo(page, daemon.url, password);
  return page;
}

/** With JavaScript, waits until the page has noticed the change; without it, pressing the button shows that. */
async function noticed(page: Page, hasScript: boolean, sentence: string): Promise<void> {
  if (hasScript) await page.locator('#awaited', { hasText: sentence }).waitFor();
}

const block = (page: Page): Promise<string> => page.locator('#block-text').innerText();

test('the program is not root, and can write neither the file nor another one beside it', async () => {
  const status = await readFile(`/proc/${daemon.pid()}/status`, 'utf8');
  expect(status).toMatch(/^Uid:\t65534\t65534\t65534/m);
  const as = ['--reuid=65534', '--regid=65534', '--clear-groups'];
  for (const target of ['calsyncd.yaml', 'another.yaml'])
    expect(spawnSync('setpriv', [...as, 'sh', '-c', `: >> '${home.directory}/${target}'`]).status).not.toBe(0);
});

describe.each([true, false])('with JavaScript: %s', (hasScript) => {
  const name = hasScript ? 'jazz' : 'jazz-again';

  test('adding a source shows its block, and the page notices when the file has it', async () => {
    const page = await openedPage(hasScript);
    await page.goto(`${daemon.url}/operator/add/`);
    await page.fill('#url', `${feeds.url}/jazz.ics`);
    await page.click('button[value=look]');
    await page.fill('input[name=name]', name);
    await navigate(page, () => page.click('button:has-text("Show what that changes")'));
    expect(await page.innerText('main')).toContain(
      'The file has to be changed by hand: calsyncd is not allowed to write it',
    );
    expect(await page.locator('button[value=save]').count()).toBe(0);
    const shown = await block(page);
    expect(shown).toMatch(new RegExp(`^ {2}${name}:\\n {4}url: ${feeds.url}/jazz.ics\\n {4}every: \\w+$`));
    await navigate(page, () => page.click('button[value=wait]'));
    expect(await page.innerText('main')).toContain(`The file does not have “${name}” like this yet`);
    await paste((text) => text.replace('\nfeeds:', `\n${shown}\nfeeds:`));
    await noticed(page, hasScript, `The file has “${name}” like this now.`);
    await page.click('button[value=wait]');
    await page.waitForURL(/\/operator\/runs\/jazz/);
    expect(await page.innerText('main')).toMatch(/4 new[\s\S]*Approve/);
  });

  test('changing a setting or a rule shows the new block, and the page notices when the file has it', async () => {
    const page = await openedPage(hasScript);
    await page.goto(`${daemon.url}/operator/sources/library/settings/`);
    await page.fill('input[name=every]', hasScript ? '2h' : '3h');
    await navigate(page, () => page.click('button[value=show]'));
    const shown = await block(page);
    expect(shown).toMatch(/^ {2}library: # the one in the main street\n {4}url: \S+\n {4}every: [23]h/);
    await paste((text) => text.replace(/ {2}library:[\s\S]*?(?=\n {2}museum)/, shown));
    await noticed(page, hasScript, 'The file has “library” like this now.');
    await navigate(page, () => page.click('button[value=wait]'));
    expect(await page.innerText('main')).toContain('Saved. It is in force from now on.');

    await page.goto(`${daemon.url}/operator/sources/library/rules/`);
    if (!(await page.locator('button[formaction*="kind=skip"]').isVisible()))
      await page.click('summary:has-text("Add a rule")');
    await page.click('button[formaction*="kind=skip"]');
    await page.fill('input[name=expression]', hasScript ? '(?i)closed' : '(?i)shut');
    await navigate(page, () => page.click('.box button[value=try]'));
    expect(await block(page)).toContain(hasScript ? '(?i)closed' : '(?i)shut');
    const rules = await block(page);
    await paste((text) => text.replace(/ {2}library:[\s\S]*?(?=\n {2}museum)/, rules));
    await noticed(page, hasScript, 'The file has “library” like this now.');
    await navigate(page, () => page.click('button[value=wait]'));
    expect(page.url()).toContain('?saved');
  });

  test('removing a source marks its lines, and the page notices when they are gone', async () => {
    const page = await openedPage(hasScript);
    await page.goto(`${daemon.url}/operator/sources/${name}/settings/`);
    await page.click('summary:has-text("out…")');
    await navigate(page, () => page.click('button[value=remove]'));
    expect(await page.innerText('main')).toContain(`Take the lines of “${name}” out that are struck through.`);
    expect(await page.locator('#yaml del').allInnerTexts()).toContain(`  ${name}:`);
    await paste((text) => text.replace(new RegExp(`\\n {2}${name}:\\n( {4}.*\\n)+`), '\n'));
    await noticed(page, hasScript, `“${name}” is no longer in the file.`);
    await page.click('button[value=wait]');
    await page.waitForURL(/\/operator\/sources\/$/);
  });
});
