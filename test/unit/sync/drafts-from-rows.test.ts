import { describe, expect, it } from 'vitest';
import { parseRows } from '../../../src/csv/parse-rows.ts';
import type { DraftSettings, FeedReading } from '../../../src/sync/model/draft.ts';
import { draftsFromRows } from '../../../src/sync/drafts/from-rows.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

const SETTINGS: DraftSettings = { ...DRAFT_SETTINGS, source: 'club' };

function reading(text: string, settings: Partial<DraftSettings> = {}): FeedReading {
  const parsed = parseRows(Buffer.from(text), null);
  if (parsed.kind === 'notRows') throw new Error(parsed.problem.message);
  return draftsFromRows(parsed, { ...SETTINGS, ...settings });
}
const first = (text: string, settings: Partial<DraftSettings> = {}) => {
  const [draft] = reading(text, settings).drafts;
  if (!draft) throw new Error(JSON.stringify(reading(text, settings).problems));
  return draft;
};

describe('times with the abbreviation of a zone', () => {
  const HEADER = 'Title,Start,End,Timezone\n';
  const WARSAW = 'Europe/Warsaw';
  const NEW_YORK = 'America/New_York';
  it.each([
    ['A,2026-12-11 19:00 CET,2026-12-11 20:00 CET,', WARSAW, '2026-12-11 19:00:00', '2026-12-11 20:00:00'],
    ['A,11.12.2026 19:00 Uhr MEZ,,', 'Europe/Berlin', '2026-12-11 19:00:00', '2026-12-11 19:00:00'],
    ['A,2026-12-11 19:00-21:00 (CET),,', WARSAW, '2026-12-11 19:00:00', '2026-12-11 21:00:00'],
    ['A,"Dec 11, 2026 7 PM EST","Dec 11, 2026 9:30pm est",', NEW_YORK, '2026-12-11 19:00:00', '2026-12-11 21:30:00'],
    // People who write EST in summer mean the local time.
    ['A,2026-07-11 7:00 PM EST,,', NEW_YORK, '2026-07-11 19:00:00', '2026-07-11 19:00:00'],
    ['A,2026-07-11 7:00 PM ET,,', NEW_YORK, '2026-07-11 19:00:00', '2026-07-11 19:00:00'],
    ['A,2026-12-11 19:00 EST,,America/New_York', WARSAW, '2026-12-11 19:00:00', '2026-12-11 19:00:00'],
    ['A,2026-12-11 19:00 UTC,,', NEW_YORK, '2026-12-11 14:00:00', '2026-12-11 14:00:00'],
  ])('%s in %s', (row, timezone, start_date, end_date) => {
    expect(first(HEADER + row, { timezone }).fields).toMatchObject({ start_date, end_date });
  });

  it('are read in time columns, too', () => {
    const table = 'Title,Date,Start,End\nA,2026-12-11,7 PM CET,9 PM CET\nB,2026-12-12,19:00,\n';
    expect(reading(table, { timezone: WARSAW }).drafts.map(({ fields }) => fields.end_date)).toEqual([
      '2026-12-11 21:00:00',
      '2026-12-12 19:00:00',
    ]);
  });

  it.each([
    ['2026-12-11,19:30 GMT,2026-12-11,21:00 GMT', '2026-12-11 20:30:00', '2026-12-11 22:00:00'],
    ['2026-12-11,19:30Z,2026-12-11,', '2026-12-11 20:30:00', '2026-12-11 20:30:00'],
    ['2026-12-11,19:30+02:00,,22:00+02:00', '2026-12-11 18:30:00', '2026-12-11 21:00:00'],
    ['2026-12-11,7:30 PM (GMT-5),,9 PM (GMT-5)', '2026-12-12 01:30:00', '2026-12-12 03:00:00'],
    ['2026-12-11,22:30 UTC,,01:00 UTC', '2026-12-11 23:30:00', '2026-12-12 02:00:00'],
    ['2026-12-11,20:30,,21:00 UTC', '2026-12-11 20:30:00', '2026-12-11 22:00:00'],
  ])('and offsets from UTC are read in time columns: %s', (cells, start_date, end_date) => {
    const table = `Title,Start date,Start time,End date,End time\nA,${cells}`;
    expect(first(table, { timezone: WARSAW }).fields).toMatchObject({ start_date, end_date, timezone: WARSAW });
  });
  it('are read in columns called start and end', () => {
    const table = 'Title,Date,Start,End\nA,2026-12-11,19:30 GMT,21:00 GMT\n';
    expect(first(table, { timezone: WARSAW }).fields).toMatchObject({ start_date: '2026-12-11 20:30:00' });
  });

  it.each([
    ['A,2026-12-11 7 PM EST,,', WARSAW, 'EST'],
    ['A,2026-12-11 19:00 CET,,America/New_York', WARSAW, 'CET'],
  ])('are refused with advice if the zone does not have that abbreviation: %s in %s', (row, timezone, name) => {
    const { drafts, problems } = reading(HEADER + row, { timezone });
    expect(drafts).toEqual([]);
    expect(problems[0]?.message).toContain(
      `is by a clock, ${name}, that its time zone does not have; write the offset, as in 2026-04-03T19:30:00-05:00`,
    );
  });
});

