import { describe, expect, it, test } from 'vitest';
import { ICAL } from '../../../src/sync/formats/ical.ts';
import type { FeedRead, SettledEvents } from '../../../src/sync/formats/format.ts';
import { REPORTED_PER_CODE } from '../../../src/problem.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

const event = (uid: string, ...lines: readonly string[]): readonly string[] => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTART;TZID=Europe/Warsaw:20270501T180000',
  ...lines,
  'END:VEVENT',
];

function read(
  events: readonly (readonly string[])[],
  settled?: SettledEvents,
  eventsAtOnce?: number,
): Extract<FeedRead, { kind: 'reading' }> {
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n');
  const body = {
    bytes: Buffer.from(text),
    contentType: 'text/calendar',
    ...(settled ? { settled } : {}),
    ...(eventsAtOnce === undefined ? {} : { eventsAtOnce }),
  };
  const result = ICAL.read(body, DRAFT_SETTINGS);
  if (result.kind === 'notAFeed') throw new Error(result.problem.message);
  return result;
}

const settledBy = ({ frame, reading }: ReturnType<typeof read>): SettledEvents => ({
  frame: frame ?? '',
  digests: new Map(
    reading.drafts.flatMap(({ rungs: { uid }, digest }) =>
      uid !== null && digest !== undefined ? [[uid, digest]] : [],
    ),
  ),
});

const named = Array.from({ length: 10 }, (_, index) => event(`named-${index}`, `SUMMARY:Concert ${index}`));

test('a part includes all events with problems, even those only counted, and reports the same problems', () => {
  const untitled = Array.from({ length: REPORTED_PER_CODE + 10 }, (_, index) => event(`untitled-${index}`));
  const whole = read([...untitled, ...named]);
  const settled = settledBy(whole);
  expect([...settled.digests.keys()].toSorted()).toEqual(named.map((_, index) => `named-${index}`));
  const part = read([...untitled, ...named], settled);
  expect(part.unsettled).toEqual(['named-0']);
  expect(part.reading.drafts).toHaveLength(untitled.length + 1);
  expect(part.reading.problems).toEqual(whole.reading.problems);
  expect(whole.reading.problems.at(-1)?.message).toBe('10 more problems of the kind "title-missing".');
});

test('a feed with the properties that our own calendars have is read in part', () => {
  const ours = named.map((lines) =>
    lines.toSpliced(-1, 0, 'CONFERENCE;VALUE=URI:https://zoom.us/j/1', 'COLOR:red', 'STYLED-DESCRIPTION:<p>x</p>'),
  );
  expect(read(ours, settledBy(read(ours))).reading.drafts).toHaveLength(1);
});

test('a feed with too many problems outside of its events is read whole', () => {
  const strays = Array.from({ length: REPORTED_PER_CODE + 1 }, () => ['a line without a name']);
  expect(read([...strays, ...named]).frame).toBeUndefined();
});

test('a feed whose UIDs do not identify its events is read whole', () => {
  expect(read(named).frame).toBeDefined();
  expect(read([['PRODID:-//Jazz club - ECPv6.3//NONSGML v1.0//EN'], ...named]).frame).toBeUndefined();
});

describe.each([
  ['UTC', 'DTSTART:20270501T180000Z', 'times-utc'],
  ['no zone', 'DTSTART:20270501T180000', 'timezone-missing'],
])('the note about times in %s', (_, start, code) => {
  const noted = Array.from({ length: 10 }, (__, index) => [
    'BEGIN:VEVENT',
    `UID:noted-${index}`,
    start,
    `SUMMARY:Talk ${index}`,
    'END:VEVENT',
  ]);

  it.each([
    ['beside others', [...named, ...noted]],
    ['alone', noted],
  ])('stays if only changed events are read: %s', (__, events) => {
    const whole = read(events);
    expect(whole.reading.problems).toMatchObject([{ code }]);
    const changed = events.map((lines, index) => (index === 5 ? lines.with(3, 'SUMMARY:New') : lines));
    const part = read(changed, settledBy(whole));
    expect(part.reading.drafts.length).toBeLessThan(6);
    expect(part.reading.problems).toEqual(whole.reading.problems);
    expect(read(events, undefined, 3).reading.problems).toEqual(whole.reading.problems);
  });

  it('needs a whole reading once the last such event is gone', () => {
    const whole = read([...named, ...noted.slice(0, 1)]);
    expect(read(named, settledBy(whole)).unsettled).toBeUndefined();
  });
});
