import { listCases, type Case, type Query, type Refusal } from './case.ts';
import type { Made } from './made.ts';

type Signs = readonly [positive: readonly Query[], negative: readonly Query[]];
const UNKNOWN = 2_000_000_000;
const INVALID: Refusal = {};
const gives = (query: Query['query'], names: readonly string[], more: Partial<Query> = {}): Query => ({
  query,
  gives: names,
  ...more,
});
const refuses = (query: Query['query'], refusal: Refusal = INVALID, more: Partial<Query> = {}): Query => ({
  query,
  refuses: refusal,
  ...more,
});

const language: Signs = [
  [gives('translation_language=pl', [], { ours: true })],
  [refuses('translation_language=de', INVALID, { ours: true })],
];

/** Paging: the first two names of the list, and what is not a page. */
const paging = (first: string, second: string, missing: Query): Readonly<Record<string, Signs>> => ({
  page: [
    [gives('page=2&per_page=1', [second]), gives('page=1&per_page=1', [first])],
    [refuses('page=0'), refuses('page=first'), missing],
  ],
  per_page: [[gives('per_page=1', [first])], [refuses('per_page=0'), refuses('per_page=1.5'), refuses('per_page[]=1')]],
});

const archiveEnd = (thing: string): Query =>
  refuses('page=99', { status: 404, code: `${thing}-archive-page-not-found` });

const both = ['near', 'far'];
const dated = (
  name: string,
  days: number,
  names: readonly string[],
  wrong: string,
): Readonly<Record<string, Signs>> => ({
  [name]: [[gives(({ day }: Made) => `${name}=${day(days)}`, names)], [refuses(`${name}=${wrong}`)]],
});

