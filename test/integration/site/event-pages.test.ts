import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { emptyTrash } from '../../../src/site/store/housekeeping.ts';
import { decodeEntities } from '../../../src/html/references.ts';
import { DAY_MS } from '../../../src/time.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import type { Origin } from '../../../src/site/pages/frame/beyond.ts';
import { pagesOf, type Browser, type Shown } from '../../support/site-pages.ts';

// What the page of an event says beyond its details: its state, its source, other events. The clock is set to
// 20 November 2026.

const READ_AT = Date.UTC(2026, 10, 20, 5, 10);
const origins: Readonly<Record<string, Origin>> = {
  dziady: { name: 'theatre', host: 'teatr-maly.example', readAt: READ_AT, usualStart: '2026-12-05 19:00:00' },
  early: { name: 'theatre', readAt: READ_AT, usualStart: '2026-12-05 21:00:00' },
  // Its series is written in UTC.
  utc: { name: 'theatre', readAt: READ_AT, usualStart: '2026-12-05 18:00:00' },
};

const readAgain = new Map<string, Origin>();

let site: TestSite;
let browser: Browser;

const theatre = { venue: 'Teatr Mały', address: 'Rynek 3', zip: '05-220', city: 'Zielonka', show_map_link: 'true' };
const troupe = [{ organizer: 'The Troupe', phone: '+48 22 555 01 12', email: 'kasa@town.example' }];

let ids: Record<string, number> = {};

async function make(slug: string, fields: object): Promise<number> {
  const { status, body } = await site.ask('administrator', 'POST', '/events', {
    title: slug,
    slug,
    start_date: '2026-12-05 19:00',
    end_date: '2026-12-05 21:30',
    ...fields,
  });
  expect([slug, status]).toEqual([slug, 201]);
  return body.id;
}
const change = (slug: string, fields: object) => site.ask('administrator', 'PUT', `/events/by-slug/${slug}`, fields);
const page = async (path: string): Promise<Shown> => browser.get(path);
/** The words of a page, as they are read out. */
const words = async (path: string): Promise<string> =>
  (await page(path)).html
    .replace(/[\s\S]*<main[^>]*>|<\/main>[\s\S]*/g, '')
    .replace(/<\/?bdi>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

const evening = (date: string): object => ({
  start_date: `2026-12-${date} 19:00`,
  end_date: `2026-12-${date} 21:30`,
  all_day: false,
});
const day = (date: string): object => ({
  start_date: `2026-12-${date} 00:00`,
  end_date: `2026-12-${date} 23:59:59`,
  all_day: true,
});

beforeAll(async () => {
  site = await builtinSite();
  browser = pagesOf(site, async (slug) => readAgain.get(slug) ?? origins[slug])();
  const first = await make('dziady', {
    title: 'Dziady',
    venue: theatre,
    organizer: troupe,
    categories: ['Drama'],
    tags: ['Surtitles'],
    show_map_link: true,
    cost: '25-40 zł',
    website: 'https://teatr-maly.example/dziady',
    description: 'Tickets at https://teatr-maly.example/kasa.',
    image: 'https://pictures.example/dziady.png',
  });
  const { body } = await site.ask(null, 'GET', `/events/${first}`);
  ids = { venue: (body.venue as unknown as { id: number }).id, organizer: body.organizer[0].id };
  for (const [index, slug] of ['puppets', 'film', 'concert', 'ball', 'finale'].entries())
    await make(slug, {
      start_date: `2026-12-1${index} 11:00`,
      end_date: `2026-12-1${index} 12:00`,
      venue: [ids['venue']],
    });
  await make('again', {
    title: 'Dziady',
    start_date: '2026-12-09 19:00',
    venue: [ids['venue']],
    end_date: '2026-12-09 21:00',
  });
  await make('secret', { start_date: '2026-12-08 19:00', venue: [ids['venue']], end_date: '2026-12-08 21:00' });
  await change('secret', { password: 'x' });
});
afterAll(() => site.close());

test('an event with few details has no empty elements', async () => {
  const { html } = await page('/event/again/');
  expect(html).toContain('<h1');
  expect(html).not.toMatch(/<(p|div)\b[^>]*(?:"row"|description)[^>]*><\/\1>/);
});

test('an event shows all that people need to go there', async () => {
  const { html } = await page('/event/dziady/');
  for (const part of [
    '<div class="tile" aria-hidden="true"><span>Dec</span><b>5</b><small>Sat</small></div>',
    '<b>Saturday, 5 December 2026</b><br>',
    '>19:00</time> – <time datetime="2026-12-05T20:30:00Z">21:30</time>',
    '<dd>Rynek 3, 05-220 Zielonka</dd>',
    '>Open map</a>',
    'Cost</dt><dd>25\u00a0zł – 40\u00a0zł</dd>',
    '<a href="https://teatr-maly.example/kasa" rel="noopener nofollow ugc">https://teatr-maly.example/kasa</a>.',
    'width="640" height="360"',
    '<a href="/tag/surtitles/">Surtitles</a>',
  ])
    expect(html).toContain(part);
});

test('links to web calendars include the cost, the organizer and the tickets', async () => {
  const { html } = await page('/event/dziady/');
  const google = /href="(https:\/\/calendar\.google\.com[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(new URL(google).searchParams.get('details')).toBe(
    [
      'Tickets at https://teatr-maly.example/kasa.',
      'Cost: 25 zł – 40 zł\nOrganizer: The Troupe\nWebsite: https://teatr-maly.example/dziady',
      'https://site.example/event/dziady/',
    ].join('\n\n'),
  );
});

