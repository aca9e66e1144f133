/** A row of the benchmark for requests over HTTP. */
export interface Row {
  readonly name: string;
  readonly method: string;
  /** `next` is a number that no other request has, `events` the number of events on the site. */
  readonly path: (next: number, events: number) => string;
  readonly body?: (next: number) => object;
  /** The floor: the bytes alone, or the statements and the bytes. */
  readonly floor: 'bytes' | 'statements and bytes';
  readonly goal?: number;
  /** How many requests are in flight at a time; 4 by default. */
  readonly inFlight?: number;
  /** What limits it. */
  readonly bound: string;
}

const event = (next: number): object => ({
  title: `Bench ${next}`,
  slug: `bench-${next}`,
  start_date: '2027-03-01 18:00:00',
  end_date: '2027-03-01 20:00:00',
  venue: 1,
  categories: [1],
  description: 'Doors at seven.',
});
const NS = '/api/calendar/events/v1';
const PER_PAGE = 50;
// 7919 is prime, so consecutive requests visit different events.
const any = (next: number, events: number): number => 1 + ((next * 7919) % events);
const words = 100;

const LISTS = [
  {
    name: 'list of 50',
    path: () => `${NS}/events?per_page=50`,
    bound: 'Joining and sending 50 cached events, and garbage collection; the database only returns their ids.',
  },
  {
    name: 'list of 50, anywhere',
    path: (next: number, events: number) =>
      `${NS}/events?per_page=50&starts_after=2000-01-01&page=${any(next, Math.floor(events / PER_PAGE))}`,
    bound:
      'Representing and serialising 50 events that are not cached; the days before the page are skipped by their counts.',
  },
  {
    name: 'list of a category',
    path: (next: number) => `${NS}/events?per_page=50&categories=${1 + (next % 20)}`,
    bound: 'As for a list of 50, and the index of terms.',
  },
  {
    name: 'list of a venue',
    path: (next: number) => `${NS}/events?per_page=50&venue=${1 + (next % 200)}`,
    bound: 'Representing events, and a separate statement that checks whether the venue exists.',
  },
  {
    name: 'search, a word',
    path: (next: number) => `${NS}/events?per_page=50&search=word${100 + (next % words)}`,
    bound: 'The trigram index, which finds all events with the word for each page.',
  },
  {
    name: 'search, a number',
    path: (next: number, events: number) => `${NS}/events?per_page=50&search=event+${any(next, events)}`,
    bound: 'The trigram index, which is used for the total and again for the page.',
  },
].map((row): Row => ({ ...row, method: 'GET', floor: 'statements and bytes', goal: 1.5 }));

/** A moment before all events that no other request has used. */
const moment = (next: number): string => new Date(Date.UTC(2026, 0, 1) + next * 1_000).toISOString().slice(0, 19);

/**
 * Lists that are requested for the first time: they have to be counted and looked up, though most of their events are
 * cached.
 */
const ASKED_FIRST: readonly Row[] = LISTS.map((row) => ({
  ...row,
  path: (next, events) => `${row.path(next, events)}&strict_dates=true&ends_after=${moment(next)}`,
}));

/** The same few lists repeatedly, each time at a new address. */
const ASKED_ELSEWHERE: readonly Row[] = LISTS.map((row) => ({
  ...row,
  name: `${row.name}, another address`,
  path: (next, events) => `${row.path(next, events)}&_=${next}`,
  goal: 2,
  bound: 'Reading the revision, finding the cached list, and joining 50 serialised events.',
}));

const KEPT: readonly Row[] = [
  { name: 'single read, again', path: () => `${NS}/events/by-slug/event-5`, goal: 2 },
  { name: 'list of 50, again', path: () => `${NS}/events?per_page=50`, goal: 2 },
  { name: 'search, again', path: () => `${NS}/events?per_page=50&search=word105`, goal: 2 },
  { name: 'list page, again', path: () => '/', goal: 3 },
  { name: 'month page, again', path: () => '/month/2027-01/', goal: 3 },
  { name: 'event page, again', path: () => '/event/event-5/', goal: 3 },
].map((row) => ({
  ...row,
  method: 'GET',
  floor: 'bytes',
  inFlight: 16,
  bound: 'The cost of node:http itself; the rest is reading the revision from the database.',
}));

export const ROWS: readonly Row[] = [
  ...KEPT,
  {
    name: 'single read',
    method: 'GET',
    path: (next, events) => `${NS}/events/by-slug/event-${any(next, events)}?_=${next}`,
    floor: 'statements and bytes',
    goal: 1.5,
    bound: 'One statement, shared by requests that arrive together, and making an answer of the row.',
  },
  ...ASKED_FIRST,
  ...ASKED_ELSEWHERE,
  ...['/', '/month/2027-01/', '/event/event-5/'].map((path): Row => ({
    name: `${path === '/' ? 'list' : path.split('/')[1]} page`,
    method: 'GET',
    path: (next) => `${path}?_=${next}`,
    floor: 'statements and bytes',
    bound: 'Making the HTML; its content is cached.',
  })),
  {
    name: 'page of any event',
    method: 'GET',
    path: (next, events) => `/event/event-${any(next, events)}/?_=${next}`,
    floor: 'statements and bytes',
    bound: 'Making the HTML, and one statement for the event and its series, shared by requests that arrive together.',
  },
  {
    name: 'page of any venue',
    method: 'GET',
    path: (next) => `/venue/venue-${1 + (next % 200)}/?_=${next}`,
    floor: 'statements and bytes',
    bound: 'Representing up to 50 events, and making the HTML; on a small site, the events are cached.',
  },
  {
    name: 'create',
    method: 'POST',
    path: () => `${NS}/events`,
    body: event,
    floor: 'statements and bytes',
    goal: 1.5,
    bound: 'Its transaction.',
  },
  {
    name: 'batch of 25',
    method: 'POST',
    path: () => '/api/batch/v1',
    body: (next) => ({
      requests: Array.from({ length: 25 }, (_, index) => ({
        path: '/calendar/events/v1/events',
        body: event(next * 25 + index),
      })),
    }),
    floor: 'statements and bytes',
    goal: 1.5,
    bound: 'Its transaction.',
  },
];
