import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { daysOf, SHORTCUTS, type Days } from '../../../src/selection/days.ts';
import { EVERYTHING, selectionQuery, type Selection } from '../../../src/selection/selection.ts';
import { dayAfter } from '../../../src/time.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { freshDatabase } from '../../support/database.ts';
import { exportedFeeds } from '../../support/exported-feeds.ts';
import { repetitions } from '../../support/repetitions.ts';
import { pagesOf, type Browser } from '../../support/site-pages.ts';

// The list, the feed of the same selection and a simple model find the same events. The clock is set to midnight in
// Warsaw, at the start of Friday, 20 November 2026.

const TODAY = '2026-11-20';
let site: TestSite;
let browser: Browser;
let feeds: ReturnType<typeof exportedFeeds>;
let close: () => Promise<void>;

interface Made {
  readonly title: string;
  readonly start: string;
  readonly end: string;
  readonly category: string;
  readonly tag: string;
  readonly place: string;
  readonly organizer: string;
  readonly cost: string;
  readonly language: string;
}

const PLACES = ['hall', 'park', 'library'];
const ORGANIZERS = ['club', 'choir'];
const CATEGORIES = ['music', 'children', 'puppets'];
const TAGS = ['indoors', 'outdoors'];
const COSTS = ['', '0', 'Wstęp wolny', '12', '0 – 10'];
// "puppets" is below "children".
const ABOVE: Readonly<Record<string, string>> = { puppets: 'children' };