it.each(['-', '–', 'n/a', 'N/A'])('a cell with %s counts as empty', (nothing) => {
  const cells = [nothing, nothing, nothing, nothing, nothing].join(',');
  const { drafts, problems } = reading(
    `Title,Start,Venue,Cost,Website,Organizer,Category\nA,2026-05-01 19:00,${cells}`,
  );
  expect(problems).toEqual([]);
  expect(drafts[0]?.fields).toMatchObject({ venue: [], cost: '', website: '', organizer: [], categories: [] });
});

describe('times of rows', () => {
  it.each([
    ['2027-03-05,19:00 & 21:00', '"19:00 & 21:00" gives 2 times; write a row for each. The row is left out.'],
    ['2027-03-05,"15:00, 17:00 and 19:00"', '"15:00, 17:00 and 19:00" gives 3 times; write a row for each. '],
    ['5.3.2027 und 12.3.2027,19:00', '"5.3.2027 und 12.3.2027" gives 2 dates; write a row for each. '],
  ])('several in a cell are refused with advice: %s', (cells, advice) => {
    const { drafts, problems } = reading(`Title,Date,Time\nA,${cells}`);
    expect([drafts, problems[0]?.message]).toEqual([[], expect.stringContaining(advice)]);
  });

  const HEADER = 'Title,Start Date,Start Time,End Date,End Time,All Day\n';
  const times: readonly (readonly [string, string, string, string, boolean])[] = [
    ['both ends', 'A,2026-05-01,19:00,2026-05-01,21:00,', '2026-05-01 19:00:00', '2026-05-01 21:00:00', false],
    ['no end', 'A,2026-05-01,19:00,,,', '2026-05-01 19:00:00', '2026-05-01 19:00:00', false],
    ['no end date', 'A,2026-05-01,19:00,,21:00,', '2026-05-01 19:00:00', '2026-05-01 21:00:00', false],
    ['no end date, over midnight', 'A,2026-05-01,22:00,,02:00,', '2026-05-01 22:00:00', '2026-05-02 02:00:00', false],
    [
      'an end date without a time',
      'A,2026-05-01,19:00,2026-05-03,,',
      '2026-05-01 19:00:00',
      '2026-05-03 23:59:59',
      false,
    ],
    ['no times at all', 'A,2026-05-01,,2026-05-02,,', '2026-05-01 00:00:00', '2026-05-02 23:59:59', true],
    [
      'all day, the last day included',
      'A,2026-05-01,,2026-05-02,,TRUE',
      '2026-05-01 00:00:00',
      '2026-05-02 23:59:59',
      true,
    ],
    [
      'all day as Outlook writes it, the last day excluded',
      'A,2026-05-01,00:00:00,2026-05-03,00:00:00,True',
      '2026-05-01 00:00:00',
      '2026-05-02 23:59:59',
      true,
    ],
    [
      'a start in the hour that the clocks skip',
      'A,2026-03-29,02:30,2026-03-29,04:00,',
      '2026-03-29 03:30:00',
      '2026-03-29 04:00:00',
      false,
    ],
    [
      'an offset of its own',
      'A,2026-05-01T19:00:00Z,,2026-05-01T20:00:00Z,,',
      '2026-05-01 21:00:00',
      '2026-05-01 22:00:00',
      false,
    ],
  ];
  it.each(times)('%s', (_name, row, start_date, end_date, all_day) =>
    expect(first(HEADER + row).fields).toMatchObject({ start_date, end_date, all_day, timezone: 'Europe/Warsaw' }),
  );

  describe('times from midnight to midnight', () => {
    const EVENTBRITE =
      'Event Name,Event ID,Event Start Date,Event Start Time,Event End Date,Event End Time,Event Timezone\n';
    const timesIn = (text: string): readonly (readonly [string, string, string, boolean])[] =>
      reading(text).drafts.map(({ fields: { title, start_date, end_date, all_day } }) => [
        title,
        start_date,
        end_date,
        all_day,
      ]);
    const FAIR = 'Fair,1,2026-05-01,12:00 AM,2026-05-02,12:00 AM,Europe/Warsaw\n';
    const HOLIDAYS = 'Holidays,2,2026-04-03,12:00 AM,2026-04-06,12:00 AM,Europe/Warsaw\n';

    it('are whole days if the file has no column for those, like the files of Eventbrite', () => {
      expect(timesIn(EVENTBRITE + FAIR + HOLIDAYS)).toEqual([
        ['Fair', '2026-05-01 00:00:00', '2026-05-01 23:59:59', true],
        ['Holidays', '2026-04-03 00:00:00', '2026-04-05 23:59:59', true],
      ]);
      expect(first(EVENTBRITE + FAIR)).toMatchObject({
        rungs: { uid: '1', recurrenceId: null },
        startsAt: Date.UTC(2026, 3, 30, 22),
        endsAt: Date.UTC(2026, 4, 1, 22),
      });
    });
    it('include the last day that is named if any row begins and ends at the same midnight', () => {
      const oneDay = 'Leap day,3,2028-02-29,12:00 AM,2028-02-29,12:00 AM,Europe/Warsaw\n';
      expect(
        reading(EVENTBRITE + oneDay + HOLIDAYS, { window: { from: 0, to: Date.UTC(2029, 0, 1) } }).drafts.map(
          ({ fields }) => [fields.end_date, fields.all_day],
        ),
      ).toEqual([
        ['2028-02-29 23:59:59', true],
        ['2026-04-06 23:59:59', true],
      ]);
    });
    it.each([
      ['only one end is a midnight', 'Party,4,2026-05-01,10:00 PM,2026-05-02,12:00 AM,Europe/Warsaw\n', EVENTBRITE],
      ['no end is written', 'New year,2026-05-01,00:00\n', 'Title,Start Date,Start Time\n'],
      ['a column says that it is not all day', 'Marathon,2026-05-01,00:00,2026-05-02,00:00,FALSE\n', HEADER],
      ['the midnights are in UTC', 'Vigil,2026-05-01T00:00:00Z,2026-05-02T00:00:00Z\n', 'Title,Start,End\n'],
    ])('stay times where %s', (_name, row, header) => expect(first(header + row).fields.all_day).toBe(false));
  });

  it('all-day events end, as instants, at the midnight after their last day', () =>
    expect(first(`${HEADER}A,2026-05-01,,2026-05-02,,TRUE`)).toMatchObject({
      startsAt: Date.UTC(2026, 3, 30, 22),
      endsAt: Date.UTC(2026, 4, 2, 22),
    }));
  it.each([
    ['a midnight of the zone', 'Europe/Berlin', '2027-01-03T23:00:00Z', '2027-01-04T23:00:00Z', '04', '04'],
    ['two midnights of the zone', 'Europe/Berlin', '2027-01-03T23:00:00Z', '2027-01-05T23:00:00Z', '04', '05'],
    ['up to the last second', 'Europe/Berlin', '2027-01-03T23:00:00Z', '2027-01-05T22:59:59Z', '04', '05'],
    ['without an end', 'Europe/Berlin', '2027-01-03T23:00:00Z', '', '04', '04'],
    ['with a last day', 'Europe/Berlin', '2027-01-03T23:00:00Z', '2027-01-05', '04', '05'],
    ['an evening west of Greenwich', 'America/New_York', '2027-01-05T02:00:00Z', '2027-01-05T03:00:00Z', '04', '04'],
    [
      'midnights with their offset',
      'Europe/Berlin',
      '2027-01-04T00:00:00+01:00',
      '2027-01-05T00:00:00+01:00',
      '04',
      '04',
    ],
    [
      'midnights with the offset of another zone',
      'Asia/Tokyo',
      '2027-01-04T00:00:00+01:00',
      '2027-01-05T23:59:59+01:00',
      '04',
      '05',
    ],
    [
      'days written as midnights of UTC',
      'America/New_York',
      '2027-01-04T00:00:00Z',
      '2027-01-06T00:00:00Z',
      '04',
      '05',
    ],
  ])(
    'all-day instants are days of the zone, unless they are midnights as written: %s',
    (_, timezone, start, end, from, to) =>
      expect(
        first(`Title,Start,End,All day\nA,${start},${end},true`, { timezone, window: { from: 0, to: 4e12 } }).fields,
      ).toMatchObject({
        start_date: `2027-01-${from} 00:00:00`,
        end_date: `2027-01-${to} 23:59:59`,
        timezone,
        all_day: true,
      }),
  );
  it('a zone in the row beats the source’s, which beats the site’s', () => {
    const text =
      'Title,Start,Timezone\nA,2026-05-01 19:00,America/New_York\nB,2026-05-01 19:00,\nC,2026-05-01 19:00,Mars';
    const { drafts, problems } = reading(text, { timezone: 'Europe/Berlin' });
    expect(drafts.map(({ fields }) => fields.timezone)).toEqual(['America/New_York', 'Europe/Berlin', 'Europe/Berlin']);
    expect(problems).toMatchObject([{ code: 'row-timezone', where: { row: 4 } }]);
    expect(first('Title,Start\nA,2026-05-01 19:00').fields.timezone).toBe('Europe/Warsaw');
  });
  it.each([
    ['Eastern Standard Time', 'America/New_York'],
    ['"(UTC-08:00) Pacific Time (US & Canada)"', 'America/Los_Angeles'],
    ['Mountain Time (US & Canada)', 'America/Denver'],
    ['(GMT-0500) United States (New York) Time', 'America/New_York'],
    ['BST', 'Europe/London'],
  ])('a zone is read as in a calendar: %s', (zone, timezone) => {
    const { drafts, problems } = reading(`Title,Start,Timezone\nA,2026-05-01 19:00,${zone}`);
    expect(drafts[0]?.fields).toMatchObject({ start_date: '2026-05-01 19:00:00', timezone });
    expect(problems).toEqual([]);
  });
  it('dates that can be read in two ways are not read, and each is reported', () => {
    const { drafts, unread, problems } = reading('Title,Start\nA,03/04/2026 19:00\nB,05/06/2026 19:00');
    expect(drafts).toEqual([]);
    expect(unread).toEqual([
      { row: 2, line: 2 },
      { row: 3, line: 3 },
    ]);
    expect(problems.map(({ code, where }) => [code, where.row, where.field])).toEqual([
      ['ambiguous-date', 2, 'Start'],
      ['ambiguous-date', 3, 'Start'],
    ]);
  });
});

