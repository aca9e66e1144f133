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
// A parameter that nobody reads makes an address that nobody has asked for; 7919 is a prime, so events take turns.
const any = (next: number, events: number): number => 1 + ((next * 7919) % events);
const words = 100;

const LISTS: readonly Row[] = [
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
].map((row) => ({
  ...row,
  path: (next: number, events: number) => `${row.path(next, events)}&_=${next}`,
  method: 'GET',
  floor: 'statements and bytes',
  goal: 1.5,
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
    bound: 'Two statements, one after the other, and making what is answered of the row.',
  },
  ...LISTS,
  {
    name: 'search, never asked',
    method: 'GET',
    path: (next, events) => `${NS}/events?per_page=50&search=event+${any(next, events)}&_=${next}`,
    floor: 'statements and bytes',
    goal: 1.5,
    bound: 'The index of trigrams, which is asked for the total, then for the page.',
  },
  ...['/', '/month/2027-01/', '/event/event-5/'].map((path): Row => ({
    name: `${path === '/' ? 'list' : path.split('/')[1]} page`,
    method: 'GET',
    path: (next) => `${path}?_=${next}`,
    floor: 'statements and bytes',
    bound: path.startsWith('/month') ? 'Reading up to 1,000 events, 50 at a time.' : 'Making the HTML.',
  })),
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
