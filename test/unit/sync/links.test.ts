import { describe, expect, it, test } from 'vitest';
import type { OrganizerDraft, VenueDraft } from '../../../src/sync/model/draft.ts';
import { linksFor, type Links } from '../../../src/sync/links/links.ts';
import type { SiteEvent, Snapshot } from '../../../src/sync/model/plan.ts';
import { draftOf, policyOf } from '../../support/drafts.ts';

const EMPTY: Snapshot = { events: new Map(), categories: [], tags: [], venues: [], organizers: [] };
type Wanted = {
  readonly categories?: readonly string[];
  readonly venues?: readonly VenueDraft[];
  readonly organizers?: readonly OrganizerDraft[];
};

function linked(
  { categories = [], venues = [], organizers = [] }: Wanted,
  snapshot: Partial<Snapshot>,
  coordinates = true,
): { readonly links: Links; readonly found: readonly string[] } {
  const drafts = [
    draftOf('1', { categories, organizer: organizers }),
    ...venues.map((venue, index) => draftOf(`v${index}`, { venue: [venue] })),
  ];
  const links = linksFor(drafts, { ...EMPTY, ...snapshot }, policyOf({ venueCoordinates: coordinates }));
  const refs = [
    ...links.refsOf('categories', categories),
    ...venues.flatMap((venue) => links.refsOf('venue', [venue])),
    ...links.refsOf('organizer', organizers),
  ];
  return {
    links,
    found: refs.map((ref) => `${ref}${links.get(ref)?.id === null ? ' (new)' : ` = ${links.get(ref)?.id}`}`),
  };
}

describe('terms are looked up before they are created', () => {
  const cases: readonly (readonly [
    string,
    readonly string[],
    readonly { id: number; slug: string; name: string }[],
    readonly string[],
  ])[] = [
    ['by name, whatever its case', ['MUSIC'], [{ id: 1, slug: 'x', name: 'Music' }], ['categories:Music = 1']],
    ['by slug', ['Live Music'], [{ id: 1, slug: 'live-music', name: 'Concerts' }], ['categories:Concerts = 1']],
    [
      'the name before the slug',
      ['Kids'],
      [
        { id: 1, slug: 'kids', name: 'Children' },
        { id: 2, slug: 'kids-2', name: 'Kids' },
      ],
      ['categories:Kids = 2'],
    ],
    ['spellings of one name make one term', ['Café', 'CAFE', 'cafe'], [], ['categories:CAFE (new)']],
    [
      'a name in another script is more than its number',
      ['Музыка 2', 'Спорт 2'],
      [{ id: 1, slug: '2', name: '2' }],
      ['categories:Музыка 2 (new)', 'categories:Спорт 2 (new)'],
    ],
    [
      'symbols make a difference',
      ['C', 'C++', 'C#'],
      [{ id: 1, slug: 'c', name: 'C' }],
      ['categories:C = 1', 'categories:C++ (new)', 'categories:C# (new)'],
    ],
    [
      'names without Latin letters',
      ['東京', '大阪'],
      [{ id: 3, slug: '%e6%9d%b1%e4%ba%ac', name: '東京' }],
      ['categories:東京 = 3', 'categories:大阪 (new)'],
    ],
  ];
  it.each(cases)('%s', (_name, categories, onSite, found) =>
    expect(linked({ categories }, { categories: onSite }).found).toEqual(found),
  );
});

const showing = (id: number): readonly [string, SiteEvent] => [
  `event-${id}`,
  {
    id: 10 + id,
    slug: `event-${id}`,
    status: 'publish',
    values: {},
    terms: { categories: [{ id, slug: `music-${id}`, name: 'Music' }], tags: [] },
  },
];

test('of equal terms that only events show, the oldest is taken, in whichever order the events were read', () => {
  for (const ids of [
    [1, 2],
    [2, 1],
  ])
    expect(linked({ categories: ['Music'] }, { events: new Map(ids.map(showing)) }).found).toEqual([
      'categories:Music = 1',
    ]);
});

const site = (id: number, venue: string, more: object = {}) => ({
  id,
  slug: venue.toLowerCase().replace(/\W+/g, '-'),
  venue,
  ...more,
});

