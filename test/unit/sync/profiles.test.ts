import { describe, expect, test } from 'vitest';
import { parseCalendar } from '../../../src/ical/read/parse-calendar.ts';
import { PROFILES } from '../../../src/ical/read/profile-table.ts';
import { profileOf } from '../../../src/ical/read/profiles.ts';
import type { FeedReading } from '../../../src/sync/model/draft.ts';
import { draftsOf } from '../../support/drafts-of.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

function reading(product: string, ...lines: readonly string[]): FeedReading {
  const { value } = parseCalendar(
    [
      'BEGIN:VCALENDAR',
      `PRODID:${product}`,
      'BEGIN:VEVENT',
      'UID:1',
      'SUMMARY:A',
      ...lines,
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n'),
  );
  return draftsOf(value, DRAFT_SETTINGS, profileOf(value.productId, []));
}
const fields = (product: string, ...lines: readonly string[]) => reading(product, ...lines).drafts[0]!.fields;

const GOOGLE = '-//Google Inc//Google Calendar 70.9054//EN';
const OUTLOOK = '-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN';
const TEC = '-//Town - ECPv6.3.0//NONSGML v1.0//EN';
const APPLE = '-//Apple Inc.//iCloud Calendar//EN';
const DTSTART = 'DTSTART:20270110T180000Z';

// The publishers whose feeds have known quirks.
test.each([
  ['Google Calendar', GOOGLE, 'https://calendar.google.com/calendar/ical/a/public/basic.ics'],
  [
    'Outlook and Microsoft 365',
    'Microsoft Exchange Server 2010',
    'https://outlook.office365.com/owa/calendar/a/b/calendar.ics',
  ],
  ['Outlook and Microsoft 365', OUTLOOK, 'https://mail.town.example/owa/calendar/a/reachcalendar.ics'],
  ['Apple Calendar and iCloud', APPLE, 'webcal://p01-caldav.icloud.com/published/2/abc'],
  ['Meetup', '-//Meetup//RemoteApi//EN', 'https://www.meetup.com/x/events/ical/'],
  ['Eventbrite', '-//Eventbrite//EN', 'https://www.eventbrite.com/x.ics'],
  ['Facebook', '-//Facebook//NONSGML Facebook Events V1.0//EN', 'https://www.facebook.com/events/ical/upcoming/?uid=1'],
  ['Luma', 'Luma', 'https://api.lu.ma/ics/get?entity=calendar&id=cal-1'],
  ['Localist', 'Localist', 'https://town.localist.com/calendar.ics'],
  ['Trumba', 'Trumba', 'https://www.trumba.com/calendars/town.ics'],
  ['LiveWhale, Bedework, 25Live, CampusGroups, Presence', '-//LiveWhale//EN', undefined],
  ['LibCal', '-//Springshare//LibCal//EN', 'https://town.libcal.com/ical_subscribe.php?cid=1'],
  ['The Events Calendar', TEC, 'https://town.example/events/?ical=1'],
  ['Drupal', 'Drupal iCal API', undefined],
  ['Sched', '-//sched.com//EN', 'https://conf.sched.com/all.ics'],
  ['Nextcloud', '-//Sabre//Sabre VObject 4.1//EN', 'https://c.example/remote.php/dav/public-calendars/x?export'],
  ['Teamup', '-//Teamup Solutions AG//EN', 'https://ics.teamup.com/feed/ks1/0.ics'],
  ['University timetables (CELCAT, TimeEdit, TUMonline)', '-//TimeEdit//EN', undefined],
  ['Sports (GameChanger, TeamSnap, SIDEARM)', '-//GameChanger//EN', 'https://api.team-manager.gc.com/ics/x'],
  ['Waste collection, holidays and schools', '-//Abfallkalender//DE', undefined],
  ['Google Sheets', undefined, 'https://docs.google.com/spreadsheets/d/1/export?format=csv'],
])('%s is recognized', (name, product, address) => {
  expect(product === undefined ? name : profileOf(product, [])?.name).toBe(name);
  expect(address === undefined ? name : profileOf(null, [address])?.name).toBe(name);
});

test('every profile says how it is recognized, and what becomes of each quirk', () => {
  expect(new Set(PROFILES.map(({ name }) => name)).size).toBe(PROFILES.length);
  for (const { product, address, quirks } of PROFILES) {
    expect(product ?? address).toBeDefined();
    expect(quirks.length).toBeGreaterThan(0);
    for (const { does, here } of quirks) expect(`${does}${here}`.length).toBeGreaterThan(20);
  }
  expect(profileOf('-//Nobody//EN', ['https://town.example/a.ics', 'no address'])).toBeUndefined();
});

describe('what is done about quirks', () => {
  test('The Events Calendar: events are identified by address, and the place is split', () => {
    const one = reading(
      TEC,
      DTSTART,
      'URL:https://town.example/event/a/',
      'LOCATION:Town Hall\\, Main Street 1\\, Town\\, 12345\\, Poland',
    );
    expect(one.rung).toBe('url');
    expect(one.drafts[0]!.fields.venue).toEqual([
      { venue: 'Town Hall', address: 'Main Street 1, Town, 12345, Poland' },
    ]);
    expect(reading(GOOGLE, DTSTART).rung).toBeUndefined();
    expect(fields(GOOGLE, DTSTART, 'LOCATION:Town Hall\\, Main Street 1').venue).toEqual([
      { venue: 'Town Hall, Main Street 1' },
    ]);
    expect(fields(TEC, DTSTART, 'LOCATION:Town Hall').venue).toEqual([{ venue: 'Town Hall' }]);
  });
  test('Meetup: the place is split', () => {
    expect(fields('-//Meetup//RemoteApi//EN', DTSTART, 'LOCATION:Cafe (Main Street 1\\, Town)').venue).toEqual([
      { venue: 'Cafe', address: 'Main Street 1, Town' },
    ]);
  });
  test.each([
    [
      'midnight to midnight, marked',
      'TRUE',
      '20270110T000000',
      '20270112T000000',
      true,
      '2027-01-10 00:00:00',
      '2027-01-11 23:59:59',
    ],
    ['not marked', 'FALSE', '20270110T000000', '20270112T000000', false, '2027-01-10 00:00:00', '2027-01-12 00:00:00'],
    [
      'marked, with times',
      'TRUE',
      '20270110T080000',
      '20270110T170000',
      false,
      '2027-01-10 08:00:00',
      '2027-01-10 17:00:00',
    ],
  ])('Outlook: all day, %s', (_, mark, start, end, all_day, start_date, end_date) => {
    const zone = 'TZID="Central European Standard Time"';
    expect(
      fields(OUTLOOK, `DTSTART;${zone}:${start}`, `DTEND;${zone}:${end}`, `X-MICROSOFT-CDO-ALLDAYEVENT:${mark}`),
    ).toMatchObject({ all_day, start_date, end_date, timezone: 'Europe/Warsaw' });
  });
  test.each([
    ['at the midnights of the place', '20270109T230000Z', '20270111T230000Z', 'Europe/Warsaw'],
    ['at the midnights of UTC', '20270110T000000Z', '20270112T000000Z', 'UTC'],
  ])('Outlook: all day, marked, in UTC %s', (_, start, end, timezone) => {
    for (const mark of ['X-MICROSOFT-CDO-ALLDAYEVENT', 'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT'])
      expect(fields(OUTLOOK, `DTSTART:${start}`, `DTEND:${end}`, `${mark}:TRUE`)).toMatchObject({
        all_day: true,
        start_date: '2027-01-10 00:00:00',
        end_date: '2027-01-11 23:59:59',
        timezone,
      });
  });
  test('Outlook: Windows zones are known, and busy times are left out', () => {
    expect(fields(OUTLOOK, 'DTSTART;TZID=Pacific Standard Time:20270110T180000').timezone).toBe('America/Los_Angeles');
    const { drafts, excluded } = reading(
      OUTLOOK,
      DTSTART,
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:2',
      DTSTART,
      'SUMMARY:Busy',
    );
    expect([drafts.length, excluded.map(({ because }) => because)]).toEqual([1, ['shows only that someone is busy']]);
  });
  test('Google: HTML is kept, and the address of a calendar is dropped', () => {
    const { description, organizer } = fields(
      GOOGLE,
      DTSTART,
      'DESCRIPTION:<b>Bring</b> a friend<script>x</script>',
      'ORGANIZER;CN=Town:mailto:x@group.calendar.google.com',
    );
    expect([description, organizer]).toEqual(['<b>Bring</b> a friend', [{ organizer: 'Town' }]]);
  });
  test('Apple: structured locations are read', () => {
    expect(
      fields(
        APPLE,
        DTSTART,
        'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="Main Street 1\\\\nTown";X-TITLE="Town Hall":geo:52.2,21.0',
      ).venue,
    ).toEqual([{ venue: 'Town Hall', address: 'Main Street 1, Town', geo_lat: 52.2, geo_lng: 21 }]);
  });
  test('GameChanger: bare dates are all-day events', () =>
    expect(fields('-//GameChanger//EN', 'DTSTART:20270110')).toMatchObject({
      all_day: true,
      start_date: '2027-01-10 00:00:00',
      end_date: '2027-01-10 23:59:59',
    }));
  test('Luma: a web address given as the place is no venue', () =>
    expect(fields('Luma', DTSTART, 'LOCATION:https://lu.ma/x')).toMatchObject({
      website: 'https://lu.ma/x',
      venue: [],
    }));
});
