import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { expect, type TestContext } from 'vitest';
import { needsProgram } from './program.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Starts Chromium. It is not a dependency: without it the test is skipped, or fails on CI. */
export async function launchChromium(context: TestContext): Promise<Browser> {
  needsProgram(context, CHROMIUM, ['--version'], 'apt-get install chromium, or name one in CHROMIUM');
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/**
 * Collects what the browser complains about from now on: errors and warnings of scripts and of the page's security
 * policy, and failed requests, unless navigation aborted them. Complaints that match `expected` are left out.
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
 * Does something that navigates, and waits until the new page has loaded completely. Until then scripts run in the old
 * page, and elements that a test counts may be missing.
 */
export async function navigate(page: Page, act: () => Promise<unknown>): Promise<void> {
  await page.waitForLoadState();
  await Promise.all([page.waitForEvent('load'), act()]);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Saves a screenshot of the whole page for a person to look at, in the folder that PICTURES names. Without PICTURES
 * nothing is saved, because screenshots take longer than all the checks.
 */
export async function takePicture(page: Page, suite: string, name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder) await page.screenshot({ path: path.join(folder, suite, `${name}.png`), fullPage: true });
}

/** Saves a screenshot in dark and in light colours. */
export async function takePictures(page: Page, suite: string, name: string): Promise<void> {
  if (!process.env['PICTURES']) return;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await takePicture(page, suite, `${name}-${colorScheme}`);
  }
}

/** The axe rules: all that affects screen readers, keyboards and low vision, and those that depend on colours alone. */
const RULES = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  colours: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const;
// A frame is a page of its own and is checked as one. The API viewer (Swagger UI) is third-party code.
const violations = (runOnly: (typeof RULES)[keyof typeof RULES]): string =>
  `axe.run({ exclude: ['.swagger-ui'] }, ${JSON.stringify({ runOnly, resultTypes: ['violations'], iframes: false })})
  .then(({ violations }) => violations.map(({ id, impact, nodes }) => id + ' (' + impact + '), ' + nodes.length + ' times: ' + nodes[0].html))`;

const WIDER = 'document.documentElement.scrollWidth - innerWidth';
/** Texts squeezed so narrow that hardly a letter fits on a line. Texts for screen readers only are left out. */
const SQUEEZED = `[...document.querySelectorAll('body *')].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  const { position, fontSize } = getComputedStyle(one);
  return one.checkVisibility({ contentVisibilityAuto: true }) && height > 0 && position !== 'absolute' && width < 3 * parseFloat(fontSize) &&
    [...one.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim().length >= 20);
}).map((one) => one.outerHTML)`;

/**
 * Short words and times that are broken across two lines. Longer words are left out, as they may not fit on one line.
 */
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

/** Elements with an id that an earlier element already has: links lead to the first one. */
const NAMED_TWICE = `[...document.querySelectorAll('[id]')].filter(({ id }, at, all) => all.findIndex((one) => one.id === id) < at)
  .map((one) => one.outerHTML.slice(0, 80))`;

