import { DAY_MS } from '../../src/time.ts';

/** An event of a test's feed. The start is a local time in Warsaw; the event lasts an hour. */
export interface FeedEvent {
  readonly uid: string;
  readonly title?: string;
  readonly start?: string;
  readonly lines?: readonly string[];
}

/** An iCalendar feed with these events. */
export const calendarText = (events: readonly FeedEvent[]): string =>
  `${['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//test//EN', ...events.flatMap(linesOf), 'END:VCALENDAR'].join('\r\n')}\r\n`;

const linesOf = ({
  uid,
  title = `Event ${uid}`,
  start = '20270301T180000',
  lines = [],
}: FeedEvent): readonly string[] => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTAMP:20261101T000000Z',
  `DTSTART;TZID=Europe/Warsaw:${start}`,
  'DURATION:PT1H',
  `SUMMARY:${title}`,
  ...lines,
  'END:VEVENT',
];

/**
 * A number of different events, one a day from `first` on. Tests that use the real clock have `comingEvents` instead.
 */
export const feedEvents = (count: number, first = '2027-03-01'): FeedEvent[] =>
  Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.parse(first) + (index % 300) * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
    return { uid: `event-${index}@feed.example`, title: `Event number ${index}`, start: `${day}T180000` };
  });
