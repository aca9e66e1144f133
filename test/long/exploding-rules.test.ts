import { expect, test } from 'vitest';
import { calendarOf, eventOf, readIcal } from '../support/read-ical.ts';

// Uses up the limit on what one feed can make the program compute, which takes seconds.
test('reading a feed full of recurrence rules that explode comes to an end', () => {
  const events = Array.from({ length: 2_000 }, (_, index) =>
    eventOf(`UID:${index}`, 'DTSTART:19700101T000000Z', 'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30'),
  ).flat();
  expect(readIcal(calendarOf(...events)).expansion.unread.length).toBeGreaterThan(1_000);
});
