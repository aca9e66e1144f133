import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayAfter } from '../../../src/time.ts';
import { dayTables } from '../../../src/site/store/event-days.ts';
import { EVERYTHING } from '../../../src/selection/selection.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { pagesOf, type Browser } from '../../support/site-pages.ts';

// The month and the week over the real interface and store. The clock is set to Friday, 20 November 2026.

let site: TestSite;
let browser: Browser;

async function make(
  title: string,
  first: string,
  last: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const dates = { start_date: first, end_date: last };
  return (await site.ask('administrator', 'POST', '/events', { title, ...dates, ...fields })).body.id;
}
const allDay = { all_day: true };

beforeAll(async () => {
  site = await builtinSite();
  browser = pagesOf(site)();
  await make('Paper', '2026-10-01', '2026-12-31', { ...allDay, categories: ['Exhibition'] });
  await make('Jazz', '2026-12-05 20:00', '2026-12-06 02:00', {
    categories: ['Music'],
    tags: ['Late'],
    organizer: { organizer: 'Club' },
  });
  await make('Market', '2026-12-04', '2026-12-08', { ...allDay, categories: ['Market'], cost: '0' });
  for (let hour = 8; hour < 15; hour += 1)
    await make(`Visit ${hour}`, `2026-12-09 ${hour}:00`, `2026-12-09 ${hour}:30`, { venue: { venue: 'Hall' } });
  for (let number = 1; number <= 4; number += 1) await make(`Fair ${number}`, '2027-03-01 10:00', '2027-03-03 18:00');
  await make('Hidden', '2026-12-10 10:00', '2026-12-10 11:00', { hide_from_listings: true });
  await make('Draft', '2026-12-10 10:00', '2026-12-10 11:00', { status: 'draft' });
});
afterAll(() => site.close());

const shown = async (path: string): Promise<string> => (await browser.get(path)).html;
const isHidden = (html: string): boolean => html.includes('<meta name="robots" content="noindex">');

/** The lines in the cells of a month, by the day of the month. */
function cellsOf(html: string): Readonly<Record<string, readonly string[]>> {
  const cells = [...html.matchAll(/<td id="m-(\d+)"[^>]*>(.*?)<\/td>/gs)];
  return Object.fromEntries(cells.map(([, day = '', cell = '']) => [day, linesOf(cell)]));
}
/** Links as "class: text", without the number of the day and text that not everybody sees. */
const linesOf = (html: string): readonly string[] =>
  [...html.matchAll(/<a class="((?:one|bar|rest)[^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, kind = '', text = '']) =>
    `${kind.replace(/ ?\bc\d/, '')}: ${text.replace(/<span class="(?:vh|until)">.*?<\/span>|<[^>]+>/g, '')}`.trim(),
  );
/** The links to the views at the top of a page. */
const waysOf = (html: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...html.matchAll(/<li><a href="([^"]*)"[^>]*>(List|Week|Month)<\/a>/g)].map(([, href = '', name = '']) => [
      name,
      href.replaceAll('&amp;', '&'),
    ]),
  );
/** The filters of a page, and the links that remove them. */
const chipsOf = (html: string): readonly (readonly string[])[] =>
  [...html.matchAll(/<a class="chip" href="([^"]+)" rel="nofollow">(.*?) <span/g)].map(([, href = '', name = '']) => [
    name,
    href.replaceAll('&amp;', '&'),
  ]);
const stepsOf = (html: string): readonly (string | undefined)[] =>
  [...html.matchAll(/rel="(?:prev|next)" href="\/(?:month|week)\/([^/]+)\/"/g)].map(([, step]) => step);

