import { expect, test } from 'vitest';
import type { Event } from '../../../../src/contract/representation.ts';
import type { SeriesDates } from '../../../../src/site/store/series-dates.ts';
import { frameOf } from '../../../../src/site/pages/frame/layout.ts';
import { groupFound, isLong, isOver, lastDayOf } from '../../../../src/site/pages/views/group-found.ts';
import { seriesLine } from '../../../../src/site/pages/views/series-line.ts';

/** What grouping looks at; the rest of an event does not matter. */
const event = (id: number, start: string, end = start, tags: readonly string[] = []): Event =>
  ({
    id,
    slug: `event-${id}`,
    start_date: `${start} 16:00:00`,
    end_date: `${end} 17:00:00`,
    tags: tags.map((slug) => ({ slug })),
  }) as unknown as Event;

const weekly = (key: string, ...days: readonly string[]): SeriesDates => ({
  key,
  starts: days.map((day) => `${day} 16:00:00`),
  isCut: false,
});

const found = [
  event(1, '2026-09-01', '2027-01-10'),
  event(2, '2026-11-24', '2026-11-26'),
  event(3, '2026-11-25'),
  event(4, '2026-11-26'),
  event(5, '2026-12-02'),
  event(6, '2026-12-02'),
  event(7, '2026-12-09', '2026-12-18'),
];
const story = weekly('story', '2026-11-25', '2026-12-02', '2026-12-09');
const series = new Map([3, 5].map((id) => [id, story]));

const ids = (isEveryDate: boolean, events = found) => {
  const { long, days } = groupFound(events, '2026-11-25', series, { isEveryDate });
  return {
    long: long.map(({ id }) => id),
    days: days.map(({ day, entries }) => [day, entries.map((entry) => entry.event.id)]),
  };
};

test('a series is listed once, on its next date, and long events are separate', () =>
  expect(ids(false)).toEqual({
    long: [7, 1],
    days: [
      ['2026-11-25', [2, 3]],
      ['2026-11-26', [4]],
      ['2026-12-02', [6]],
    ],
  }));

test('each past date is listed, and then the series on its next one', () => {
  const today = '2026-11-26';
  const { days } = groupFound(found, '2026-11-01', series, { isOver: (one) => isOver(one, today) });
  expect(days.flatMap(({ entries }) => entries.map(({ event: { id }, series: of }) => [id, of?.key]))).toEqual([
    [2, undefined],
    [3, undefined],
    [4, undefined],
    [5, 'story'],
    [6, undefined],
  ]);
});

test('every date of a series is listed on request', () =>
  expect(ids(true).days).toEqual([
    ['2026-11-25', [2, 3]],
    ['2026-11-26', [4]],
    ['2026-12-02', [5, 6]],
  ]));

test('a cancelled date is listed by itself, and the series on its next date', () => {
  const events = [event(3, '2026-11-25', '2026-11-25', ['cancelled']), event(5, '2026-12-02')];
  const { days } = groupFound(events, '2026-11-25', series);
  expect(days.flatMap(({ entries }) => entries.map(({ series: told }) => told?.key))).toEqual([undefined, 'story']);
});

test.each([
  ['2026-12-01', '2026-12-08', false],
  ['2026-12-01', '2026-12-09', true],
])('from %s to %s is long: %s', (start, end, expected) =>
  expect(isLong({ ...event(1, start), start_date: `${start} 00:00:00`, end_date: `${end} 00:00:00` })).toBe(expected),
);

test('the line of a series shows when it takes place, and how many dates follow', () => {
  const frame = frameOf({
    title: '',
    description: '',
    timezone: 'Europe/Warsaw',
    languages: ['en'],
    publicUrl: 'https://site.example/town',
    namespace: 'calendar/events/v1',
    trashDays: 30,
  });
  const line = (id: number, start: string) =>
    seriesLine(frame, event(id, start), story, '2026-11-20')?.markup.replace(/<svg.*?<\/svg>/, '');
  expect(line(3, '2026-11-25')).toBe(
    '<p class="ser"><span>Every Wednesday until 9 December · <a href="/town/event/event-3/dates/">2 more dates</a></span></p>',
  );
  expect(line(5, '2026-12-02')).toBe(
    '<p class="ser"><span><a href="/town/event/event-5/dates/">1 more date</a></span></p>',
  );
  expect(line(9, '2026-12-09')).toBeUndefined();
});

test.each([
  ['an evening', '2027-01-10 18:00:00', '2027-01-10 20:00:00', '2027-01-10'],
  ['a night until four', '2027-01-10 22:00:00', '2027-01-11 04:00:00', '2027-01-10'],
  ['a night until six', '2027-01-10 22:00:00', '2027-01-11 06:00:00', '2027-01-10'],
  ['an early morning', '2027-01-10 02:00:00', '2027-01-10 05:00:00', '2027-01-10'],
  ['a weekend', '2027-01-09 10:00:00', '2027-01-10 18:00:00', '2027-01-10'],
  ['two whole days', '2027-01-09 00:00:00', '2027-01-10 23:59:59', '2027-01-10'],
])('the last day of %s', (_, start, end, expected) =>
  expect(lastDayOf({ ...event(1, '2027-01-10'), start_date: start, end_date: end })).toBe(expected),
);