test('an event names its source, and when that was read', async () => {
  expect(await words('/event/dziady/')).toMatch(
    /From: theatre \(teatr-maly\.example\) · as of 20 Nov 2026, 06:10 · last changed on 20 Nov 2026, 11:40/,
  );
  expect(await words('/event/film/')).not.toContain('From:');
});

test('an event shows when its source was last read, even if nothing was written', async () => {
  const { now } = site.clock;
  try {
    readAgain.set('dziady', { name: 'theatre', readAt: Date.parse('2026-11-20T10:30:00Z') });
    site.clock.now += 5 * 60_000;
    expect(await words('/event/dziady/')).toContain('as of 20 Nov 2026, 11:30');
  } finally {
    site.clock.now = now;
    readAgain.clear();
  }
});

test('an event links to the next ones at its place: one of each title, and none that is protected', async () => {
  const titles = [...(await page('/event/dziady/')).html.matchAll(/<h3><a href="\/event\/(\w+)\//g)].map(
    ([, slug]) => slug,
  );
  expect(titles).toEqual(['puppets', 'film', 'concert']);
});

test('an event links to the next date of each title, and to long-running events', async () => {
  const { body } = await site.ask('administrator', 'POST', '/venues', { venue: 'Gallery' });
  const venue = [body.id];
  await make('vernissage', { venue });
  await make('tour-late', { title: 'Tour', venue, start_date: '2026-12-20 10:00', end_date: '2026-12-20 11:00' });
  await make('tour-soon', { title: 'Tour', venue, start_date: '2026-12-10 10:00', end_date: '2026-12-10 11:00' });
  await make('paintings', { venue, start_date: '2026-09-01', end_date: '2027-09-01', all_day: true });
  const next = [...(await page('/event/vernissage/')).html.matchAll(/<h3><a href="\/event\/([^/]+)\//g)];
  expect(next.map(([, slug]) => slug)).toEqual(['paintings', 'tour-soon']);
});

test('an event without a place links to the next ones of its organizer', async () => {
  await make('meeting', { organizer: [ids['organizer']] });
  expect(await words('/event/meeting/')).toContain('Coming from The Troupe');
  expect((await page('/event/meeting/')).html).toContain('<h3><a href="/event/dziady/" dir="auto">Dziady</a></h3>');
});

test('an event at an unpublished place links to the next ones of its organizer', async () => {
  const { body } = await site.ask('administrator', 'POST', '/venues', { venue: 'Cellar', status: 'draft' });
  await make('upstairs', { venue: [body.id] });
  await make('downstairs', { venue: [body.id], organizer: [ids['organizer']] });
  const { html } = await page('/event/downstairs/');
  expect(await words('/event/downstairs/')).toContain('Coming from The Troupe');
  expect([html.includes('/event/upstairs/'), html.includes('/event/meeting/')]).toEqual([false, true]);
});

test('a new page takes two statements: one for the revision, and one for the event and all around it', async () => {
  for (const week of [4, 11, 18])
    await make(`weekly-${week}`, {
      title: 'Weekly',
      venue: [ids['venue']],
      start_date: `2027-01-${String(week).padStart(2, '0')} 19:00`,
      end_date: `2027-01-${String(week).padStart(2, '0')} 20:00`,
    });
  const statementsFor = async (slug: string): Promise<number> => {
    const before = site.statements();
    expect((await page(`/event/${slug}/`)).html).toContain('Also at');
    return site.statements() - before;
  };
  // What they refer to, and the next events, are known from other pages.
  for (const slug of ['puppets', 'weekly-4', 'film']) await statementsFor(slug);
  expect([await statementsFor('concert'), await statementsFor('weekly-11')]).toEqual([2, 2]);
  await make('far', { start_date: '2027-02-01 10:00', end_date: '2027-02-01 11:00' });
  // It might be the next event at the place.
  expect([await statementsFor('concert'), await statementsFor('weekly-11')]).toEqual([3, 2]);
});

test('while nobody writes, a page takes one statement, which also tells whether somebody has written', async () => {
  await make('quiet-1', { title: 'Quiet' });
  await make('quiet-2', { title: 'Still' });
  await page('/event/film/');
  site.clock.now += 2_000;
  const shown = async (path: string): Promise<readonly unknown[]> => {
    const before = site.statements();
    const { html } = await page(path);
    return [/<h1[^>]*>([^<]*)/.exec(html)?.[1], site.statements() - before];
  };
  expect(await shown('/event/quiet-1/')).toEqual(['Quiet', 1]);
  await change('quiet-2', { title: 'Loud' });
  expect((await shown('/event/quiet-2/'))[0]).toBe('Loud');
  site.clock.now -= 2_000;
});

test('the next events at a place are read again only after a write to the days before them', async () => {
  const { body } = await site.ask('administrator', 'POST', '/venues', { venue: 'Arena' });
  const atArena = (slug: string, day: string, title = slug): Promise<unknown> =>
    make(slug, { title, venue: [body.id], start_date: `${day} 19:00`, end_date: `${day} 20:00` });
  for (let day = 10; day < 24; day += 1) await atArena(`match-${day}`, `2027-03-${day}`);
  const next = async (slug: string): Promise<readonly (string | undefined)[]> =>
    [...(await page(`/event/${slug}/`)).html.matchAll(/<h3><a href="\/event\/([^/]+)\//g)].map(([, at]) => at);
  const statementsFor = async (slug: string): Promise<number> => {
    const before = site.statements();
    await next(slug);
    return site.statements() - before;
  };
  expect(await next('match-10')).toEqual(['match-11', 'match-12', 'match-13']);
  expect(await next('match-20')).toEqual(['match-10', 'match-11', 'match-12']);
  await atArena('final', '2027-05-01');
  expect(await statementsFor('match-21')).toBe(2);
  await atArena('opening', '2027-03-09');
  expect(await statementsFor('match-21')).toBeGreaterThan(2);
  expect(await next('match-21')).toEqual(['opening', 'match-10', 'match-11']);
});

test('an event without a picture has a pattern in the colour of its category', async () => {
  await make('plain', { categories: ['Drama'] });
  const colour = /class="cat (c\d)"/.exec((await page('/event/dziady/')).html)![1]!;
  expect((await page('/event/plain/')).html).toMatch(new RegExp(`<div class="art hd a[13] ${colour}"></div>`));
});

test.each([
  ['cancelled', { tags: ['cancelled'] }, 'This event has been cancelled.', '<s>', false],
  ['tentative', { tags: ['tentative'] }, 'This event is not confirmed yet.', 'tag warn', true],
  ['past', { start_date: '2026-11-01 10:00', end_date: '2026-11-01 11:00' }, 'It was on Sunday', '>Over<', false],
  ['night', { start_date: '2026-10-31 22:00', end_date: '2026-11-01 03:00' }, 'It was on Saturday', '>Over<', false],
  ['free', { cost: '0' }, 'Free', 'tag good', true],
])('an event that is %s says so', async (slug, fields, said, mark, hasCalendars) => {
  await make(slug, fields);
  const { html } = await page(`/event/${slug}/`);
  expect([await words(`/event/${slug}/`), html]).toEqual([
    expect.stringContaining(said),
    expect.stringContaining(mark),
  ]);
  expect(html.includes('calendar.google.com')).toBe(hasCalendars);
});

test('an event at several places names each of them on every page', async () => {
  const venue = [
    { venue: 'Hall <i>A</i>', city: 'Zielonka' },
    { venue: 'Hall B', address: 'Rynek 3', city: 'Marki' },
  ];
  await make('two-places', {
    title: 'Two places',
    venue,
    start_date: '2026-12-21 19:00',
    end_date: '2026-12-21 20:00',
  });
  const told = async (path: string): Promise<string> => (await words(path)).replaceAll(' ,', ',');
  expect(await told('/event/two-places/')).toMatch(
    /19:00 – 20:00, Hall A \/ Hall B .*Place Hall A Zielonka Open map Hall B Rynek 3, Marki/,
  );
  expect(await told('/?from=2026-12-21')).toContain('Two places Hall A, Zielonka / Hall B, Marki');
  expect(await told('/week/2026-12-21/')).toContain('Two places Hall A / Hall B');
  expect(await told('/week/2026-12-21/sheet/')).toContain('Two places Hall A / Hall B');
  expect(await told('/event/two-places/sheet/')).toContain('Hall A, Zielonka Hall B, Rynek 3, Marki');
  expect(await told('/event/two-places/embed/')).toContain('Hall A, Zielonka / Hall B, Rynek 3, Marki');
  const { html } = await page('/event/two-places/');
  const google = new URL(decodeEntities(/href="(https:\/\/calendar\.google\.com[^"]+)"/.exec(html)![1]!));
  expect(google.searchParams.get('location')).toBe('Hall A, Zielonka / Hall B, Rynek 3, Marki');
});

test('the list marks an event that is not confirmed yet', async () => {
  await make('perhaps', {
    title: 'Perhaps',
    tags: ['tentative'],
    start_date: '2026-12-19 19:00',
    end_date: '2026-12-19 20:00',
  });
  expect(await words('/?from=2026-12-19')).toMatch(/Perhaps\s+(?:[^<]*\s)?Not confirmed yet/);
});

test('the title of a cancelled event is shown without its own “cancelled”, on its page and in the list', async () => {
  await make('off', { title: 'Abgesagt: Jazz', tags: ['cancelled'] });
  expect((await page('/event/off/')).html).toContain('dir="auto">Jazz</h1>');
  expect((await page('/')).html).toContain('<a href="/event/off/">Jazz</a>');
});

test.each([
  ['on one day', '2026-12-05 21:30', 'Saturday, 5 December 2026', '19:00 – 21:30'],
  ['over midnight', '2026-12-06 03:00', 'Saturday, 5 December 2026', '19:00 – 03:00'],
  ['over several days', '2026-12-07 12:30', 'Saturday, 5 December 2026, 19:00', 'to Monday, 7 December 2026, 12:30'],
])('an event %s says when it is', async (slug, end_date, first, second) => {
  const address = slug.replaceAll(' ', '-');
  await make(address, { end_date, venue: theatre });
  const said = await words(`/event/${address}/`);
  const between = second.startsWith('to') ? '' : ',';
  expect(said).toContain(`${first}${between} ${second} , Teatr Mały`);
  expect(said).toContain(`Sat ${first} ${second} Add to your calendar`);
  await site.ask('administrator', 'DELETE', `/events/by-slug/${address}`);
});

describe('an event that is moved', () => {
  test('names the time and place first announced, until it is moved back', async () => {
    await make('moving', { venue: [ids['venue']] });
    await change('moving', { start_date: '2026-12-06 18:00', end_date: '2026-12-06 20:00' });
    expect(await words('/event/moving/')).toContain(
      'This event has been moved. It was first announced for Saturday, 5 December 2026, 19:00.',
    );
    await change('moving', { venue: [{ venue: 'Town Hall' }] });
    await change('moving', { venue: [{ venue: 'Sports Hall' }] });
    expect(await words('/event/moving/')).toMatch(/, 19:00\. It was first announced at Teatr Mały ?\./);
    await change('moving', { venue: [ids['venue']], start_date: '2026-12-05 19:00', end_date: '2026-12-05 20:00' });
    expect(await words('/event/moving/')).not.toContain('has been moved');
    await change('moving', { venue: [{ venue: 'Rehearsal Room' }] });
    expect(await words('/event/moving/')).toMatch(/moved\. It was first announced at Teatr Mały ?\./);
  });

  test.each<[name: string, was: object, is: object, announced: string, previousStartDate: string]>([
    ['all day', day('05'), day('06'), 'Saturday, 5 December 2026', '2026-12-05'],
    ['all day, to an hour', day('05'), evening('06'), 'Saturday, 5 December 2026', '2026-12-05'],
    [
      'from an hour, to all day',
      evening('05'),
      day('06'),
      'Saturday, 5 December 2026, 19:00',
      '2026-12-05T19:00:00+01:00',
    ],
    [
      'from an hour to all of its day',
      evening('05'),
      day('05'),
      'Saturday, 5 December 2026, 19:00',
      '2026-12-05T19:00:00+01:00',
    ],
  ])('%s, names what was first announced, in text and in data', async (name, was, is, announced, previousStartDate) => {
    const slug = name.replaceAll(/\W+/g, '-');
    await make(slug, was);
    await change(slug, is);
    expect(await words(`/event/${slug}/`)).toContain(`It was first announced for ${announced}.`);
    expect((await page(`/event/${slug}/`)).html).toContain(`"previousStartDate":"${previousStartDate}"`);
    await change(slug, was);
    expect(await words(`/event/${slug}/`)).not.toContain('has been moved');
  });

  test('all day, as an older version recorded it, names the day first announced', async () => {
    await make('kept-before', day('05'));
    await change('kept-before', day('06'));
    await sql`update site.events set previous_start = '2026-12-05T00:00:00+01:00' where slug = 'kept-before'`.execute(
      site.db,
    );
    expect(await words('/event/kept-before/')).toContain('It was first announced for Saturday, 5 December 2026.');
  });

  test('by its feed alone names the usual time of its series, unless only the zone differs', async () => {
    await make('early', {});
    expect(await words('/event/early/')).toContain('It was first announced for Saturday, 5 December 2026, 21:00.');
    const { html } = await page('/event/early/');
    expect(html).toContain('"previousStartDate":"2026-12-05T21:00:00+01:00"');
    await make('utc', {});
    expect(await words('/event/utc/')).not.toContain('has been moved');
  });

  test('is not shown as moved if a password hid its place', async () => {
    await make('behind-doors', { venue: [ids['venue']], password: 'sesame' });
    await change('behind-doors', { venue: [{ venue: 'Town Hall' }] });
    await change('behind-doors', { password: '' });
    expect(await words('/event/behind-doors/')).not.toMatch(/moved|announced/);
  });

  test('is not shown as moved if its place only has a longer name, or it was a draft', async () => {
    await make('renamed', { venue: [ids['venue']] });
    await change('renamed', { venue: [{ venue: 'Teatr Mały, large stage' }] });
    await make('drafted', { venue: [ids['venue']], status: 'draft' });
    await change('drafted', { venue: [{ venue: 'Elsewhere' }] });
    await change('drafted', { status: 'publish' });
    expect(await words('/event/renamed/')).not.toContain('has been moved');
    expect(await words('/event/drafted/')).not.toContain('has been moved');
  });
});

describe('an event that was taken off the calendar', () => {
  test('is still explained for 90 days: its title, day and organizer, and other events', async () => {
    await make('wreaths', { title: 'Wreaths & <b>wool</b>', organizer: [ids['organizer']], venue: [ids['venue']] });
    await site.ask('administrator', 'DELETE', '/events/by-slug/wreaths');
    const before = site.clock.now;
    const told =
      /“Wreaths & wool” \(Saturday,? 5 December 2026\) was taken off the calendar on Friday,? 20 November 2026\./;
    const said = async (): Promise<string> => (await words('/event/wreaths/')).replaceAll('&amp;', '&');
    expect([(await page('/event/wreaths/')).status, await said()]).toEqual([410, expect.stringMatching(told)]);
    const { html } = await page('/event/wreaths/');
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).toContain('“Wreaths &amp; wool” (');
    expect(await said()).toMatch(/ask the organizer: The Troupe .*You may also like .*Dziady/);
    // The trash is emptied after 30 days.
    site.clock.now = before + 45 * DAY_MS;
    await emptyTrash({ db: site.db, now: site.clock.now, settings: site.settings });
    expect([(await page('/event/wreaths/')).status, await said()]).toEqual([410, expect.stringMatching(told)]);
    site.clock.now = before + 91 * DAY_MS;
    await emptyTrash({ db: site.db, now: site.clock.now, settings: site.settings });
    expect([(await page('/event/wreaths/')).status, (await said()).includes('wool')]).toEqual([404, false]);
    site.clock.now = before;
  });

  test.each([
    ['a draft', { status: 'draft' }, {}],
    ['private', { status: 'private' }, {}],
    ['protected', {}, { password: 'x' }],
  ])('reveals nothing if it was %s', async (_, fields, changes) => {
    await make('hidden', { title: 'Quite secret', ...fields });
    await change('hidden', changes);
    await site.ask('administrator', 'DELETE', '/events/by-slug/hidden?password=x');
    const { status, html } = await page('/event/hidden/');
    expect([status, html.includes('Quite secret')]).toEqual([410, false]);
  });
});

test('a place has its address, a map, how many events are coming, and a feed of its own', async () => {
  const { html } = await page('/venue/teatr-maly/');
  expect(await words('/venue/teatr-maly/')).toMatch(
    /Place Teatr Mały Rynek 3, 05-220 Zielonka \d+ coming events Subscribe to this place/,
  );
  expect(html).toContain('<a class="btn main" href="/feeds/venue/teatr-maly">');
  expect(html).toContain('>Open map</a>');
});

test('an organizer has links to call and to write an e-mail', async () => {
  const { html } = await page('/organizer/the-troupe/');
  expect(html).toContain('<a href="tel:+48225550112">+48 22 555 01 12</a>');
  expect(html).toContain('<a href="mailto:kasa@town.example">kasa@town.example</a>');
});

test.each([
  ['pl', /Otwórz mapę/, /nadchodzących wydarzeń|nadchodzące wydarzenia/],
  ['de', /Karte öffnen/, /kommende Veranstaltungen/],
])('pages in %s have words of that language', async (language, map, count) => {
  const other = { ...site, settings: { ...site.settings, languages: [language] } };
  const reader = pagesOf(other)();
  expect((await reader.get('/event/dziady/')).html).toMatch(map);
  expect((await reader.get('/venue/teatr-maly/')).html).toMatch(count);
});

test.each([
  ['50%defekt', '/event/50%defekt/'],
  ['50%41 für alle', '/event/50%2541-fur-alle/'],
  ['20%ab 18 Uhr', '/event/20%ab-18-uhr/'],
  ['%c3 und %ed%a0%80', '/event/%c3-und-%ed%a0%80/'],
  ['שלום', '/event/%d7%a9%d7%9c%d7%95%d7%9d/'],
])('every link to “%s” on our pages works', async (title, address) => {
  const fields = { title, slug: undefined, venue: { venue: title }, organizer: { organizer: title } };
  await make('', { ...fields, categories: [title], tags: [title] });
  const { html, status } = await page(address);
  expect([address, status]).toEqual([address, 200]);
  const links = [
    ...html.matchAll(/(?:href|src)="(?:https:\/\/site\.example)?(\/(?:event|venue|organizer|category|tag)\/[^"]+)"/g),
  ];
  const own = [...new Set(links.map(([, link = '']) => link))].filter((link) => !/\.(?:ics|png)$/.test(link));
  expect(own.length).toBeGreaterThanOrEqual(5);
  for (const link of own) expect([link, (await page(link)).status]).toEqual([link, 200]);
  for (const more of ['dates/', 'embed/']) expect((await page(`${address}${more}`)).status).toBe(200);
  const chosen = `/?category=${encodeURIComponent(title)}`;
  const { html: list, status: listed, headers } = await page(chosen);
  expect((listed === 302 ? (await page(headers.get('location') ?? '')).html : list).includes(address)).toBe(true);
});
