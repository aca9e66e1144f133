import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinSite, type TestSite } from '../support/builtin-site.ts';
import { mistakesIn } from '../support/schema-check.ts';

// Answers must match the OpenAPI document exactly: all documented keys, and no others.
let site: TestSite;
beforeAll(async () => {
  site = await builtinSite();
});
afterAll(() => site.close());

describe('answers match the OpenAPI document', () => {
  const event = {
    title: 'Jazz',
    slug: 'jazz',
    description: '<p>Doors at 19:00.</p>',
    excerpt: 'Live',
    start_date: '2027-03-05 20:00:00',
    end_date: '2027-03-05 23:30:00',
    cost: '40',
    website: 'https://jazz.example/',
    featured: true,
    categories: ['Music'],
    tags: ['open air'],
    venue: {
      venue: 'Klub',
      address: 'Long 1',
      city: 'Gdańsk',
      country: 'Poland',
      zip: '80-001',
      phone: '1',
      website: 'https://v.example/',
      geo_lat: 54.35,
      geo_lng: 18.65,
      description: 'A club',
    },
    organizer: [
      { organizer: 'Society', email: 'a@b.example', phone: '1', website: 'https://o.example/', description: 'People' },
    ],
  };
  it('for writes and reads', async () => {
    const created = await site.ask('editor', 'POST', '/events', event);
    expect(created.status).toBe(201);
    expect(mistakesIn(created.body, 'Event')).toEqual([]);
    expect(
      mistakesIn(
        (
          await site.ask('editor', 'POST', '/events', {
            title: 'Bare',
            start_date: '2027-03-05',
            end_date: '2027-03-05',
            all_day: true,
            venue: [{ venue: 'A' }, { venue: 'B' }],
          })
        ).body,
        'Event',
      ),
    ).toEqual([]);
    expect(mistakesIn((await site.ask(null, 'GET', '/events/by-slug/jazz')).body, 'Event')).toEqual([]);
  });
  it.each([
    ['/events', 'EventPage'],
    ['/events?per_page=1&page=2', 'EventPage'],
    ['/venues', 'VenuePage'],
    ['/organizers', 'OrganizerPage'],
    ['/categories', 'CategoryPage'],
    ['/tags', 'TagPage'],
    ['/api/', 'SiteIndex'],
    ['/api/calendar/events/v1', 'NamespaceIndex'],
    ['/doc', 'Document'],
    ['/api/oembed/1.0/embed?url=https%3A%2F%2Fsite.example%2Fevent%2Fjazz%2F', 'Embed'],
    ['/events/999', 'Problem'],
    ['/venues/999', 'Problem'],
    ['/events?page=0', 'Problem'],
    ['/events?featured=x', 'Problem'],
    ['/nope', 'Problem'],
    ['/tags/999', 'Problem'],
  ] as const)('for GET %s', async (path, name) =>
    expect(mistakesIn((await site.ask(null, 'GET', path)).body, name)).toEqual([]),
  );
  it('for single items of every kind', async () => {
    const { body } = await site.ask(null, 'GET', '/events/by-slug/jazz');
    expect(mistakesIn((await site.ask(null, 'GET', `/venues/${body.venue.id}`)).body, 'Venue')).toEqual([]);
    expect(mistakesIn((await site.ask(null, 'GET', `/organizers/${body.organizer[0].id}`)).body, 'Organizer')).toEqual(
      [],
    );
    expect(mistakesIn((await site.ask(null, 'GET', `/categories/${body.categories[0].id}`)).body, 'Term')).toEqual([]);
    expect(mistakesIn((await site.ask(null, 'GET', `/tags/${body.tags[0].id}`)).body, 'Term')).toEqual([]);
  });
  it('for batches', async () => {
    const requests = [
      { path: '/calendar/events/v1/events', body: event },
      { path: '/calendar/events/v1/tags', body: {} },
    ];
    for (const validation of ['normal', 'require-all-validate'])
      expect(
        mistakesIn((await site.ask('editor', 'POST', '/api/batch/v1', { requests, validation })).body, 'BatchAnswer'),
      ).toEqual([]);
  });
  it('and the check notices wrong types and unknown keys', () =>
    expect(mistakesIn({ year: '2027', month: 1, more: '' }, 'DateDetails').length).toBeGreaterThan(1));
  it('and cause no errors', () => expect(site.errors).toEqual([]));
});
