import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Event } from '../../../src/contract/representation.ts';
import { columnsOf } from '../../../src/csv/columns.ts';
import { parseRows } from '../../../src/csv/parse-rows.ts';
import { TABLE_HEADERS } from '../../../src/feeds/content/build-table.ts';
import { escapeHtml } from '../../../src/html/references.ts';
import { htmlFromText } from '../../../src/html/text.ts';
import { cleanText } from '../../../src/ical/write/write-lines.ts';
import type { DraftSettings, EventDraft } from '../../../src/sync/model/draft.ts';
import { SHORT_TEXTS } from '../../../src/sync/model/fields.ts';
import { draftsFromRows } from '../../../src/sync/drafts/from-rows.ts';
import { feedWorld, music } from '../../support/feed-world.ts';
import { siteEvent, siteOrganizer, siteTerm, siteVenue } from '../../support/memory-site.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

const settings: DraftSettings = {
  ...DRAFT_SETTINGS,
  source: 'table',
  window: { from: 0, to: Date.UTC(2100, 0) },
  siteTimezone: 'UTC',
};

async function readBack(said: Partial<Event>): Promise<EventDraft> {
  const answer = await feedWorld([siteEvent(1, said)]).get('/feeds/all.csv');
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
    'attachment; filename="all.csv"',
  ]);
  const rows = parseRows(Buffer.from(await answer.arrayBuffer()), answer.headers.get('content-type'));
  if (rows.kind !== 'rows') throw new Error(rows.problem.message);
  const reading = draftsFromRows(rows, settings);
  expect(reading.problems).toEqual([]);
  expect(reading.drafts).toHaveLength(1);
  return reading.drafts[0]!;
}

test('the import knows every exported column', () =>
  expect([...columnsOf(TABLE_HEADERS, {}).value.values()].flat().toSorted((a, b) => a - b)).toEqual(
    TABLE_HEADERS.map((_, index) => index),
  ));

test('the import reads what the export wrote', async () => {
  const venue = siteVenue(3, {
    venue: 'Hala &#8222;Orzeł&#8221;',
    address: 'ul. Długa 1, wejście B',
    city: 'Kraków',
    zip: '30-001',
    country: 'Poland',
  });
  const draft = await readBack({
    title: 'Jazz, blues &#038; &#8220;more&#8221;',
    description: '<p>Doors at <b>17:00</b>,\n"early"</p>',
    excerpt: '<p>Short</p>',
    cost: '10 &#8211; 20 zł',
    website: 'https://e.example/?a=1&amp;b=2',
    image: { url: 'https://e.example/p.jpg', id: 4, extension: 'jpg' },
    categories: [music, siteTerm(2, 'Late night')],
    tags: [siteTerm(9, 'jazz', 'tag')],
    venue,
    organizer: [siteOrganizer(1, { organizer: 'Town &amp; Co' }), siteOrganizer(2)],
    featured: true,
  });
  expect(draft.rungs.uid).toBe('1@site.example');
  expect(draft.fields).toEqual({
    // Those that the event does not have.
    ...Object.fromEntries(SHORT_TEXTS.map((field) => [field, ''])),
    title: 'Jazz, blues & “more”',
    start_date: '2027-01-10 18:00:00',
    end_date: '2027-01-10 20:00:00',
    timezone: 'Europe/Warsaw',
    all_day: false,
    status: 'publish',
    description: '<p>Doors at <b>17:00</b>,\n&quot;early&quot;</p>',
    excerpt: '<p>Short</p>',
    cost: '10 – 20 zł',
    website: 'https://e.example/?a=1&b=2',
    image: 'https://e.example/p.jpg',
    featured: true,
    sticky: false,
    show_map: true,
    show_map_link: true,
    categories: ['Music', 'Late night'],
    tags: ['jazz'],
    organizer: [{ organizer: 'Town & Co' }, { organizer: 'Organizer 2' }],
    venue: [
      { venue: 'Hala „Orzeł”', address: 'ul. Długa 1, wejście B', city: 'Kraków', zip: '30-001', country: 'Poland' },
    ],
  });
});

test.each<[string, Partial<Event>, number, number]>([
  [
    'a whole day',
    { all_day: true, start_date: '2027-01-06 00:00:00', end_date: '2027-01-07 23:59:59' },
    Date.UTC(2027, 0, 5, 23),
    Date.UTC(2027, 0, 7, 23),
  ],
  [
    'the second occurrence of an hour',
    {
      start_date: '2027-10-31 02:30:00',
      end_date: '2027-10-31 02:45:00',
      utc_start_date: '2027-10-31 01:30:00',
      utc_end_date: '2027-10-31 01:45:00',
    },
    Date.UTC(2027, 9, 31, 1, 30),
    Date.UTC(2027, 9, 31, 1, 45),
  ],
  [
    'over midnight',
    { start_date: '2027-01-06 22:00:00', end_date: '2027-01-07 03:00:05' },
    Date.UTC(2027, 0, 6, 21),
    Date.UTC(2027, 0, 7, 2, 0, 5),
  ],
  [
    'an offset',
    { timezone: 'UTC+5.5', start_date: '2027-01-06 22:00:00', end_date: '2027-01-06 23:00:00' },
    Date.UTC(2027, 0, 6, 16, 30),
    Date.UTC(2027, 0, 6, 17, 30),
  ],
  ['a moment', { end_date: '2027-01-10 18:00:00' }, Date.UTC(2027, 0, 10, 17), Date.UTC(2027, 0, 10, 17)],
])('times are read back: %s', async (_name, said, startsAt, endsAt) => {
  const draft = await readBack(said);
  expect([draft.startsAt, draft.endsAt]).toEqual([startsAt, endsAt]);
});

