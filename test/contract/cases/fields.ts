import { expect } from 'vitest';
import type { Collection, Made } from './made.ts';
import type { Fields, Field, Known } from './case.ts';

const UNKNOWN = 2_000_000_000;
const NOT_TEXT = { status: 400, code: 'rest_invalid_param' };

const text = (name: string): Field => ({ takes: `Some ${name}`, shows: { [name]: `Some ${name}` }, refuses: 5 });
const flag = (name: string): Field => ({ takes: true, shows: { [name]: true }, refuses: 'maybe' });
const dates: Fields = {
  date: { takes: '2026-01-02 03:04:05', shows: { date: '2026-01-02 03:04:05' }, refuses: 'nonsense' },
  date_utc: {
    takes: '2026-01-02 03:04:05',
    shows: { date_utc: '2026-01-02 03:04:05' },
    refuses: '2026-01-32',
    ours: true,
  },
};
const post: Fields = {
  ...dates,
  author: {
    takes: ({ near }: Made) => Number((near as unknown as { author: string }).author),
    shows: ({ near }: Made) => ({ author: (near as unknown as { author: string }).author }),
    refuses: UNKNOWN,
  },
  status: { takes: 'draft', shows: { status: 'draft' }, refuses: 'nonsense' },
  image: {
    takes: ({ target }: Made) => target.image,
    shows: ({ target }: Made) => ({ image: { id: Number(target.image) } }),
    refuses: 7,
    refusal: NOT_TEXT,
  },
  translation_language: { takes: 'pl', shows: { translation_language: 'pl' }, refuses: 'de', ours: true },
};

const paragraph = (words: string): string => `<p>${words}</p>`;

/** The fields of an event (interface.md, 2.1). */
export const eventFields: Fields = {
  ...post,
  title: {
    takes: ({ caseKey: key }: Made) => `${key} Rock & Roll`,
    shows: ({ caseKey: key }: Made) => ({ title: `${key} Rock &#038; Roll` }),
    refuses: '',
  },
  description: { takes: 'Doors at seven.', shows: { description: paragraph('Doors at seven.') }, refuses: 5 },
  excerpt: { takes: 'In short.', shows: { excerpt: paragraph('In short.') }, refuses: ['a'] },
  slug: {
    takes: ({ caseKey: key }: Made) => `${key}-slug-${Math.random()}`,
    shows: ({ caseKey: key }: Made) => ({ slug: expect.stringMatching(new RegExp(`^${key}-slug`)) as string }),
    refuses: '',
  },
  timezone: { takes: 'America/New_York', shows: { timezone: 'America/New_York' }, refuses: 'Mars/Olympus' },
  all_day: {
    takes: true,
    shows: {
      all_day: true,
      start_date: expect.stringMatching(/ 00:00:00$/) as string,
      end_date: expect.stringMatching(/ 23:59:59$/) as string,
    },
    refuses: 'yes',
  },
  start_date: {
    takes: '2027-01-10 17:30:00',
    shows: { start_date: '2027-01-10 17:30:00', end_date: '2027-01-10 20:00:00' },
    refuses: '2027-13-01',
    beside: { end_date: '2027-01-10 20:00:00' },
  },
  end_date: {
    takes: '2027-01-10 22:30:00',
    shows: { end_date: '2027-01-10 22:30:00', start_date: '2027-01-10 18:00:00' },
    refuses: '2027-01-10 25:00',
    beside: { start_date: '2027-01-10 18:00:00' },
  },
  cost: {
    takes: '25 zł',
    shows: { cost: '25zł', cost_details: { values: ['25'] } },
    refuses: [{ amount: 5 }],
    oursRefuses: true,
  },
  website: {
    takes: 'https://jazz.example/?a=1',
    shows: { website: 'https://jazz.example/?a=1' },
    refuses: 'not an address',
  },
  show_map: flag('show_map'),
  show_map_link: flag('show_map_link'),
  hide_from_listings: flag('hide_from_listings'),
  sticky: flag('sticky'),
  featured: flag('featured'),
  categories: {
    takes: ({ category }: Made) => [category.id],
    shows: ({ category }: Made) => ({ categories: [{ id: category.id }] }),
    refuses: [UNKNOWN],
    oursRefuses: true,
  },
  tags: {
    takes: ({ otherTag }: Made) => [otherTag.id],
    shows: ({ otherTag }: Made) => ({ tags: [{ id: otherTag.id }] }),
    refuses: [UNKNOWN],
    oursRefuses: true,
  },
  venue: {
    takes: ({ venue }: Made) => venue.id,
    shows: ({ venue }: Made) => ({ venue: { id: venue.id } }),
    refuses: UNKNOWN,
  },
  organizer: {
    takes: ({ organizer }: Made) => [organizer.id],
    shows: ({ organizer }: Made) => ({ organizer: [{ id: organizer.id }] }),
    refuses: [UNKNOWN],
  },
};

