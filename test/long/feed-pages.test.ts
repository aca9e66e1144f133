import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { complaintsOf, launchChromium, navigate, takePicture } from '../support/browser.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { calendarText } from '../support/feed-text.ts';

// The pages of the feeds in a real browser, on a phone and on a desktop. Screenshots are in the directory that the run
// names.

const YAML = `builtin: { title: Town calendar, timezone: Europe/Warsaw, languages: [en, pl] }
sources:
  hall: { url: "file:hall.ics", window: { past: 30d, future: 400d } }
feeds:
  all: { title: Everything on, color: "#336699" }
`;
const inDays = (days: number): string =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}T180000`;
const EVENTS = [
  { uid: 'jazz', title: 'Jazz & Blues', start: inDays(20), lines: ['LOCATION:Town Hall', 'CATEGORIES:Music'] },
  { uid: 'fair', title: 'Book fair', start: inDays(30), lines: ['LOCATION:Town Hall', 'CATEGORIES:Books,Market'] },
  { uid: 'chess', title: 'Chess', start: inDays(40), lines: ['LOCATION:Library', 'CATEGORIES:Games'] },
];

let home: Home;
let daemon: Daemon;
let browser: Browser | undefined;
beforeAll(async () => {
  home = await programHome(YAML);
  await home.write('hall.ics', calendarText(EVENTS));
  daemon = home.start();
  await daemon.ready();
});
afterAll(async () => {
  await browser?.close();
  await home.close();
});

// Without the letter of a category, which screen readers skip.
const FOCUSED = `(() => {
  const shown = (document.activeElement.labels?.[0] ?? document.activeElement).cloneNode(true);
  for (const one of shown.querySelectorAll('[aria-hidden]')) one.remove();
  return shown.textContent.trim();
})()`;

/** Presses Tab until an element with this text or label has the focus; fails if there is none. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let times = 0; times < 100; times += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(FOCUSED);
    if (focused.startsWith(wanted)) return;
  }
  throw new Error(`nothing called ${wanted} comes into focus`);
}

test.for([390, 1280])(
  'a feed is looked at, tested, built and copied by keyboard alone, %i pixels wide',
  async (width, context) => {
    browser ??= await launchChromium(context);
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const complaints = complaintsOf(page);
    const look = async (name: string): Promise<void> => {
      await takePicture(page, 'feeds', `${name}-${width}`);
      expect({
        name,
        sideways: await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)'),
        complaints,
      }).toEqual({ name, sideways: 0, complaints: [] });
    };
    const press = (key: string): Promise<void> => navigate(page, () => page.keyboard.press(key));

    await page.goto(`${daemon.url}/feeds/`);
    await look('feeds');
    await tabTo(page, 'Everything on');
    await press('Enter');
    await look('feed');
    await tabTo(page, 'Test this feed');
    await press('Enter');
    expect(await page.locator('.verdict b').textContent()).toBe('Not with Google and Outlook on the web.');
    await look('tested');
    await tabTo(page, 'Change what is in it');
    await press('Enter');
    await look('builder');
    await tabTo(page, 'Books');
    await page.keyboard.press('Space');
    await tabTo(page, 'Music');
    await page.keyboard.press('Space');
    await tabTo(page, 'Town Hall');
    await page.keyboard.press('Space');
    await tabTo(page, 'Containing these words');
    await page.keyboard.type('fair');
    await press('Enter');
    expect(await page.locator('#coming + ol a').allTextContents()).toEqual(['Book fair']);
    await look('built');
    const address = await page.locator('#address').inputValue();
    expect(new URL(address).searchParams.get('categories')).toBe('books,music');
    const feed = await (await fetch(address)).text();
    expect(feed.match(/^SUMMARY:.*$/gm)).toEqual(['SUMMARY:Book fair']);
    // The address is copied by keyboard, too.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('#address').focus();
    await tabTo(page, 'Copy');
    await page.keyboard.press('Enter');
    await page.getByText('Address copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address);
    await page.close();
  },
);
