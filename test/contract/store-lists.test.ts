import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinSite, type Body, type TestSite } from '../support/builtin-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await builtinSite();
});
afterAll(() => site.close());

const make = async (changes: object): Promise<Body> => {
  const { status, body } = await site.ask('editor', 'POST', '/events', changes);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
};
const list = async (query: string, as: 'editor' | 'author' | null = null): Promise<readonly unknown[]> => {
  const { status, body } = await site.ask(as, 'GET', `/events?per_page=50&${query}`);
  return status === 200 ? body.events.map(({ title }) => title) : [status, body.code];
};

/** The latitude that is so many kilometres north of the venue "Near"; one degree is 111.2 km. */
const northOfNear = (km: number): number => 54.35 + km / 111.2;

describe('lists', () => {
  beforeAll(async () => {
    const day = (title: string, start: string, end: string, more: object = {}): Promise<Body> =>
      make({ title, start_date: start, end_date: end, tags: ['listed'], ...more });
    await day('L past', '2025-06-01 10:00', '2025-06-01 12:00');
    await day('L running', '2026-11-19 08:00', '2026-11-25 20:00');
    await day('L today', '2026-11-20 06:00', '2026-11-20 07:00');
    await day('L soon', '2026-12-05 11:00', '2026-12-05 12:00', {
      featured: true,
      description: 'Żółta łódź, "quoted words"',
      venue: { venue: 'Near', geo_lat: 54.35, geo_lng: 18.65 },
    });
    await day('L far', '2030-06-01 10:00', '2030-06-01 12:00', {
      venue: { venue: 'Away', geo_lat: 50.06, geo_lng: 19.94 },
    });
    await day('L hidden', '2026-12-06 11:00', '2026-12-06 12:00', { hide_from_listings: true });
    for (let number = 0; number < 12; number += 1)
      await make({ title: 'Other', start_date: '2027-01-10', end_date: '2027-01-10', tags: ['one'] });
    await day('L draft', '2026-12-07 11:00', '2026-12-07 12:00', { status: 'draft' });
  });
  it.each([
    ['', ['L today', 'L soon']],
    ['start_date=2020-01-01', ['L past', 'L running', 'L today', 'L soon']],
    ['start_date=2020-01-01&end_date=2026-11-20', ['L past', 'L today']],
    ['starts_after=1971-01-01', ['L past', 'L running', 'L today', 'L soon', 'L far']],
    ['ends_after=2026-11-20', ['L running', 'L soon', 'L far']],
    ['starts_before=2026-11-20', ['L past', 'L running', 'L today']],
    ['ends_before=2026-11-25', ['L past', 'L running', 'L today']],
    ['ends_before=2026-11-25%2019:00&strict_dates=true', ['L past', 'L today']],
    ['starts_after=2026-12-05%2010:59&strict_dates=1&ends_before=2027-01-01', ['L soon']],
    ['starts_after=2026-12-05%2011:00&strict_dates=1&ends_before=2027-01-01', []],
    ['start_date=2026-12-05T10:00:00Z&end_date=2026-12-05T11:00:00Z&strict_dates=true', ['L soon']],
    ['start_date=2026-12-05T10:00:01Z&end_date=2026-12-05T11:00:00Z&strict_dates=true', []],
    ['featured=true', ['L soon']],
    ['featured=0', ['L today']],
    ['search=zolta+lodz', ['L soon']],
    ['search=lodz,+zolta,quoted', ['L soon']],
    ['search=%22quoted+words%22+-soon', []],
    ['search=%25', []],
    ['search=LODZ', ['L soon']],
    ['geoloc=true', ['L soon']],
    ['geoloc_lat=54.4&geoloc_lng=18.6&starts_after=1971-01-01', ['L soon']],
    ['geoloc_lat=50&geoloc_lng=20&starts_after=1971-01-01', ['L far']],
    ['geoloc_lat=54.4', [400, 'rest_invalid_param']],
    ['ticketed=true', [400, 'rest_invalid_param']],
    ['ticketed=false', ['L today', 'L soon']],
    ['venue=999999', [400, 'rest_invalid_param']],
    ['categories=nothing', [400, 'rest_invalid_param']],
    ['page=9', [404, 'event-archive-page-not-found']],
  ])('?%s', async (query, titles) => {
    expect(await list(`tags=listed&${query}`)).toEqual(titles);
  });
  it('take all-day events to end on their last day', async () => {
    const day = '2026-12-24';
    await make({ title: 'Whole', start_date: day, end_date: day, all_day: true, tags: ['whole'] });
    const before = async (end: string): Promise<readonly unknown[]> => list(`tags=whole&ends_before=${end}`);
    expect([await before('2026-12-23'), await before(day)]).toEqual([[], ['Whole']]);
    expect(await before(`${day}%2023:59:59&strict_dates=true`)).toEqual([]);
  });
  it('show hidden events only to editors who ask for a status', async () => {
    expect(await list('tags=listed&starts_after=1971-01-01', 'editor')).not.toContain('L hidden');
    expect(await list('tags=listed&starts_after=1971-01-01&status=publish,draft', 'editor')).toEqual([
      'L past',
      'L running',
      'L today',
      'L soon',
      'L hidden',
      'L draft',
      'L far',
    ]);
    for (const as of [null, 'author'] as const)
      expect(await list('tags=listed&starts_after=1971-01-01&status=publish', as)).toEqual([
        'L past',
        'L running',
        'L today',
        'L soon',
        'L far',
      ]);
  });
  it('ignore the window of dates for `include`', async () => {
    const { body } = await site.ask(null, 'GET', '/events?tags=listed&starts_after=1971-01-01&per_page=50');
    const ids = body.events.map(({ id }) => id);
    expect(await list(`include=${ids.join(',')},999999&start_date=2026-12-01`)).toHaveLength(ids.length);
  });
  it('return the events of `include` in order of publication', async () => {
    const dates = ['2026-03-01', '2026-01-01', '2026-02-01'];
    const made = dates.map((date) => ({ title: date, date, start_date: '2027-03-01', end_date: '2027-03-01' }));
    const ids: number[] = [];
    for (const event of made) ids.push((await make(event)).id);
    expect(await list(`include=${ids.join(',')}`)).toEqual(dates.toSorted());
  });
  it('find an event whose local end is before its start, because clocks go back', async () => {
    await make({ title: 'Night', start_date: '2026-10-25 02:50', end_date: '2026-10-25T01:10:00Z', tags: ['night'] });
    const { body } = await site.ask(null, 'GET', '/events?tags=night&starts_after=1971-01-01');
    expect(body.events.map((event) => [event['start_date'], event['end_date']])).toEqual([
      ['2026-10-25 02:50:00', '2026-10-25 02:10:00'],
    ]);
    expect(await list('tags=night&ends_before=2026-10-25%2002:20&strict_dates=true')).toEqual(['Night']);
  });
  it('reach as far around a place as the interface says', async () => {
    const { body } = await site.ask(null, 'OPTIONS', '/events');
    const { args } = (
      body['endpoints'] as readonly { readonly args: Readonly<Record<string, { readonly description: string }>> }[]
    )[0]!;
    const [far] = ['geoloc_lat', 'geoloc_lng'].map((name) =>
      Number(/within (\d+) km of it, the nearest first/.exec(args[name]!.description)?.[1]),
    );
    expect(await list(`geoloc_lng=18.65&geoloc_lat=${northOfNear(far! - 0.5)}`)).toEqual(['L soon']);
    expect(await list(`geoloc_lng=18.65&geoloc_lat=${northOfNear(far! + 0.5)}`)).toEqual([]);
  });
  it('link to every page with all filters', async () => {
    const seen: unknown[] = [];
    let link: string | undefined =
      '/events?per_page=2&starts_after=1971-01-01&strict_dates=true&tags=listed,one&featured=false&search=l';
    for (let page = 0; link !== undefined && page < 10; page += 1) {
      const { status, body }: { status: number; body: Body } = await site.ask(null, 'GET', link);
      expect([status, String(body['rest_url']).includes(' ')]).toEqual([200, false]);
      seen.push(...body.events.map(({ title }) => title));
      const { previous_rest_url: previous = '/events' } = body;
      expect((await site.ask(null, 'GET', String(previous).replace('https://site.example', ''))).status).toBe(200);
      link = (body['next_rest_url'] as string | undefined)?.replace('https://site.example', '');
    }
    expect(seen).toEqual(
      await list('starts_after=1971-01-01&strict_dates=true&tags=listed,one&featured=false&search=l'),
    );
    expect(seen.length).toBeGreaterThan(3);
  });
  it("read seconds since 1970 as the day in the site's time zone", async () => {
    const at = Date.parse('2031-01-10T23:30:00Z') / 1000;
    for (const name of ['start_date', 'starts_before', 'starts_after', 'ends_after']) {
      const { body } = await site.ask(null, 'GET', `/events?${name}=${at}`);
      expect([name, decodeURIComponent(String(body['rest_url']))]).toEqual([
        name,
        expect.stringContaining(`${name}=2031-01-11`),
      ]);
    }
  });
  it('are searched as they read, however their HTML is stored', async () => {
    const when = { start_date: '2027-02-02', end_date: '2027-02-02' };
    // Texts of authors are sanitized, those of editors stored as sent.
    const written = { title: "R&B at <b>Joe's</b>", description: '"Q&A" & more', ...when };
    const { id } = (await site.ask('author', 'POST', '/events', written)).body;
    await make({ ...written, title: "R&B at Moe's" });
    const found = async (search: string) => (await list(`search=${encodeURIComponent(search)}`)).length;
    expect([await found('r&b'), await found("Joe's"), await found("moe's"), await found('"R&B at"')]).toEqual([
      2, 1, 1, 2,
    ]);
    expect([await found('q&a'), await found('r&b -q&a'), await found('"q&a" &')]).toEqual([2, 0, 2]);
    await site.ask('editor', 'PUT', `/events/${id}`, (await site.ask('editor', 'GET', `/events/${id}`)).body);
    expect([await found('r&b'), await found("Joe's")]).toEqual([2, 1]);
    await site.ask('editor', 'POST', '/categories', { name: 'Wine & "Dine"' });
    const { categories } = (await site.ask(null, 'GET', '/categories?hide_empty=0&search=wine %26 "dine"')).body;
    expect(categories).toMatchObject([{ name: 'Wine &amp; &quot;Dine&quot;' }]);
  });
  it('are filtered by slugs in other scripts, as letters and as answers show them', async () => {
    const { body: term } = await site.ask('editor', 'POST', '/categories', { name: 'Концерты', slug: 'живая-музыка' });
    const { slug } = term as { readonly slug?: string };
    await make({ title: 'Вечер', start_date: '2027-02-01', end_date: '2027-02-01', categories: ['Живая-музыка'] });
    for (const written of ['Живая-музыка', String(slug), `${String(slug)},${term.id}`, 'концерты']) {
      expect(await list(`categories=${encodeURIComponent(written)}`)).toEqual(['Вечер']);
      expect(await list(`categories=${written}`)).toEqual(['Вечер']);
    }
    const terms = async (query: string) => (await site.ask(null, 'GET', `/categories?${query}`)).body.categories;
    expect(await terms('slug=живая-музыка')).toMatchObject([{ id: term.id }]);
    expect(await terms(`slug=${String(slug)}`)).toMatchObject([{ id: term.id }]);
    expect(await terms('include=живая-музыка')).toMatchObject([{ id: term.id }]);
  });
  it('name their own address even for an empty `include`', async () => {
    const { body } = await site.ask(null, 'GET', '/events?include=');
    expect([body['total'], body['rest_url']]).toEqual([0, expect.stringMatching(/[?&]include=(?:&|$)/)]);
  });
  it.each([1, 50])('of %s take five statements after a write, and fewer later', async (perPage) => {
    await make({ title: 'Written', start_date: '1971-01-02', end_date: '1971-01-02', venue: { venue: 'Written' } });
    const statements = async (list: string): Promise<number> => {
      const before = site.statements();
      expect((await site.ask(null, 'GET', list)).body.events.length).toBeGreaterThan(0);
      return site.statements() - before;
    };
    const list = `/events?starts_after=1971-01-01&per_page=${perPage}`;
    // The revision and the changed days, their totals, the ids of the page, its rows, and what they refer to.
    expect(await statements(list)).toBe(5);
    // The revision and the rows once more: a list that is requested again is cached from then on.
    expect(await statements(`${list}&page=1`)).toBe(2);
    // Only the revision, even if another address requests the same list.
    expect(await statements(`${list}&order=asc`)).toBe(1);
    expect(await statements(list)).toBe(1);
  });
  it('count exactly, whatever was written in between', async () => {
    const total = async (): Promise<unknown> =>
      (await site.ask(null, 'GET', '/events?starts_after=1971-01-01&search=counted')).body['total'];
    const counts = [await total()];
    const { id } = await make({ title: 'Counted', start_date: '2027-01-10', end_date: '2027-01-10' });
    counts.push(await total(), await total());
    await site.ask('editor', 'PUT', `/events/${id}`, { title: 'Other' });
    counts.push(await total());
    await site.ask('editor', 'POST', '/api/batch/v1', {
      requests: [
        { method: 'PUT', path: `/calendar/events/v1/events/${id}`, body: { title: 'Counted' } },
        { path: '/calendar/events/v1/events/0' },
      ],
    });
    counts.push(await total());
    await site.ask('editor', 'DELETE', `/events/${id}`);
    expect([...counts, await total()]).toEqual([0, 1, 1, 0, 1, 0]);
  });
});
