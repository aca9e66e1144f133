import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { decodeText } from '../../../src/ical/read/decode.ts';
import { expandCalendar } from '../../../src/ical/occurrences/expand-calendar.ts';
import { parseCalendar } from '../../../src/ical/read/parse-calendar.ts';
import { violationsOf } from '../../support/ical-check.ts';
import { variedReadings } from '../../support/varied-events.ts';
import { variedFeed } from '../../support/varied-feed.ts';

test('every line conforms to RFC 5545 and RFC 7986', async () => expect(violationsOf(await variedFeed())).toEqual([]));

test('our own reader finds every event at its times, without problems', async () => {
  const { value, problems } = parseCalendar(decodeText(await variedFeed(), 'text/calendar; charset=utf-8').text);
  const expansion = expandCalendar(value, {
    window: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2029, 0, 1) },
    timezone: undefined,
    siteTimezone: 'Europe/Warsaw',
  });
  expect([...problems, ...expansion.problems]).toEqual([]);
  expect(
    expansion.occurrences
      .map(({ event, allDay, startsAt, endsAt, startWall, endWall }) => ({
        uid: event.uid,
        title: event.texts['SUMMARY']?.[0]?.text,
        start: allDay ? date(startWall) : startsAt,
        end: allDay ? date(endWall) : endsAt,
      }))
      .toSorted((a, b) => (String(a.uid) < String(b.uid) ? -1 : 1)),
  ).toEqual(variedReadings);
});

test('ical.js finds every event at its times', async () => {
  const calendar = new ICAL.Component(ICAL.parse((await variedFeed()).toString('utf8')));
  const found = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
  expect(
    found
      .map((event) => ({
        uid: event.uid,
        title: event.summary,
        start: read(event.startDate),
        end: read(event.endDate ?? event.startDate),
      }))
      .toSorted((a, b) => (a.uid < b.uid ? -1 : 1)),
  ).toEqual(variedReadings);
});

const date = (wall: number): string => new Date(wall).toISOString().slice(0, 10);

const read = (time: ICAL.Time): number | string => (time.isDate ? time.toString() : time.toUnixTime() * 1000);
