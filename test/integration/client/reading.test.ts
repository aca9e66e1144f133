import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SiteClient, Transport } from '../../../src/client/site-client.ts';
import { all, clientOf, closeClients, EVENT, indexed, post, QUICK, statuses } from '../../support/client-of.ts';
import { realSite, type RealSite, type RealSiteOptions } from '../../support/real-site/real-site.ts';

let site: RealSite;
let client: SiteClient;
beforeEach(() => start());
afterEach(async () => {
  await closeClients();
  await site.close();
});

async function start(options: RealSiteOptions = {}): Promise<void> {
  await site?.close();
  site = await realSite(options);
  client = clientOf(site);
}

describe('the abilities of a site', () => {
  test('are read from the index and the namespace', async () => {
    expect(await client.abilities()).toEqual({
      root: `${site.root}/`,
      namespace: site.namespace,
      batch: false,
      timezone: 'Europe/Warsaw',
      venueCoordinates: false,
      perPageMax: 50,
      title: 'Café & Culture',
      languages: [],
    });
    expect(site.requests.filter((request) => request.startsWith('GET')).length).toBe(2);
  });
  test('are requested once', async () => {
    await Promise.all([client.abilities(), client.abilities(), client.read('events', { id: 999 })]);
    expect([site.requests.length, client.requests()]).toEqual([3, 3]);
  });
  test('are requested again after a failure', async () => {
    site.fail({ kind: 'page', status: 403 });
    await expect(client.abilities()).rejects.toMatchObject({ code: 'site-not-json' });
    expect((await client.abilities()).namespace).toBe(site.namespace);
  });
  test.each(['/', '/some/page/', '/?rest_route=/', '/wp-json', '/wp-json/', '/wp-json/tribe/events/v1'])(
    'are found from the address %s',
    async (path) => {
      const { root } = await clientOf(site, { root: `${site.home}${path}` }).abilities();
      expect(new URL(root).href.replace(/%2F/g, '/')).toBe(
        path === '/?rest_route=/' ? `${site.home}/?rest_route=/` : `${site.root}/`,
      );
    },
  );
  test('a site with plain permalinks can be read and written', async () => {
    const plain = clientOf(site, { root: `${site.home}/?rest_route=/` });
    expect(statuses(await plain.write([post('plain')]))).toEqual([201]);
    expect((await plain.read('events', { slug: 'plain' }))?.slug).toBe('plain');
    expect(await all(plain.list('events', {}))).toHaveLength(1);
  });
  test.each([
    ['UTC+5.5', 'UTC+5.5'],
    ['UTC-3', 'UTC-3'],
    ['UTC', 'UTC'],
    ['America/New_York', 'America/New_York'],
  ])('the time zone %s is read as %s', async (timezone, expected) => {
    await start({ timezone });
    expect((await client.abilities()).timezone).toBe(expected);
  });
  test('a namespace that does not exist is reported with those that do', async () => {
    await expect(clientOf(site, { namespace: 'calendar/events/v1' }).abilities()).rejects.toThrow(
      /has no calendar\/events\/v1\. It offers tribe\/events\/v1: write that as namespace/,
    );
  });
  test('the error for a wrong password does not contain the password', async () => {
    const error: unknown = await clientOf(site, { credentials: { username: 'editor', applicationPassword: 'geheim' } })
      .abilities()
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'site-unauthorized',
      message: expect.stringMatching(/Check username and application_password/),
    });
    expect(JSON.stringify(error) + String(error)).not.toMatch(new RegExp(`geheim|${btoa('editor:geheim')}`));
  });
  test.each(['example.org/wp-json', 'ftp://example.org/', 'http://'])(
    '%s is not accepted as the address of a site',
    async (root) => {
      await expect(clientOf(site, { root }).abilities()).rejects.toMatchObject({ code: 'site-bad-address' });
    },
  );
  test('a site that cannot be reached is reported', async () => {
    await expect(
      clientOf(site, { root: 'http://127.0.0.1:1/wp-json', retry: { ...QUICK, attempts: 2 } }).abilities(),
    ).rejects.toMatchObject({
      code: 'site-unreachable',
      message: expect.stringMatching(
        /127\.0\.0\.1:1 could not be reached when reading the site index: nothing accepts connections there/,
      ),
    });
  });
});