describe('venues are looked up before they are created', () => {
  const cases: readonly (readonly [
    string,
    readonly VenueDraft[],
    readonly ReturnType<typeof site>[],
    readonly string[],
  ])[] = [
    ['by name', [{ venue: 'hall a' }], [site(1, 'Hall A')], ['venues:Hall A = 1']],
    [
      'by the whole name, whatever its script',
      [{ venue: '社区中心, Street 1' }, { venue: 'מרכז הקהילה, Street 1' }, { venue: 'Зал 1' }],
      [site(1, 'Street 1'), site(2, 'ЗАЛ 1')],
      ['venues:社区中心, Street 1 (new)', 'venues:מרכז הקהילה, Street 1 (new)', 'venues:ЗАЛ 1 = 2'],
    ],
    [
      'by slug, without accents and signs',
      [{ venue: 'Kino „Żak”' }],
      [{ id: 1, slug: 'kino-zak', venue: 'Kino "Żak"' }],
      ['venues:Kino "Żak" = 1'],
    ],
    [
      'the same name in the same city',
      [{ venue: 'Hall', city: 'SOPOT' }],
      [site(1, 'Hall', { city: 'Sopot' })],
      ['venues:Hall = 1'],
    ],
    [
      'the same name in another city is another venue',
      [{ venue: 'Hall', city: 'Sopot' }],
      [site(1, 'Hall', { city: 'Gdynia' })],
      ['venues:Hall (Sopot) (new)'],
    ],
    [
      'a venue whose name got its city is found again',
      [{ venue: 'Hall', city: 'Sopot' }],
      [site(1, 'Hall', { city: 'Gdynia' }), site(2, 'Hall (Sopot)', { city: 'Sopot' })],
      ['venues:Hall (Sopot) = 2'],
    ],
    [
      'two new ones of one name in two cities',
      [
        { venue: 'Hall', city: 'Sopot' },
        { venue: 'Hall', city: 'Gdynia' },
      ],
      [],
      ['venues:Hall (Sopot) (new)', 'venues:Hall (new)'],
    ],
    [
      "the site's venue without a city belongs to one city only",
      [
        { venue: 'Hall', city: 'Sopot' },
        { venue: 'Hall', city: 'Gdynia' },
      ],
      [site(1, 'Hall')],
      ['venues:Hall (Sopot) (new)', 'venues:Hall = 1'],
    ],
    [
      'of two in one city, the one at the address',
      [{ venue: 'Hall', city: 'Sopot', address: '2, Main St.' }],
      [
        site(1, 'Hall', { city: 'Sopot', address: 'Main St 1' }),
        { ...site(2, 'Hall', { city: 'Sopot', address: '2 Main St' }), slug: 'hall-2' },
      ],
      ['venues:Hall #2 = 2'],
    ],
    [
      'a bare name finds the one that another event describes',
      [{ venue: 'Hall' }, { venue: 'Hall', city: 'Sopot', address: 'Main St 1' }],
      [],
      ['venues:Hall (new)', 'venues:Hall (new)'],
    ],
  ];
  it.each(cases)('%s', (_name, venues, onSite, found) =>
    expect(linked({ venues }, { venues: onSite }).found).toEqual(found),
  );

  it('are created from the event that says most of them, with coordinates only if the site accepts them', () => {
    const venues = [{ venue: 'Hall' }, { venue: 'Hall', city: 'Sopot', geo_lat: 54.4, geo_lng: 18.5 }];
    expect(linked({ venues }, {}).links.get('venues:Hall')?.create).toMatchObject({
      fields: { venue: 'Hall', city: 'Sopot', geo_lat: 54.4, geo_lng: 18.5 },
    });
    expect(linked({ venues }, {}, false).links.get('venues:Hall')?.create).toEqual({
      kind: 'create',
      resource: 'venues',
      ref: 'venues:Hall',
      fields: { venue: 'Hall', city: 'Sopot' },
    });
  });
});

describe('organizers are looked up before they are created', () => {
  it('by name or slug, the oldest of several', () => {
    const organizers = [
      { id: 9, slug: 'club-2', organizer: 'Club' },
      { id: 4, slug: 'club', organizer: 'Club' },
    ];
    expect(linked({ organizers: [{ organizer: 'CLUB' }, { organizer: 'Koło' }] }, { organizers }).found).toEqual([
      'organizers:Club = 4',
      'organizers:Koło (new)',
    ]);
  });
});
