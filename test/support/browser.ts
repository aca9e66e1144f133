import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { expect, type TestContext } from 'vitest';
import { needsProgram } from './program.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Starts Chromium, which is not a dependency: without it the test is skipped, or fails where all has to be there. */
export async function launchChromium(context: TestContext): Promise<Browser> {
  needsProgram(context, CHROMIUM, ['--version'], 'apt-get install chromium, or name one in CHROMIUM');
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/**
 * What the browser complains of in a page from now on, as a list that grows: errors and warnings of scripts and of the
 * page's policy, and requests that fail, unless it was left meanwhile. `expected` are those that belong to the test.
 */
export function complaintsOf(page: Page, expected?: RegExp): string[] {
  const complaints: string[] = [];
  const keep = (text: string): void => {
    if (expected?.test(text) !== true) complaints.push(`${page.url()}: ${text}`);
  };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) keep(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => {
    keep(error.message);
  });
  page.on('requestfailed', (request) => {
    const { errorText = '' } = request.failure() ?? {};
    if (errorText !== 'net::ERR_ABORTED') keep(`${request.url()} ${errorText}`);
  });
  return complaints;
}

/**
 * Does what leads to another page, and waits until that is there as a whole: until then scripts run in the page that goes,
 * and what is counted may not have come yet.
 */
export async function leadsOn(page: Page, act: () => Promise<unknown>): Promise<void> {
  await page.waitForLoadState();
  await Promise.all([page.waitForEvent('load'), act()]);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Keeps a picture of the whole page, to be looked at by a person, in the folder that PICTURES names; without one nothing
 * is kept, as it takes longer than all that is checked.
 */
export async function takePicture(page: Page, suite: string, name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder) await page.screenshot({ path: path.join(folder, suite, `${name}.png`), fullPage: true });
}

/** The same by day and by night. */
export async function takePictures(page: Page, suite: string, name: string): Promise<void> {
  if (!process.env['PICTURES']) return;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await takePicture(page, suite, `${name}-${colorScheme}`);
  }
}

/** What is looked at: all that readers, keyboards and weak eyes stumble over; of a page whose colours alone are others, these. */
const RULES = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  colours: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const;
// A frame is a page of its own, and looked at as one. The viewer of the interface is somebody else's.
const violations = (runOnly: (typeof RULES)[keyof typeof RULES]): string =>
  `axe.run({ exclude: ['.swagger-ui'] }, ${JSON.stringify({ runOnly, resultTypes: ['violations'], iframes: false })})
  .then(({ violations }) => violations.map(({ id, impact, nodes }) => id + ' (' + impact + '), ' + nodes.length + ' times: ' + nodes[0].html))`;

const WIDER = 'document.documentElement.scrollWidth - innerWidth';
/** Texts that have room for hardly a letter in each of their lines. What only readers hear has no place on the screen. */
const SQUEEZED = `[...document.querySelectorAll('body *')].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  const { position, fontSize } = getComputedStyle(one);
  return one.checkVisibility({ contentVisibilityAuto: true }) && height > 0 && position !== 'absolute' && width < 3 * parseFloat(fontSize) &&
    [...one.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim().length >= 20);
}).map((one) => one.outerHTML)`;

/** Short words, times among them, of which a part stands in the next line: only longer ones may have no room in one. */
const BROKEN = `(() => {
  const broken = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (!parentElement.checkVisibility({ contentVisibilityAuto: true })) continue;
    for (const { 0: word, index } of data.matchAll(/[\\p{L}\\p{N}:.]{2,10}(?![^\\s])/gu)) {
      if (/\\S/.test(data[index - 1] ?? ' ')) continue;
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top));
      if (new Set(tops).size > 1) broken.push(word + ' in ' + parentElement.outerHTML);
    }
  }
  return broken;
})()`;

/** Names that several elements have: a link leads to the first of them. */
const NAMED_TWICE = `[...document.querySelectorAll('[id]')].filter(({ id }, at, all) => all.findIndex((one) => one.id === id) < at)
  .map((one) => one.outerHTML.slice(0, 80))`;

/** What can have the focus, and has a frame then that something around it cuts off. */
const CUT_FRAMES = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter((one) => {
  one.focus();
  if (!one.matches(':focus-visible')) return false;
  const { outlineWidth, outlineOffset } = getComputedStyle(one);
  const frame = parseFloat(outlineWidth) + parseFloat(outlineOffset);
  const { top, bottom } = one.getBoundingClientRect();
  for (let around = one.parentElement; around !== document.body; around = around.parentElement) {
    const room = around.getBoundingClientRect();
    const isOpen = getComputedStyle(around).overflowY === 'visible';
    if (!isOpen && (top - frame < room.top - 1 || bottom + frame > room.bottom + 1)) return true;
  }
  return false;
}).map((one) => one.outerHTML)`;

/** What a keyboard reaches in the page that is shown, but whose frame of the focus is cut off above or below. */
export async function cutFramesOf(page: Page): Promise<readonly string[]> {
  // Scripts move the focus without a frame until a key was pressed.
  await page.keyboard.press('Tab');
  return page.evaluate<readonly string[]>(CUT_FRAMES);
}

const COVERED = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter((one) => {
  one.focus();
  if (document.activeElement !== one) return false;
  const { left, top, width, height } = one.getBoundingClientRect();
  const shown = document.elementFromPoint(left + width / 2, top + height / 2);
  return ![one, ...(one.labels ?? [])].some((own) => own.contains(shown) || shown?.contains(own));
}).map((one) => one.outerHTML)`;