describe('lists', () => {
  test('are read to the end, including past and distant events and unused terms', async () => {
    for (let at = 0; at < 101; at += 1)
      site.person.addEvent({
        ...EVENT,
        slug: `e${at}`,
        start_date: `20${10 + (at % 30)}-01-10 18:00:00`,
        end_date: `20${10 + (at % 30)}-01-10 19:00:00`,
      });
    site.person.addTerm('tags', 'unused');
    expect(await all(client.list('events', {}))).toHaveLength(101);
    expect((await all(client.list('tags', {}))).map(({ name }) => name)).toEqual(['unused']);
    expect(site.requests.filter((request) => request.includes('/events?'))).toHaveLength(3);
  });
  test('are counted with one request, including unused terms', async () => {
    for (let at = 0; at < 60; at += 1) site.person.addVenue({ venue: `V${at}` });
    site.person.addTerm('tags', 'unused');
    expect([await client.count('venues', {}), await client.count('tags', {})]).toEqual([60, 1]);
    expect(site.requests.filter((request) => /\/(?:venues|tags)\?/.test(request))).toHaveLength(2);
    const silent = indexed(() => Response.json({ venues: [{ id: 1 }] }));
    expect(await clientOf(site, { transport: silent }).count('venues', {})).toBeUndefined();
  });
  test('say which right is missing where a site shows only published events', async () => {
    site.setRole('subscriber');
    await expect(all(client.list('events', { status: 'publish,draft' }))).rejects.toMatchObject({
      code: 'site-no-rights',
      message: expect.stringMatching(
        /refuses to list events that are not published .+ the user may not change/,
      ) as string,
    });
    expect(await all(client.list('events', { status: 'publish' }))).toEqual([]);
    await expect(all(client.list('events', { per_page: 'none' }))).rejects.toMatchObject({ code: 'site-refused' });
  });
  test('keep their filters on every page', async () => {
    const id = site.person.addTerm('categories', 'Jazz');
    for (let at = 0; at < 60; at += 1)
      site.person.addEvent({ ...EVENT, slug: `e${at}`, ...(at % 2 ? { categories: [id] } : {}) });
    expect(await all(client.list('events', { categories: 'jazz', per_page: '7' }))).toHaveLength(30);
  });
  test('keep to a period that is asked for', async () => {
    site.person.addEvent({ ...EVENT, slug: 'in' });
    site.person.addEvent({ ...EVENT, slug: 'out', start_date: '2020-01-01 10:00:00', end_date: '2020-01-01 11:00:00' });
    expect((await all(client.list('events', { starts_after: '2027-01-01' }))).map(({ slug }) => slug)).toEqual(['in']);
  });
  test('give an item once that moves to a later page while they are read', async () => {
    for (let at = 0; at < 75; at += 1) site.person.addVenue({ venue: `V${at}` });
    const ids: number[] = [];
    for await (const { id } of client.list('venues', {})) {
      ids.push(id);
      // The newest come first, so a new one pushes another onto the next page.
      if (ids.length === 50) site.person.addVenue({ venue: 'new' });
    }
    expect([ids.length, new Set(ids).size]).toEqual([75, 75]);
  });
  test('are read to the end even if so many items are added that a page comes again', async () => {
    for (let at = 0; at < 120; at += 1) site.person.addVenue({ venue: `V${at}` });
    const ids = new Set<number>();
    for await (const { id } of client.list('venues', {})) {
      ids.add(id);
      // The second page now holds new ones, and the third is what the first was.
      if (ids.size === 50) for (let at = 0; at < 100; at += 1) site.person.addVenue({ venue: `new ${at}` });
    }
    expect(ids.size).toBe(170);
  });
  test('request four pages at a time once the site has said how many there are', async () => {
    const pages = 7;
    let [underWay, most] = [0, 0];
    const transport = indexed((request) => {
      const page = Number(new URL(request.url).searchParams.get('page'));
      return Response.json({ venues: [{ id: page }], total: pages, total_pages: pages });
    });
    const slow: Transport = async (request) => {
      most = Math.max(most, (underWay += 1));
      await turnOfTheLoop();
      underWay -= 1;
      return transport(request);
    };
    const ids = (await all(clientOf(site, { transport: slow }).list('venues', {}))).map(({ id }) => id);
    expect([ids, most]).toEqual([[1, 2, 3, 4, 5, 6, 7], 4]);
  });
  test('report how many items of how many have been read', async () => {
    for (let at = 0; at < 120; at += 1) site.person.addVenue({ venue: `Hall ${at}` });
    const told: unknown[] = [];
    await all(clientOf(site, { onRead: (read) => told.push(read) }).list('venues', {}));
    expect(told).toEqual([50, 100, 120].map((done) => ({ unit: 'venues of the site', done, of: 120 })));
  });
  test('miss no item that moves to a later page that has already been read', async () => {
    const newestFirst = Array.from({ length: 6 }, (_, at) => ({ id: 6 - at }));
    const shown = indexed((request) => {
      const page = Number(new URL(request.url).searchParams.get('page'));
      const venues = newestFirst.slice(page - 1, page);
      return Response.json({ venues, total: newestFirst.length, total_pages: newestFirst.length });
    });
    let answeredLate = false;
    const transport: Transport = async (request) => {
      if (new URL(request.url).searchParams.get('page') === '3' && !answeredLate) {
        answeredLate = true;
        while (!answered.includes('4')) await turnOfTheLoop();
        newestFirst.unshift({ id: 7 });
      }
      const answer = await shown(request);
      answered.push(new URL(request.url).searchParams.get('page') ?? '');
      return answer;
    };
    const answered: string[] = [];
    const ids = (await all(clientOf(site, { transport }).list('venues', {}))).map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set([6, 5, 4, 3, 2, 1]));
    expect(ids).toHaveLength(6);
  });
  test('that find nothing end, whatever totals the site claims', async () => {
    for (let at = 0; at < 75; at += 1) site.person.addVenue({ venue: `V${at}` });
    expect(await all(client.list('venues', { search: 'zzz' }))).toEqual([]);
  });
  test('send no request until the first item is read', () => {
    client.list('events', {});
    expect(site.requests).toEqual([]);
  });
});

