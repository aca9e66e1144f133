import { sql } from '../../../src/db/database.ts';
import { FREE_WORDS, isFree } from '../../../src/selection/free.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { pagesOf, type Browser, type Shown } from '../../support/site-pages.ts';

// Finding events in the list. The clock is set to 11:40 on Friday, 20 November 2026, in Warsaw.

let site: TestSite;
let browser: Browser;

const at = (start: string, end = `${start.slice(0, 10)} 23:00`) => ({ start_date: start, end_date: end });
const EVENTS: readonly (Readonly<Record<string, unknown>> & { readonly venue?: string })[] = [
  {
    title: 'Puppets',
    ...at('2026-11-22 11:00', '2026-11-22 11:50'),
    categories: ['Children'],
    cost: '0',
    venue: 'Teatr Mały',
  },
  {
    title: 'Lanterns',
    ...at('2026-11-21 15:00', '2026-11-21 16:30'),
    categories: ['Children'],
    cost: 'Wstęp wolny',
    venue: 'Park',
  },
  { title: 'Circus', ...at('2026-11-21 15:00'), categories: ['Children'], cost: '20', venue: 'Park' },
  { title: 'Toy swap', ...at('2026-11-26 17:00'), categories: ['Children'], cost: 'free', tags: ['Indoors'] },
  {
    title: 'Concert',
    ...at('2026-12-31 22:00', '2027-01-01 00:30'),
    categories: ['Music'],
    venue: 'Teatr Mały',
  },
  { title: 'Choir', ...at('2026-11-28 18:00'), categories: ['Music'], organizer: [{ organizer: 'Choir of the town' }] },
  { title: 'Late night', ...at('2026-11-20 20:00', '2026-11-21 00:00'), categories: ['Music'] },
  {
    title: 'Lesung',
    ...at('2026-11-24 18:00'),
    translation_language: 'pl',
    featured: true,
    image: 'https://pictures.example/one.png',
  },
  { title: 'Autumn walk', ...at('2026-11-08 10:00'), categories: ['Children'] },
  { title: 'Harvest', ...at('2026-10-10 10:00') },
  { title: 'Long ago', ...at('2023-05-05 10:00') },
];

beforeAll(async () => {
  site = await builtinSite({ description: 'All that is on.' });
  browser = pagesOf(site)();
  const venues = new Map<string, number>();
  for (const venue of ['Teatr Mały', 'Park'])
    venues.set(venue, (await site.ask('administrator', 'POST', '/venues', { venue })).body.id);
  for (const { venue, ...event } of EVENTS) {
    const placed = venue === undefined ? event : { ...event, venue: venues.get(venue) };
    await site.ask('administrator', 'POST', '/events', placed);
  }
});
afterAll(() => site.close());