const events: Readonly<Record<string, Signs>> = {
  ...paging('near', 'far', archiveEnd('event')),
  ...dated('start_date', 35, ['far'], 'nonsense'),
  ...dated('end_date', 35, ['near'], '2027-13-01'),
  ...dated('starts_before', 30, ['past', 'near'], '25%2F12%2F2026'),
  ...dated('starts_after', 30, ['far'], 'soon'),
  ...dated('ends_before', 30, ['past', 'near'], '12:99'),
  ...dated('ends_after', 30, ['far'], '2027-01-01T10:00:00%2B99:00'),
  strict_dates: [
    [
      gives(({ day }) => `strict_dates=true&starts_after=${day(30)}T09:59:59`, both, { ours: true }),
      gives(({ day }) => `strict_dates=1&starts_after=${day(30)}T10:00:00`, ['far'], { ours: true }),
      gives(({ day }) => `strict_dates=false&starts_after=${day(30)}T09:59:59`, ['far']),
    ],
    [refuses('strict_dates=0'), refuses('strict_dates=sometimes', INVALID, { ours: true })],
  ],
  search: [
    [
      gives(({ key }) => `search=${key}+near`, ['near']),
      gives(({ key }) => `search=${key}+saxophone`, ['near']),
      gives(({ key }) => `search=${key}+-saxophone`, ['far']),
    ],
    [refuses('search='), refuses('search[]=a')],
  ],
  categories: [
    [
      gives(({ category }) => `categories=${category.id}`, both),
      gives(
        ({ child, category }) =>
          `categories[]=${child.slug}&categories[]=${child.id}&venue=&page=1&ignored=${category.id}`,
        ['far'],
      ),
    ],
    [refuses(`categories=${UNKNOWN}`), refuses('categories=nothing-of-the-kind')],
  ],
  tags: [
    [
      gives(({ otherTag }) => `tags=${otherTag.slug}`, ['near']),
      gives(({ tag, otherTag }) => `tags=${tag.id},${otherTag.id}`, both),
    ],
    [refuses(`tags=${UNKNOWN}`), refuses('tags=nothing-of-the-kind')],
  ],
  venue: [
    [
      gives(({ venue }) => `venue=${venue.id}`, ['near']),
      gives(({ venue, farVenue }) => `venue[]=${venue.id}&venue[]=${farVenue.id}`, both),
    ],
    [refuses(`venue=${UNKNOWN}`), refuses('venue=hall'), refuses(({ organizer }) => `venue=${organizer.id}`)],
  ],
  organizer: [
    [gives(({ otherOrganizer }) => `organizer=${otherOrganizer.id}`, ['far'])],
    [refuses(`organizer=${UNKNOWN}`), refuses(({ venue }) => `organizer=${venue.id}`)],
  ],
  featured: [
    [gives('featured=true', ['near']), gives('featured=0', ['far'])],
    [refuses('featured=maybe'), refuses('featured=')],
  ],
  status: [
    [
      gives('status=draft', ['draft'], { as: 'editor' }),
      gives('status=publish,draft', ['near', 'far', 'draft'], { as: 'editor' }),
      gives('status=publish', both),
    ],
    [
      refuses('status=draft'),
      refuses('status=any', INVALID, { as: 'editor' }),
      refuses('status=nonsense', INVALID, { as: 'editor' }),
    ],
  ],
  geoloc: [
    [
      gives('geoloc=true', both, { ours: true }),
      gives(({ day }) => `geoloc=false&ends_before=${day(29)}`, ['past'], { ours: true }),
    ],
    [refuses('geoloc=maybe')],
  ],
  geoloc_lat: [
    [
      gives('geoloc_lat=54.46&geoloc_lng=18.6', ['far', 'near'], { ours: true }),
      gives('geoloc_lat=54.34&geoloc_lng=18.66', both, { ours: true }),
      gives('geoloc_lat=50&geoloc_lng=18.66', [], { ours: true }),
    ],
    [
      refuses('geoloc_lat=91&geoloc_lng=18', INVALID, { ours: true }),
      refuses('geoloc_lat=54', { names: 'geoloc_lng' }, { ours: true }),
    ],
  ],
  geoloc_lng: [
    [gives('geoloc_lng=18.65&geoloc_lat=54.35', both, { ours: true })],
    [
      refuses('geoloc_lng=west&geoloc_lat=54', INVALID, { ours: true }),
      refuses('geoloc_lng=18', { names: 'geoloc_lat' }, { ours: true }),
    ],
  ],
  include: [
    [
      gives(({ past, far }) => `include=${past.id},${far.id},${UNKNOWN}`, ['far', 'past'], { ours: true }),
      gives(({ far, day }) => `include[]=${far.id}&start_date=${day(60)}`, ['far'], { ours: true }),
    ],
    [refuses('include=abc'), refuses('include=-4')],
  ],
  post_parent: [
    [gives(({ near }) => `post_parent=${near.id}`, [])],
    [refuses(`post_parent=${UNKNOWN}`), refuses(({ venue }) => `post_parent=${venue.id}`), refuses('post_parent=abc')],
  ],
  ticketed: [[gives('ticketed=false', both)], [refuses('ticketed=true'), refuses('ticketed=maybe')]],
  translation_language: [
    [gives('translation_language=en', both, { ours: true }), gives('translation_language=pl', [], { ours: true })],
    [refuses('translation_language=de', INVALID, { ours: true })],
  ],
};

const linked = (thing: 'venue' | 'organizer'): Readonly<Record<string, Signs>> => {
  const [kind, other] = thing === 'venue' ? ['hall', 'organizer' as const] : ['club', 'venue' as const];
  const [near, far, idle] = [`near ${kind}`, `far ${kind}`, `idle ${kind}`];
  const own = ({ venue, organizer }: Made): number => (thing === 'venue' ? venue : organizer).id;
  return {
    ...paging(idle, far, archiveEnd(thing)),
    search: [
      [
        gives(({ key }) => `search=${key}+near`, [near]),
        gives(({ key }) => `search=${key}+nothing`, [], { ours: true }),
      ],
      [refuses('search[]=a')],
    ],
    event: [
      [gives(({ near: event }) => `event=${event.id}`, [near]), gives(({ draft }) => `event=${draft.id}`, [])],
      [
        refuses(`event=${UNKNOWN}`),
        refuses('event=abc'),
        refuses((made) => `event=${made[other].id}`),
        refuses((made) => `event=${own(made)}`),
      ],
    ],
    // Every value is accepted: anything but `true`, `1`, `yes`, `on` and `y` means no.
    has_events: [
      [gives('has_events=yes', [far, near]), gives('has_events=1', [far, near])],
      [gives('has_events=false', [idle])],
    ],
    only_with_upcoming: [
      [gives('only_with_upcoming=true', [far, near], { ours: true })],
      [gives('only_with_upcoming=no', [idle, far, near])],
    ],
    status: [
      [gives('status=publish', [idle, far, near]), gives('status=draft', [], { as: 'editor' })],
      [refuses('status=draft'), refuses('status=nonsense', INVALID, { as: 'editor' })],
    ],
    translation_language: [
      [gives('translation_language=en', [idle, far, near], { ours: true }), ...language[0]],
      language[1],
    ],
  };
};

