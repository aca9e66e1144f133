import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { daysOf } from '../../src/selection/days.ts';
import { dayAfter, wallFromInstant } from '../../src/time.ts';
import { complaintsOf, launchChromium, takePicture } from '../support/browser.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';

// A parent looks for free events for children this weekend, and subscribes to them: in a real browser, on a phone and
// on a desktop, with and without JavaScript, and by keyboard. Screenshots are in the directory that the run names.

const ZONE = 'Europe/Warsaw';
const YAML = `builtin: { title: What’s on in Zielonka, description: "All that the town has planned.", timezone: ${ZONE} }
sources:
  town: { url: "file:town.csv", window: { past: 30d, future: 400d } }
`;
const today = wallFromInstant(Date.now(), ZONE).slice(0, 10);
const { first: weekend } = daysOf({ when: 'weekend', from: '' }, today);
const later = dayAfter(weekend, 9);

const ROWS = [
  ['Lanterns by the pond', weekend, '23:00', 'Children', 'Park', '0'],
  ['Gingerbread for beginners', weekend, '22:00', 'Children; Workshop', 'Community centre', 'Free'],
  ['Circus', weekend, '21:00', 'Children', 'Park', '20'],
  ['Open rehearsal', weekend, '20:00', 'Music', 'Teatr Mały', '0'],
  ['Toy swap', later, '17:00', 'Children', 'Community centre', '0'],
  ['Concert', later, '20:00', 'Music', 'Teatr Mały', '40'],
  ['Film club', later, '20:00', 'Talk', 'Teatr Mały', ''],
];
const CSV = [
  'Title,Start date,Start time,End date,End time,Categories,Venue,Cost',
  ...ROWS.map(([title, day, time, categories, venue, cost]) =>
    [title, day, time, day, '23:59', categories, venue, cost].join(','),
  ),
].join('\n');
const WANTED = ['Gingerbread for beginners', 'Lanterns by the pond'];

let home: Home;
let daemon: Daemon;
let browser: Browser;

beforeAll(async () => {
  home = await programHome(YAML);
  await home.write('town.csv', CSV);
  daemon = home.start();
  await daemon.ready();
});
afterAll(async () => {
  await browser?.close();
  await home.close();
});
beforeEach(async (context) => {
  browser ??= await launchChromium(context);
});

/** Acts on the first page in a new browser context, and checks that there are no errors and no sideways scrolling. */
async function onPage(
  width: number,
  options: { readonly javaScriptEnabled?: boolean; readonly hasTouch?: boolean },
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  try {
    await page.goto(`${daemon.url}/`);
    await act(page);
    expect({
      complaints,
      sideways: await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)'),
    }).toEqual({ complaints: [], sideways: 0 });
  } finally {
    await context.close();
  }
}

const titles = async (page: Page): Promise<readonly string[]> =>
  (await page.locator('.evs h3 a').allTextContents()).toSorted();
const picture = (page: Page, name: string): Promise<unknown> => takePicture(page, 'finding', name);
const query = (page: Page): string => new URL(page.url()).search;

/** Subscribes to the current selection, and checks that its feed has the same events. */
async function subscribe(page: Page, choose: (link: string) => Promise<void>): Promise<void> {
  const chosen = query(page);
  await choose('Subscribe to this selection');
  await page.waitForURL('**/feeds/events?**');
  expect(query(page)).toBe(chosen);
  const calendar = await page
    .evaluate<string>(`fetch('${daemon.url}/feeds/events.ics${chosen}').then((answer) => answer.text())`)
    .catch(async () => (await fetch(`${daemon.url}/feeds/events.ics${chosen}`)).text());
  expect([...calendar.matchAll(/^SUMMARY:(.*)$/gm)].map(([, title = '']) => title.trim()).toSorted()).toEqual(WANTED);
  const shown = await page.locator('main').textContent();
  expect(WANTED.filter((title) => !shown?.includes(title))).toEqual([]);
}

