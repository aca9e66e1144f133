import { describe, expect, it } from 'vitest';
import { api } from '../../../src/contract/api.ts';
import { checkArgs } from '../../../src/contract/check.ts';

const context = {
  now: Date.parse('2026-11-20T13:30:15Z'),
  timezone: 'Europe/Warsaw',
  languages: ['en', 'pl'],
  namespace: 'calendar/events/v1',
};
type Raw = Readonly<Record<string, unknown>>;
const event = { title: 'Concert', start_date: '2027-01-10 18:00:00', end_date: '2027-01-10 20:00:00' };

const check = (name: keyof typeof api, raw: Raw) => checkArgs(api[name].args, raw, context);
/** The value that one argument gets; the error body where it is refused. */
const valueOf = (name: keyof typeof api, raw: Raw, argument: string): unknown => {
  const checked = check(name, raw);
  return checked.ok ? (checked.args as Raw)[argument] : checked.error;
};

const missing = (...params: string[]) => ({
  code: 'rest_missing_callback_param',
  message: `Missing parameter(s): ${params.join(', ')}`,
  data: { status: 400, params },
});
/** Each with a sentence about what is expected. */
const invalid = (...names: string[]) => ({
  code: 'rest_invalid_param',
  message: `Invalid parameter(s): ${names.join(', ')}`,
  data: { status: 400, params: Object.fromEntries(names.map((name) => [name, WHY])), details: [] },
});
const WHY: unknown = expect.stringMatching(/^Invalid parameter\. (?:\w+: )?(?:Expected .+|\w+ is not .+)\.$/);
const mistyped = (name: string, message: string, code = 'rest_invalid_type') => ({
  code: 'rest_invalid_param',
  message: `Invalid parameter(s): ${name}`,
  data: {
    status: 400,
    params: { [name]: message },
    details: { [name]: { code, message, data: code === 'rest_invalid_type' ? { param: name } : null } },
  },
});

