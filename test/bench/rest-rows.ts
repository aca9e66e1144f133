/** A row of the benchmark of reading and writing over HTTP. */
export interface Row {
  readonly name: string;
  readonly method: string;
  /** `next` is a number that no other request has, `events` how many the site has. */
  readonly path: (next: number, events: number) => string;
  readonly body?: (next: number) => object;
  /** What it is compared with: the bytes alone, or the statements and the bytes together. */
  readonly floor: 'bytes' | 'statements and bytes';
  readonly goal?: number;
  /** How many requests are on their way at once; 4 unless it says otherwise. */
  readonly inFlight?: number;
  /** What bounds it. */
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
// 7919 is a prime, so events take turns.
const any = (next: number, events: number): number => 1 + ((next * 7919) % events);
const words = 100;

const LISTS = [
  {
    name: 'list of 50',
    path: () => `${NS}/events?per_page=50`,
    bound: 'Joining, sending and collecting as garbage what 50 events are; the database is only asked for their ids.',
  },
  {
    name: 'list of 50, anywhere',
    path: (next: number, events: number) =>
      `${NS}/events?per_page=50&starts_after=2000-01-01&page=${any(next, Math.floor(events / PER_PAGE))}`,
    bound:
      'Representing and writing 50 events that were not shown since the last write; the days before the page are skipped by their counts.',
  },
  {
    name: 'list of a category',
    path: (next: number) => `${NS}/events?per_page=50&categories=${1 + (next % 20)}`,
    bound: 'The same as a list of 50, and the index of terms.',
  },
  {
    name: 'list of a venue',
    path: (next: number) => `${NS}/events?per_page=50&venue=${1 + (next % 200)}`,
    bound: 'Representing events, and a statement of its own for whether the venue exists.',
  },
  {
    name: 'search, a word',
    path: (next: number) => `${NS}/events?per_page=50&search=word${100 + (next % words)}`,
    bound: 'The index of trigrams, which finds all events with the word for each page.',
  },
  {
    name: 'search, a number',
    path: (next: number, events: number) => `${NS}/events?per_page=50&search=event+${any(next, events)}`,
    bound: 'The index of trigrams, which is asked for the total, then for the page.',
  },
].map((row): Row => ({ ...row, method: 'GET', floor: 'statements and bytes', goal: 1.5 }));

/** A moment that no other request has named, before all events. */
const moment = (next: number): string => new Date(Date.UTC(2026, 0, 1) + next * 1_000).toISOString().slice(0, 19);

/** Each question is asked for the first time: its events are counted and looked up, though most were shown before. */
const ASKED_FIRST: readonly Row[] = LISTS.map((row) => ({
  ...row,
  path: (next, events) => `${row.path(next, events)}&strict_dates=true&ends_after=${moment(next)}`,
}));

/** The same few questions again and again, each time at an address that is new. */
const ASKED_ELSEWHERE: readonly Row[] = LISTS.map((row) => ({
  ...row,
  name: `${row.name}, another address`,
  path: (next, events) => `${row.path(next, events)}&_=${next}`,
  goal: 2,
  bound: 'Asking for the revision, finding what is kept, and joining what was written of 50 events.',
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
  bound: 'What node:http itself takes; what is left is the revision, which the database is asked for.',
}));

export const ROWS: readonly Row[] = [
  ...KEPT,
  {
    name: 'single read',
    method: 'GET',
    path: (next, events) => `${NS}/events/by-slug/event-${any(next, events)}?_=${next}`,
    floor: 'statements and bytes',
    goal: 1.5,
    bound: 'One statement, for several requests where they come together, and making what is answered of the row.',
  },
  ...ASKED_FIRST,
  ...ASKED_ELSEWHERE,
  ...['/', '/month/2027-01/', '/event/event-5/'].map((path): Row => ({
    name: `${path === '/' ? 'list' : path.split('/')[1]} page`,
    method: 'GET',
    path: (next) => `${path}?_=${next}`,
    floor: 'statements and bytes',
    bound: 'Making the HTML; what it shows is kept.',
  })),
  {
    name: 'page of any event',
    method: 'GET',
    path: (next, events) => `/event/event-${any(next, events)}/?_=${next}`,
    floor: 'statements and bytes',
    bound:
      'Making the HTML, and one statement for the event and its series, for several requests where they come together.',
  },
  {
    name: 'page of any venue',
    method: 'GET',
    path: (next) => `/venue/venue-${1 + (next % 200)}/?_=${next}`,
    floor: 'statements and bytes',
    bound: 'Representing up to 50 events, and making the HTML; of few events, those are kept.',
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
