import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtinSite, type Body, type TestSite } from '../../support/builtin-site.ts';

// No list reveals what its reader may not read, whatever is asked: neither what an unpublished event has, nor where a
// venue is that only others may see.

const when = { start_date: '2027-01-10 18:00', end_date: '2027-01-10 20:00' };
type As = Parameters<TestSite['ask']>[0];
const READERS = [null, 'subscriber', 'contributor', 'author', 'editor'] as const;
let site: TestSite;
beforeAll(async () => {
  site = await builtinSite();
});
afterAll(() => site.close());

const made = async (as: As, path: string, asked: object): Promise<Body> => {
  const { status, body } = await site.ask(as, 'POST', path, asked);
  expect([status, body.code]).toEqual([201, undefined]);
  return body;
};
const totals = (path: string): Promise<readonly unknown[]> =>
  Promise.all(READERS.map(async (as) => (await site.ask(as, 'GET', path)).body['total']));

describe.each(['draft', 'pending', 'private', 'future', 'trash'])('an event that is %s', (status) => {
  test('does not reveal its venue, organizers and terms to those who may not read it', async () => {
    const { id } = await made('author', '/events', { ...when, title: `Not yet ${status}` });
    const { body } = await site.ask('editor', 'PATCH', `/events/${id}`, {
      venue: { venue: `Hall of ${status}` },
      organizer: { organizer: `Club of ${status}` },
      categories: [`Kind of ${status}`],
      tags: [`Tag of ${status}`],
      status,
      ...(status === 'future' ? { date: '2027-01-01 00:00:00' } : {}),
    });
    expect(body['status']).toBe(status);
    for (const path of [
      `/venues?event=${id}`,
      `/organizers?event=${id}`,
      `/categories?event=${id}&hide_empty=false`,
      `/categories?post=${id}&hide_empty=false`,
      `/tags?post=${id}&hide_empty=false`,
    ])
      expect([path, await totals(path)]).toEqual([path, [0, 0, 0, 1, 1]]);
  });
});

describe('a venue that only editors may see', () => {
  let [hidden, shown]: [number, number] = [0, 0];
  beforeAll(async () => {
    hidden = (await made('editor', '/venues', { venue: 'Bunker', status: 'private', geo_lat: 50, geo_lng: 20 })).id;
    shown = (await made('editor', '/venues', { venue: 'Hall', geo_lat: 40, geo_lng: 10 })).id;
    for (const venue of [[hidden], [shown], [hidden, shown]])
      await made('editor', '/events', { ...when, title: `At ${venue.join(' and ')}`, venue });
    await made('editor', '/events', { ...when, title: 'Anywhere' });
  });

  test.each([
    ['venue={hidden}', [0, 0, 0, 0, 2]],
    ['venue={shown}', [2, 2, 2, 2, 2]],
    ['venue={hidden},{shown}', [2, 2, 2, 2, 3]],
    ['geoloc_lat=50&geoloc_lng=20', [0, 0, 0, 0, 2]],
    ['geoloc_lat=40&geoloc_lng=10', [2, 2, 2, 2, 2]],
    ['geoloc=true', [2, 2, 2, 2, 3]],
    ['geoloc=false', [2, 2, 2, 2, 1]],
    ['geoloc=true&geoloc_lat=50&geoloc_lng=20', [0, 0, 0, 0, 2]],
    ['geoloc=true&search=At%20-nowhere', [2, 2, 2, 2, 3]],
  ])('%s counts only the venues that each reader may see', async (filter, expected) => {
    const query = filter.replaceAll('{hidden}', String(hidden)).replaceAll('{shown}', String(shown));
    expect(await totals(`/events?${query}&per_page=2&status=publish`)).toEqual(expected);
  });

  test('is found by everybody once it is published', async () => {
    await site.ask('editor', 'PATCH', `/venues/${hidden}`, { status: 'publish' });
    expect([await totals(`/events?venue=${hidden}`), await totals('/events?geoloc=true')]).toEqual([
      [2, 2, 2, 2, 2],
      [3, 3, 3, 3, 3],
    ]);
  });
});

test('an organizer that only editors may see finds no event for others', async () => {
  const { id } = await made('editor', '/organizers', { organizer: 'Mole', status: 'draft' });
  await made('editor', '/events', { ...when, title: 'Digging', organizer: [id] });
  expect(await totals(`/events?organizer=${id}`)).toEqual([0, 0, 0, 0, 1]);
  expect((await site.ask(null, 'GET', '/events?organizer=4711')).status).toBe(400);
});

test('only its author and editors find a protected event by its hidden text', async () => {
  await made('author', '/events', { ...when, title: 'Locked', description: 'A riddle', password: 'x' });
  expect(await totals('/events?search=riddle')).toEqual([0, 0, 0, 1, 1]);
});

test('a draft venue stays a draft when a published event there is changed', async () => {
  const { id } = await made('editor', '/venues', { venue: 'Shed', status: 'draft' });
  const event = await made('editor', '/events', { ...when, title: 'In the shed', venue: [id] });
  await site.ask('editor', 'PATCH', `/events/${event.id}`, { title: 'Beside the shed' });
  expect((await site.ask('editor', 'GET', `/venues/${id}`)).body['status']).toBe('draft');
});