const address: Fields = {
  website: {
    takes: 'https://place.example/?a=1&b=2',
    shows: { website: 'https://place.example/?a=1&b=2' },
    refuses: 'javascript:alert(1)',
  },
  phone: text('phone'),
};
const words = (refuses: unknown): Field => ({
  takes: 'Some words.',
  shows: { description: paragraph('Some words.') },
  refuses,
});

/** The fields of a venue (interface.md, 2.2), with its coordinates. */
export const venueFields: Fields = {
  ...post,
  ...address,
  description: words({}),
  venue: {
    takes: ({ caseKey: key }: Made) => `${key} Hall`,
    shows: ({ caseKey: key }: Made) => ({ venue: `${key} Hall` }),
    refuses: '',
  },
  show_map: { takes: 'false', shows: { show_map: false }, refuses: 0 },
  show_map_link: { takes: '0', shows: { show_map_link: false }, refuses: 0 },
  ...Object.fromEntries(
    ['address', 'city', 'country', 'province', 'state', 'zip', 'stateprovince'].map((name) => [name, text(name)]),
  ),
  geo_lat: {
    takes: 54.35,
    shows: { geo_lat: 54.35, geo_lng: 18.65 },
    refuses: 91,
    beside: { geo_lng: 18.65 },
    ours: true,
  },
  geo_lng: {
    takes: '18.65',
    shows: { geo_lat: 54.35, geo_lng: 18.65 },
    refuses: 'east',
    beside: { geo_lat: 54.35 },
    ours: true,
  },
};

/** The fields of an organizer (interface.md, 2.3). */
export const organizerFields: Fields = {
  ...post,
  ...address,
  email: text('email'),
  description: words(5),
  organizer: {
    takes: ({ caseKey: key }: Made) => `${key} Club`,
    shows: ({ caseKey: key }: Made) => ({ organizer: `${key} Club` }),
    refuses: '',
  },
};

const termText: Fields = {
  name: {
    takes: ({ caseKey: key }: Made) => `${key} Rock & Roll`,
    shows: ({ caseKey: key }: Made) => ({ name: `${key} Rock &amp; Roll` }),
    refuses: '',
  },
  description: { takes: 'Words', shows: { description: 'Words' }, refuses: 5 },
  slug: {
    takes: ({ caseKey: key }: Made) => `${key}-term-${Math.random()}`,
    shows: ({ caseKey: key }: Made) => ({ slug: expect.stringMatching(new RegExp(`^${key}-term`)) as string }),
    refuses: '',
  },
  translation_language: { takes: 'pl', shows: { translation_language: 'pl' }, refuses: 'de', ours: true },
};
/** The fields of a tag and of a category (interface.md, 2.5 and 2.4). */
export const tagFields: Fields = termText;
export const categoryFields: Fields = {
  ...termText,
  parent: {
    takes: ({ category }: Made) => category.id,
    shows: ({ category }: Made) => ({ parent: category.id }),
    refuses: UNKNOWN,
  },
};

/** The required fields of each collection. */
export const required: Readonly<Record<Collection, Known<Readonly<Record<string, unknown>>>>> = {
  events: ({ caseKey: key }: Made) => ({
    title: `${key} Event`,
    start_date: '2027-01-10 18:00:00',
    end_date: '2027-01-10 20:00:00',
  }),
  venues: ({ caseKey: key }: Made) => ({ venue: `${key} Venue` }),
  organizers: ({ caseKey: key }: Made) => ({ organizer: `${key} Organizer` }),
  categories: ({ caseKey: key }: Made) => ({ name: `${key} Category ${Math.random()}` }),
  tags: ({ caseKey: key }: Made) => ({ name: `${key} Tag ${Math.random()}` }),
};
