import { describe, expect, it } from 'vitest';
import { parseCalendar } from '../../../src/ical/parse-calendar.ts';
import { draftsFromCalendar } from '../../../src/sync/drafts-from-calendar.ts';
import type { DraftSettings, EventDraft, FeedReading } from '../../../src/sync/draft.ts';
import { previewOf } from '../../../src/sync/preview.ts';
import { calendarOf, eventOf } from '../../support/read-ical.ts';
import { syncing } from '../../support/syncing.ts';

// Times in UTC are instants: they are shown on the clocks of the site, unless somebody says otherwise.

const SETTINGS: DraftSettings = {
  source: 'library', window: { from: Date.UTC(2026, 11, 1), to: Date.UTC(2028, 0, 1) }, timezone: undefined, siteTimezone: 'Europe/Warsaw', status: 'publish',
  categories: { map: {}, add: [], unknown: 'create' }, tags: { add: [] }, defaultVenue: undefined, only: [], skip: [], columns: {}, everything: false,
};
const readingOf = (lines: readonly string[], settings: Partial<DraftSettings> = {}): FeedReading => draftsFromCalendar(parseCalendar(calendarOf(...lines)).value, { ...SETTINGS, ...settings });
const shown = ({ drafts }: FeedReading): readonly string[] => drafts.map(({ fields }) => `${fields.start_date} ${fields.timezone}`);
const codesOf = ({ problems }: FeedReading): readonly string[] => problems.map(({ code }) => code);

const TALK = eventOf('UID:talk', 'DTSTART:20270110T230000Z', 'DTEND:20270111T010000Z', 'SUMMARY:Talk');
const ZONED = eventOf('UID:zoned', 'DTSTART;TZID=America/New_York:20270112T180000', 'SUMMARY:Zoned');