describe('creating an event', () => {
  it.each([
    ['an empty request', {}, missing('title', 'start_date', 'end_date')],
    ['a title of null', { ...event, title: null }, missing('title')],
    ['a missing parameter, before an invalid one', { title: '', start_date: 'x' }, missing('end_date')],
    ['an empty title', { ...event, title: '' }, invalid('title')],
    ['a number as title', { ...event, title: 2027 }, invalid('title')],
    ['an impossible date', { ...event, start_date: '2027-02-30' }, invalid('start_date')],
    [
      'a number as date',
      { ...event, start_date: 1_799_600_400 },
      mistyped('start_date', 'start_date is not of type string.'),
    ],
    [
      'an invalid parameter, before one of the wrong type',
      { ...event, start_date: 1_799_600_400, end_date: 'x' },
      invalid('end_date'),
    ],
    [
      'a long text as cost',
      { ...event, cost: ['5', 'x'.repeat(2_501)] },
      mistyped('cost', 'cost must be at most 2500 characters long.', 'rest_too_long'),
    ],
    ['an unknown zone', { ...event, timezone: 'Mars/Olympus' }, invalid('timezone')],
    ['a Windows zone', { ...event, timezone: 'Central European Standard Time' }, invalid('timezone')],
    ['a word as boolean', { ...event, all_day: 'yes' }, mistyped('all_day', 'all_day is not of type boolean.')],
    ['the number 2 as boolean', { ...event, featured: 2 }, mistyped('featured', 'featured is not of type boolean.')],
    ['an empty text as boolean', { ...event, sticky: '' }, mistyped('sticky', 'sticky is not of type boolean.')],
    ['null as boolean', { ...event, sticky: null }, mistyped('sticky', 'sticky is not of type boolean.')],
    ['an unknown status', { ...event, status: 'bogus' }, invalid('status')],
    ['an empty status', { ...event, status: '' }, invalid('status')],
    ['an empty slug', { ...event, slug: '' }, invalid('slug')],
    ['an empty image', { ...event, image: '' }, invalid('image')],
    ['an image by number', { ...event, image: 5 }, mistyped('image', 'image is not of type string.')],
    ['a website without a scheme', { ...event, website: 'example.org' }, invalid('website')],
    ['a website with letters beyond ASCII', { ...event, website: 'https://example.org/święto' }, invalid('website')],
    ['a website that runs a script', { ...event, website: 'javascript://%0aalert(1)' }, invalid('website')],
    ['a venue by name', { ...event, venue: 'Hall' }, invalid('venue')],
    ['a venue without a name', { ...event, venue: { city: 'Hel' } }, invalid('venue')],
    ['a venue with an invalid field', { ...event, venue: { venue: 'Hall', website: 'x' } }, invalid('venue')],
    ['organizers, one of them invalid', { ...event, organizer: [7, 'Society'] }, invalid('organizer')],
    ['an author of zero', { ...event, author: 0 }, invalid('author')],
    [
      'a language that the site does not have',
      { ...event, translation_language: 'de' },
      mistyped('translation_language', 'translation_language is not one of en and pl.', 'rest_not_in_enum'),
    ],
  ])('%s is refused', (_, raw, error) => expect(check('createEvent', raw)).toEqual({ ok: false, error }));

  it.each([
    ['all_day', undefined, false],
    ['all_day', 'false', false],
    ['all_day', '1', true],
    ['all_day', 'TRUE', true],
    ['featured', undefined, undefined],
    ['featured', 0, false],
    ['start_date', '2027-01-10T18:00:00+02:00', { wall: '2027-01-10 18:00:00', offsetMinutes: 120 }],
    ['timezone', '', ''],
    ['timezone', 'UTC+5.5', 'UTC+5.5'],
    ['timezone', 'europe/warsaw', 'europe/warsaw'],
    ['description', '', ''],
    ['description', null, ''],
    ['website', null, ''],
    ['website', 'https://example.org/?a=1&b=2#f', 'https://example.org/?a=1&b=2#f'],
    ['cost', '25 zł', ['25 zł']],
    ['cost', 10, ['10']],
    ['cost', [10, '20'], ['10', '20']],
    ['cost', { a: 5 }, ['5']],
    ['cost', '', []],
    ['cost', null, []],
    ['image', '12', { kind: 'id', id: 12 }],
    ['image', 'https://example.org/a.png', { kind: 'url', url: 'https://example.org/a.png' }],
    [
      'categories',
      [2, 'jazz', 'Rock, Pop'],
      [
        { kind: 'id', id: 2 },
        { kind: 'text', text: 'jazz' },
        { kind: 'text', text: 'Rock, Pop' },
      ],
    ],
    [
      'categories',
      'Music, 7',
      [
        { kind: 'text', text: 'Music' },
        { kind: 'text', text: '7' },
      ],
    ],
    ['categories', 7, [{ kind: 'id', id: 7 }]],
    ['categories', '', []],
    ['categories', [], []],
    ['categories', null, []],
    [
      'tags',
      [{ id: 3 }, { name: 'open air' }, { slug: 'x' }],
      [
        { kind: 'id', id: 3 },
        { kind: 'text', text: 'open air' },
        { kind: 'text', text: 'x' },
      ],
    ],
    ['venue', 7, [{ kind: 'id', id: 7 }]],
    ['venue', '7', [{ kind: 'id', id: 7 }]],
    [
      'venue',
      [7, { id: '8' }],
      [
        { kind: 'id', id: 7 },
        { kind: 'id', id: 8 },
      ],
    ],
    [
      'venue',
      { venue: 'Hall', city: 'Sopot', show_map: true },
      [{ kind: 'data', data: { venue: 'Hall', city: 'Sopot', show_map: true } }],
    ],
    ['venue', null, []],
    ['venue', '', []],
    ['venue', [], []],
    ['venue', 0, []],
    [
      'organizer',
      { organizer: 'Society', author: null, status: null },
      [{ kind: 'data', data: { organizer: 'Society' } }],
    ],
    ['organizer', { organizer: 'Society' }, [{ kind: 'data', data: { organizer: 'Society' } }]],
    ['translation_language', 'pl', 'pl'],
  ])('%s of %j becomes %j', (name, raw, expected) =>
    expect(valueOf('createEvent', { ...event, ...(raw !== undefined && { [name]: raw }) }, name)).toEqual(expected),
  );

  it('ignores unknown parameters', () => expect(check('createEvent', { ...event, foo: 'bar' }).ok).toBe(true));
});

