import { expect, test } from 'vitest';
import type { LedgerEntry, SiteEvent } from '../../../src/sync/model/plan.ts';
import { isUtcOff } from '../../../src/sync/compare/utc-times.ts';

const WANTED = {
  start_date: '2027-05-01 18:00:00',
  end_date: '2027-05-01 20:00:00',
  timezone: 'Europe/Warsaw',
  all_day: false,
};
const onSite = (start: string, end: string): SiteEvent =>
  ({ utc: { start_date: start, end_date: end } }) as unknown as SiteEvent;
const entry = (start?: string): LedgerEntry =>
  ({
    fields: { start_date: { feed: null, by: 'feed', ...(start === undefined ? {} : { utc: start }) } },
  }) as unknown as LedgerEntry;

test.each([
  [
    'the instants of its clock times and zone',
    WANTED,
    entry(),
    onSite('2027-05-01 16:00:00', '2027-05-01 18:00:00'),
    false,
  ],
  ['another start', WANTED, entry(), onSite('2027-05-01 17:00:00', '2027-05-01 18:00:00'), true],
  ['another end', WANTED, entry(), onSite('2027-05-01 16:00:00', '2027-05-01 19:00:00'), true],
  [
    'another start, as the site has answered to our last write',
    WANTED,
    entry('2027-05-01 17:00:00'),
    onSite('2027-05-01 17:00:00', '2027-05-01 18:00:00'),
    false,
  ],
  [
    'days, which begin when the site says so',
    { ...WANTED, all_day: true },
    entry(),
    onSite('2027-05-01 17:00:00', '2027-05-01 18:00:00'),
    false,
  ],
  ['no instants', WANTED, entry(), {} as SiteEvent, false],
])('a site that shows %s', (_, wanted, known, shown, isOff) => expect(isUtcOff(wanted, known, shown)).toBe(isOff));
