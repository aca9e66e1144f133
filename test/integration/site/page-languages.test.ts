import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { pagesOf, type Browser, type Shown } from '../../support/site-pages.ts';

// The words of the pages themselves are in the language of the site. The names are made up, and are words in no
// language. The clock is set to Friday, 20 November 2026.

const LANGUAGES = ['en', 'de', 'pl'] as const;
const sites = new Map<string, { readonly site: TestSite; readonly browser: Browser }>();

beforeAll(async () => {
  for (const language of LANGUAGES) {
    const site = await builtinSite({ languages: [language], title: 'Xyzzy' });
    const make = (title: string, first: string, last: string, fields: object = {}): Promise<unknown> =>
      site.ask('administrator', 'POST', '/events', { title, start_date: first, end_date: last, ...fields });
    const venue = { venue: 'Plugh', address: 'Qwx 1', city: 'Zzt', show_map_link: 'true' };
    const known = { venue, organizer: [{ organizer: 'Frotz', website: 'https://frotz.example' }] };
    for (const [index, day] of ['01', '08', '15', '22'].entries())
      await make('Bibr', `2026-12-${day} 18:00`, `2026-12-${day} 19:30`, {
        ...known,
        slug: index === 0 ? 'bibr' : `bibr-${index}`,
        cost: '0',
        categories: ['Vroz'],
        tags: ['Gnusto'],
        show_map_link: true,
      });
    await make('Rezrov', '2026-11-01', '2027-02-28', { all_day: true, slug: 'rezrov', cost: '10' });
    await make('Blorb', '2026-12-09 18:00', '2026-12-09 19:00', { slug: 'blorb', password: 'sesame' });
    await make('Izyuk', '2026-11-02 18:00', '2026-11-02 19:00', { slug: 'izyuk' });
    await make('Yomin', '2026-12-10 18:00', '2026-12-10 19:00', { slug: 'yomin', ...known });
    await site.ask('administrator', 'DELETE', '/events/by-slug/yomin');
    for (let hour = 8; hour < 16; hour += 1)
      await make(`Exex ${hour}`, `2026-12-11 ${hour}:00`, `2026-12-11 ${hour}:30`);
    sites.set(language, { site, browser: pagesOf(site)() });
  }
});
afterAll(async () => {
  for (const { site } of sites.values()) await site.close();
});

const PAGES = [
  '/',
  '/?when=weekend&free=1&search=xyzzy',
  '/?category=vroz&when=today',
  '/month/2026-12/',
  '/week/2026-12-07/',
  '/week/2026-12-07/sheet/',
  '/event/bibr/',
  '/event/bibr/dates/',
  '/event/bibr/sheet/',
  '/event/bibr/embed/',
  '/event/rezrov/',
  '/event/blorb/',
  '/event/izyuk/',
  '/event/yomin/',
  '/event/nothing/',
  '/category/vroz/',
  '/tag/gnusto/',
  '/venue/plugh/',
  '/organizer/frotz/',
  '/embed/new',
  '/authorize',
];
/** Names, numbers, addresses, and words that are the same in all languages. */
const NAMES =
  /^(?:, )?(?:[Xx]yzzy|Plugh|Qwx 1|Zzt|Frotz|Bibr|Vroz|Gnusto|Rezrov|Blorb|Izyuk|Yomin|Exex \d+)\b|\.example/;
const SAME = new RegExp(
  String.raw`^(?:Google|Outlook|Outlook\.com|Microsoft 365|Yahoo|Apple|HTML|Tag|Website|CET|\d+ min|oEmbed \(\w+\)|` +
    String.raw`Mo|Fr|Sa|(?:← )?(?:Nov|Jan)(?: →)?|\(?November(?: 2026)?\)?)$`,
);
const isCommon = (text: string): boolean => /^[^\p{L}]*$|^.$/u.test(text) || NAMES.test(text) || SAME.test(text);

/** What people read or hear: texts, and labels that are not visible. */
const textsIn = ({ html }: Shown): readonly string[] =>
  [
    ...html
      .replace(/<(style|script)\b[^]*?<\/\1>/g, '')
      .matchAll(/>([^<>]+)<|(?:aria-label|placeholder|title|alt|data-done|data-by-hand)="([^"]+)"/g),
  ].map(([, text, label]) => (text ?? label ?? '').replace(/\s+/g, ' ').trim());

/** The page at a path, or the one that it redirects to, as with filters in another order. */
async function shownBy(browser: Browser, path: string): Promise<Shown> {
  const answer = await browser.get(path);
  const to = answer.headers.get('location');
  return to === null ? answer : browser.get(to);
}

test('a site in an untranslated language has English words and dates, and declares the language of titles', async () => {
  const site = await builtinSite({ languages: ['he'] });
  try {
    await site.ask('administrator', 'POST', '/events', {
      title: 'שעת סיפור',
      start_date: '2026-12-09 18:00',
      end_date: '2026-12-09 19:00',
    });
    const { html } = await pagesOf(site)().get('/');
    expect(html).toContain('<html lang="en"');
    expect(html).toMatch(/<small>Wednesday<\/small> <b>9<\/b> <small>December<\/small>/);
    expect(html).toMatch(/<a href="[^"]+" lang="he">שעת סיפור<\/a>/);
  } finally {
    await site.close();
  }
});

describe.each(['de', 'pl'])('on a site in %s', (language) => {
  test.each(PAGES)('nothing on %s is English', async (path) => {
    const [own, english] = [sites.get(language), sites.get('en')];
    if (!own || !english) throw new Error('no sites');
    const [shown, other] = [await shownBy(own.browser, path), await shownBy(english.browser, path)];
    expect(shown.html).toContain(`<html lang="${language}"`);
    expect(shown.status).toBe(other.status);
    const theirs = new Set(textsIn(other));
    expect(theirs.size).toBeGreaterThan(2);
    expect(textsIn(shown).filter((text) => theirs.has(text) && !isCommon(text))).toEqual([]);
  });
});