const terms = (taxonomy: 'categories' | 'tags'): Readonly<Record<string, Signs>> => {
  const [first, second, third] = taxonomy === 'tags' ? ['a tag', 'b tag', 'c tag'] : ['a music', 'b jazz', 'c unused'];
  const of = ({ category, child, tag, otherTag }: Made): readonly [number, number] =>
    taxonomy === 'tags' ? [tag.id, otherTag.id] : [category.id, child.id];
  const used = [first, second];
  return {
    ...paging(first, second, gives('page=99', [])),
    search: [
      [gives(({ key }) => `search=${key}+b`, [second], { ours: true }), gives('search=nothing-of-the-kind', [])],
      [refuses('search[]=a')],
    ],
    exclude: [
      [
        gives((made) => `exclude=${of(made)[0]}`, [second]),
        gives((made) => `exclude[]=${of(made)[0]}&exclude[]=${of(made)[1]}`, []),
      ],
      [refuses(`exclude=${UNKNOWN}`)],
    ],
    include: [[gives((made) => `include=${of(made)[1]}`, [second])], [refuses(`include=${UNKNOWN}`)]],
    order: [[gives('order=desc', [second, first]), gives('order=asc', used)], [refuses('order[]=asc')]],
    orderby: [
      [
        gives('orderby=id&order=desc', [second, first]),
        gives('orderby=slug', used),
        gives((made) => `orderby=include&include=${of(made)[1]},${of(made)[0]}`, [second, first]),
      ],
      [refuses('orderby[]=name')],
    ],
    hide_empty: [
      [gives('hide_empty=false', [first, second, third]), gives('hide_empty=1', used)],
      [refuses('hide_empty=maybe')],
    ],
    ...(taxonomy === 'categories' && {
      parent: [
        [gives(({ category }) => `parent=${category.id}`, [second])],
        [
          refuses(`parent=${UNKNOWN}`),
          refuses('parent=0'),
          refuses(({ tag }) => `parent=${tag.id}`, INVALID, { ours: true }),
        ],
      ],
    }),
    ...Object.fromEntries(
      ['post', 'event'].map((name): [string, Signs] => [
        name,
        [
          [gives(({ far }) => `${name}=${far.id}`, [taxonomy === 'tags' ? first : second])],
          [refuses(`${name}=${UNKNOWN}`), refuses(({ venue }) => `${name}=${venue.id}`)],
        ],
      ]),
    ),
    slug: [
      [
        gives(({ child, otherTag }) => `slug=${taxonomy === 'tags' ? otherTag.slug : child.slug}`, [second]),
        gives('slug=nothing-of-the-kind', []),
      ],
      [refuses('slug=')],
    ],
    translation_language: [[gives('translation_language=en', used, { ours: true }), ...language[0]], language[1]],
  };
};

/** Lists of events are limited to the suite's data by tag, other lists by the key in the names. */
const withinTag = ({ tag, key }: Made, param: string): string =>
  param === 'tags' ? `search=${key}` : `tags=${tag.id}`;
const withinKey = ({ key }: Made, param: string): string => (param === 'search' ? '' : `search=${key}`);

/** The filters of all lists (interface.md, 4.2, 4.4 and 4.5). */
export const queryCases: readonly Case[] = [
  ...listCases('listEvents', '/events', 'title', withinTag, events),
  ...listCases('listVenues', '/venues', 'venue', withinKey, linked('venue')),
  ...listCases('listOrganizers', '/organizers', 'organizer', withinKey, linked('organizer')),
  ...listCases('listCategories', '/categories', 'name', withinKey, terms('categories')),
  ...listCases('listTags', '/tags', 'name', withinKey, terms('tags')),
];
