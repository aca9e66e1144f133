import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveEntries } from '../../../src/run/state/ledger.ts';
import { eventTables, type EventTables } from '../../../src/site/store/series.ts';
import { dayAfter } from '../../../src/time.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { pagesOf, type Browser } from '../../support/site-pages.ts';

// Series and long events on the pages of the built-in site. The clock is set to Friday, 20 November 2026.

let site: TestSite;
let tables: EventTables;
let browser: Browser;
const ids = new Map<string, number>();

const FROM = '2026-11-20';

async function make(slug: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
  const { body } = await site.ask('administrator', 'POST', '/events', { slug, ...fields });
  ids.set(slug, body.id);
}
const at = (day: string, from = '16:00', to = '16:45') => ({ start_date: `${day} ${from}`, end_date: `${day} ${to}` });
const idOf = (slug: string): number => ids.get(slug) ?? 0;
const slugOf = (id: number): string | undefined => [...ids].find(([, known]) => known === id)?.[0];

/** What a sync records of an occurrence, or of a single event. */
const noted = (slug: string, uid: string, recurrence: string | undefined, day: string) => ({
  slug,
  key: slug,
  rung: 'uid' as const,
  identity: recurrence === undefined ? uid : `${uid}\t${recurrence}`,
  uid,
  title: slug,
  startsAt: Date.parse(`${day}T09:00:00Z`),
  endsAt: Date.parse(`${day}T10:00:00Z`),
  id: idOf(slug),
  state: 'kept' as const,
  missing: 0,
  fields: {},
});

beforeAll(async () => {
  site = await builtinSite();
  tables = eventTables(site.counted);
  browser = pagesOf(site)();
  await make('story-0', { title: 'Story time', venue: { venue: 'Library' }, ...at('2026-11-18') });
  const venue = Number((await site.ask(null, 'GET', '/venues')).body.venues[0].id);
  for (const week of [1, 2, 3, 4])
    await make(`story-${week}`, {
      title: week === 2 ? 'STORY time' : 'Story time',
      venue,
      ...at(dayAfter('2026-11-18', 7 * week)),
    });
  // The same title at another place, on another day, in another language or not public is not the same series.
  await make('elsewhere', { title: 'Story time', ...at('2026-12-02') });
  await make('thursday', { title: 'Story time', venue, ...at('2026-12-03') });
  await make('polish', { title: 'Story time', venue, translation_language: 'pl', ...at('2026-12-02') });
  await make('draft', { title: 'Story time', venue, status: 'draft', ...at('2026-12-30') });
  await make('hidden', { title: 'Story time', venue, hide_from_listings: true, ...at('2026-12-30') });
  await make('secret', { title: 'Story time', venue, password: 'x', ...at('2026-12-30') });
  // Occurrences of one UID with a title each, and two events that share a UID by mistake.
  const talks = ['2026-11-21', '2026-11-24', '2026-12-09'];
  for (const [index, day] of talks.entries())
    await make(`talk-${index}`, { title: `Talk ${index}`, ...at(day, '10:00', '11:00') });
  for (const name of ['careless-1', 'careless-2']) await make(name, { title: name, ...at('2026-12-01') });
  await saveEntries(site.db, 'builtin', 'library', [
    ...talks.map((day, index) => noted(`talk-${index}`, 'talks@library', day.replaceAll('-', ''), day)),
    noted('careless-1', 'same', undefined, '2026-12-01'),
    noted('careless-2', 'same', '~2', '2026-12-01'),
  ]);
  // A cancelled date says so in its title.
  await make('puppets-1', { title: 'Cancelled: Puppets', tags: ['cancelled'], ...at('2026-11-29') });
  for (const name of ['puppets-2', 'puppets-3']) await make(name, { title: 'Puppets', ...at('2026-12-13') });
  await saveEntries(
    site.db,
    'builtin',
    'theatre',
    ['puppets-1', 'puppets-2', 'puppets-3'].map((slug, index) => noted(slug, 'puppets', `${index}`, '2026-12-13')),
  );
  await make('winters', {
    title: 'A hundred winters',
    start_date: '2026-12-01',
    end_date: '2027-02-28',
    all_day: true,
  });
  await make('over', { title: 'Over', start_date: '2026-08-01', end_date: '2026-11-19', all_day: true });
});
afterAll(() => site.close());

