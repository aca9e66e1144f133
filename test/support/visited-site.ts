import { createLogger } from '../../src/log.ts';
import { makeQrCodes } from '../../src/look/qr.ts';
import { startWeb } from '../../src/web/start-web.ts';
import { makePages } from '../../src/site/pages/handle-pages.ts';
import { makeMedia } from '../../src/site/store/media.ts';
import type { FetchImage } from '../../src/site/store/fetch-images.ts';
import { isResizerInstalled, makeResizer } from '../../src/site/store/resize.ts';
import { siteRevision } from '../../src/site/store/turn.ts';
import { dayAfter } from '../../src/time.ts';
import { builtinSite, type TestSite } from './builtin-site.ts';

/** A small town's site on a port, for browsers. Its current day is Wednesday, 25 November 2026. */
export interface VisitedSite {
  readonly site: TestSite;
  readonly url: string;
  readonly close: () => Promise<void>;
}

type Fields = Readonly<Record<string, unknown>>;

const LIBRARY = 'Main Library';
const allDay = (first: string, last: string): Fields => ({ start_date: first, end_date: last, all_day: true });
const at = (day: string, from: string, to: string): Fields => ({
  start_date: `${day} ${from}`,
  end_date: `${to < from ? dayAfter(day) : day} ${to}`,
});
const weekly = (first: string, count: number, event: (day: string) => Fields, step = 7): readonly Fields[] =>
  Array.from({ length: count }, (_, index) => event(dayAfter(first, step * index)));

/** The events in the town: single ones, long ones and recurring ones. */
const EVENTS: readonly Fields[] = [
  {
    title: 'Paper and ink: a century of posters',
    categories: ['Exhibition'],
    venue: 'Teatr Mały',
    ...allDay('2026-09-12', '2027-01-10'),
  },
  { title: 'A hundred winters', categories: ['Exhibition'], venue: LIBRARY, ...allDay('2026-12-01', '2027-02-28') },
  {
    title: 'Clay, glass, wool',
    categories: ['Exhibition'],
    venue: 'Town museum',
    ...allDay('2026-11-02', '2026-12-06'),
  },
  { title: 'Christmas market', categories: ['Market'], venue: 'Rynek', ...allDay('2026-12-04', '2026-12-06') },
  {
    title: 'Three days of bookbinding',
    categories: ['Workshop'],
    venue: LIBRARY,
    ...allDay('2026-11-26', '2026-11-28'),
  },
  { title: 'Winter swimming week', categories: ['Sport'], ...allDay('2026-12-18', '2026-12-22') },
  { title: 'School holidays', categories: ['Town hall'], ...allDay('2026-12-23', '2026-12-31') },
  ...weekly('2026-11-18', 16, (day) => ({
    title: 'Story time for small ears',
    categories: ['Children', 'Reading'],
    venue: LIBRARY,
    cost: '0',
    ...at(day, '16:00', '16:45'),
  })),
  ...weekly('2026-11-28', 8, (day) => ({
    title: 'Dziady, Part Two',
    categories: ['Drama'],
    venue: 'Teatr Mały',
    ...at(day, '19:00', '21:30'),
  })),
  ...weekly(
    '2026-11-26',
    6,
    (day) => ({ title: 'Reading club', categories: ['Reading'], venue: LIBRARY, ...at(day, '18:30', '20:00') }),
    14,
  ),
  ...weekly('2026-11-27', 3, (day) => ({
    title: 'Film club',
    categories: ['Talk'],
    venue: 'Teatr Mały',
    ...at(day, '20:00', '23:30'),
  })),
  {
    title: 'Open choir rehearsal',
    categories: ['Music'],
    venue: 'Community centre',
    ...at('2026-11-24', '18:00', '20:00'),
  },
  {
    title: 'Night sky over Zielonka: lecture, then telescopes',
    categories: ['Talk'],
    venue: 'Open University',
    ...at('2026-11-25', '18:00', '19:30'),
  },
  {
    title: 'Open session of the town council',
    categories: ['Town hall'],
    venue: 'Town hall',
    ...at('2026-11-25', '19:30', '21:30'),
  },
  { title: 'Toy swap', categories: ['Children'], venue: 'Community centre', ...at('2026-11-26', '17:00', '20:00') },
  {
    title: 'CANCELLED: Women: Zielonka – Ząbki',
    categories: ['Sport'],
    tags: ['cancelled'],
    venue: 'Stadion Miejski',
    ...at('2026-11-28', '11:00', '12:50'),
  },
  { title: 'Puppets on Sunday', categories: ['Children'], venue: 'Teatr Mały', ...at('2026-11-29', '11:00', '11:50') },
  { title: 'Books on wheels', categories: ['Reading'], ...allDay('2026-12-01', '2026-12-01') },
  { title: 'Budget hearing', categories: ['Town hall'], ...at('2026-12-03', '17:00', '19:00') },
  ...[
    'Juniors: Zielonka – Kobyłka',
    'Candles from beeswax',
    'St Nicholas on the Rynek',
    'Advent singing',
    'Gingerbread',
  ].map((title, index) => ({
    title,
    categories: [['Sport', 'Workshop', 'Children', 'Music', 'Workshop'][index]],
    ...at('2026-12-05', `1${index}:00`, `1${index}:50`),
  })),
  { title: 'Advent choir', categories: ['Music'], venue: 'St Mary’s', ...at('2026-12-06', '17:00', '18:30') },
  { title: 'Library closed', ...allDay('2026-12-24', '2026-12-24') },
  {
    title: 'Concert into the New Year',
    categories: ['Music'],
    venue: 'Town hall',
    ...at('2026-12-31', '22:00', '01:00'),
  },
  {
    title: 'Season finale and barbecue',
    categories: ['Sport'],
    organizer: { organizer: 'KS Zielonka' },
    ...at('2026-06-13', '15:00', '21:00'),
  },
];

/** Opens the site with these events and `more`. */
export async function visitedSite(
  more: readonly Fields[] = [],
  languages: readonly string[] = ['en'],
  fetchImage?: FetchImage,
): Promise<VisitedSite> {
  const site = await builtinSite({ title: 'What’s on in Zielonka', languages: [...languages] }, undefined, fetchImage);
  site.clock.now = Date.parse('2026-11-25T08:00:00Z');
  const venues = new Map<string, number>();
  for (const { venue, ...event } of [...EVENTS, ...more]) {
    const known = typeof venue === 'string' ? venues.get(venue) : undefined;
    const { body } = await site.ask('administrator', 'POST', '/events', {
      ...event,
      ...(venue === undefined ? {} : { venue: known ?? (typeof venue === 'string' ? { venue } : venue) }),
    });
    if (typeof venue === 'string') venues.set(venue, body.venue.id);
  }
  const { db, settings, answer, clock } = site;
  const pages = makePages({ db, settings, answer, revision: () => siteRevision(db), now: () => clock.now });
  const web = await startWeb(
    { host: '127.0.0.1', port: 0 },
    [
      ['/media/*', makeMedia(db, isResizerInstalled() ? makeResizer() : undefined)],
      ['/qr/*', makeQrCodes(settings.publicUrl)],
      ['*', pages],
    ],
    createLogger('error'),
  );
  return {
    site,
    url: web.url,
    close: async () => {
      await web.close();
      await site.close();
    },
  };
}