describe('fields of rows', () => {
  it('configured columns are read, and known headers for the rest', () => {
    const columns = { title: 'Was', start_date: 'Wann genau?', venue: 'Titel' };
    const { fields } = first('Was,Wann genau?,Titel,Kategorie\nJazz,01.05.2026 19:00,Keller,Musik', { columns });
    expect(fields).toMatchObject({
      title: 'Jazz',
      start_date: '2026-05-01 19:00:00',
      venue: [{ venue: 'Keller' }],
      categories: ['Musik'],
    });
  });
  it('a configured column that the file does not have is reported, with those that it has', () => {
    const { drafts, unread, problems } = reading('Was,Wann\nJazz,2026-05-01', {
      columns: { title: 'Titel', start_date: 'Wann', titel: 'Was' },
    });
    expect(drafts).toEqual([]);
    expect(unread).toHaveLength(1);
    expect(problems.map(({ code }) => code)).toEqual(['column-missing', 'column-field', 'csv-header']);
    expect(problems[0]?.message).toBe('The file has no column "Titel" for title; its columns are "Was", "Wann".');
  });
  it('a file without a title column is unread as a whole, so that nothing counts as gone', () =>
    expect(reading('x,y\n', {}).unread).toEqual([{ row: 1, line: 1 }]));
  it('HTML character references in a cell are decoded', () => {
    const { fields } = first(
      'Title,Start,Venue,Category,Organizer,Description\n' +
        'Caf&eacute; &#8211; R&amp;D,2026-05-01,Town &amp; Co,Rock &amp; Roll,Smith &amp; Sons,AT&T &amp; friends',
    );
    expect(fields).toMatchObject({
      title: 'Café – R&D',
      venue: [{ venue: 'Town & Co' }],
      categories: ['Rock & Roll'],
      organizer: [{ organizer: 'Smith & Sons' }],
      description: '<p>AT&amp;T &amp; friends</p>',
    });
    expect(first('Title,Start\nR&D; a & b,2026-05-01').fields.title).toBe('R&D; a & b');
  });
  it('a missing column leaves the field alone, an empty cell clears it', () => {
    expect(first('Title,Start\nA,2026-05-01').fields).not.toHaveProperty('description');
    expect(first('Title,Start,Description,Website,Category,Venue,Organizer\nA,2026-05-01,,,,,').fields).toMatchObject({
      description: '',
      website: '',
      categories: [],
      venue: [],
      organizer: [],
    });
  });
  it('plain text becomes paragraphs, HTML becomes safe', () => {
    expect(first('Title,Start,Description\nA,2026-05-01,"1 < 2\nand so on"').fields.description).toBe(
      '<p>1 &lt; 2<br />and so on</p>',
    );
    expect(
      first('Title,Start,Description\nA,2026-05-01,<p onclick="x()">Hi</p><script>alert(1)</script>').fields
        .description,
    ).toBe('<p>Hi</p>');
  });
  it('text in angle brackets stays unless it is a tag', () =>
    expect(
      first('Title,Start,Description\nA,2026-05-01,Sign up with Jim <jim@example.org> by Friday').fields,
    ).toMatchObject({ description: '<p>Sign up with Jim &lt;jim@example.org&gt; by Friday</p>' }));
  it('web addresses are encoded as sites accept them', () => {
    const { drafts, problems } = reading('title,start,website\nA,2026-04-03 10:00,https://x.example/zażółć i');
    expect([drafts[0]?.fields.website, problems]).toEqual(['https://x.example/za%C5%BC%C3%B3%C5%82%C4%87%20i', []]);
  });
  it('a problem quotes only the beginning of a long cell', () => {
    const long = 'x'.repeat(100_000);
    const { problems } = reading(
      `Title,Start,Website,Timezone,Weekdays\nA,${long},,,\nB,2026-05-01 ${long},,,\nC,2026-05-01 10:00,${long},${long},${long}`,
    );
    expect(problems.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['row-date', 'row-address', 'row-timezone']),
    );
    expect(problems.filter(({ message }) => message.length > 300)).toEqual([]);
  });
  it('only web addresses are accepted as addresses', () => {
    const { drafts, problems } = reading('Title,Start,Website,Image\nA,2026-05-01,www.example.org,javascript:alert(1)');
    expect(drafts[0]?.fields).toMatchObject({ website: 'https://www.example.org', image: '' });
    expect(problems).toMatchObject([{ code: 'row-address', where: { row: 2, field: 'image' } }]);
  });
  it.each<[string, string, Partial<DraftSettings>, unknown]>([
    ['an address', 'Address,City\n"High Street 1",Town', {}, [{ venue: 'High Street 1', city: 'Town' }]],
    ['a city', 'Address,City\n,Town', {}, [{ venue: 'Town' }]],
    ['an address beside an empty name', 'Venue,Address\n,High Street 1', {}, [{ venue: 'High Street 1' }]],
    ['nothing', 'Address,City\n,', {}, undefined],
    [
      'an address, but the source gives a venue',
      'Address\nHigh Street 1',
      { defaultVenue: 'Hall' },
      [{ venue: 'Hall' }],
    ],
    ['an address, but the source wants no venue', 'Address\nHigh Street 1', { columns: { venue: 'none' } }, undefined],
  ])('a place without a name is named after %s', (_, place, settings, venue) => {
    const [header = '', cells = ''] = place.split('\n');
    const draft = first(`Title,Start,${header}\nA,2026-05-01 19:00,${cells}`, settings);
    expect(draft.fields.venue).toEqual(venue);
    expect(draft.fromRules).toEqual(settings.defaultVenue === undefined ? undefined : ['venue']);
  });
  it('towns, postcodes and coordinates in tables of Events Manager are read', () => {
    const names = ['name', 'address', 'town', 'region', 'postcode', 'country', 'latitude', 'longitude'];
    const cells = 'Hall,High Street 1,Town,Kent,CT1 2AB,UK,51.28,1.08';
    const draft = first(`Title,Start,${names.map((name) => `location_${name}`).join()}\nA,2026-05-01,${cells}`);
    expect(draft.fields.venue).toEqual([
      {
        venue: 'Hall',
        address: 'High Street 1',
        city: 'Town',
        state: 'Kent',
        zip: 'CT1 2AB',
        country: 'UK',
        geo_lat: 51.28,
        geo_lng: 1.08,
      },
    ]);
  });
  it.each([
    '"52.23, 21.01"',
    '"52.23,21.01"',
    '52.23 21.01',
    '52.23; 21.01',
    '"52,23; 21,01"',
    '"(52.23, 21.01)"',
    '"52.23° N, 21.01° E"',
  ])('both coordinates may be in one cell: %s', (cell) => {
    const draft = first(`Title,Start,Venue,Coordinates\nA,2026-05-01,Hall,${cell}`);
    expect(draft.fields.venue).toEqual([{ venue: 'Hall', geo_lat: 52.23, geo_lng: 21.01 }]);
  });
  it.each(['52', '"52,23"', '"52,23,21,01"', '"152.23, 21.01"', 'POINT (21.01 52.23)', '"0.0, 0.0"', 'Hall'])(
    'but %s are none',
    (cell) => {
      const draft = first(`Title,Start,Venue,Coordinates\nA,2026-05-01,Hall,${cell}`);
      expect(draft.fields.venue).toEqual([{ venue: 'Hall' }]);
    },
  );
  it('what columns say about an organizer and a venue arrives with them', () => {
    const header =
      'Title,Start,Venue,Venue phone,Venue website,Organizer,Organizer Email,Organizer Phone,Organizer URL';
    const about = '555-0101,https://hall.example,';
    expect(
      reading(
        `${header}\nA,2026-05-01,Hall,${about}Club,mailto:info@club.example,+48 22 555 01 02,club.example\n` +
          `B,2026-05-01,,${about}Club; Town,info@club.example,,https://club.example\nC,2026-05-01,,,,,x@y.example,,`,
      ).drafts.map(({ fields: { venue, organizer } }) => ({ venue, organizer })),
    ).toEqual([
      {
        venue: [{ venue: 'Hall', phone: '555-0101', website: 'https://hall.example' }],
        organizer: [{ organizer: 'Club', email: 'info@club.example', phone: '+48 22 555 01 02' }],
      },
      { venue: [], organizer: [{ organizer: 'Club' }, { organizer: 'Town' }] },
      { venue: [], organizer: [] },
    ]);
  });
  it('the source maps and adds categories, adds tags and gives a venue', () => {
    const settings: Partial<DraftSettings> = {
      categories: { map: { concert: 'Music' }, add: ['Club'], unknown: 'ignore' },
      tags: { add: ['imported'] },
      defaultVenue: 'Hall',
    };
    expect(
      first('Title,Start,Category,Tags,Venue\nA,2026-05-01,"Concert, Other; club",x|X,', settings).fields,
    ).toMatchObject({ categories: ['Music', 'club'], tags: ['x', 'imported'], venue: [{ venue: 'Hall' }] });
  });
});

