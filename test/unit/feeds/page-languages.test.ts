import { expect, test } from 'vitest';
import { pageWordsIn } from '../../../src/feeds/words/page-language.ts';
import { feedWorld, music } from '../../support/feed-world.ts';
import { siteEvent, siteOrganizer, siteTerm, siteVenue } from '../../support/memory-site.ts';

const hall = siteVenue(12, { venue: 'Kino', slug: 'kino' });
const events = [1, 2, 3, 4, 5].map((id) =>
  siteEvent(id, {
    title: `Jazz ${id}`,
    categories: [music],
    venue: hall,
    organizer: [siteOrganizer(30)],
    tags: [siteTerm(9, 'cancelled', 'tag')],
    description: `<p>${'x'.repeat(id === 5 ? 1_100_000 : 1)}</p>`,
  }),
);
const DEFINITIONS = [
  { id: 'all', title: 'A' },
  {
    id: 'board',
    title: 'B',
    access: { secret: { reveal: () => 'abcdefgh' }, basic: { username: 'u', password: { reveal: () => 'p' } } },
  },
];
const BASIC = { authorization: `Basic ${Buffer.from('u:p').toString('base64')}` };
const worldIn = (language: string, publicUrl?: string) =>
  feedWorld(events, DEFINITIONS, { language, ...(publicUrl === undefined ? {} : { publicUrl }) });
const PAGES: readonly (readonly [path: string, method?: 'POST'])[] = [
  ['/feeds/'],
  ['/feeds/all'],
  ['/feeds/all', 'POST'],
  ['/feeds/~abcdefgh/board'],
  ['/feeds/events?categories=music&search=jazz&featured=false&translation_language=pl&tags=cancelled'],
  ['/feeds/events?venue=99'],
  ['/feeds/nothing'],
];

/** What people read or hear of a page: texts and labels. */
async function textsOf(language: string): Promise<ReadonlySet<string>> {
  const { get } = worldIn(language, 'http://localhost:8080');
  const texts = new Set<string>();
  for (const [path, method] of PAGES) {
    const html = (await (await get(path, BASIC, method)).text()).replace(/<(style|script)>[^]*?<\/\1>/g, '');
    for (const [, text, label] of html.matchAll(/>([^<>]+)<|aria-label="([^"]+)"/g))
      texts.add((text ?? label ?? '').trim());
  }
  return texts;
}

// Titles and names come from the site; addresses and names of programs are the same in every language.
const COMMON = new RegExp(
  [
    String.raw`^[^\p{L}]*$`,
    String.raw`^\p{Lu}$`,
    ' – Town calendar$',
    String.raw`^(?:A|B|Jazz( \d)?|Music|Town calendar.*|Kino|Kino, Main Street 1, Kraków|Organizer 30)$`,
    String.raw`^(?:cancelled|feeds:|Outlook(\.com)?|Microsoft 365)$`,
  ].join('|'),
  'u',
);

test.each(['pl', 'de'])('nothing on the pages is English on a site in %s', async (language) => {
  const [own, english] = [await textsOf(language), await textsOf('en')];
  expect(english.size).toBeGreaterThan(60);
  expect([...own].filter((text) => english.has(text) && !COMMON.test(text))).toEqual([]);
});

test.each([
  ['en', 'en'],
  ['pl', 'pl'],
  ['pl_PL', 'pl'],
  ['de-AT', 'de'],
  ['fr', 'en'],
])('a page for %s declares the language %s', async (language, lang) => {
  expect(await (await worldIn(language).get('/feeds/all')).text()).toContain(`<html lang="${lang}">`);
});

test('numbers of events have the plural forms of the language', () => {
  const { pl, de } = { pl: pageWordsIn('pl'), de: pageWordsIn('de') };
  expect([0, 1, 2, 5, 12, 22, 101, 102].map((count) => pl.events(count, String(count)))).toEqual([
    '0 wydarzeń',
    '1 wydarzenie',
    '2 wydarzenia',
    '5 wydarzeń',
    '12 wydarzeń',
    '22 wydarzenia',
    '101 wydarzeń',
    '102 wydarzenia',
  ]);
  expect([1, 2].map((count) => de.events(count, String(count)))).toEqual(['1 Termin', '2 Termine']);
});

test('a page in Polish shows days, sizes and languages in Polish', async () => {
  const { get } = worldIn('pl');
  const html = await (await get('/feeds/events?translation_language=pl')).text();
  for (const text of ['język: polski', '>10 sty</time>', '1,1 MB', '5 wydarzeń']) expect(html).toContain(text);
});

test('if the public address has a path, all links stay below it', async () => {
  const { get } = worldIn('en', 'https://town.example/calendar');
  for (const path of ['/feeds/', '/feeds/all', '/feeds/events', '/feeds/nothing']) {
    const html = await (await get(path)).text();
    const links = [...html.matchAll(/(?:href|action)="(\/[^"]*)"/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((link) => !link.startsWith('/calendar/'))).toEqual([]);
  }
  expect((await get('/feeds')).headers.get('location')).toBe('/calendar/feeds/');
});