describe('the month', () => {
  test('has the events that begin on a day, and bars for long events', async () => {
    const cells = cellsOf(await shown('/month/2026-12/'));
    expect(Object.keys(cells)).toHaveLength(31);
    expect(cells).toMatchObject({
      1: [],
      // The bar in this week begins on Monday, 30 November.
      4: ['bar s3 b2 on: R Market'],
      5: ['one: M 20:00 Jazz'],
      6: [],
      7: ['bar s7 b1 from on: E Paper', 'bar s2 b2 from: R Market'],
      9: ['one: 08:00 Visit 8', 'one: 09:00 Visit 9', 'one: 10:00 Visit 10', 'one: 11:00 Visit 11', 'rest: +3'],
      10: [],
      28: ['bar s4 b1 from: E Paper'],
    });
  });

  test('explains bars and "+3" to screen readers', async () => {
    const html = await shown('/month/2026-12/');
    expect(html).toContain('<span class="until">, until 8 December</span>');
    expect(html).toContain('<span class="vh">3 more on 9 December</span>');
    expect(html).toMatch(/<a class="rest" href="\/\?from=2026-12-09" rel="nofollow">/);
  });

  test('shows three long events on the same days, and counts the fourth', async () => {
    const cells = cellsOf(await shown('/month/2027-03/'));
    expect([cells['1'], cells['3'], cells['4']]).toEqual([
      ['bar s3 b1: Fair 1', 'bar s3 b2: Fair 2', 'bar s3 b3: Fair 3', 'rest: +1'],
      ['rest: +1'],
      [],
    ]);
  });

  test('links to the nearest months with events, and is not indexed if it is over or empty', async () => {
    const pages: Readonly<Record<string, readonly [steps: readonly string[], isHidden: boolean]>> = {
      '2026-11': [['2026-10', '2026-12'], false],
      '2026-10': [['2026-11'], true],
      '2026-12': [['2026-11', '2027-03'], false],
      '2027-01': [['2026-12', '2027-03'], true],
      '2027-03': [['2027-02'], false],
      '2027-05': [['2027-04'], true],
    };
    for (const [month, expected] of Object.entries(pages)) {
      const html = await shown(`/month/${month}/`);
      expect([month, stepsOf(html), isHidden(html)]).toEqual([month, ...expected]);
    }
  });

  test('is not found where there can be no events', async () => {
    const far = await make('Far', '2500-01-01 10:00', '9999-12-31 11:00');
    const status = async (month: string): Promise<number> => (await browser.get(`/month/${month}/`)).status;
    expect([await status('1950-01'), await status('2400-05'), await status('2500-01')]).toEqual([404, 404, 200]);
    // An event that lasts for ever is not linked to.
    expect(stepsOf(await shown('/month/2500-02/'))).toEqual(['2500-01']);
    expect(stepsOf(await shown('/month/2027-03/'))).toEqual(['2027-02', '2500-01']);
    await site.ask('administrator', 'DELETE', `/events/${far}`);
  });

  test('of an empty calendar has no links to other months', async () => {
    const empty = await builtinSite();
    try {
      const { html } = await pagesOf(empty)().get('/month/');
      expect([stepsOf(html), isHidden(html)]).toEqual([[], true]);
    } finally {
      await empty.close();
    }
  });

  test('is the current one if none is named, with today and past days marked', async () => {
    const html = await shown('/month/');
    expect(html).toMatch(/<td id="m-20" class="today empty" aria-current="date">/);
    expect(html).toMatch(/<td id="m-19" class="past empty">/);
  });

  test('on a phone links to the days with events, and begins with ongoing ones', async () => {
    const [, phone = ''] = /<div class="phone">(.*?)<\/div><\/nav>/s.exec(await shown('/month/2026-12/')) ?? [];
    expect([...phone.matchAll(/href="#m-(\d+)"/g)].map(([, day]) => day)).toEqual(['4', '5', '9']);
    expect(await shown('/month/2026-12/')).toMatch(/<\/nav><a class="bar s1 b1 c\d"[^>]*>.*?Paper/);
  });

  test('of some categories finds the next months with events without searching all events again', async () => {
    const asked: string[] = [];
    const recorded = {
      ...site.db,
      run: (text: string, values: unknown[]) => {
        asked.push(text);
        return site.db.run(text, values);
      },
    } as TestSite['db'];
    const { daysAround } = dayTables(recorded);
    const music = { ...EVERYTHING, categories: ['music'] };
    expect(await daysAround('2026-12-01', '2026-12-31', music)).toEqual({ before: null, after: null });
    asked.length = 0;
    expect((await daysAround('2027-01-01', '2027-01-31', music)).before).toMatch(/^2026-12/);
    expect(asked.filter((text) => text.includes('site.events'))).toEqual([]);
  });

  test('shows one category', async () => {
    const html = await shown('/month/2026-12/?category=music');
    expect([linesOf(html), isHidden(html)]).toEqual([['one: M 20:00 Jazz'], true]);
    expect(html).toContain('rel="prev nofollow" href="/month/2026-11/?category=music"');
    expect(html).toMatch(/<title>December 2026, Music – /);
    expect(html).toContain('<a href="/week/2026-11-30/?category=music" rel="nofollow">');
    expect(await shown('/?category=music')).toContain('<a href="/month/?category=music" rel="nofollow">');
    // A name that the database cannot store finds nothing, either.
    for (const name of ['nothing', 'nothing%00']) {
      const none = await shown(`/month/2026-12/?category=${name}`);
      expect([linesOf(none), isHidden(none), none.includes('Nothing like that is announced')]).toEqual([
        [],
        true,
        true,
      ]);
      expect((await browser.get(`/month/2400-12/?category=${name}`)).status).toBe(404);
    }
  });

  test('has the selection of the list that links to it', async () => {
    const chosen = 'category=exhibition&category=music&language=en';
    const list = waysOf(await shown(`/?from=2026-12-05&${chosen}`));
    expect(list).toEqual({
      List: `/?from=2026-12-05&${chosen}`,
      Week: `/week/2026-11-30/?${chosen}`,
      Month: `/month/2026-12/?${chosen}`,
    });
    const html = await shown(list['Month'] ?? '');
    expect(new Set(linesOf(html).map((line) => line.replace(/^.*: /, '')))).toEqual(
      new Set(['E Paper', 'M 20:00 Jazz']),
    );
    expect([isHidden(html), html.includes('<h1>December 2026</h1>')]).toEqual([true, true]);
    expect(chipsOf(html)).toEqual([
      ['Exhibition', '/month/2026-12/?category=music&language=en'],
      ['Music', '/month/2026-12/?category=exhibition&language=en'],
      ['English', '/month/2026-12/?category=exhibition&category=music'],
    ]);
    expect(html).toContain('class="btn quiet" href="/month/2026-12/"');
    expect(html).toContain('href="/feeds/events?category=exhibition&amp;category=music&amp;language=en"');
    expect(waysOf(html)['List']).toBe(`/?from=2026-12-01&${chosen}`);
    expect(waysOf(await shown(list['Week'] ?? ''))).toEqual({
      List: `/?from=2026-11-30&${chosen}`,
      Week: list['Week'],
      // A week is in the month in which it begins.
      Month: `/month/?${chosen}`,
    });
  });

  test.each([
    ['search=jazz', 'Jazz', '“jazz”'],
    ['place=hall', 'Visit 8', 'Hall'],
    ['tag=late', 'Jazz', 'Late'],
    ['organizer=club', 'Jazz', 'Club'],
    ['free=1', 'Market', 'Free'],
  ])('has the selection %s, as have the week and its printed page', async (chosen, title, name) => {
    const asked = await browser.get(`/?from=2026-12-05&${chosen}`);
    const list = waysOf(asked.status === 302 ? await shown(asked.headers.get('location') ?? '') : asked.html);
    expect(list['Month']).toBe(`/month/2026-12/?${chosen}`);
    const month = await shown(list['Month'] ?? '');
    expect(linesOf(month)).not.toEqual([]);
    expect(linesOf(month).filter((line) => !line.includes(title.slice(0, 5)) && !line.includes('rest'))).toEqual([]);
    expect(chipsOf(month)).toEqual([[name, '/month/2026-12/']]);
    for (const week of ['2026-11-30', '2026-12-07']) {
      const html = await shown(`/week/${week}/?${chosen}`);
      expect(html.includes('Paper')).toBe(false);
      expect(isHidden(html)).toBe(true);
      const { html: sheet } = await browser.get(`/week/${week}/sheet/?${chosen}`);
      expect(sheet).toContain(`<br>${name}`);
      expect(sheet).not.toContain('Paper');
    }
  });

  test('is linked without parameters if nothing is selected or the day is too far away', async () => {
    const plain = { List: '/', Week: '/week/', Month: '/month/' };
    for (const path of ['/', '/?when=today', '/?from=2400-01-01', '/month/', '/week/', '/event/jazz/'])
      expect([path, waysOf(await shown(path))]).toEqual([path, plain]);
    expect(waysOf(await shown('/month/2026-10/'))).toEqual({
      List: '/',
      Week: '/week/2026-09-28/',
      Month: '/month/2026-10/',
    });
    const many = Array.from({ length: 13 }, (_, number) => `category=${number}`).join('&');
    expect((await browser.get(`/month/2026-12/?${many}`)).status).toBe(400);
  });

  test.each(['/month/2026-13/', '/month/nonsense', '/month/2026-12/x', '/week/2026-11-31/', '/week/x/'])(
    'is not found at %s',
    async (path) => expect((await browser.get(path)).status).toBe(404),
  );

  test('takes fewer than eight statements', async () => {
    await browser.get('/month/2026-12/');
    const before = site.statements();
    await browser.get('/month/2026-12/?x=1');
    expect(site.statements() - before).toBeLessThan(8);
  });
});

