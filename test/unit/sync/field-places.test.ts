import { describe, expect, test } from 'vitest';
import { calendarFieldPlaces } from '../../../src/sync/formats/calendar-field-places.ts';
import type { FieldPlace } from '../../../src/sync/formats/field-place.ts';
import { rulesByField } from '../../../src/sync/formats/rules-by-field.ts';
import { tableFieldPlaces } from '../../../src/sync/formats/table-field-places.ts';

const place = (field: FieldPlace['field'], text: string): FieldPlace => ({ field, name: '', line: 1, text });
const inShort = (places: readonly FieldPlace[]): readonly string[] =>
  places.map(({ field, name, line, text }) => `${field}: ${name} ${line} ${text}`);

describe('what a calendar says about the fields of an event', () => {
  const text = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:another',
    'SUMMARY:Another',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:e1',
    'DTSTART;TZID=Europe/Warsaw:20270303T160000',
    'BEGIN:VALARM',
    'DESCRIPTION:Wake up',
    'END:VALARM',
    'STATUS:CONFIRMED',
    'SUMMARY:Story time',
    '  for small ears',
    'LOCATION:Main Libr.',
    'ORGANIZER:mailto:jane@library.example',
    'X-COST:free',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'SUMMARY:The next',
    'END:VEVENT',
    'END:VCALENDAR',
  ];

  test.each(['\n', '\r\n', '\r'])('with lines that end in %j', (end) =>
    expect(inShort(calendarFieldPlaces(text.join(end), 6))).toEqual([
      'start_date: DTSTART 8 DTSTART;TZID=Europe/Warsaw:20270303T160000',
      'timezone: DTSTART 8 DTSTART;TZID=Europe/Warsaw:20270303T160000',
      'all_day: DTSTART 8 DTSTART;TZID=Europe/Warsaw:20270303T160000',
      'title: SUMMARY 13 SUMMARY:Story time for small ears',
      'venue: LOCATION 15 LOCATION:Main Libr.',
      'organizer: ORGANIZER 16 ORGANIZER:mailto:…@library.example',
      'cost: X-COST 17 X-COST:free',
    ]),
  );

  test('STATUS:CANCELLED is listed for the title and the tags', () =>
    expect(inShort(calendarFieldPlaces('BEGIN:VEVENT\nSTATUS:CANCELLED\nEND:VEVENT\n', 1))).toEqual([
      'title: STATUS 2 STATUS:CANCELLED',
      'tags: STATUS 2 STATUS:CANCELLED',
    ]));

  test('an emoji of several people and a Persian word stay whole', () => {
    const title = 'SUMMARY:👨‍👩‍👧‍👦 می‌خواهم';
    expect(inShort(calendarFieldPlaces(`BEGIN:VEVENT\n${title}\nEND:VEVENT\n`, 1))).toEqual([
      `title: SUMMARY 2 ${title}`,
    ]);
  });

  test.each([
    ['image', 'ATTACH;FMTTYPE=image/jpeg:https://library.example/poster'],
    ['image', 'ATTACH:https://library.example/poster.jpg'],
    ['description', 'ATTACH;FMTTYPE=application/pdf:https://library.example/programme.pdf'],
    ['description', 'ATTACH;FMTTYPE=application/pdf:https://library.example/poster.jpg'],
  ])('an attachment is listed for the %s: %s', (field, line) =>
    expect(inShort(calendarFieldPlaces(`BEGIN:VEVENT\n${line}\nEND:VEVENT\n`, 1))).toEqual([
      `${field}: ATTACH 2 ${line}`,
    ]),
  );

  test.each([0, 4, 99])('nothing at line %d, where no event begins', (line) =>
    expect(calendarFieldPlaces(text.join('\n'), line)).toEqual([]),
  );
});

describe('what a table says about the fields of an event', () => {
  const table =
    'Our events\n\nTitle;Date;Time;Venue;City;Category\nJazz;6.3.2027;19:00;Hall;Warsaw;Music\n"Two\nlines";7.3.2027;;Café;;\n';

  test('by its column, with the line of the row', () => {
    expect(inShort(tableFieldPlaces(table, 4, { columns: {} }))).toEqual([
      'title: Title 4 Jazz',
      'start_date: Date 4 6.3.2027',
      'start_date: Time 4 19:00',
      'venue: Venue 4 Hall',
      'venue: City 4 Warsaw',
      'categories: Category 4 Music',
    ]);
    expect(inShort(tableFieldPlaces(table, 5, { columns: {} })).slice(0, 2)).toEqual([
      'title: Title 5 Two�lines',
      'start_date: Date 5 7.3.2027',
    ]);
  });

  test('by the configured column, and nothing in what is not a table', () => {
    expect(inShort(tableFieldPlaces('A,B\nx,1.2.2027\n', 2, { columns: { title: 'A', start_date: 'B' } }))).toEqual([
      'title: A 2 x',
      'start_date: B 2 1.2.2027',
    ]);
    expect(tableFieldPlaces('<html>', 1, { columns: {} })).toEqual([]);
  });

  test('nothing below its last row, where the table had rows before', () => {
    expect(tableFieldPlaces(table, 99, { columns: {} })).toEqual([]);
  });
});

describe('which rules have changed a field', () => {
  const settings = {
    categories: { map: { Konzert: 'Music', Theater: 'Theatre' }, add: ['Town'], unknown: 'create' },
    tags: { add: [] },
    defaultVenue: 'Town hall',
    timezone: 'Europe/Warsaw',
  } as const;

  test('settings are listed if they concern what the feed says', () => {
    const said = [
      place('categories', String.raw`CATEGORIES:konzert,Tanz\, Ball`),
      place('timezone', 'DTSTART:20270303T160000'),
    ];
    expect(rulesByField(settings, said, [])).toEqual({
      categories: ['categories.map: "Konzert" is "Music"', 'categories.add: "Town"'],
      venue: ['venue.default: "Town hall"'],
      timezone: ['timezone: Europe/Warsaw'],
    });
    const other = [place('venue', 'LOCATION:Hall'), place('timezone', 'DTSTART:20270303T160000Z')];
    expect(rulesByField(settings, other, [])).toEqual({ categories: ['categories.add: "Town"'] });
  });

  test('rules are listed for the field that they name', () =>
    expect(
      rulesByField(
        {
          ...settings,
          categories: { map: {}, add: [], unknown: 'ignore' },
          defaultVenue: undefined,
          timezone: undefined,
        },
        [],
        ['set 2: cost', 'venue.aliases: "Libr." is "Library"', 'categories.words: "Jazz" for "jazz"'],
      ),
    ).toEqual({
      cost: ['set 2: cost'],
      venue: ['venue.aliases: "Libr." is "Library"'],
      categories: ['categories.unknown: ignore', 'categories.words: "Jazz" for "jazz"'],
    }));
});