test('a cache that answers every page with the first is detected', async () => {
  const circle = indexed(() => Response.json({ events: [{ id: 1 }], total: 99, total_pages: 99 }));
  await expect(all(clientOf(site, { transport: circle }).list('events', {}))).rejects.toMatchObject({
    code: 'site-paging',
  });
});

describe('reading one', () => {
  test('works by id, by slug, and by the slug of a term', async () => {
    const { id } = site.person.addEvent({ ...EVENT, slug: 'x' });
    const tag = site.person.addTerm('tags', 'Rock & Roll');
    expect([
      (await client.read('events', { id }))?.slug,
      (await client.read('events', { slug: 'x' }))?.id,
      (await client.read('tags', { slug: 'rock-roll' }))?.id,
    ]).toEqual(['x', id, tag]);
  });
  test.each([{ isOld: false }, { isOld: true }])('gives null for what does not exist: %j', async (options) => {
    await start(options);
    const { id } = site.person.addEvent({ ...EVENT, slug: 'erased' });
    site.person.erase('erased');
    expect([
      await client.read('events', { id }),
      await client.read('events', { slug: 'no-such' }),
      await client.read('venues', { id: 99 }),
      await client.read('venues', { slug: 'no' }),
      await client.read('tags', { id: 9 }),
      await client.read('tags', { slug: 'no' }),
    ]).toEqual([null, null, null, null, null, null]);
  });
  test.each(['Hall A/B', '..', '.', ''])('gives null for %j, which can be no slug', async (slug) => {
    for (const resource of ['events', 'venues', 'organizers', 'categories', 'tags'] as const)
      expect([resource, await client.read(resource, { slug })]).toEqual([resource, null]);
  });
  test('gives null for a trashed event, or its status where old sites show it', async () => {
    const { id } = site.person.addEvent({ ...EVENT, slug: 'x' });
    site.person.trash('x');
    expect(await client.read('events', { id })).toBeNull();
    await start({ isOld: true });
    const old = site.person.addEvent({ ...EVENT, slug: 'x' });
    site.person.trash('x');
    expect((await client.read('events', { id: old.id }))?.status).toBe('trash');
  });
  test('a forbidden event is an error, not null', async () => {
    await start({ dropsCredentials: true });
    const { id } = site.person.addEvent({ ...EVENT, slug: 'x' });
    site.person.edit('x', { password: 'p' });
    await expect(client.read('events', { id })).rejects.toMatchObject({
      code: 'site-forbidden',
      message: expect.stringMatching(/event-password-protected/),
    });
  });
  test('a protected event is read with context=edit by its editor', async () => {
    const { id } = site.person.addEvent({ ...EVENT, slug: 'x' });
    site.person.edit('x', { password: 'p' });
    expect(await client.read('events', { id })).toMatchObject({ id, slug: 'x' });
    expect(site.requests.slice(-2).map((request) => request.replace(/^.*\?/, ''))).toEqual([
      `GET /${site.namespace}/events/${id}`,
      'context=edit',
    ]);
  });
  test('a 404 of a gateway is an error, not null', async () => {
    const away = indexed(() => Response.json({ message: 'no Route matched with those values' }, { status: 404 }));
    const behind = clientOf(site, { transport: away });
    await expect(all(behind.list('events', {}))).rejects.toMatchObject({ code: 'site-error' });
    await expect(behind.count('events', {})).rejects.toMatchObject({ code: 'site-error' });
    await expect(behind.read('events', { id: 1 })).rejects.toMatchObject({ code: 'site-error' });
  });
  test('an interface that is switched off is an error, not null', async () => {
    const off = indexed(() =>
      Response.json({ code: 'rest_no_route', message: 'no', data: { status: 404 } }, { status: 404 }),
    );
    await expect(clientOf(site, { transport: off }).read('events', { id: 1 })).rejects.toMatchObject({
      code: 'site-no-route',
    });
  });
});

