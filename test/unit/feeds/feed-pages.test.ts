import { expect, test } from 'vitest';
import { en } from '../../../src/feeds/words/en.ts';
import { decodeEntities } from '../../../src/html/references.ts';
import { testFeed, type Fetched, type Finding } from '../../../src/feeds/pages/self-test.ts';
import { verdict } from '../../../src/feeds/pages/verdict.ts';
import { feedWorld, music } from '../../support/feed-world.ts';
import { siteEvent, siteOrganizer, siteTerm, siteVenue } from '../../support/memory-site.ts';

const hall = siteVenue(12, { venue: 'Hall &#8220;A&#8221;', slug: 'hall-a' });
const events = [
  siteEvent(1, {
    title: 'Jazz <b>night</b>',
    categories: [music],
    tags: [siteTerm(8, 'outdoors', 'tag')],
    venue: hall,
    organizer: [siteOrganizer(30)],
  }),
  siteEvent(2, { title: 'Off', tags: [siteTerm(9, 'cancelled', 'tag')], start_date: '2027-01-09 18:00:00' }),
];
const page = async (path: string, world = feedWorld(events)): Promise<string> => (await world.get(path)).text();

const LINES = /<time datetime="[^"]+">(.*?)<\/time><small>(.*?)<\/small><\/div>\n<div><h3>(.*?)<\/h3>/g;

test('the page of a feed shows what comes next, the addresses and how to subscribe', async () => {
  const html = await page('/feeds/all');
  expect([...html.matchAll(LINES)].map(([, day, time, what]) => [day, time, what?.replace(/<[^>]+>/g, '')])).toEqual([
    ['9 Jan', '18:00', 'Off'],
    ['10 Jan', '18:00', 'Jazz night'],
  ]);
  expect(html).toContain('<li class="ev off">');
  expect(html).toContain('<span class="tag bad">Cancelled</span>');
  expect(html).toContain('src="/qr/feeds/all.svg"');
  expect(html).toContain('href="webcal://cal.example/feeds/all.ics"');
});

test('what comes next takes place, and an exhibition lasts until its last day on the site', async () => {
  const timezone = 'America/Los_Angeles';
  const exhibition = siteEvent(3, {
    title: 'Photographs',
    timezone,
    start_date: '2026-11-01 10:00:00',
    end_date: '2027-01-15 18:00:00',
  });
  const world = feedWorld([...events, exhibition], undefined, { timezone });
  const own = await page('/feeds/events?categories=', world);
  expect([...own.matchAll(/<li><b>(.*?)<\/b> (.*?)<\/li>/g)].map(([, day, title]) => `${day} ${title}`)).toEqual([
    '10 Jan Jazz night',
    'until 15 Jan Photographs',
  ]);
  await page('/feeds/all', world);
  expect(await page('/feeds/', world)).toContain('3 events · Next: Jazz night, Sun, 10 Jan 2027, 18:00 CET');
});

test('a whole day comes before its evening and lasts until midnight on the site', async () => {
  const timezone = 'America/Los_Angeles';
  const day = (id: number, date: string) =>
    siteEvent(id, {
      title: date,
      all_day: true,
      timezone,
      start_date: `${date} 00:00:00`,
      end_date: `${date} 23:59:59`,
    });
  const tonight = siteEvent(4, {
    title: 'Tonight',
    timezone,
    start_date: '2026-11-20 20:00:00',
    end_date: '2026-11-20 22:00:00',
  });
  const world = feedWorld([day(1, '2026-11-21'), tonight, day(2, '2026-11-20'), day(3, '2026-11-19')], undefined, {
    timezone,
  });
  world.clock.now = Date.parse('2026-11-20T19:00:00-08:00');
  const html = await page('/feeds/all', world);
  expect([...html.matchAll(LINES)].map(([, , , what]) => what?.replace(/<[^>]+>/g, ''))).toEqual([
    '2026-11-20',
    'Tonight',
    '2026-11-21',
  ]);
});

test('each copy button is labelled with what it copies', async () => {
  const html = await page('/feeds/all');
  const named = [...html.matchAll(/id="([^"]+)" aria-labelledby="([^" ]+) ([^"]+)"\s+data-copy="([^"]+)"/g)];
  expect(named.map(([, id, self, label, field]) => [id === self, label, field])).toEqual([
    [true, 'address-label', 'address'],
    [true, 'badge-label', 'badge'],
  ]);
  for (const [, , , label, field] of named) expect(html).toContain(`<label for="${field}" id="${label}">`);
});

