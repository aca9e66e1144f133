import { isObject, recordedIn, type Exchange, type Json, type JsonObject } from '../support/recordings.ts';

/**
 * A request that brings the built-in site to the state of the recorded one, because the recording leaves out a step.
 * `id` is the recorded id; without a path, the object has been deleted.
 */
export interface SetUp {
  readonly as?: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: Json;
  readonly id?: number;
  readonly kind?: 'post' | 'term';
}

interface Deviation {
  /** The row of contract.md, section 16, or why the built-in site cannot answer the same. */
  readonly reason: string;
  readonly status: number;
  readonly code?: string;
  /** Whether the built-in site created something that a real site did not. */
  readonly undo?: boolean;
}

const API = '/wp-json/tribe/events/v1';
const at = { start_date: '2027-01-10 18:00:00', end_date: '2027-01-10 20:00:00' };
const full = recordedIn('05-update')[0]?.request.body;

/** Whether an exchange belongs to another interface (WordPress's own), or reads what such a request has changed. */
export const foreign = ({ name, request: { path } }: Exchange): boolean =>
  path.includes('/wp/v2/') || ['688-after-meta-update', '690-wpv2-created-seen-by-tec', '693-after'].includes(name);

const create = (id: number, body: JsonObject): SetUp => ({ path: `${API}/events`, body: { ...at, ...body }, id });

const BEFORE: Readonly<Record<string, readonly SetUp[]>> = {
  '330-update-slug-taken': [1, 2, 3].map((number) => create(9000 + number, { title: 'Mine', slug: 'my-slug' })),
  '356-allday-update-without-flag': [
    create(128, { title: 'AD', slug: 'ad', all_day: true, start_date: '2027-05-01', end_date: '2027-05-02' }),
  ],
  '361-update-scheduled-without-status': [create(61, { title: 'Scheduled', date: '2027-01-01 10:00:00' })],
  '362-draft-to-publish': [{ path: `${API}/events/55`, body: { title: 'draft upd', status: 'publish' } }],
  '364-update-other-type': [{ path: `${API}/organizers`, body: { organizer: 'No event' }, id: 1 }],
  '384-get-after-force-delete': [{ path: '', id: 44 }],
  '505-venue-create-same-name-other-city': [
    {
      path: `${API}/venues`,
      id: 8,
      body: {
        venue: 'Klub Żak',
        description: 'Opis',
        address: 'Grunwaldzka 195',
        city: 'Sopot',
        country: 'Poland',
        province: 'pomorskie',
        zip: '80-266',
        phone: '+48 58',
        website: 'https://zak.test/',
        stateprovince: '',
      },
    },
  ],
  '519-venues-search': [{ path: `${API}/venues/8`, body: { venue: 'Klub Żak 2', city: '' } }],
  '557-categories-hide-empty-false': [
    { path: `${API}/categories`, body: { name: 'Jazz', parent: 2 }, id: 3, kind: 'term' },
    { path: `${API}/categories`, body: { name: 'Muzyka', parent: 3 }, id: 4, kind: 'term' },
  ],
  '600-list-default-anon': beforeFilters(),
};

/** The requests that must precede an exchange. Each update was recorded on the same event in its original state. */
export function setUps({ name, request: { method, path } }: Exchange): readonly SetUp[] {
  const isTried = method !== 'GET' && /\/events\/(?:108|by-slug\/pelne)$/.test(path);
  return isTried && full !== undefined && isObject(full)
    ? [{ path: `${API}/events/108`, body: { ...full, status: 'publish' } }, ...(BEFORE[name] ?? [])]
    : (BEFORE[name] ?? []);
}

/** The venues, terms and events of the recorded lists, rebuilt from the answers, and a hidden event. */
function beforeFilters(): SetUp[] {
  const events = new Map<number, JsonObject>();
  for (const {
    response: { body },
  } of recordedIn('09-filters')) {
    if (isObject(body) && Array.isArray(body['events']))
      for (const event of body['events'] as JsonObject[]) events.set(Number(event['id']), event);
  }
  const steps = [...events].map(([id, event]) =>
    create(id, {
      title: event['title']!,
      status: event['status']!,
      start_date: event['start_date']!,
      end_date: event['end_date']!,
      timezone: event['timezone']!,
      all_day: event['all_day']!,
      featured: event['featured']!,
      sticky: event['sticky']!,
      description: String(event['description']).replace(/<\/?p>/g, ''),
      categories: (event['categories'] as JsonObject[]).map((term) => term['id']!),
      tags: (event['tags'] as JsonObject[]).map((term) => term['id']!),
      venue: isObject(event['venue']) ? event['venue']['id']! : [],
      organizer: (event['organizer'] as JsonObject[]).map((organizer) => organizer['id']!),
    }),
  );
  return [
    { path: `${API}/categories`, body: { name: 'Muzyka' }, id: 2, kind: 'term' },
    { path: `${API}/categories`, body: { name: 'Jazz', parent: 2 }, id: 3, kind: 'term' },
    { path: `${API}/tags`, body: { name: 'plener' }, id: 4, kind: 'term' },
    { path: `${API}/venues`, body: { venue: 'V1', city: 'Gdańsk' }, id: 7 },
    { path: `${API}/venues`, body: { venue: 'V2' }, id: 8 },
    { path: `${API}/organizers`, body: { organizer: 'O1' }, id: 9 },
    ...[...steps, create(17, { title: 'H hidden', hide_from_listings: true })].sort(
      (one, other) => one.id! - other.id!,
    ),
  ];
}

