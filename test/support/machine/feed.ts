import { instantFromWall, wallFromInstant, type Wall } from '../../../src/time.ts';
import { START } from '../syncing-app.ts';

/** An event or a series as a publisher keeps it. `token` is who it is, whatever its UID. */
export interface Item {
  readonly token: number;
  uid: string;
  title: string;
  venue: string;
  text: string;
  zone: string;
  state: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  categories: readonly string[];
  /** Days after the first day of the test, and hours after midnight, on the wall of its zone. */
  day: number;
  hour: number;
  hours: number;
  series: Series | null;
}

export interface Series {
  readonly every: 1 | 7;
  readonly count: number;
  readonly without: readonly number[];
  readonly changed: Readonly<Record<number, { readonly hours: number; readonly title?: string }>>;
}

/** What a feed says, occurrence by occurrence. */
export interface Said {
  readonly token: number;
  readonly index: number;
  readonly uid: string;
  readonly title: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly wall: Wall;
  readonly zone: string;
  readonly venue: string;
  readonly text: string;
  readonly state: Item['state'];
  readonly categories: readonly string[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const wallAt = ({ day, hour }: Pick<Item, 'day' | 'hour'>, days = 0, hours = 0): Wall =>
  wallFromInstant(Math.floor(START / DAY_MS) * DAY_MS + (day + days) * DAY_MS + (hour + hours) * HOUR_MS, 'UTC');

/** Every occurrence of an item. */
export function occurrencesOf(item: Item): readonly Said[] {
  const { token, uid, venue, text, state, categories, zone, hours, series } = item;
  const indexes =
    series === null
      ? [0]
      : Array.from({ length: series.count }, (_, index) => index).filter((index) => !series.without.includes(index));
  return indexes.map((index) => {
    const change = series?.changed[index];
    const wall = wallAt(item, index * (series?.every ?? 0), change?.hours ?? 0);
    const startsAt = instantFromWall(wall, zone);
    return {
      token,
      index,
      uid,
      title: change?.title ?? item.title,
      startsAt,
      endsAt: startsAt + hours * HOUR_MS,
      wall,
      zone,
      venue,
      text,
      state,
      categories,
    };
  });
}

/** The feed's bytes. */
export const feedText = (items: readonly Item[]): string =>
  `${['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//machine//EN', ...items.flatMap(componentsOf), 'END:VCALENDAR'].join('\r\n')}\r\n`;

function componentsOf(item: Item): readonly string[] {
  const { series } = item;
  if (series === null) return componentOf(item, wallAt(item), item.title, []);
  const startOf = (index: number): Wall => wallAt(item, index * series.every);
  const rule = [
    `RRULE:FREQ=${series.every === 1 ? 'DAILY' : 'WEEKLY'};COUNT=${series.count}`,
    ...series.without.map((index) => `EXDATE;TZID=${item.zone}:${digits(startOf(index))}`),
  ];
  const changed = Object.entries(series.changed).filter(
    ([index]) => Number(index) < series.count && !series.without.includes(Number(index)),
  );
  return [
    ...componentOf(item, startOf(0), item.title, rule),
    ...changed.flatMap(([index, { hours, title }]) =>
      componentOf(item, wallAt(item, Number(index) * series.every, hours), title ?? item.title, [
        `RECURRENCE-ID;TZID=${item.zone}:${digits(startOf(Number(index)))}`,
      ]),
    ),
  ];
}

const componentOf = (
  { uid, venue, text, state, categories, zone, hours }: Item,
  start: Wall,
  title: string,
  lines: readonly string[],
): readonly string[] => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTAMP:20261101T000000Z',
  `DTSTART;TZID=${zone}:${digits(start)}`,
  `DURATION:PT${hours}H`,
  `SUMMARY:${escaped(title)}`,
  `LOCATION:${escaped(venue)}`,
  `DESCRIPTION:${escaped(text)}`,
  `STATUS:${state}`,
  ...(categories.length > 0 ? [`CATEGORIES:${categories.map(escaped).join(',')}`] : []),
  ...lines,
  'END:VEVENT',
];

const digits = (wall: Wall): string => wall.replace(/[-:]/g, '').replace(' ', 'T');
const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&');