/** Focusable elements whose focus outline is cut off by a container. */
const CLIPPED_OUTLINES = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter((one) => {
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

/** Elements in the current page that a keyboard reaches, but whose focus outline is cut off above or below. */
export async function clippedOutlinesOf(page: Page): Promise<readonly string[]> {
  // Until a key is pressed, focusing an element by script shows no outline.
  await page.keyboard.press('Tab');
  return page.evaluate<readonly string[]>(CLIPPED_OUTLINES);
}

const COVERED = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter((one) => {
  one.focus();
  if (document.activeElement !== one) return false;
  const { left, top, width, height } = one.getBoundingClientRect();
  const shown = document.elementFromPoint(left + width / 2, top + height / 2);
  return ![one, ...(one.labels ?? [])].some((own) => own.contains(shown) || shown?.contains(own));
}).map((one) => one.outerHTML)`;

/** Focusable elements that something else covers when they have the focus. */
export const coveredControlsOf = (page: Page): Promise<readonly string[]> => page.evaluate<readonly string[]>(COVERED);

const CLIPPED_IN_PRINT = `[...document.querySelectorAll('main *')].filter((one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowX)
  && one.scrollWidth > one.clientWidth).map((one) => one.className)`;

/** Elements that would be cut off in print, because paper does not scroll. */
export const clippedInPrintOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(CLIPPED_IN_PRINT);

/** Short words that are broken across two lines. */
export const brokenWordsOf = (page: Page): Promise<readonly string[]> => page.evaluate<readonly string[]>(BROKEN);

/**
 * Submits the form that contains a field twice, like a double click; tells which of the two submissions was stopped.
 */
export const sendTwice = (page: Page, field: string): Promise<readonly boolean[]> =>
  page.evaluate<readonly boolean[]>(`(() => {
    const stopped = [];
    addEventListener('submit', (event) => stopped.push(event.defaultPrevented));
    const { form } = document.querySelector(${JSON.stringify(field)});
    for (const time of [1, 2]) form.requestSubmit(form.querySelector('button'));
    return stopped;
  })()`);

type LookAt = (page: Page) => Promise<readonly string[]>;

/** The screen widths that pages are loaded at: a phone and a desktop. Other layouts are tried without reloading. */
export const WIDTHS = [390, 1440] as const;

/**
 * Checks the page in light and in dark colours without reloading it. Only colours depend on the colour scheme
 * (light-dark() yields nothing else), and only these two axe rules read colours.
 */
export const inBothColourSchemes =
  (all: LookAt): LookAt =>
  async (page) => {
    const byDay = await all(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    const byNight = await violationsIn(page, 'colours');
    await page.emulateMedia({ colorScheme: 'light' });
    return [...byDay, ...byNight.map((one) => `in the dark ${one}`)];
  };

/** By how many pixels the current page is wider than the window. */
export async function sidewaysFaultsOf(page: Page): Promise<readonly string[]> {
  const by = await page.evaluate<number>(WIDER);
  return by > 0 ? [`scrolls sideways by ${by}`] : [];
}

/** Like `sidewaysFaultsOf`, and texts that are squeezed to fit. */
export async function widthFaultsOf(page: Page): Promise<readonly string[]> {
  const squeezed = await page.evaluate<readonly string[]>(SQUEEZED);
  return [...(await sidewaysFaultsOf(page)), ...squeezed.map((one) => `squeezes ${one}`)];
}

/** A screen width, a font size in pixels (large for users who have chosen so), and the check to make at that size. */
export type Room = readonly [width: number, letters: number, lookAt: LookAt];
export const FONT_SIZE_PX = 16;
const ROOM_SHOWN = '[innerWidth, parseFloat(getComputedStyle(document.documentElement).fontSize)]';

/** One DevTools session per page, kept open because its end would reset the size that it has set. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();
function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  return session;
}

/** What is wrong in any of these rooms: the current page is resized for each of them, and back. */
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
    // Sending the size directly keeps Playwright from resizing the window as well, which would take as long again.
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
  await enter(own.width, FONT_SIZE_PX);
  return faults;
}

/** For a page that visits many addresses: sending axe to each of them takes longer than most checks. */
export const preloadAxe = async (page: Page): Promise<void> =>
  void (await page.addInitScript(`globalThis.startAxe = () => { ${AXE}\n};`));

/** What axe finds in the current page. */
async function violationsIn(page: Page, rules: keyof typeof RULES): Promise<readonly string[]> {
  const isThere = await page.evaluate<boolean>('"axe" in globalThis || globalThis.startAxe?.(); "axe" in globalThis');
  if (!isThere) await page.evaluate(AXE);
  return page.evaluate<readonly string[]>(violations(RULES[rules]));
}

/** What is wrong with the current page: axe violations, duplicate ids, broken words, and content that is too wide. */
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