describe('what is left out, cancelled or online', () => {
  const text =
    'Title,Start,Private,Status,ID\nOpen,2026-05-01,,,1\nSecret,2026-05-01,True,,2\n' +
    'Draft,2026-05-01,,Draft,3\nOff,2026-05-01,,Canceled,4\nLong ago,2020-05-01,,,5';
  it('a title that says "cancelled" marks its event so', () => {
    const { drafts, problems } = reading('Title,Start\nCANCELLED: Jazz,2026-05-01\nTalk,2026-05-02');
    expect(drafts.map(({ fields: { title }, state }) => [title, state])).toEqual([
      ['Jazz', 'cancelled'],
      ['Talk', 'confirmed'],
    ]);
    expect(problems).toMatchObject([{ code: 'title-cancelled', where: { row: 2, field: 'title' } }]);
  });
  it('private rows and drafts are excluded, cancelled ones are shown as such, those outside the window are named', () => {
    const { drafts, excluded, outside } = reading(text);
    expect(drafts.map(({ fields, state }) => [fields.title, state])).toEqual([
      ['Open', 'confirmed'],
      ['Off', 'cancelled'],
    ]);
    expect(excluded.map(({ title, because }) => [title, because])).toEqual([
      ['Secret', 'private in the feed'],
      ['Draft', 'not published in the feed (draft)'],
    ]);
    expect(outside).toEqual(['5']);
  });
  it.each([
    ['Published', 'No', 0],
    ['Public?', 'no', 0],
    ['Freigegeben', 'Nein', 0],
    ['Publié', 'Faux', 0],
    ['Status', 'nicht öffentlich', 0],
    ['Published', 'Yes', 1],
    ['Published', '', 1],
    ['Public', 'Families', 1],
  ])('a row with %s: %j gives %d events', (header, cell, count) => {
    expect(reading(`Title,Start,${header}\nA,2026-05-01,${cell}`).drafts).toHaveLength(count);
  });
  it.each([
    ['Status', 'Cancelled due to snow', 'cancelled'],
    ['Event State', 'Cancelled', 'cancelled'],
    ['Status', 'Entfällt!', 'cancelled'],
    ['Status', 'fällt leider aus', 'cancelled'],
    ['Status', 'afgelast', 'cancelled'],
    ['Cancelled', 'Yes', 'cancelled'],
    ['Abgesagt', 'abgesagt', 'cancelled'],
    ['Статус', 'Отменено', 'cancelled'],
    ['Durum', 'İptal edildi', 'cancelled'],
    ['状態', '中止しました', 'cancelled'],
    ['状态', '已取消', 'cancelled'],
    ['Κατάσταση', 'Αναβλήθηκε', 'tentative'],
    ['상태', '연기됨', 'tentative'],
    ['Cancelled', 'No', 'confirmed'],
    ['Cancelled', '', 'confirmed'],
    ['Status', 'not cancelled', 'confirmed'],
    ['Status', 'vorläufig', 'tentative'],
    ['Status', 'Postponed', 'tentative'],
    ['Status', 'Postponed: a new date follows', 'tentative'],
    ['Status', 'przełożone', 'tentative'],
    ['Status', 'Post-punk', 'confirmed'],
  ])('a column %s with %j makes an event %s', (header, cell, state) =>
    expect(first(`Title,Start,${header}\nA,2026-05-01,${cell}`).state).toBe(state),
  );
  it.each(['Pending review', 'Rejected', 'Archived', 'Brouillon', 'wersja robocza', 'Bozza', 'Utkast', 'Rascunho'])(
    'a row whose status is %s is excluded',
    (status) => {
      const { drafts, excluded } = reading(`Title,Start,Status\nA,2026-05-01,${status}`);
      expect([drafts, excluded.map(({ title }) => title)]).toEqual([[], ['A']]);
    },
  );
  it.each([
    ['https://zoom.us/j/12345', '', { website: 'https://zoom.us/j/12345', venue: [] }],
    [
      'Main Hall or https://zoom.us/j/12345',
      '',
      { website: 'https://zoom.us/j/12345', venue: [{ venue: 'Main Hall' }] },
    ],
    [
      'Room 5; Microsoft Teams Meeting',
      'https://teams.microsoft.com/l/meetup-join/1',
      { venue: [{ venue: 'Room 5' }] },
    ],
    ['Microsoft Teams Meeting', '', { venue: [{ venue: 'Microsoft Teams Meeting' }] }],
    ['Online', '', { venue: [{ venue: 'Online' }] }],
    ['???', '', { venue: [] }],
  ])('a place %j beside the description %j is read as in a calendar', (location, description, fields) => {
    const row = first(`Title,Start,Location,Description\nA,2026-05-01,${location},${description}`);
    expect(row.fields).toMatchObject(fields);
    expect(row.rungs.url).toBeNull();
  });
  it('links as Airtable and Notion write them give their address', () => {
    const { fields } = first(
      'Title,Start,Link,Photo\n' +
        'A,2026-05-01,[Tickets](https://x.example/t),"a.png (https://x.example/a.png),b.png (https://x.example/b.png)"',
    );
    expect(fields).toMatchObject({ website: 'https://x.example/t', image: 'https://x.example/a.png' });
  });
  it('"only" and "skip" leave rows out, and "everything" includes them again', () => {
    const rules: Partial<DraftSettings> = {
      only: [{ field: 'title', matches: '(?i)^o' }],
      skip: [
        { field: 'class', matches: 'PRIVATE' },
        { field: 'title', matches: 'ff$' },
      ],
    };
    expect(reading(text, rules).drafts.map(({ fields }) => fields.title)).toEqual(['Open']);
    expect(reading(text, { ...rules, everything: true }).drafts.map(({ fields }) => fields.title)).toEqual([
      'Open',
      'Secret',
      'Draft',
      'Off',
    ]);
  });
  it('the file covers the time up to its latest start', () =>
    expect(reading(text).coversUntil).toBe(Date.UTC(2026, 3, 30, 22)));
});