const daysIn = (html: string): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...html.matchAll(/id="w-([^"]+)">(.*?)<\/section>/gs)].map(([, day = '', section = '']) => [
      day,
      [...section.matchAll(/<p>(\d\d:\d\d[^<]*)<\/p><h3><a [^>]*>([^<]*)/g)].map(
        ([, time, title]) => `${time} ${title}`,
      ),
    ]),
  );

test.each([
  ['of all events', undefined],
  ['of some events', { ...EVERYTHING, categories: ['music'] }],
])('the nearest days %s are outside of the month', async (_, chosen) => {
  for (const day of ['2027-06-30', '2027-07-01', '2027-07-31', '2027-08-01'])
    await make(day, `${day} 00:00`, `${day} 01:00`, { categories: ['Music'] });
  expect(await dayTables(site.db).daysAround('2027-07-01', '2027-07-31', chosen)).toEqual({
    before: '2027-06-30',
    after: '2027-08-01',
  });
});

describe('the week', () => {
  test('has seven days, with long events above them', async () => {
    const html = await shown('/week/2026-11-30/');
    expect(Object.keys(daysIn(html))).toEqual(Array.from({ length: 7 }, (_, index) => dayAfter('2026-11-30', index)));
    expect(daysIn(html)['2026-12-05']).toEqual(['20:00 – 02:00 Jazz']);
    expect(linesOf(html)).toEqual(['bar: Fri–Tue: R Market', 'bar: E Paper']);
    expect(html).toMatch(/<h1>30 November\s–\s6 December<\/h1>/);
    expect([stepsOf(html), isHidden(html)]).toEqual([['2026-11-23', '2026-12-07'], false]);
    expect(daysIn(await shown('/week/2026-12-07/'))['2026-12-09']).toHaveLength(7);
  });

  test('shows the dates of a long event that begins in it, and the end of one that has begun', async () => {
    const timesOn = async (monday: string): Promise<readonly string[]> =>
      [...(await shown(`/week/${monday}/`)).matchAll(/<a class="bar[^"]*"[^>]*>(.*?)<\/a>/gs)].map(([, bar = '']) =>
        bar.replace(/<[^>]+>/g, '').replace(/[\u2009\u202f]/g, ' '),
      );
    expect(await timesOn('2026-09-28')).toEqual(['E Paper, 1 October – 31 December']);
    expect(await timesOn('2026-12-07')).toEqual(['R Market, until 8 December', 'E Paper, until 31 December']);
    const sheet = await shown('/week/2026-11-30/sheet/');
    expect(sheet).toMatch(/4\s–\s8 December/);
    expect(sheet).not.toContain('On all week');
  });

  test('is where each of its days redirects to, and the current one if none is named', async () => {
    const { status, headers } = await browser.get('/week/2026-12-03/?category=music');
    expect([status, headers.get('location')]).toEqual([302, '/week/2026-11-30/?category=music']);
    expect(await shown('/week/')).toContain('<section class="today" aria-labelledby="w-2026-11-20">');
  });

  test('says how many events of a day it does not show', async () => {
    const ids: number[] = [];
    for (let minute = 10; minute < 30; minute += 1)
      ids.push(await make(`Short ${minute}`, `2027-01-06 10:${minute}`, `2027-01-06 11:${minute}`));
    const html = await shown('/week/2027-01-04/');
    expect([daysIn(html)['2027-01-06']?.length, linesOf(html)]).toEqual([16, ['rest: +4']]);
    for (const id of ids) await site.ask('administrator', 'DELETE', `/events/${id}`);
  });
});

