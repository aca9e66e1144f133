import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startsFromRule } from '../../../src/ical/times/recurrence.ts';
import { ruleFromText } from '../../../src/ical/times/recurrence-rule.ts';
import { digitsFromWall, timeFromText } from '../../../src/ical/read/time-value.ts';

const FOREVER = Date.UTC(2040, 0, 1);

function startsOf(
  text: string,
  dtstart: string,
  more: { readonly from?: number; readonly to?: number; readonly most?: number; readonly steps?: number } = {},
): { readonly starts: readonly string[]; readonly cut: string | null } {
  const start = timeFromText(dtstart, {})!;
  const reading = ruleFromText(text, {
    isDate: start.kind === 'date',
    dtstart: start.wall,
    wallFromUtc: (utc) => utc + 7_200_000,
  });
  if (reading.kind === 'invalid') return { starts: [], cut: reading.because };
  const { walls, cut } = startsFromRule(
    reading.rule,
    start.wall,
    more.from ?? start.wall,
    more.to ?? FOREVER,
    more.most ?? 5,
    { steps: more.steps ?? 1_000_000 },
  );
  return { starts: walls.map((wall) => digitsFromWall(wall, start.kind === 'date')), cut };
}

describe('starts of a rule', () => {
  it.each<readonly [text: string, dtstart: string, starts: readonly string[]]>([
    ['FREQ=DAILY;COUNT=2', '20260501', ['20260501', '20260502']],
    ['freq=daily; count=2 ;', '20260501', ['20260501', '20260502']],
    ['FREQ=DAILY;UNTIL=20260502', '20260501', ['20260501', '20260502']],
    ['FREQ=DAILY;UNTIL=20260502T080000Z', '20260501T100000', ['20260501T100000', '20260502T100000']],
    ['FREQ=DAILY;UNTIL=20260502T075959Z', '20260501T100000', ['20260501T100000']],
    ['FREQ=DAILY;UNTIL=20260502T100000', '20260501T100000', ['20260501T100000', '20260502T100000']],
    ['FREQ=DAILY;UNTIL=20260502T235900Z', '20260501', ['20260501', '20260502']],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU;COUNT=4',
      '19970805T090000',
      ['19970805T090000', '19970817T090000', '19970819T090000', '19970831T090000'],
    ],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO;COUNT=4',
      '19970805T090000',
      ['19970805T090000', '19970810T090000', '19970819T090000', '19970824T090000'],
    ],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3', '20260131', ['20260227', '20260331', '20260430']],
    ['FREQ=MONTHLY;COUNT=3', '20260131', ['20260131', '20260331', '20260531']],
    ['FREQ=YEARLY;COUNT=2', '20240229', ['20240229', '20280229']],
    // Day parts of a year intersect (RFC 5545, 3.3.10, note 2); rrule-temporal unites them.
    [
      'FREQ=YEARLY;BYDAY=FR;BYYEARDAY=-275,-276,-277,-278,-279,-280,-281;COUNT=3',
      '20060331T020000',
      ['20060331T020000', '20070330T020000', '20080328T020000'],
    ],
    ['FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=8,9;BYDAY=WE,TH;COUNT=3', '20250409', ['20250409', '20260408', '20260409']],
    ['FREQ=YEARLY;BYWEEKNO=20;COUNT=2', '19970512T090000', ['19970512T090000', '19980511T090000']],
    [
      'FREQ=YEARLY;BYWEEKNO=53;BYDAY=TU,SA;INTERVAL=6;COUNT=3',
      '20100102T000000',
      ['20100102T000000', '20151229T000000', '20160102T000000'],
    ],
    ['FREQ=YEARLY;BYWEEKNO=1;BYMONTH=12;BYMONTHDAY=30;COUNT=2', '20241230', ['20241230', '20251230']],
    ['FREQ=YEARLY;BYWEEKNO=1,-1;BYDAY=MO;BYSETPOS=-1;COUNT=2', '20260101', ['20261228', '20271227']],
    // Only some years have a 53rd of a weekday; invalid dates are ignored, and COUNT leaves them out (3.3.10).
    ['FREQ=YEARLY;BYDAY=53TH', '20261231T100000', ['20261231T100000', '20321230T100000', '20371231T100000']],
    ['FREQ=YEARLY;BYDAY=-53TH', '20260101', ['20260101', '20320101', '20370101']],
    ['FREQ=YEARLY;BYDAY=53TH,MO;COUNT=3', '20261231', ['20261231', '20270104', '20270111']],
    // What 3.3.10 forbids is ignored, and the rest of the rule applies.
    ['FREQ=WEEKLY;BYDAY=1MO,-1TH;COUNT=2', '20260501', ['20260504', '20260507']],
    ['FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=0MO,SA;COUNT=2', '20260613', ['20260613', '20270213']],
    ['FREQ=DAILY;X-MADE-BY=us;COUNT=2', '20260501', ['20260501', '20260502']],
    // RFC 7529, 4.3.
    ['RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD;COUNT=3', '20120229', ['20120229', '20130301', '20140301']],
    ['FREQ=MONTHLY;SKIP=BACKWARD;COUNT=3;RSCALE=GREGORIAN', '20260131', ['20260131', '20260228', '20260331']],
    ['RSCALE=GREGORIAN;SKIP=OMIT;FREQ=MONTHLY;COUNT=2', '20260131', ['20260131', '20260331']],
  ])('%s from %s', (text, dtstart, starts) => {
    expect(startsOf(text, dtstart)).toMatchObject({ starts, cut: null });
  });

  it.each([
    'FREQ=FORTNIGHTLY',
    'INTERVAL=2',
    '',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;COUNT=x',
    'FREQ=YEARLY;BYMONTH=13',
    'FREQ=YEARLY;BYDAY=99MO',
    'FREQ=WEEKLY;BYDAY=XX',
    'FREQ=DAILY;UNTIL=soon',
    'FREQ=YEARLY;BYEASTER=0',
    'FREQ=MONTHLY;BYDAY=0MO',
    'FREQ=DAILY;SKIP=SIDEWAYS',
    'FREQ=DAILY;FREQ=WEEKLY',
    'RSCALE=HEBREW;FREQ=YEARLY',
    'FREQ=MONTHLY;BYMONTHDAY=0',
  ])('%s is not a valid rule', (text) => {
    expect(startsOf(text, '20260501')).toEqual({ starts: [], cut: expect.stringMatching(/\S/) as unknown });
  });

  it('a numbered weekday counts in sevens from either end of the year: 3MO lies in days 15 to 21', () => {
    const numbered = fc.record({
      weekday: fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'),
      ordinal: fc.oneof(fc.integer({ min: 1, max: 53 }), fc.constant(53)),
      sign: fc.constantFrom(1, -1),
      interval: fc.integer({ min: 1, max: 3 }),
      end: fc.constantFrom('', ';COUNT=2', ';COUNT=5'),
      year: fc.integer({ min: 1990, max: 2020 }),
    });
    fc.assert(
      fc.property(numbered, ({ weekday, ordinal, sign, interval, end, year }) => {
        const week = Array.from({ length: 7 }, (_, day) => (ordinal - 1) * 7 + day + 1).filter((day) => day <= 366);
        const days = week.map((day) => day * sign).join();
        const rest = `INTERVAL=${interval}${end}`;
        const dtstart = `${year}0101T100000`;
        expect(startsOf(`FREQ=YEARLY;BYDAY=${ordinal * sign}${weekday};${rest}`, dtstart)).toEqual(
          startsOf(`FREQ=YEARLY;BYDAY=${weekday};BYYEARDAY=${days};${rest}`, dtstart),
        );
      }),
    );
  });

  it('are found in the window, however long ago the series began', () => {
    expect(
      startsOf('FREQ=DAILY', '00010101T100000', { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 3) }).starts,
    ).toEqual(['20260101T100000', '20260102T100000']);
    expect(
      startsOf('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO', '20000103', { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 31) })
        .starts,
    ).toEqual(['20260112', '20260126']);
    expect(
      startsOf('FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU', '20040229', { from: Date.UTC(2020, 0, 1) })
        .starts,
    ).toEqual(['20320229']);
  });

  it.each([
    'FREQ=SECONDLY',
    'FREQ=MINUTELY',
    'FREQ=HOURLY',
    'FREQ=SECONDLY;BYMONTH=12',
    'FREQ=DAILY;COUNT=1000000000',
    'FREQ=YEARLY;BYDAY=MO,TU;BYMONTHDAY=1,2,3,4,5,6,7,8;BYHOUR=1,2,3,4,5;BYMINUTE=1,2,3,4,5,6',
  ])('%s stops at the limit of 100', (text) => {
    const { starts, cut } = startsOf(text, '19700101T000000', { from: Date.UTC(2026, 10, 1), most: 100 });
    expect(starts).toHaveLength(100);
    expect(cut).toMatch(/more than 100/);
  });

  it.each([
    'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6',
    'FREQ=YEARLY;INTERVAL=4;BYYEARDAY=366',
    'FREQ=DAILY;BYSETPOS=300',
  ])('%s finds nothing and ends', (text) => {
    expect(startsOf(text, '20260101T000000', { from: Date.UTC(2026, 0, 2) }).starts).toEqual([]);
  });

  it('end when the budget of the feed is spent', () => {
    expect(startsOf('FREQ=DAILY', '20260101', { steps: 0 }).cut).toMatch(/too long/);
  });
});