/** What can have the focus, but lies under something else then. */
export const coveredOf = (page: Page): Promise<readonly string[]> => page.evaluate<readonly string[]>(COVERED);

const CUT_OFF = `[...document.querySelectorAll('main *')].filter((one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowX)
  && one.scrollWidth > one.clientWidth).map((one) => one.className)`;

/** What would be cut off, as paper does not scroll. */
export const cutOffOf = (page: Page): Promise<readonly string[]> => page.evaluate<readonly string[]>(CUT_OFF);

/** Short words of which a part stands in the next line. */
export const brokenWordsOf = (page: Page): Promise<readonly string[]> => page.evaluate<readonly string[]>(BROKEN);

/** Sends the form that has a field twice, as a double click does; which of them was stopped. */
export const sendTwice = (page: Page, field: string): Promise<readonly boolean[]> =>
  page.evaluate<readonly boolean[]>(`(() => {
    const stopped = [];
    addEventListener('submit', (event) => stopped.push(event.defaultPrevented));
    const { form } = document.querySelector(${JSON.stringify(field)});
    for (const time of [1, 2]) form.requestSubmit(form.querySelector('button'));
    return stopped;
  })()`);

type LookAt = (page: Page) => Promise<readonly string[]>;

/** On how wide a screen pages are loaded: a phone's and a desk's. What else changes with the room needs no other page. */
export const WIDTHS = [390, 1440] as const;

/**
 * Other colours need no other page: the one that is shown changes into them, and back. Nothing but colours follows the
 * scheme (light-dark() gives no other value), and of axe's rules these two read them.
 */
export const byDayAndNight =
  (all: LookAt): LookAt =>
  async (page) => {
    const byDay = await all(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    const byNight = await violationsIn(page, 'colours');
    await page.emulateMedia({ colorScheme: 'light' });
    return [...byDay, ...byNight.map((one) => `in the dark ${one}`)];
  };

/** By how much the page that is shown is wider than the window. */
export async function sidewaysFaultsOf(page: Page): Promise<readonly string[]> {
  const by = await page.evaluate<number>(WIDER);
  return by > 0 ? [`scrolls sideways by ${by}`] : [];
}

/** The same, and what it squeezes to fit in there. */
export async function widthFaultsOf(page: Page): Promise<readonly string[]> {
  const squeezed = await page.evaluate<readonly string[]>(SQUEEZED);
  return [...(await sidewaysFaultsOf(page)), ...squeezed.map((one) => `squeezes ${one}`)];
}

/** So wide a screen, letters of so many pixels (larger ones as somebody reads who has chosen them), and what is looked at. */
export type Room = readonly [width: number, letters: number, lookAt: LookAt];
export const LETTERS = 16;
const ROOM_SHOWN = '[innerWidth, parseFloat(getComputedStyle(document.documentElement).fontSize)]';

/** What the browser itself is told about a page. A session stays: with its end, the size that it has set would be gone. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();
function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  return session;
}

/** What does not fit into a room of these: the page that is shown changes into each of them, and back. */
export async function roomFaultsOf(
  page: Page,
  rooms: readonly Room[],
  suite: string,
  name: string,
): Promise<readonly string[]> {
  const own = page.viewportSize();
  if (!own) throw new Error('a page without a size');
  const browser = await sessionOf(page);
  const enter = async (width: number, letters: number): Promise<void> => {
    // Besides, Playwright would resize the window around the page, which takes as long again.
    const size = { ...own, width, deviceScaleFactor: 1, mobile: false };
    await browser.send('Emulation.setDeviceMetricsOverride', size);
    await browser.send('Page.setFontSizes', { fontSizes: { standard: letters } });
    expect(await page.evaluate(ROOM_SHOWN)).toEqual([width, letters]);
  };
  const faults: string[] = [];
  for (const [width, letters, lookAt] of rooms) {
    await enter(width, letters);
    const found = await lookAt(page);
    faults.push(...found.map((one) => `${width} pixels wide in letters of ${letters} ${one}`));
    await takePicture(page, suite, `${name}-${width}-letters-${letters}`);
  }
  await enter(own.width, LETTERS);
  return faults;
}

/** For a page that goes to many addresses: to send axe to each of them takes longer than to look at most. */
export const bringAxe = async (page: Page): Promise<void> =>
  void (await page.addInitScript(`globalThis.startAxe = () => { ${AXE}\n};`));

/** What axe finds in the page that is shown. */
async function violationsIn(page: Page, rules: keyof typeof RULES): Promise<readonly string[]> {
  const isThere = await page.evaluate<boolean>('"axe" in globalThis || globalThis.startAxe?.(); "axe" in globalThis');
  if (!isThere) await page.evaluate(AXE);
  return page.evaluate<readonly string[]>(violations(RULES[rules]));
}

/** What people stumble over in the page that is shown: as axe finds it, links that lead elsewhere, broken words, and what is too wide. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  const found = await violationsIn(page, 'all');
  const twice = await page.evaluate<readonly string[]>(NAMED_TWICE);
  const broken = await brokenWordsOf(page);
  return [
    ...found,
    ...twice.map((one) => `has the name of another: ${one}`),
    ...broken.map((one) => `breaks ${one}`),
    ...(await widthFaultsOf(page)),
  ];
}
