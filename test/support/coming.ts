import { DateTime } from 'luxon';
import { feedEvents, type FeedEvent } from './feed-text.ts';

// Days that are still to come whenever the tests run: those of tests whose clock is the real one, which name no year.

/** The first Monday of the month after next: what happens in its next three weeks happens in one month. */
const FIRST = firstMonday(DateTime.utc().startOf('month').plus({ months: 2 }));

function firstMonday(month: DateTime): DateTime {
  return month.plus({ days: (8 - month.weekday) % 7 });
}

/**
 * The day that comes so many days after that Monday, as `2027-03-01` or in another form of luxon. The 31st is in the
 * month after.
 */
export const coming = (days: number, form = 'yyyy-MM-dd'): string =>
  FIRST.plus({ days }).setLocale('en').toFormat(form);

/** As `feedEvents`, from that Monday on. */
export const comingEvents = (count: number): FeedEvent[] => feedEvents(count, coming(0));

/** The start of an event of a feed, at six in the evening unless another time is given. */
export const comingStart = (days: number, time = '180000'): string => `${coming(days, 'yyyyMMdd')}T${time}`;