const startsOf = async (slug: string): Promise<readonly string[] | undefined> => {
  const dates = (await tables.seriesOf([idOf(slug)], FROM)).get(idOf(slug));
  return dates?.starts.map((start) => start.slice(0, 10));
};

describe('a series', () => {
  test('is made of public events with one title, place and weekday that are not over', async () => {
    const expected = ['2026-11-25', '2026-12-02', '2026-12-09', '2026-12-16'];
    expect([await startsOf('story-1'), await startsOf('story-2'), await startsOf('story-0')]).toEqual([
      expected,
      expected,
      expected,
    ]);
  });

  test.each(['elsewhere', 'thursday', 'polish', 'winters'])('does not include %s', async (slug) => {
    expect(await startsOf(slug)).toBeUndefined();
  });

  test('is made of the occurrences of one UID of a source, whatever their titles', async () => {
    expect(await startsOf('talk-2')).toEqual(['2026-11-21', '2026-11-24', '2026-12-09']);
  });

  test('is not made of events that share a UID by mistake', async () =>
    expect(await startsOf('careless-1')).toBeUndefined());

  test('is the same, in the same order, when it is read with one event', async () => {
    let found = 0;
    for (const [slug, id] of ids) {
      const around = await tables.around(slug, FROM);
      const series = (await tables.seriesOf([id], FROM)).get(id);
      expect([slug, around?.series]).toEqual([slug, series]);
      expect([slug, around?.dates]).toEqual([slug, series ? await tables.datesOf(id, FROM, 8) : []]);
      if (series) found += 1;
    }
    expect(found).toBeGreaterThan(8);
  });

  test('is read for all events of a page at once, and has one key', async () => {
    const before = site.statements();
    const series = await tables.seriesOf([...ids.values()], FROM);
    expect(site.statements() - before).toBe(1);
    const keyed = Map.groupBy([...series], ([, { key }]) => key);
    expect([...keyed.values()].map((members) => members.map(([id]) => slugOf(id)).toSorted()).toSorted()).toEqual([
      ['hidden', 'story-0', 'story-1', 'story-2', 'story-3', 'story-4'],
      ['puppets-1', 'puppets-2', 'puppets-3'],
      ['talk-0', 'talk-1', 'talk-2'],
    ]);
  });

  test('of very many dates is cut, and says so', async () => {
    const series = await tables.seriesOf([idOf('story-1')], FROM, 3);
    expect(series.get(idOf('story-1'))).toMatchObject({ isCut: true, starts: { length: 3 } });
  });

  test('has its events in order', async () => {
    const found = async (slug: string) => (await tables.datesOf(idOf(slug), FROM, 100)).map(slugOf);
    expect([await found('story-0'), await found('talk-1'), await found('thursday')]).toEqual([
      ['story-1', 'story-2', 'story-3', 'story-4'],
      ['talk-0', 'talk-1', 'talk-2'],
      ['thursday'],
    ]);
  });
});

describe('the page of all dates', () => {
  test('links to each date, and says the rule that they follow', async () => {
    const { status, html } = await browser.get('/event/story-2/dates/');
    expect(status).toBe(200);
    expect(html).toContain('<p class="lead">Every Wednesday until 16 December</p>');
    expect(
      [...html.matchAll(/href="\/event\/([^"]+)\/"( aria-current="page")?><time/g)].map(([, slug, shown]) => [
        slug,
        shown !== undefined,
      ]),
    ).toEqual([
      ['story-1', false],
      ['story-2', true],
      ['story-3', false],
      ['story-4', false],
    ]);
    expect(html).toContain('<meta name="robots" content="noindex">');
  });

  test('of a cancelled date does not show the others under another title', async () => {
    const { html } = await browser.get('/event/puppets-1/dates/');
    expect(html).toContain('href="/event/puppets-2/"');
    expect(html).toContain('<small>Cancelled</small>');
    expect(html).not.toContain('<small>Puppets</small>');
  });

  test('says so if all dates are over', async () => {
    expect((await browser.get('/event/over/dates/')).html).toContain('All dates in this series are over.');
  });

  test.each(['nothing', 'draft', 'secret', '%00'])('is not found for %s', async (slug) => {
    expect((await browser.get(`/event/${slug}/dates/`)).status).toBe(404);
  });
});