describe('faults while reading', () => {
  test.each([429, 502, 503, 504] as const)('%i is retried', async (status) => {
    await client.abilities();
    site.fail({ kind: 'status', status, retryAfter: '0' }, { times: 3 });
    expect(await all(client.list('events', {}))).toEqual([]);
    expect(site.requests).toHaveLength(6);
  });
  test('a request is sent at most four times', async () => {
    await client.abilities();
    site.fail({ kind: 'status', status: 503 }, { times: 9 });
    await expect(all(client.list('events', {}))).rejects.toMatchObject({ code: 'site-busy' });
    expect(site.requests).toHaveLength(6);
  });
  test('Retry-After is observed', async () => {
    await client.abilities();
    site.fail({ kind: 'status', status: 429, retryAfter: '1' });
    const began = performance.now();
    await all(client.list('events', {}));
    expect(performance.now() - began).toBeGreaterThan(990);
  });
  test.each(['0', 'Fri, 20 Nov 2026 11:00:00 GMT'])(
    'a Retry-After that has passed (%s) does not shorten the wait',
    async (retryAfter) => {
      const waits: number[] = [];
      const patient = clientOf(site, { retry: { ...QUICK, firstWaitMs: 40 }, onWait: (_, ms) => waits.push(ms) });
      await patient.abilities();
      site.fail({ kind: 'status', status: 503, retryAfter }, { times: 3 });
      await all(patient.list('events', {}));
      expect(waits).toEqual([20, 40, 80]);
    },
  );
  test('a Retry-After of ten minutes is not waited for but reported', async () => {
    await client.abilities();
    site.fail({ kind: 'status', status: 503, retryAfter: '600' });
    await expect(all(client.list('events', {}))).rejects.toMatchObject({
      code: 'site-busy',
      cause: { retryAfterMs: 600_000 },
    });
    expect(site.requests).toHaveLength(3);
  });
  test('a broken connection is retried', async () => {
    await client.abilities();
    site.fail({ kind: 'hang-up' }, { times: 2 });
    expect(await client.read('events', { id: 9 })).toBeNull();
  });
  test('a crash is not retried', async () => {
    await client.abilities();
    site.fail({ kind: 'status', status: 500 });
    await expect(client.read('events', { id: 9 })).rejects.toMatchObject({
      code: 'site-error',
      message: expect.stringMatching(/critical error/),
    });
    expect(site.requests).toHaveLength(3);
  });
  test('warnings before the JSON are cut off', async () => {
    site.person.addEvent({ ...EVENT, slug: 'x' });
    site.fail({ kind: 'warning' }, { times: 9 });
    expect(await all(client.list('events', {}))).toHaveLength(1);
  });
  test('a web page with status 200 is reported as a web page', async () => {
    await client.abilities();
    site.fail({ kind: 'page' });
    await expect(all(client.list('events', {}))).rejects.toThrow(
      /^The site answered a web page, not JSON: "One moment, please"/,
    );
  });
  test('a site that does not answer times out', async () => {
    const quick = clientOf(site, { retry: { ...QUICK, attempts: 2 } }, 300);
    await quick.abilities();
    site.fail({ kind: 'mute' }, { times: 9 });
    await expect(quick.read('events', { id: 9 })).rejects.toMatchObject({
      code: 'site-unreachable',
      message: expect.stringMatching(/took too long|did not begin to answer/),
    });
  });
});
