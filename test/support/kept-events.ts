import fc from 'fast-check';
import { wallFromInstant, type Wall } from '../../src/time.ts';
import { START } from './syncing-app.ts';

// Events as a test's publisher keeps them, and the feed that is written from them.

/** A single event or a series. */
export interface KeptEvent {
  readonly uid: string;
  readonly title: string;
  readonly place: string;
  readonly text: string;
  readonly organizer: string;
  readonly zone: string;
  readonly state: string;
  readonly categories: readonly string[];
  /** Days after the first day of the test and hours after midnight, in local time. */
  readonly day: number;
  readonly hour: number;
  readonly hours: number;
  readonly series: KeptSeries | null;
}

interface KeptSeries {
  readonly every: 1 | 7;
  readonly count: number;
  readonly without: readonly number[];
  /** What differs on one date: the start by so many hours, and perhaps the title. */
  readonly changed: Readonly<Record<number, { readonly hours: number; readonly title?: string | undefined }>>;
}

/** Arbitraries for the times of a new event. */
export const keptTimes = {
  day: fc.integer({ min: 1, max: 40 }),
  hour: fc.integer({ min: 8, max: 20 }),
  hours: fc.integer({ min: 1, max: 3 }),
  series: fc.option(
    fc.record({ every: fc.constantFrom(1 as const, 7 as const), count: fc.integer({ min: 2, max: 5 }) }),
    { freq: 3 },
  ),
};

/** An arbitrary for an action, as plain data. */
export const doing = <K extends string, T extends object>(
  kind: K,
  parts: { [P in keyof T]: fc.Arbitrary<T[P]> },
): fc.Arbitrary<{ readonly kind: K } & Readonly<T>> =>
  // The record has exactly these keys.
  fc.record({ kind: fc.constant(kind), ...parts }) as unknown as fc.Arbitrary<{ readonly kind: K } & Readonly<T>>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The local time that is so many days and hours after the start of an event. */
export const wallAt = ({ day, hour }: Pick<KeptEvent, 'day' | 'hour'>, days = 0, hours = 0): Wall =>
  wallFromInstant(Math.floor(START / DAY_MS) * DAY_MS + (day + days) * DAY_MS + (hour + hours) * HOUR_MS, 'UTC');

/** An iCalendar feed with these components. */
export const calendarOf = (components: readonly (readonly string[])[]): string =>
  `${['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//kept//EN', ...components.flat(), 'END:VCALENDAR'].join('\r\n')}\r\n`;

/** The components of an event: the event itself and one for each changed date. */
export function componentsOf(event: KeptEvent): readonly (readonly string[])[] {
  const { series, zone } = event;
  if (series === null) return [componentOf(event, wallAt(event), [])];
  const startOf = (index: number): Wall => wallAt(event, index * series.every);
  const rule = [
    `RRULE:FREQ=${series.every === 1 ? 'DAILY' : 'WEEKLY'};COUNT=${series.count}`,
    ...series.without.map((index) => `EXDATE;TZID=${zone}:${digits(startOf(index))}`),
  ];
  const changed = Object.entries(series.changed).filter(
    ([index]) => Number(index) < series.count && !series.without.includes(Number(index)),
  );
  return [
    componentOf(event, startOf(0), rule),
    ...changed.map(([index, { hours, ...change }]) => {
      const said = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      return componentOf({ ...event, ...said }, wallAt(event, Number(index) * series.every, hours), [
        `RECURRENCE-ID;TZID=${zone}:${digits(startOf(Number(index)))}`,
      ]);
    }),
  ];
}

const componentOf = (
  { uid, title, place, text, state, categories, zone, hours, organizer }: KeptEvent,
  start: Wall,
  lines: readonly string[],
): readonly string[] => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTAMP:20261101T000000Z',
  `DTSTART;TZID=${zone}:${digits(start)}`,
  `DURATION:PT${hours}H`,
  `SUMMARY:${escaped(title)}`,
  ...(place === '' ? [] : [`LOCATION:${escaped(place)}`]),
  ...(text === '' ? [] : [`DESCRIPTION:${escaped(text)}`]),
  ...(organizer === '' ? [] : [`ORGANIZER;CN="${organizer}":mailto:x@example.org`]),
  `STATUS:${state}`,
  ...(categories.length > 0 ? [`CATEGORIES:${categories.map(escaped).join(',')}`] : []),
  ...lines,
  'END:VEVENT',
];

const digits = (wall: Wall): string => wall.replace(/[-:]/g, '').replace(' ', 'T');
const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&');