test.each([
  '/feeds/a%20b',
  '/feeds/events?search=rock+%26+roll%2Bjazz&categories=music',
  '/feeds/~abcdefgh-12345678/staff',
])('each program gets the complete address of %s in the form that it reads', async (path) => {
  const title = 'Rock & “Roll” + 50% <more>';
  const world = feedWorld(events, [
    { id: 'a b', title },
    { id: 'staff', title, access: { secret: { reveal: () => 'abcdefgh-12345678' } } },
  ]);
  const html = await page(path, world);
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => decodeEntities(link!));
  const address = decodeEntities(/id="address"[^>]* value="([^"]+)"/.exec(html)![1]!);
  expect(new URL(address).href).toBe(address);
  expect((await world.get(address.replace('https://cal.example', ''))).headers.get('content-type')).toBe(
    'text/calendar; charset=utf-8',
  );
  expect(links.filter((link) => link.startsWith('webcal:'))).toEqual([address.replace('https:', 'webcal:')]);
  const outlook = links.filter((link) => link.includes('//outlook.')).map((link) => new URL(link));
  expect(outlook.map(({ origin, pathname }) => origin + pathname)).toEqual([
    'https://outlook.live.com/calendar/0/addfromweb',
    'https://outlook.office.com/calendar/0/addfromweb',
  ]);
  for (const { search, searchParams } of outlook) {
    // Outlook reads nothing from a webcal address, and shows a "+" as it is.
    expect(searchParams.get('url')).toBe(address);
    expect(decodeURIComponent(/&name=([^&]*)$/.exec(search)![1]!)).toBe(
      path.startsWith('/feeds/events') ? 'Town calendar: Music, “rock & roll+jazz”' : title,
    );
  }
  expect(links.filter((link) => link.includes('//calendar.google.'))).toEqual([
    // As a button, and in the steps.
    'https://calendar.google.com/calendar/u/0/r/settings/addbyurl',
    'https://calendar.google.com/calendar/u/0/r/settings/addbyurl',
  ]);
});

test('the steps for Thunderbird mention a user name only for a feed with a password', async () => {
  const world = feedWorld(events, [
    { id: 'all', title: 'All' },
    {
      id: 'staff',
      title: 'Staff',
      access: { basic: { username: 'staff', password: { reveal: () => 'secret-12345678' } } },
    },
  ]);
  expect(await page('/feeds/all', world)).toContain('tick “This location doesn’t require credentials”');
  const answer = await world.get('/feeds/staff', { authorization: `Basic ${btoa('staff:secret-12345678')}` });
  expect(await answer.text()).toMatch(
    /Google and Outlook on the web cannot send them[\s\S]*type the user name, Find Calendars/,
  );
});

test('a start in another zone names that zone, and one with an offset is converted', async () => {
  const abroad = [
    siteEvent(1, {
      title: 'Abroad',
      timezone: 'America/New_York',
      start_date: '2027-01-10 10:00:00',
      end_date: '2027-01-10 11:00:00',
    }),
    siteEvent(2, {
      title: 'Offset',
      timezone: 'UTC+5.5',
      start_date: '2027-01-10 20:00:00',
      end_date: '2027-01-10 21:00:00',
    }),
    siteEvent(3),
  ];
  expect(
    [...(await page('/feeds/all', feedWorld(abroad))).matchAll(LINES)].map(([, day, time]) => `${day}, ${time}`),
  ).toEqual(['10 Jan, 15:30', '10 Jan, 10:00 EST', '10 Jan, 18:00']);
});

test('the list of feeds links to those of single categories, venues, organizers and tags', async () => {
  const html = await page('/feeds/');
  for (const path of [
    '/feeds/all',
    '/feeds/music',
    '/feeds/events',
    '/feeds/category/music',
    '/feeds/venue/hall-a',
    '/feeds/organizer/organizer-30',
    '/feeds/tag/outdoors',
  ])
    expect(html).toContain(`href="${path}"`);
  // This tag stands for a state and is not offered, but its address works.
  expect(html).not.toContain('href="/feeds/tag/cancelled"');
  expect(await page('/feeds/tag/cancelled.ics')).toContain('SUMMARY:Off');
});