const shown = (path: string): Promise<Shown> => browser.get(path);
const titlesOn = ({ html }: Shown): readonly string[] =>
  [
    ...html
      .replace(/<aside[\s\S]*?<\/aside>|<section class="desk"[\s\S]*?<\/section>/g, '')
      .matchAll(/<h3><a href="\/event\/[^>]+>([^<]+)<\/a>/g),
  ].map(([, title = '']) => title);
/** Every count on a page, or its heading that nothing was found. */
const count = ({ html }: Shown): string =>
  [...html.matchAll(/<p role="status"><b>([^<]*)|<h2>(Nothing like that)/g)]
    .map(([, some, none]) => some ?? none)
    .join();

test.each([
  ['/', ['Late night', 'Circus', 'Lanterns', 'Puppets', 'Lesung', 'Toy swap', 'Choir', 'Concert']],
  ['/?when=today', ['Late night']],
  ['/?when=tomorrow', ['Circus', 'Lanterns']],
  ['/?when=weekend', ['Circus', 'Lanterns', 'Puppets']],
  ['/?when=next-week', ['Lesung', 'Toy swap', 'Choir']],
  ['/?when=seven-days', ['Late night', 'Circus', 'Lanterns', 'Puppets', 'Lesung', 'Toy swap']],
  ['/?when=2027-01-01', ['Concert']],
  ['/?from=2026-11-28', ['Choir', 'Concert']],
  ['/?when=weekend&category=children&free=1', ['Lanterns', 'Puppets']],
  ['/?category=children&category=music&free=1', ['Lanterns', 'Puppets', 'Toy swap']],
  ['/?category=music&place=teatr-maly', ['Concert']],
  ['/?place=park&place=teatr-maly', ['Circus', 'Lanterns', 'Puppets', 'Concert']],
  ['/?tag=indoors', ['Toy swap']],
  ['/?organizer=choir-of-the-town', ['Choir']],
  ['/?language=pl', ['Lesung']],
  ['/?search=puppets', ['Puppets']],
  ['/?search=%3Ciframe%3E', []],
  ['/?category=nothing', []],
])('%s finds %j', async (path, titles) => {
  const page = await shown(path);
  // Instead of nothing, the next three events are shown.
  const expected = titles.length === 0 ? ['Late night', 'Circus', 'Lanterns'] : titles;
  expect([page.status, titlesOn(page).toSorted()]).toEqual([200, expected.toSorted()]);
  expect(count(page)).toBe(
    titles.length === 0 ? 'Nothing like that' : `${titles.length} ${titles.length === 1 ? 'event' : 'events'}`,
  );
  // Search engines are not led from one selection to the next.
  const links = [...page.html.matchAll(/<a [^>]*href="\/(?:feeds\/events)?\?[^>]*>/g)].map(([link]) => link);
  expect(links.filter((link) => !/rel="[^"]*nofollow"/.test(link))).toEqual([]);
  expect(page.html.includes('<meta name="robots" content="noindex">')).toBe(path !== '/');
});

describe('a typed name', () => {
  beforeAll(async () => {
    for (const venue of ['Hall 1, left wing', 'Hall 2', '50%41 room', '国家大剧院', 'Park & ride'])
      await site.ask('administrator', 'POST', '/venues', { venue });
    await site.ask('administrator', 'POST', '/venues', { venue: 'Hall 3', status: 'draft' });
    for (let number = 0; number < 13; number += 1)
      await site.ask('administrator', 'POST', '/tags', { name: `Topic ${number}` });
  });

  test.each([
    ['place-name=Teatr+Ma%C5%82y', 'place=teatr-maly'],
    ['place-name=maly', 'place=teatr-maly'],
    ['place-name=hall+1,+LEFT+wing&place=park', 'place=hall-1-left-wing&place=park'],
    ['place-name=50%2541+room', 'place=50%2541-room'],
    [
      'place-name=%E5%A4%A7%E5%89%A7',
      'place=%25e5%259b%25bd%25e5%25ae%25b6%25e5%25a4%25a7%25e5%2589%25a7%25e9%2599%25a2',
    ],
    // “Park & ride” begins the same.
    ['place-name=park', 'place=park'],
    ['organizer-name=the+choir&when=&category=music', 'category=music&organizer=choir-of-the-town'],
    ['category-name=child&tag-name=indoors', 'category=children&tag=indoors'],
    ['place-name=&tag-name=', ''],
  ])('%s means %s', async (asked, meant) => {
    const { status, headers } = await shown(`/?${asked}`);
    expect([status, headers.get('location')]).toEqual([302, meant === '' ? '/' : `/?${meant}`]);
  });

  test.each<[string, string, readonly string[]]>([
    [
      'place-name=hall&free=1',
      '“hall” could be one of these:',
      ['/?place=hall-1-left-wing&amp;free=1', '/?place=hall-2&amp;free=1'],
    ],
    ['place-name=hall+3', 'Nothing here is called “hall 3”.', []],
    ['category-name=%3Cb%3E', 'Nothing here is called “&lt;b&gt;”.', []],
    [`tag-name=${'x'.repeat(300)}`, `Nothing here is called “${'x'.repeat(199)}…”.`, []],
    [
      'tag-name=topic',
      'Many names contain “topic”. Type more of the name, or choose one:',
      Array.from({ length: 13 }, (_, number) => `/?tag=topic-${number}`)
        .toSorted()
        .slice(0, 12),
    ],
  ])('is explained if it is ambiguous or unknown: %s', async (asked, said, choices) => {
    for (const [path, at] of [
      ['/', ''],
      ['/embed/new', '/embed/new'],
    ] as const) {
      const { status, html } = await shown(`${path}?${asked}`);
      const [note = ''] = /<div class="note stack"><p>[\s\S]*?<\/div>/.exec(html) ?? [];
      expect([status, note.includes(`<p>${said}</p>`)]).toEqual([200, true]);
      const links = [...note.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
      expect(links.toSorted()).toEqual(choices.map((choice) => choice.replace(/^\//, at === '' ? '/' : at)));
    }
  });
});

describe('what the form sends', () => {
  test.each([
    ['/?search=&when=&when=today&from=&place=&organizer=&language=', '/?when=today'],
    ['/?when=weekend&when=&from=&free=1', '/?free=1'],
    ['/?when=weekend&from=2026-12-05&category=music', '/?from=2026-12-05&category=music'],
    ['/?category=music&category=children', '/?category=children&category=music'],
    ['/?from=nonsense&page=x', '/'],
    ['/?search=', '/'],
  ])('%s redirects to %s', async (path, clean) => {
    const page = await shown(path);
    expect([page.status, page.headers.get('location')]).toEqual([302, clean]);
    expect((await shown(clean)).status).toBe(200);
  });

  test('is filled in again', async () => {
    const path = '/?search=a&when=weekend&category=children&category=music&tag=indoors&place=park&free=1&language=en';
    const { html } = await shown(path);
    expect(
      [...html.matchAll(/<input type="checkbox" name="([^"]+)" value="([^"]+)" checked>/g)].map(
        ([, name, value]) => `${name}=${value}`,
      ),
    ).toEqual(['category=children', 'category=music', 'free=1']);
    expect([...html.matchAll(/<option value="([^"]*)" selected>/g)].map(([, value]) => value)).toEqual([
      'park',
      'indoors',
      'en',
    ]);
    expect(html).toContain('<input type="hidden" form="filter" name="when" value="weekend">');
    expect(html).toContain('name="search" value="a"');
    expect(html).toContain('<button form="filter" name="when" value="weekend" aria-pressed="true">');
    expect(html).toContain(`href="/feeds/events${path.slice(1).replaceAll('&', '&amp;')}"`);
  });

  test.each([
    [`/?search=${'x'.repeat(201)}`, 'A search may have at most 200 characters.'],
    [`/?category=${Array.from({ length: 13 }, (_, index) => index).join(',')}`, 'at most 12 categories'],
  ])('is limited in size, %#', async (path, text) => {
    const page = await shown(path);
    expect(page.status).toBe(400);
    expect(page.html).toContain(text);
  });
});

describe('around the list', () => {
  const CHIP = /<a class="chip" href="([^"]+)" rel="nofollow">(?:<span[^>]*><i[^>]*>.<\/i>)?([^<]+)/g;
  const chipsOf = (html = ''): readonly (readonly [name: string, href: string])[] =>
    [...html.matchAll(CHIP)].map(([, href = '', name = '']) => [name.trim(), href.replaceAll('&amp;', '&')]);

  test('each filter can be removed', async () => {
    const { html } = await shown('/?when=weekend&category=children&free=1');
    expect(chipsOf(/Your filters[\s\S]*?<\/div>/.exec(html)?.[0])).toEqual([
      ['This weekend', '/?category=children&free=1'],
      ['Children', '/?when=weekend&free=1'],
      ['Free', '/?when=weekend&category=children'],
    ]);
  });

  test.each([
    ['/', [['Free this weekend', '/?when=weekend&free=1', '2']]],
    [
      '/?from=2026-11-21',
      [
        ['Children', '/?from=2026-11-21&category=children', '4'],
        ['Music', '/?from=2026-11-21&category=music', '2'],
        ['Park', '/?from=2026-11-21&place=park', '2'],
        ['Teatr Mały', '/?from=2026-11-21&place=teatr-maly', '2'],
      ],
    ],
    ['/?category=music&place=teatr-maly', []],
  ])('%s offers narrower selections, with their counts', async (path, choices) => {
    const { html } = await shown(path);
    const row = /<nav class="line" aria-label="Only some of these">[\s\S]*?<\/nav>/.exec(html)?.[0];
    const counts = [...(row ?? '').matchAll(/<small>(\d+)</g)].map(([, many]) => many);
    expect(chipsOf(row).map((chip, index) => [...chip, counts[index]])).toEqual(choices);
    const found = await Promise.all(choices.map(async ([, href = '']) => count(await shown(href))));
    expect(found).toEqual(choices.map(([, , many]) => `${many} events`));
  });

  test('categories show how many events are coming', async () => {
    const { html } = await shown('/');
    expect(
      [...html.matchAll(/name="category" value="([^"]+)">.*? <small>(\d+)</g)].map(([, slug, many]) => [slug, many]),
    ).toEqual([
      ['children', '4'],
      ['music', '3'],
    ]);
  });

  test('the counts and names of categories are current after each write, and include subcategories', async () => {
    const offered = async (): Promise<readonly (readonly unknown[])[]> => {
      const { html } = await shown('/');
      const found = html.matchAll(/name="category" value="music">(.*?) <small>(\d+)</g);
      return [...found].map(([, name = '', many]) => [name.replace(/<[^>]+>/g, ''), many]);
    };
    const [{ id }] = (await site.ask(null, 'GET', '/categories?slug=music')).body.categories;
    const music = `/categories/${id}`;
    const former = await offered();
    const jazz = await site.ask('administrator', 'POST', '/categories', { name: 'Jazz', parent: id });
    const event = { title: 'Trio', ...at('2026-11-28 20:00'), categories: [jazz.body.id] };
    const trio = await site.ask('administrator', 'POST', '/events', event);
    await site.ask('administrator', 'POST', music, { name: 'Tunes' });
    const renamed = await offered();
    await site.ask('administrator', 'DELETE', `/events/${trio.body.id}`);
    await site.ask('administrator', 'POST', music, { name: 'Music' });
    await site.ask('administrator', 'DELETE', `/categories/${jazz.body.id}`);
    expect([former, renamed, await offered()]).toEqual([[['M Music', '3']], [['T Tunes', '4']], [['M Music', '3']]]);
  });

  test('an unpublished place finds nothing', async () => {
    const send = (path: string, sent: object) => site.ask('administrator', 'POST', path, sent);
    const { body } = await send('/venues', { venue: 'Bunker', status: 'draft' });
    const { body: party } = await send('/events', { title: 'Party', ...at('2026-11-28 21:00'), venue: body.id });
    expect([count(await shown(`/?place=${body.slug}`)), count(await shown('/?search=party'))]).toEqual([
      'Nothing like that',
      '1 event',
    ]);
    await site.ask('administrator', 'DELETE', `/events/${party.id}`);
  });

  test('nothing of a protected event is revealed', async () => {
    const secret = {
      title: 'Behind the door',
      slug: 'door',
      ...at('2026-11-21 10:00'),
      categories: ['Secrets'],
      cost: '0',
      venue: { venue: 'Cellar' },
      password: 'sesame',
    };
    expect((await site.ask('administrator', 'POST', '/events', secret)).status).toBe(201);
    const { html } = await shown('/');
    expect(html).not.toMatch(/Secrets|Cellar/);
    const found = ['/?search=door', '/?category=secrets', '/?place=cellar'].map(async (path) =>
      count(await shown(path)),
    );
    expect(await Promise.all(found)).toEqual(['Nothing like that', 'Nothing like that', 'Nothing like that']);
    expect(count(await shown('/?free=1'))).toBe('3 events');
    await site.ask('administrator', 'DELETE', '/events/by-slug/door?password=sesame');
  });

  test('featured events with a picture stand out', async () => {
    const { html } = await shown('/');
    expect(/<section class="desk"[\s\S]*?<\/section>/.exec(html)?.[0]).toContain('Lesung');
    expect((await shown('/?free=1')).html).not.toContain('<section class="desk"');
  });

  test('the tag of cancelled events is not offered as a filter unless it is chosen', async () => {
    const { body } = await site.ask('administrator', 'POST', '/events', {
      title: 'Off',
      ...at('2026-11-25 18:00'),
      tags: ['cancelled', 'Indoors'],
    });
    const offered = async (path: string) => {
      const { html } = await shown(path);
      const found = html.matchAll(/<select id="tag"[^]*?<\/select>|name="tag" value="[^"]+"/g);
      return [...found].flatMap(([part]) => [...part.matchAll(/value="([^"]+)"/g)].map(([, slug]) => slug));
    };
    const [list, embed, chosen] = [await offered('/'), await offered('/embed/new'), await offered('/?tag=cancelled')];
    await site.ask('administrator', 'DELETE', `/events/${body.id}?force=true`);
    expect({ list, embed, chosen }).toEqual({
      list: ['indoors'],
      embed: ['indoors'],
      chosen: ['cancelled', 'indoors'],
    });
  });

  test('captions have readable dates, and prices the currency of the site', async () => {
    const town = await builtinSite({ currency: { symbol: ' zł', position: 'postfix' } });
    try {
      const market = { start_date: '2026-12-04', end_date: '2026-12-06', all_day: true, cost: '10' };
      const talk = { ...at('2026-12-31 22:00', '2027-01-01 00:30'), cost: '5' };
      for (const [title, fields] of Object.entries({ Market: market, Talk: talk }))
        await town.ask('administrator', 'POST', '/events', {
          title,
          featured: true,
          image: `https://pictures.example/${title}.png`,
          venue: { venue: 'Rynek' },
          ...fields,
        });
      const { html } = await pagesOf(town)().get('/');
      expect([...html.matchAll(/<article class="pic">[^]*?<p>([^<]+)<\/p>/g)].map(([, caption]) => caption)).toEqual([
        '4\u2009–\u20096 December · Rynek',
        'Thu 31 Dec, 22:00 · Rynek',
      ]);
      expect([...html.matchAll(/<span>(\d+.zł)<\/span>/g)].map(([, price]) => price)).toEqual([
        '10\u00a0zł',
        '5\u00a0zł',
      ]);
    } finally {
      await town.close();
    }
  });

  test.each([
    ['/', ''],
    ['/?when=weekend', 'This weekend'],
    ['/?when=weekend&category=music&free=1', 'This weekend, Music, Free'],
    ['/?search=tango&place=teatr-maly', 'Coming up, “tango”, Teatr Mały'],
  ])('%s has a title that names the selection', async (path, title) => {
    expect((await shown(path)).html).toContain(`<title>${title === '' ? '' : `${title} – `}Site</title>`);
  });

  test('a selection that finds nothing suggests another that finds something', async () => {
    const { html } = await shown('/?when=weekend&category=music&free=1');
    expect(html).toContain('<h2>Nothing like that this weekend</h2>');
    expect(
      [...html.matchAll(/<a class="chip" href="([^"]+)" rel="nofollow">([^<]+): <b>([^<]+)</g)].map((match) =>
        match.slice(1),
      ),
    ).toEqual([['/?when=weekend&amp;free=1', 'any category', '2 events']]);
    expect(html).toContain('href="/feeds/events?when=weekend&amp;category=music&amp;free=1"');
  });

  test.each([
    ['/?search=teatr+maly', [['Places: Teatr Mały', '/?place=teatr-maly']], 'Nothing like that'],
    ['/?search=PARK&category=children', [['Places: Park', '/?category=children&place=park']], 'Nothing like that'],
    ['/?search=choir', [['Organizers: Choir of the town', '/?organizer=choir-of-the-town']], '1 event'],
    ['/?search=music&when=next-week', [['Categories: Music', '/?when=next-week&category=music']], 'Nothing like that'],
    ['/?search=music&free=1', [], 'Nothing like that'],
    ['/?search=pa', [], 'Nothing like that'],
    ['/?search=-park', [], '8 events'],
  ])('%s also offers places, organizers and categories whose names match', async (path, called, told) => {
    const page = await shown(path);
    const row = /<nav class="line" aria-label="With [\s\S]*?<\/nav>/.exec(page.html)?.[0];
    expect([count(page), chipsOf(row)]).toEqual([told, called]);
  });

  test('the closest matches are on the chosen days', async () => {
    const { html } = await shown('/?search=tango&when=tomorrow');
    expect(/<section aria-labelledby="near">[\s\S]*/.exec(html)?.[0]).toContain('id="d-2026-11-21"');
    expect(html).not.toContain('id="d-2026-11-20"');
  });

  test.each([
    ['/?search=nothing', 'Coming up'],
    ['/?search=tango&when=tomorrow', 'Closest matches'],
  ])('%s: events that do not match the only search words are not called matches', async (path, title) => {
    expect((await shown(path)).html).toContain(`<h2 id="near">${title}</h2>`);
  });

  test('a selection with too many filters shows what each of them finds alone', async () => {
    const { html } = await shown('/?search=tango&when=weekend&category=music&free=1');
    expect(
      [...html.matchAll(/<a class="chip" href="([^"]+)" rel="nofollow">([^<]+): <b>([^<]+)</g)].map((match) =>
        match.slice(1),
      ),
    ).toEqual([
      ['/?when=weekend', 'This weekend', '3 events'],
      ['/?category=music', 'Music', '3 events'],
      ['/?free=1', 'Free', '3 events'],
    ]);
  });
});

describe('a long list', () => {
  test('continues on the next day, or within a day that is too long', async () => {
    const many = await builtinSite();
    try {
      const batches = Array.from({ length: 130 }, (_, index) => {
        const day = index < 40 ? '01' : index < 110 ? '02' : '03';
        return {
          title: `Event ${String(index).padStart(3, '0')}`,
          ...at(`2026-12-${day} 10:00`, `2026-12-${day} 11:00`),
        };
      });
      for (const event of batches) await many.ask('administrator', 'POST', '/events', event);
      const reader = pagesOf(many)();
      const seen: string[] = [];
      const ways: string[] = [];
      let path: string | undefined = '/?search=event';
      while (path !== undefined) {
        ways.push(path);
        const page = await reader.get(path);
        seen.push(...titlesOn(page));
        path =
          /rel="next nofollow" href="([^"]+)"|href="([^"]+)" rel="next nofollow"/
            .exec(page.html)
            ?.slice(1)
            .find(Boolean)
            ?.replaceAll('&amp;', '&') ?? undefined;
        if (ways.length > 9) break;
      }
      expect(ways).toEqual([
        '/?search=event',
        '/?search=event&from=2026-12-02',
        '/?search=event&from=2026-12-02&page=2',
      ]);
      expect(seen.length).toBe(new Set(seen).size);
      expect(seen.length).toBe(130);
      expect((await reader.get('/?page=9')).status).toBe(404);
    } finally {
      await many.close();
    }
  });
});

test('the database and the program agree on which costs are free', async () => {
  const costs = [
    ...FREE_WORDS,
    '0',
    '0.00',
    ' 0 ',
    '00',
    'Wstęp WOLNY!',
    'Eintritt: frei',
    '10',
    '',
    'free for members',
    '0,5',
  ];
  const lists = [[], ...costs.map((cost) => [cost]), ['0', 'free'], ['0', '10']];
  const { rows } = await sql<{ free: boolean }>`
    select site.is_free(array(select jsonb_array_elements_text(list))) as free
    from jsonb_array_elements(${JSON.stringify(lists)}::jsonb) as list`.execute(site.db);
  expect(rows.map(({ free }) => free)).toEqual(lists.map(isFree));
});

test('the site reported no errors', () => expect(site.errors).toEqual([]));

const earlier = ({ html }: Shown): string | undefined =>
  /rel="prev nofollow" href="([^"]+)">← Earlier</.exec(html)?.[1]?.replaceAll('&amp;', '&');
const over = ({ html }: Shown): readonly (string | undefined)[] =>
  [
    ...html.matchAll(
      /<li class="ev">(?:(?!<\/li>)[^])*?<h3><a [^>]*>([^<]+)(?:(?!<\/li>)[^])*<span class="tag">Over</g,
    ),
  ].map(([, title]) => title);

test('links lead back to past events, month by month for two years, and mark them as over', async () => {
  const list = await shown('/');
  expect([earlier(list), over(list)]).toEqual(['/?from=2026-11-01', []]);
  const november = await shown('/?from=2026-11-01');
  expect([titlesOn(november).slice(0, 2), over(november)]).toEqual([['Autumn walk', 'Late night'], ['Autumn walk']]);
  expect([earlier(november), november.html.includes('noindex')]).toEqual(['/?from=2026-10-01', true]);
  expect(november.html).toContain('rel="next nofollow" href="/">From today →</a>');
  const october = await shown('/?from=2026-10-01');
  expect([titlesOn(october)[0], earlier(october)]).toEqual(['Harvest', undefined]);
  // Filters are kept, even if nothing is to come; lists of chosen days, or of days ahead, do not lead back.
  expect(earlier(await shown('/?category=children'))).toBe('/?from=2026-11-01&category=children');
  expect(earlier(await shown('/?search=harvest'))).toBe('/?search=harvest&from=2026-11-01');
  for (const path of ['/?when=weekend', '/?from=2026-11-28']) expect(earlier(await shown(path))).toBeUndefined();
});