test.each([
  '=HYPERLINK("https://evil.example","x")',
  '+48 123',
  '-1',
  '@SUM(A1)',
  "'=1",
  "''+1",
  "'quoted'",
  '＝1',
  "rock 'n' roll",
])('%s is text in spreadsheets, and is read back unchanged', async (title) => {
  expect((await readBack({ title })).fields.title).toBe(title);
  const text = await (await feedWorld([siteEvent(1, { title })]).get('/feeds/all.csv')).text();
  expect(text.split('\r\n')[1]).not.toMatch(/(?:^|,)"?[=+@＝-]/);
});

test('a cancelled event is marked by its status only', async () => {
  const draft = await readBack({
    title: 'Cancelled: Jazz',
    tags: [siteTerm(2, 'cancelled', 'tag'), siteTerm(3, 'loud', 'tag')],
  });
  expect([draft.state, draft.fields.tags]).toEqual(['cancelled', ['loud']]);
});

// Cells as people and attackers write them: signs that begin formulas, quotes, separators, lines, spaces at the
// ends.
const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '=',
        '+',
        '-',
        '@',
        "'",
        '"',
        ',',
        ';',
        '\t',
        '\n',
        '\r\n',
        '=1+1',
        '=cmd|x',
        '@SUM(A1)',
        'zażółć',
        '🎺',
        '<',
        '&',
        '{',
        '|',
        '\\',
        ' ',
      ),
      fc.string({ maxLength: 6 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  // Without what titles and names on a site cannot contain, and without white space at the ends.
  .map((parts) => cleanText(parts.join('')).replace(/\s+/g, ' ').trim())
  .filter((text) => /\p{L}|\d/u.test(text));
const lines = fc.array(words, { minLength: 1, maxLength: 4 }).map((said) => said.join('\n'));

test.each<[string, readonly string[]]>([
  ['one with a comma', ['Rock, Roll']],
  ['two, one with a comma', ['Rock, Roll', 'Jazz']],
  ['two', ['Rock', 'Jazz']],
  ['with semicolons', ['a;b', 'c;', ';d', '; ;']],
  ['with bars', ['a|b', '|', 'c']],
  ['with backslashes', ['C:\\', 'a\\;b', '\\\\', '\\n, x']],
  ['a backslash alone', ['\\']],
  ['that end like a character reference', ['Tea&Cup', 'Jazz']],
  ['that end like one, with a comma', [',&Gt', 'Q&As', 'Tea&Cup']],
])('categories, tags and organizers are read back: %s', async (_name, names) => {
  const { fields } = await readBack({
    categories: names.map((name, index) => siteTerm(index + 1, name)),
    tags: names.map((name, index) => siteTerm(index + 20, name, 'tag')),
    organizer: names.map((organizer, index) => siteOrganizer(index + 1, { organizer })),
  });
  expect({ categories: fields.categories, tags: fields.tags, organizer: fields.organizer }).toEqual({
    categories: names,
    tags: names,
    organizer: names.map((organizer) => ({ organizer })),
  });
});

const wall = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

test('any event is read back as it was', async () => {
  const event = fc.record({
    title: words,
    description: lines,
    venue: words,
    city: words,
    categories: fc.uniqueArray(words, { minLength: 1, maxLength: 4, selector: (text) => text.toLowerCase() }),
    cost: words,
    allDay: fc.boolean(),
    day: fc.integer({ min: 0, max: 300 }),
    minute: fc.integer({ min: 0, max: 1439 }),
    minutes: fc.integer({ min: 0, max: 5000 }),
  });
  await fc.assert(
    fc.asyncProperty(
      event,
      async ({ title, description, venue, city, categories, cost, allDay, day, minute, minutes }) => {
        const starts = Date.UTC(2027, 0, 1) + day * 86_400_000 + (allDay ? 0 : minute * 60_000);
        const ends = allDay ? starts + Math.floor(minutes / 1440) * 86_400_000 + 86_399_000 : starts + minutes * 60_000;
        const draft = await readBack({
          title: escapeHtml(title),
          description: htmlFromText(description),
          all_day: allDay,
          timezone: 'Asia/Tokyo',
          start_date: wall(starts),
          end_date: wall(ends),
          cost: escapeHtml(cost),
          venue: siteVenue(1, { venue: escapeHtml(venue), city: escapeHtml(city) }),
          categories: categories.map((name, index) => siteTerm(index + 1, escapeHtml(name))),
          organizer: categories.map((name, index) => siteOrganizer(index + 1, { organizer: escapeHtml(name) })),
        });
        const { fields } = draft;
        expect({
          title: fields.title,
          description: fields.description,
          venue: fields.venue,
          categories: fields.categories,
          organizer: fields.organizer,
          cost: fields.cost,
          start_date: fields.start_date,
          end_date: fields.end_date,
          all_day: fields.all_day,
        }).toEqual({
          title,
          description: htmlFromText(description),
          venue: [{ venue, city }],
          categories,
          organizer: categories.map((organizer) => ({ organizer })),
          cost,
          start_date: wall(starts),
          end_date: wall(ends),
          all_day: allDay,
        });
      },
    ),
    { numRuns: 150 },
  );
});
