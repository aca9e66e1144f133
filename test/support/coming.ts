import { DateTime } from 'luxon';
import { feedEvents, type FeedEvent } from './feed-text.ts';

// Dates that are always in the future, for tests that use the real clock and therefore cannot name a year.

/** The first Monday of the month after next: the three weeks that follow are in the same month. */
const FIRST = firstMonday(DateTime.utc().startOf('month').plus({ months: 2 }));

function firstMonday(month: DateTime): DateTime {
  return month.plus({ days: (8 - month.weekday) % 7 });
}

/**
 * The day that is so many days after that Monday, as `2027-03-01` or in another luxon format. Day 31 is always in the
 * following month.
 */
export const coming = (days: number, form = 'yyyy-MM-dd'): string =>
  FIRST.plus({ days }).setLocale('en').toFormat(form);

/** Like `feedEvents`, from that Monday on. */
export const comingEvents = (count: number): FeedEvent[] => feedEvents(count, coming(0));

/** The start of a feed's event, at 18:00 unless another time is given. */
export const comingStart = (days: number, time = '180000'): string => `${coming(days, 'yyyyMMdd')}T${time}`;