describe('updating an event', () => {
  it('adds no defaults', () => expect(check('updateEvent', { id: '7' })).toEqual({ ok: true, args: { id: 7 } }));
  it.each([
    ['', null],
    [null, null],
    ['9', { kind: 'id', id: 9 }],
    [
      { url: 'https://site.example/media/a.png', id: 9, extension: 'png' },
      { kind: 'id', id: 9 },
    ],
    [{ id: '9' }, { kind: 'id', id: 9 }],
  ])('an image of %j becomes %j', (image, expected) =>
    expect(valueOf('updateEvent', { id: 7, image }, 'image')).toEqual(expected),
  );
  it.each([
    [{ image: '0' }, invalid('image')],
    [{ image: { url: 'https://site.example/media/a.png' } }, invalid('image')],
    [{ image: { id: null } }, invalid('image')],
    [{ image: [9] }, invalid('image')],
    [{ title: null }, mistyped('title', 'title is not of type string.')],
    [{ end_date: null }, mistyped('end_date', 'end_date is not of type string.')],
  ])('%j is refused', (raw, error) => expect(check('updateEvent', { id: 7, ...raw })).toEqual({ ok: false, error }));
});

describe('lists', () => {
  it('have their defaults', () =>
    expect(check('listEvents', {})).toEqual({ ok: true, args: { page: 1, per_page: 10, strict_dates: false } }));
  it('of terms leave out unused ones by default', () =>
    expect(check('listTags', {})).toEqual({ ok: true, args: { page: 1, per_page: 10, hide_empty: true } }));
  it.each([
    ['listEvents', { page: '0' }, invalid('page')],
    ['listEvents', { page: '1.5' }, invalid('page')],
    ['listEvents', { per_page: '-1' }, invalid('per_page')],
    ['listEvents', { page: 'abc', search: '' }, invalid('page', 'search')],
    ['listEvents', { start_date: 'foo' }, invalid('start_date')],
    ['listEvents', { strict_dates: '0' }, invalid('strict_dates')],
    ['listEvents', { venue: '7,x' }, invalid('venue')],
    ['listEvents', { include: 'a' }, invalid('include')],
    ['listEvents', { status: 'any' }, invalid('status')],
    ['listEvents', { status: 'publish,bogus' }, invalid('status')],
    ['listEvents', { featured: 'maybe' }, mistyped('featured', 'featured is not of type boolean.')],
    ['listEvents', { geoloc_lat: '91' }, invalid('geoloc_lat')],
    ['listCategories', { parent: '0' }, invalid('parent')],
    ['listVenues', { event: 'x' }, invalid('event')],
  ] as const)('%s %j is refused', (name, raw, error) => expect(check(name, raw)).toEqual({ ok: false, error }));
  it.each([
    ['listEvents', 'page', '2.0', 2],
    ['listEvents', 'per_page', '500', 50],
    ['listEvents', 'strict_dates', '1', true],
    ['listEvents', 'strict_dates', 'false', false],
    ['listEvents', 'status', 'publish,future', ['publish', 'future']],
    ['listEvents', 'venue', '7,8', [7, 8]],
    ['listEvents', 'include', ['10', '20'], [10, 20]],
    ['listEvents', 'start_date', 'tomorrow', { wall: '2026-11-21 00:00:00' }],
    ['listEvents', 'geoloc_lat', '54.35', 54.35],
    ['listEvents', 'geoloc_lat', '-8.4e-323', 0],
    ['listVenues', 'has_events', 'on', true],
    ['listVenues', 'has_events', '0', false],
    ['listTags', 'hide_empty', 'false', false],
  ] as const)('%s takes %s=%j as %j', (name, argument, raw, expected) =>
    expect(valueOf(name, { [argument]: raw }, argument)).toEqual(expected),
  );
});