describe.each([390, 820, 1440])('%i pixels wide', (width) => {
  test.each([true, false])('a choice that is clicked or touched applies at once (touched: %s)', async (hasTouch) => {
    await onPage(width, { hasTouch }, async (page) => {
      const press = async (what: Locator): Promise<void> => (hasTouch ? what.tap() : what.click());
      if (width < 700) await press(page.locator('label.fold'));
      await press(page.locator('.filter label.chip', { hasText: 'Children' }));
      await page.waitForURL('**/?category=children');
      expect(await titles(page)).toHaveLength(4);
    });
  });

  test.each([true, false])(
    'two clicks lead to a selection, and one more to its feed (JavaScript: %s)',
    async (javaScriptEnabled) => {
      await onPage(width, { javaScriptEnabled }, async (page) => {
        await picture(page, `list-${width}`);
        expect(await titles(page)).toHaveLength(ROWS.length);
        await page.getByRole('link', { name: /^Free this weekend/ }).click();
        await page.waitForURL('**/?when=weekend&free=1');
        await page
          .getByRole('navigation', { name: 'Only some of these' })
          .getByRole('link', { name: /Children/ })
          .click();
        await page.waitForURL('**/?when=weekend&category=children&free=1');
        expect(await titles(page)).toEqual(WANTED);
        await picture(page, `found-${width}`);
        await subscribe(page, () => page.locator('.result a.btn.main').click());
        await picture(page, `builder-${width}`);
      });
    },
  );

  test('the form keeps all choices without JavaScript', async () => {
    await onPage(width, { javaScriptEnabled: false }, async (page) => {
      if (width < 700) await page.locator('label.fold').click();
      await page.locator('.filter label.chip', { hasText: 'Children' }).click();
      await page.locator('.filter label.chip', { hasText: 'Free of charge' }).click();
      await page.getByRole('button', { name: 'This weekend' }).click();
      await page.waitForURL('**/?when=weekend&category=children&free=1');
      expect(await titles(page)).toEqual(WANTED);
      // Enter in the search field searches, and does not press the button of the first day.
      await page.locator('#q').focus();
      await page.keyboard.type('lanterns');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/?search=lanterns&when=weekend&category=children&free=1');
      expect(await titles(page)).toEqual(['Lanterns by the pond']);
      await page.locator('.result a.chip', { hasText: 'This weekend' }).click();
      await page.waitForURL('**/?search=lanterns&category=children&free=1');
      await page.goto(`${daemon.url}/?search=tango&when=weekend&category=music&free=1`);
      expect(await page.locator('h2').first().textContent()).toBe('Nothing like that this weekend');
      await picture(page, `nothing-${width}`);
      await page.getByRole('link', { name: /any words: 1 event/ }).click();
      await page.waitForURL('**/?when=weekend&category=music&free=1');
      expect(await titles(page)).toEqual(['Open rehearsal']);
    });
  });

  test('by keyboard, several choices are sent together', async () => {
    await onPage(width, {}, async (page) => {
      const tabTo = async (selector: string): Promise<void> => {
        for (let times = 0; times < 120; times += 1) {
          await page.keyboard.press('Tab');
          if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
        }
        throw new Error(`nothing comes into focus that is ${selector}`);
      };
      // The form is not sent while a date is being typed.
      await tabTo('#from');
      await page.keyboard.type(`${weekend.slice(5, 7)}${weekend.slice(8)}${weekend.slice(0, 4)}`);
      expect([query(page), await page.locator('#from').inputValue()]).toEqual(['', weekend]);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/?from=${weekend}`);
      await page.goto(`${daemon.url}/`);
      await tabTo('button[value=weekend]');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/?when=weekend');
      if (width < 700) {
        await tabTo('#fold');
        await page.keyboard.press('Space');
      }
      await tabTo('input[name=category][value=children]');
      await page.keyboard.press('Space');
      // Arrow keys pass unwanted entries of a menu without sending the form.
      await tabTo('#place');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Home');
      await tabTo('input[name=free]');
      await page.keyboard.press('Space');
      await page.waitForTimeout(300);
      expect(query(page)).toBe('?when=weekend');
      await tabTo('.filter .more button');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/?when=weekend&category=children&free=1');
      expect(await titles(page)).toEqual(WANTED);
      await subscribe(page, async () => {
        await tabTo('.result a.btn.main');
        await page.keyboard.press('Enter');
      });
    });
  });
});