const listed = (reason: string, status: number, ...names: readonly string[]): Record<string, Deviation> =>
  Object.fromEntries(names.map((name) => [name, { reason, status }]));

/** Where the built-in site deliberately answers differently, and how. */
export const deviations: Readonly<Record<string, Deviation>> = {
  '109-create-end-before-start': {
    reason: 'an end before the start is refused',
    status: 400,
    code: 'rest_invalid_param',
  },
  '160-get-end-before-start': { reason: 'the event of 109 does not exist', status: 404, code: 'rest-event-not-found' },
  ...listed('an offset as time zone is called UTC+2, whatever library formats it', 201, '120-create-tz-offset-colon'),
  ...listed('an offset in a date is honoured', 201, '124-create-start-Z', '125-create-start-offset'),
  ...listed('in an hour that occurs twice, a time means the first (RFC 5545, 3.3.5)', 201, '134-create-dst-ambiguous'),
  ...listed('a cost of 0 is kept on create as on update', 201, '140-create-cost'),
  ...listed('`modified` is the time of the change', 201, '173-create-date-past'),
  ...listed('`modified` is the time of the change', 200, '340-get-backdated'),
  '184-create-image-404': {
    reason: '`details` says why an image cannot be used',
    status: 400,
    code: 'rest_invalid_param',
  },
  ...listed(
    '`venue` takes a list, `organizer` a single object',
    201,
    '194-create-venue-list',
    '196-create-venue-obj-new',
    '197-create-venue-obj-new-same-again',
    '233-org-obj-single',
    '239-venue-obj-list1',
    '240-org-failed-leaves-venue',
  ),
  ...listed(
    'an existing name creates another venue',
    201,
    '198-create-venue-obj-same-name-other-city',
    '237-venue-obj-same-exact',
    '238-venue-obj-same-plus-field',
    '251-venue-obj-B-same-name',
  ),
  '505-venue-create-same-name-other-city': {
    reason: 'an existing name creates another venue',
    status: 201,
    undo: true,
  },
  ...listed(
    'the venues and organizers of the rows above',
    200,
    '231-venues-after',
    '232-organizers-after',
    '252-venues-search',
  ),
  ...listed(
    'an existing tag is found by its name and slug',
    201,
    '213-create-terms-by-name',
    '214-create-terms-csv',
    '219-create-terms-parent-path',
    '243-tag-existing-name',
  ),
  ...listed('an existing tag is found by its name and slug', 200, '230-tags-after-name-bug'),
  '220-create-terms-wrong-tax': { reason: 'unknown ids of terms are refused', status: 400, code: 'rest_invalid_param' },
  ...listed(
    'null, [], "" and 0 clear a field',
    200,
    '314-update-clear-venue-null',
    '315-update-clear-venue-empty-string',
    '316-update-clear-venue-0',
    '321-update-clear-description',
    '325-update-clear-image',
    '347-clear-venue-try',
  ),
  '346-clear-venue-try': {
    reason: 'a list is accepted; an invalid entry makes the parameter invalid',
    status: 400,
    code: 'rest_invalid_param',
  },
  '308-update-start-only': {
    reason: 'each date can be set alone: this start is after the end',
    status: 400,
    code: 'rest_invalid_param',
  },
  ...listed('an update only changes the fields that it names: the website stays', 200, '378-untrash-by-update'),
  ...listed(
    'an update only changes the fields that it names: a draft stays a draft',
    200,
    '360-update-draft-without-status',
    '360-update-pending-without-status',
  ),
  ...listed(
    'an update only changes the fields that it names: a trashed event stays in the trash',
    200,
    '386-update-trashed',
  ),
  ...listed(
    'strict dates are read in the time zone of the site',
    200,
    '608b-list-starts_after-strict-minus1',
    '611-list-ends_before-strict',
    '613b-strict-1',
    '663-next-url-loses-strict',
  ),
  ...listed(
    '`include` lifts the date window',
    200,
    '637-list-include',
    '638-list-include-array',
    '639-list-include-draft-admin',
    '660-include-with-wide-dates',
    '661-include-hidden-wide-admin',
  ),
  ...listed('`geoloc` is a filter', 200, '655-list-geoloc'),
  ...listed('editors who ask for a status see hidden events', 200, '672-status-publish-future'),
};