describe('venues, organizers and terms', () => {
  it.each([
    ['createVenue', { city: 'X' }, missing('venue')],
    ['createOrganizer', {}, missing('organizer')],
    ['createTag', {}, missing('name')],
    ['createVenue', { venue: 'B', show_map: true }, mistyped('show_map', 'show_map is not of type string.')],
    ['createVenue', { venue: 'B', zip: 80 }, mistyped('zip', 'zip is not of type string.')],
    ['createVenue', { venue: 'B', website: 'nope' }, invalid('website')],
    ['createVenue', { venue: 'B', geo_lat: 91 }, invalid('geo_lat')],
    ['createVenue', { venue: 'B', status: null }, mistyped('status', 'status is not of type string.')],
    ['createOrganizer', { organizer: null }, missing('organizer')],
    ['createCategory', { name: 'B', parent: 0 }, invalid('parent')],
    ['updateCategory', { id: 1, parent: -1 }, invalid('parent')],
    ['updateEvent', { id: 1, image: true }, invalid('image')],
    ['createTag', { name: 'B', slug: '' }, invalid('slug')],
  ] as const)('%s %j is refused', (name, raw, error) => expect(check(name, raw)).toEqual({ ok: false, error }));
  it.each([
    ['createVenue', { venue: 'B', show_map: '0' }, 'show_map', false],
    ['createVenue', { venue: 'B', show_map: 'true' }, 'show_map', true],
    ['updateVenue', { id: 1, city: '' }, 'city', ''],
    ['updateVenue', { id: 1, geo_lat: null }, 'geo_lat', null],
    ['updateVenue', { id: 1, show_map: false }, 'show_map', false],
    ['updateVenue', { id: 1 }, 'show_map', undefined],
    ['createOrganizer', { organizer: 'X', email: 'nope' }, 'email', 'nope'],
    ['createOrganizer', { organizer: 'X', image: '' }, 'image', null],
    ['updateEvent', { id: 1, image: false }, 'image', null],
    ['updateCategory', { id: 1, parent: 0 }, 'parent', 0],
    ['updateCategory', { id: 1, parent: '0' }, 'parent', 0],
    ['updateCategory', { id: 1, parent: '' }, 'parent', 0],
    ['updateCategory', { id: 1, parent: null }, 'parent', 0],
    ['updateCategory', { id: 1, parent: '7' }, 'parent', 7],
    ...['author', 'date', 'date_utc', 'status'].map(
      (name) => ['createOrganizer', { organizer: 'X', [name]: null }, name, undefined] as const,
    ),
    ['updateOrganizer', { id: 1, organizer: null }, 'organizer', undefined],
    ['updateOrganizer', { id: 1, phone: null }, 'phone', ''],
  ] as const)('%s %j has %s %j', (name, raw, argument, expected) =>
    expect(valueOf(name, raw, argument)).toEqual(expected),
  );
});

describe('a batch', () => {
  const item = { path: '/calendar/events/v1/tags' };
  it.each([
    [{}, missing('requests')],
    [{ requests: 'x' }, mistyped('requests', 'requests is not of type array.')],
    [
      { requests: Array.from({ length: 26 }, () => item) },
      mistyped('requests', 'requests must contain at most 25 items.', 'rest_too_many_items'),
    ],
    [
      { requests: [{ ...item, method: 'GET' }] },
      mistyped('requests', 'requests[0][method] is not one of POST, PUT, PATCH, and DELETE.', 'rest_not_in_enum'),
    ],
    [
      { requests: [item, {}] },
      mistyped('requests', 'path is a required property of requests[1].', 'rest_property_required'),
    ],
    [{ requests: [{ ...item, body: 'x' }] }, mistyped('requests', 'requests[0][body] is not of type object.')],
    [{ requests: [{ ...item, headers: 'x' }] }, mistyped('requests', 'requests[0][headers] is not of type object.')],
    [
      { requests: [{ ...item, headers: { 'X-A': '1', 'X-B': ['2', 3] } }] },
      mistyped('requests', 'requests[0][headers][X-B] is not of type string,array.'),
    ],
    [
      { requests: [], validation: 'x' },
      mistyped('validation', 'validation is not one of require-all-validate and normal.', 'rest_not_in_enum'),
    ],
  ])('%j is refused', (raw, error) => expect(check('sendBatch', raw)).toEqual({ ok: false, error }));
  it('gets defaults for what it does not name', () =>
    expect(check('sendBatch', { requests: [{ ...item, body: [], headers: { 'X-A': ['1', '2'] } }] })).toEqual({
      ok: true,
      args: {
        validation: 'normal',
        requests: [{ method: 'POST', path: item.path, body: {}, headers: { 'x-a': '1, 2' } }],
      },
    }));
});

describe('embeds', () => {
  it.each([
    ['100', 100],
    ['-50', 50],
    ['abc', 0],
    [undefined, 600],
  ])('maxwidth %j is %j', (maxwidth, expected) =>
    expect(valueOf('readEmbed', { url: 'x', ...(maxwidth !== undefined && { maxwidth }) }, 'maxwidth')).toBe(expected),
  );
  it('of other pages have two formats', () =>
    expect(check('readEmbedProxy', { url: 'x', format: 'yaml' })).toEqual({
      ok: false,
      error: mistyped('format', 'format is not one of json and xml.', 'rest_not_in_enum'),
    }));
});