test('names that contain markup are shown as their text', async () => {
  const venue = siteVenue(13, { venue: '<em>Small</em> hall &amp; bar', slug: 'small-hall' });
  const world = feedWorld([siteEvent(1, { categories: [music], venue })]);
  expect(await page('/feeds/', world)).toContain('href="/feeds/venue/small-hall">Small hall &amp; bar</a>');
  expect(await page('/feeds/venue/small-hall', world)).toMatch(/<h1 dir="auto">[^<]*\bSmall hall &amp; bar<\/h1>/);
});

test('the builder is a plain form that shows what was chosen, the events and the address', async () => {
  const html = await page('/feeds/events?categories=music&venue=12&organizer=&search=&variant=');
  expect(html).toMatch(/<form class="form" id="build" method="get" action="\/feeds\/events#result">/);
  expect(html).toMatch(
    /type="checkbox" name="categories" value="music" checked><span class="cat c\d"><i aria-hidden="true">M<\/i> Music/,
  );
  expect(html).toMatch(/type="checkbox" name="venue" value="12" checked>Hall “A”/);
  expect(html).toContain('value="https://cal.example/feeds/events.ics?categories=music&amp;venue=12"');
  expect(html).toContain('1 event: category Music, place Hall “A”, from 90 days back');
  expect(html).toContain('<option value="pl">Polish</option>');
  expect(html).toContain('Jazz night');
  expect(html).not.toContain('>Off<');
  // Every field has a label of its own.
  const labelled = new Set([...html.matchAll(/<label(?: class="vh")? for="([^"]+)"/g)].map(([, id]) => id));
  expect(
    [...html.matchAll(/<(?:input|select) id="([^"]+)"/g)].map(([, id]) => id).filter((id) => !labelled.has(id!)),
  ).toEqual([]);
});

test('in a long list, the chosen names are visible, in alphabetical order', async () => {
  const many = Array.from({ length: 60 }, (_, index) => siteTerm(index + 1, `c${String(index).padStart(2, '0')}`));
  const html = await page('/feeds/events?categories=c20,c40', feedWorld([siteEvent(1, { categories: many })]));
  const shown = [...html.matchAll(/name="categories" value="([^"]+)"/g)].map(([, value]) => value);
  expect(shown.slice(15)).toEqual(['c15', 'c20', 'c40']);
});

test('for the script, the builder answers with the number of events alone', async () => {
  const { get } = feedWorld(events);
  const answer = await get('/feeds/events?count=&categories=music&venue=');
  expect([answer.status, await answer.text()]).toEqual([200, '1 event\n']);
  expect((await get('/feeds/events?count=&categories=none')).status).toBe(404);
  expect(await page('/feeds/events')).toContain('data-live="/feeds/events?count="');
});

test('unknown names and invalid parameters are explained', async () => {
  const { get } = feedWorld(events);
  const answer = await get('/feeds/events?venue=99');
  expect([answer.status, await answer.text()]).toEqual([
    404,
    expect.stringContaining('The calendar has no place “99”.'),
  ]);
  const missing = await get('/feeds/venue/nowhere');
  expect([missing.status, await missing.text()]).toEqual([
    404,
    expect.stringMatching(
      /<h1>There is no such feed<\/h1>[^]*The calendar has no place “nowhere”\.[^]*href="\/feeds\/all"/,
    ),
  ]);
  const wrong = await get('/feeds/events?start_date=someday');
  expect([wrong.status, await wrong.text()]).toEqual([
    400,
    expect.stringContaining('Invalid parameter(s): start_date.'),
  ]);
});

test('a feed above 1 MB says so and offers narrower ones', async () => {
  const many = Array.from({ length: 900 }, (_, id) =>
    siteEvent(id + 1, { categories: [music], description: `<p>${'Long. '.repeat(250)}</p>` }),
  );
  const html = await page('/feeds/all', feedWorld(many));
  expect(html).toMatch(/This feed is large \(1\.\d MB\)/);
  for (const path of ['/feeds/all?variant=lite', '/feeds/category/music']) expect(html).toContain(`href="${path}"`);
});

test('the page of a private feed shows its address only to those who have it, and is not cached', async () => {
  const { get } = feedWorld(events, [
    { id: 'staff', title: 'Staff', access: { secret: { reveal: () => 'abcdefgh-12345678' } } },
  ]);
  const answer = await get('/feeds/~abcdefgh-12345678/staff');
  expect(await answer.text()).toContain('value="https://cal.example/feeds/~abcdefgh-12345678/staff.ics"');
  expect([answer.headers.get('cache-control'), answer.headers.get('x-robots-tag')]).toEqual(['no-store', 'noindex']);
  expect((await get('/feeds/staff')).status).toBe(404);
});

test('the self-test passes a correct feed, and can be run five times in a row', async () => {
  const { get } = feedWorld(events);
  const html = await (await get('/feeds/all', {}, 'POST')).text();
  expect(html).not.toContain('Failed:');
  expect(html).toContain('<b>Yes. Every calendar program can subscribe.</b>');
  expect(html).toContain('<details><summary>10 checks passed</summary>');
  expect(html.match(/Passed:/g)).toHaveLength(10);
  for (let time = 0; time < 4; time++) await get('/feeds/all', {}, 'POST');
  expect(await (await get('/feeds/all', {}, 'POST')).text()).toContain('try again in a minute');
});

test.each<[string, (right: Fetched) => Fetched, RegExp]>([
  [
    'a redirect',
    () => ({
      status: 301,
      headers: new Headers({ location: 'https://www.cal.example/feeds/all.ics?x' }),
      body: Buffer.alloc(0),
    }),
    /answers 301 and redirects to https:\/\/www\.cal\.example\/feeds\/all\.ics: set public_url/,
  ],
  [
    'a wrong content type',
    (right) => ({
      ...right,
      headers: new Headers({ ...Object.fromEntries(right.headers), 'content-type': 'text/html' }),
    }),
    /Its type is "text\/html"/,
  ],
  ['a truncated body', (right) => ({ ...right, body: right.body.subarray(0, -30) }), /is cut off/],
  [
    'missing validators',
    (right) => ({ ...right, headers: new Headers({ 'content-type': 'text/calendar; charset=utf-8' }) }),
    /gets it again \(200 by ETag/,
  ],
  [
    'a cookie',
    (right) => ({ ...right, headers: new Headers({ ...Object.fromEntries(right.headers), 'set-cookie': 'a=b' }) }),
    /sets a cookie/,
  ],
])('the self-test finds %s', async (_name, change, expected) => {
  const { feeds, get } = feedWorld(events);
  const answer = await get('/feeds/all.ics');
  const right = { status: 200, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
  const found = await testFeed(
    await feeds.feed(feeds.definitions[0]!),
    'https://cal.example',
    async () => change(right),
    null,
    en,
  );
  expect(found.filter(({ left }) => left === 'none').map(({ text }) => text)).toEqual(
    expect.arrayContaining([expect.stringMatching(expected)]),
  );
});

test.each<[string, readonly string[]]>([
  ['https://cal.example', []],
  ['http://cal.example', ['isHttp']],
  ['http://192.168.1.5:8080', ['isLocal']],
  ['http://calendar:8080', ['isLocal']],
])('the self-test says who cannot use the address %s', async (address, expected) => {
  const { feeds } = feedWorld(events);
  const right = { status: 200, headers: new Headers(), body: Buffer.alloc(0) };
  const found = await testFeed(await feeds.feed(feeds.definitions[0]!), address, async () => right, null, en);
  const said = new Set(found.map(({ text }) => text));
  expect((['isHttp', 'isLocal'] as const).filter((name) => said.has(en.findings[name]))).toEqual(expected);
});

test('the self-test reports an address that cannot be reached', async () => {
  const { feeds } = feedWorld(events);
  const found = await testFeed(
    await feeds.feed(feeds.definitions[0]!),
    'http://127.0.0.1:1',
    async () => {
      throw new Error('connection refused');
    },
    null,
    en,
  );
  expect(found).toEqual([{ left: 'none', text: expect.stringContaining('cannot be reached: connection refused') }]);
});

test('an address with a missing or an additional slash is redirected', async () => {
  const { get } = feedWorld(events);
  const found = async (path: string): Promise<unknown> => {
    const { status, headers } = await get(path);
    return [status, headers.get('location')];
  };
  expect(await found('/feeds')).toEqual([301, '/feeds/']);
  expect(await found('/feeds/all/')).toEqual([301, '/feeds/all']);
  expect(await found('/feeds/category/music/?variant=lite')).toEqual([301, '/feeds/category/music?variant=lite']);
});

test.each<[string, readonly Finding['left'][], string, RegExp]>([
  ['nothing is wrong', ['all', 'all'], 'good', /Yes\. Every calendar program[^]*<details><summary>2 checks passed/],
  [
    'some programs may refuse it',
    ['all', 'most'],
    'bad',
    /Most programs[^]*<ul class="tests">\n<li>[^]*Failed:[^]*One check passed/,
  ],
  ['only this network can reach it', ['most', 'local'], 'bad', /Not with Google and Outlook on the web\./],
  ['something is wrong', ['local', 'none', 'all'], 'bad', /No\. Programs cannot subscribe/],
])('if %s, one sentence says who can subscribe', (_, left, kind, expected) => {
  const shown = verdict(
    en,
    left.map((who) => ({ left: who, text: who })),
  ).markup;
  expect(shown).toContain(`<div class="verdict ${kind}" role="status">`);
  expect(shown).toMatch(expected);
});

test('search engines are kept out of pages with parameters, and of nothing else', async () => {
  const hasRobots = async (path: string): Promise<boolean> => (await page(path)).includes('name="robots"');
  expect(await hasRobots('/feeds/events?categories=music')).toBe(true);
  expect(await hasRobots('/feeds/all?variant=lite')).toBe(true);
  for (const path of ['/feeds/', '/feeds/events', '/feeds/all', '/feeds/category/music'])
    expect(await hasRobots(path)).toBe(false);
});

test('a long-running event is listed after those that begin, with its last day', async () => {
  const long = siteEvent(7, {
    title: 'Exhibition',
    all_day: true,
    start_date: '2026-10-01 00:00:00',
    end_date: '2027-01-31 23:59:59',
    utc_start_date: '2026-09-30 22:00:00',
    utc_end_date: '2027-01-31 22:59:59',
  });
  const html = await page('/feeds/all', feedWorld([long, siteEvent(8, { title: 'Jazz' })]));
  expect(
    [...html.matchAll(/<time datetime="[^"]+">(.*?)<\/time>.*\n<div><h3>(?:<a [^>]*>)?([^<]+)/g)].map(
      ([, day, title]) => [day, title],
    ),
  ).toEqual([
    ['10 Jan', 'Jazz'],
    ['until 31 Jan', 'Exhibition'],
  ]);
});

test('with too many names to offer, the builder says how many more there are, and accepts a typed one', async () => {
  const crowd = Array.from({ length: 305 }, (_, index) =>
    siteEvent(index + 1, { title: `Show ${index}`, organizer: [siteOrganizer(1_000 + index)] }),
  );
  const world = feedWorld(crowd);
  const builder = await page('/feeds/events', world);
  expect(builder).toContain('<label for="organizer-name">And 239 more: type a name');
  expect(builder).not.toContain('id="categories-name"');
  expect(await page('/feeds/', world)).toContain('And 245 more');
  const typed = await page('/feeds/events?organizer=1302&organizer-name=Nobody', world);
  expect(typed).toContain('value="1302" checked');
  expect(typed).toContain('value="Nobody" checked');
});

test('a name with a comma can be typed', async () => {
  const world = feedWorld([
    siteEvent(1, { title: 'Pots', categories: [{ ...siteTerm(60, 'Arts, crafts'), slug: 'arts-crafts' }] }),
  ]);
  const html = await page('/feeds/events?categories-name=Arts,+Crafts&venue-name=', world);
  expect(html).toMatch(/value="arts-crafts" checked/);
  expect(html).toContain('1 event: category Arts Crafts,');
});

test.each([
  ['/feeds/', false],
  ['/feeds/all', true],
  ['/feeds/events', true],
  ['/feeds/nothing', true],
])('%s links back to all feeds: %s', async (path, isBelow) => {
  expect((await page(path)).includes('<p class="crumb"><a href="/feeds/">← All feeds</a></p>')).toBe(isBelow);
});

test('the builder sorts names by the language of the page, and shows the letters of categories', async () => {
  const named = ['Über', 'Luna', 'Łas', 'Alte'].map((name, index) =>
    siteEvent(index + 1, { categories: [siteTerm(50 + index, name)] }),
  );
  const shown = async (language: string): Promise<readonly string[]> => {
    const html = await page('/feeds/events', feedWorld(named, undefined, { language }));
    return [...html.matchAll(/<span class="cat c\d"><i aria-hidden="true">(.)<\/i> ([^<]+)<\/span><\/label>/g)].map(
      ([, letter, name]) => `${letter} ${name}`,
    );
  };
  expect(await shown('de')).toEqual(['A Alte', 'Ł Łas', 'L Luna', 'Ü Über']);
  // In Polish, Ł is a letter of its own after L.
  expect(await shown('pl')).toEqual(['A Alte', 'L Luna', 'Ł Łas', 'Ü Über']);
});