/** Pseudo-random small numbers, the same in every run. */
function numbers(): (below: number) => number {
  let state = 20_261_120;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
const next = numbers();
const oneOf = (list: readonly string[]): string => list[next(list.length)] ?? '';

const EVENTS: readonly Made[] = Array.from({ length: 90 }, (_, index) => {
  const day = dayAfter(TODAY, next(40) - 8);
  const lasts = [0, 0, 0, 0, 0, 1, 2, 12][next(8)] ?? 0;
  const [hour, until] = [next(20), oneOf(['20:00', '23:59', '21:30'])];
  const start = `${day} ${String(hour).padStart(2, '0')}:00`;
  // Some end at midnight.
  const end = next(6) === 0 ? `${dayAfter(day, lasts + 1)} 00:00` : `${dayAfter(day, lasts)} ${until}`;
  return {
    title: `Event ${String(index).padStart(2, '0')} ${oneOf(['red', 'green'])} ${oneOf(['door', 'house'])}`,
    start,
    end: end < start ? start : end,
    category: oneOf([...CATEGORIES, '']),
    tag: oneOf([...TAGS, '']),
    place: oneOf([...PLACES, '']),
    organizer: oneOf([...ORGANIZERS, '']),
    cost: oneOf(COSTS),
    language: oneOf(['en', 'pl']),
  };
});

/** Whether one of the values is wanted; an empty list wants any. */
const isAmong = (values: readonly string[], wanted: readonly string[]): boolean =>
  wanted.length === 0 || values.some((value) => wanted.includes(value));

function isOnSome(event: Made, { first, last }: Days): boolean {
  const isOver = event.end <= `${first} 00:00` && event.start < `${first} 00:00`;
  return !isOver && (last === undefined || event.start.slice(0, 10) <= last);
}

const isChosen = (event: Made, selection: Selection): boolean =>
  isAmong([event.category, ABOVE[event.category] ?? ''], selection.categories) &&
  isAmong([event.tag], selection.tags) &&
  isAmong([event.place], selection.places) &&
  isAmong([event.organizer], selection.organizers) &&
  (!selection.free || event.cost === '0' || event.cost === 'Wstęp wolny') &&
  (selection.language === '' || event.language === selection.language) &&
  selection.search
    .split(' ')
    .every((word) => (word.startsWith('-') ? !event.title.includes(word.slice(1)) : event.title.includes(word))) &&
  isOnSome(event, daysOf(selection, TODAY));

const titles = (events: readonly Made[]): readonly string[] => events.map(({ title }) => title).toSorted();

beforeAll(async () => {
  site = await builtinSite();
  site.clock.now = Date.parse(`${TODAY}T00:00:00+01:00`);
  browser = pagesOf(site)();
  const exports = await freshDatabase();
  feeds = exportedFeeds(site, exports.database, []);
  const idOf = async (path: string, body: unknown): Promise<number> =>
    (await site.ask('administrator', 'POST', path, body)).body.id;
  const children = await idOf('/categories', { name: 'children' });
  await idOf('/categories', { name: 'puppets', parent: children });
  const ids = new Map<string, number>();
  for (const venue of PLACES) ids.set(venue, await idOf('/venues', { venue }));
  for (const organizer of ORGANIZERS) ids.set(organizer, await idOf('/organizers', { organizer }));
  for (const { start, end, category, tag, place, organizer, language, cost, title } of EVENTS)
    await site.ask('administrator', 'POST', '/events', {
      title,
      start_date: start,
      end_date: end,
      translation_language: language,
      ...(cost !== '' && { cost }),
      ...(category !== '' && { categories: [category] }),
      ...(tag !== '' && { tags: [tag] }),
      ...(place !== '' && { venue: ids.get(place) }),
      ...(organizer !== '' && { organizer: [ids.get(organizer)] }),
    });
  close = async () => {
    await site.close();
    await exports.close();
  };
});
afterAll(() => close());

/** The events on all pages of a list that have the same selection, and the count that it shows. */
async function listed(query: URLSearchParams): Promise<{ readonly titles: readonly string[]; readonly count: string }> {
  const found = new Set<string>();
  let [path, count] = [`/?${query}`, ''];
  for (;;) {
    const { html } = await browser.get(path === '/?' ? '/' : path);
    count ||= /<p role="status"><b>(\d+)/.exec(html)?.[1] ?? '0';
    const shown = html.replace(/<section aria-labelledby="near">[\s\S]*?<\/main>/, '');
    for (const [, title = ''] of shown.matchAll(/<h3><a href="\/event\/[^>]+>([^<]+)<\/a>/g)) found.add(title);
    const onward = /<a class="btn" rel="next nofollow" href="([^"]+)">/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    // After the chosen days, the list goes on with later ones.
    if (onward === undefined || (query.has('when') && !onward.includes('page='))) break;
    path = onward;
  }
  return { titles: [...found].toSorted(), count };
}

const lists = {
  categories: fc.subarray(CATEGORIES, { maxLength: 2 }),
  tags: fc.subarray(TAGS, { maxLength: 1 }),
  places: fc.subarray(PLACES, { maxLength: 2 }),
  organizers: fc.subarray(ORGANIZERS, { maxLength: 1 }),
};
const rarely = <T>(none: T, some: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(none), weight: 3 }, { arbitrary: some, weight: 1 });
const day = fc.integer({ min: 0, max: 40 }).map((days) => dayAfter(TODAY, days));
const selections: fc.Arbitrary<Selection> = fc
  .record({
    search: rarely('', fc.constantFrom('red', 'door', 'green house', '-red', '-red -door')),
    time: fc.oneof(
      fc.constant({}),
      fc.constantFrom(...SHORTCUTS).map((when) => ({ when })),
      day.map((when) => ({ when })),
      day.map((from) => ({ from })),
    ),
    categories: rarely<string[]>([], lists.categories),
    tags: rarely<string[]>([], lists.tags),
    places: rarely<string[]>([], lists.places),
    organizers: rarely<string[]>([], lists.organizers),
    free: rarely(false, fc.constant(true)),
    language: rarely('', fc.constantFrom('en', 'pl')),
  })
  .map(({ time, ...chosen }) => ({
    ...EVERYTHING,
    ...chosen,
    categories: chosen.categories.toSorted(),
    places: chosen.places.toSorted(),
    ...time,
  }));

test('the list, its feed and the simple model agree on any selection', async () => {
  let some = 0;
  await fc.assert(
    fc.asyncProperty(selections, async (selection) => {
      const expected = titles(EVENTS.filter((event) => isChosen(event, selection)));
      const query = selectionQuery(selection);
      const list = await listed(query);
      expect(list).toEqual({ titles: expected, count: String(expected.length) });
      const calendar = await feeds.get(`events.ics?${query}`);
      const inFeed = [...calendar.matchAll(/^SUMMARY:(.*)$/gm)].map(([, title = '']) => title.trim());
      // Without chosen days, a feed also has events that were on recently.
      const coming = EVENTS.filter(({ title }) => inFeed.includes(title)).filter((event) =>
        isOnSome(event, daysOf(selection, TODAY)),
      );
      expect(titles(coming)).toEqual(expected);
      const hasDays = selection.when !== '' || selection.from !== '';
      expect(hasDays ? inFeed.toSorted() : expected).toEqual(expected);
      expect(Number.parseInt(await feeds.count(query.toString()), 10)).toBe(expected.length);
      if (expected.length > 0) some += 1;
    }),
    { numRuns: repetitions(60) },
  );
  // Selections that find nothing prove little.
  expect(some).toBeGreaterThan(repetitions(60) / 4);
});