describe('times in UTC', () => {
  it.each<readonly [string, readonly string[], Partial<DraftSettings>, string]>([
    ['are shown in the site\'s zone where the feed names none', TALK, {}, '2027-01-11 00:00:00 Europe/Warsaw'],
    ['are shown in the source\'s before the site\'s', TALK, { timezone: 'America/New_York' }, '2027-01-10 18:00:00 America/New_York'],
    ['are shown in the calendar\'s before the site\'s', ['X-WR-TIMEZONE:Asia/Tokyo', ...TALK], {}, '2027-01-11 08:00:00 Asia/Tokyo'],
    ['stay in UTC where the calendar names that', ['X-WR-TIMEZONE:UTC', ...TALK], {}, '2027-01-10 23:00:00 UTC'],
    ['stay in UTC where other times of the feed have a zone', [...TALK, ...ZONED], {}, '2027-01-10 23:00:00 UTC'],
    ['are shown in the site\'s beside whole days and times without a zone', [...TALK, ...eventOf('UID:d', 'DTSTART;VALUE=DATE:20270201'), ...eventOf('UID:f', 'DTSTART:20270202T100000')], {}, '2027-01-11 00:00:00 Europe/Warsaw'],
    ['stay in UTC where the source wants it', TALK, { utcTimes: 'utc' }, '2027-01-10 23:00:00 UTC'],
    ['also where it names a zone', TALK, { utcTimes: 'utc', timezone: 'Asia/Tokyo' }, '2027-01-10 23:00:00 UTC'],
    ['stay in UTC where local digits would not read back', eventOf('UID:talk', 'DTSTART:20271031T003000Z', 'DTEND:20271031T013000Z'), {}, '2027-10-31 00:30:00 UTC'],
  ])('%s', (_, lines, settings, first) => {
    const reading = readingOf(lines, settings);
    expect(shown(reading)[0]).toBe(first);
    expect(reading.drafts[0]).toMatchObject({ startsAt: first.startsWith('2027-10') ? Date.UTC(2027, 9, 31, 0, 30) : Date.UTC(2027, 0, 10, 23) });
  });

  it('are told to the operator where the site\'s zone was chosen, and only there', () => {
    expect(readingOf([...TALK, ...TALK.map((line) => line.replace('talk', 'other'))]).problems).toMatchObject([{ code: 'times-utc', message: expect.stringMatching(/^2 events .* shown in Europe\/Warsaw, the site's zone/) }]);
    expect(codesOf(readingOf(TALK, { siteTimezone: 'UTC' }))).toEqual([]);
    expect(codesOf(readingOf(TALK, { timezone: 'Asia/Tokyo' }))).toEqual([]);
    expect(codesOf(readingOf(TALK, { utcTimes: 'utc' }))).toEqual([]);
    expect(codesOf(readingOf(eventOf('UID:d', 'DTSTART;VALUE=DATE:20270201', 'SUMMARY:Day')))).toEqual([]);
  });

  it('are instants in preview, and so is the start that an occurrence had at first', () => {
    const { drafts } = readingOf([...eventOf('DTSTART:20270110T230000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=2'), ...eventOf('RECURRENCE-ID:20270117T230000Z', 'DTSTART:20270118T230000Z')]);
    expect(drafts.map(previewOf).map(({ recurrence_id: id, start, timezone }) => [id, start, timezone])).toEqual([
      ['2027-01-10T23:00:00Z', '2027-01-10T23:00:00Z', 'Europe/Warsaw'], ['2027-01-17T23:00:00Z', '2027-01-18T23:00:00Z', 'Europe/Warsaw'],
    ]);
  });
});

describe('an event that was shown in UTC until now', () => {
  const FEED = [
    ...TALK, ...eventOf('UID:choir', 'DTSTART:20270301T180000Z', 'DURATION:PT1H', 'SUMMARY:Choir', 'RRULE:FREQ=WEEKLY;COUNT=6'),
    'BEGIN:VEVENT', 'DTSTART:20270401T180000Z', 'SUMMARY:Known by nothing but its title and start', 'END:VEVENT',
  ];
  const [before, after] = [readingOf(FEED, { utcTimes: 'utc' }).drafts, readingOf(FEED).drafts];

  it('keeps its page and its instant, changes once, and holds nothing', () => {
    const { run, plan, ledger } = syncing();
    run(before);
    const slugs = new Map([...ledger.values()].map(({ slug, startsAt }) => [slug, startsAt]));
    const { actions, held } = run(after);
    expect(held).toBeNull();
    expect(actions).toHaveLength(8);
    expect(actions.every(({ kind }) => kind === 'update')).toBe(true);
    expect(actions.map((action) => (action.kind === 'update' ? Object.keys(action.changes).toSorted() : []))).toEqual(actions.map(() => ['end_date', 'start_date', 'timezone']));
    expect(new Map([...ledger.values()].map(({ slug, startsAt }) => [slug, startsAt]))).toEqual(slugs);
    expect(plan(after).actions).toEqual([]);
  });

  it('has the identity that it had', () => {
    expect(after.map(({ rungs }: EventDraft) => rungs)).toEqual(before.map(({ rungs }) => rungs));
  });

  it('because its zone was the feed\'s own, has the identity that it had', () => {
    const zone = ['BEGIN:VTIMEZONE', 'TZID:Ours', 'BEGIN:STANDARD', 'DTSTART:20261025T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'END:STANDARD', 'BEGIN:DAYLIGHT',
      'DTSTART:20270328T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'END:DAYLIGHT', 'END:VTIMEZONE'];
    const { drafts } = readingOf([...zone, ...eventOf('DTSTART;TZID=Ours:20270110T180000', 'SUMMARY:x'), ...eventOf('UID:b', 'DTSTART;TZID=Ours:20270401T180000', 'SUMMARY:y')],);
    expect(drafts.map(({ fields, rungs }) => [fields.start_date, fields.timezone, rungs.fingerprint])).toEqual([
      ['2027-01-10 18:00:00', 'Europe/Warsaw', 'x|2027 01 10 17 00 00 utc|'], ['2027-04-01 18:00:00', 'Europe/Warsaw', 'y|2027 04 01 16 00 00 utc|'],
    ]);
  });
});