test('with many long events, each view says how many more there are and links to them', async () => {
  const ids: number[] = [];
  for (let number = 1; number <= 14; number += 1)
    ids.push(await make(`Show ${number}`, '2026-11-10', '2027-01-10', allDay));
  const list = await shown('/');
  expect(list).toContain('<a href="/?lasting=all" rel="nofollow">and 9 more running for longer</a>');
  const all = await shown('/?lasting=all');
  expect([...all.matchAll(/<h3><a [^>]*>Show \d+/g)]).toHaveLength(14);
  expect([all.includes('more running for longer'), isHidden(list), all.includes('<h1>Coming up</h1>')]).toEqual([
    false,
    false,
    true,
  ]);
  expect(await shown('/month/')).toMatch(
    /<a class="rest" href="\/\?from=2026-11-20" rel="nofollow">10 more on 20 November/,
  );
  expect(linesOf(await shown('/week/'))).toContain('rest: + 3 more');
  expect(await shown('/week/sheet/')).toContain('<span>+ 3 more</span>');
  for (const id of ids) await site.ask('administrator', 'DELETE', `/events/${id}`);
});

describe('a tentative or cancelled event', () => {
  const DAY = '2027-05-04';
  beforeAll(async () => {
    for (const [title, hour, tag] of [
      ['Picnic', 10, 'tentative'],
      ['Odwołane: Rejs', 12, 'cancelled'],
      ['Quiz', 14, 'cancelled'],
      ['ערב שירה 2027', 16, 'tentative'],
    ] as const)
      await make(title, `${DAY} ${hour}:00`, `${DAY} ${hour}:30`, { tags: [tag] });
  });

  test.each(['/month/2027-05/', '/week/2027-05-03/', '/week/2027-05-03/sheet/'])(
    'says so in words: %s',
    async (path) => {
      const text = (await shown(path)).replaceAll(/<[^>]+>/g, '');
      for (const title of ['Not confirmed yet: Picnic', 'Cancelled: Rejs', 'Cancelled: Quiz'])
        expect(text.split(title)).toHaveLength(2);
      expect(text).not.toContain('Odwołane');
    },
  );

  test('says so on its own printed page', async () => {
    expect(await shown('/event/picnic/sheet/')).toContain('<h1 dir="auto">Not confirmed yet: <bdi>Picnic</bdi></h1>');
  });

  test('has its title in its own direction, whatever comes before it', async () => {
    expect(await shown('/month/2027-05/')).toMatch(/Not confirmed yet: <bdi>ערב שירה 2027<\/bdi>/);
    expect(await shown('/month/2026-12/')).toMatch(/<b>20:00<\/b> <bdi>Jazz<\/bdi>/);
  });
});

test('an event that lasts for years shows in which year it ends, on screen and in print', async () => {
  await make('Rebuilding', '2040-01-01', '2042-12-31', allDay);
  for (const path of ['/month/2040-02/', '/week/2040-02-06/', '/week/2040-02-06/sheet/'])
    expect([path, await shown(path)]).toEqual([path, expect.stringContaining('until 31 December 2042')]);
  expect(await shown('/month/2042-12/')).toContain('<span class="until">, until 31 December</span>');
});
