import { describe, expect, test } from 'vitest';
import { parseRows } from '../../../src/csv/parse-rows.ts';
import { parseCalendar } from '../../../src/ical/read/parse-calendar.ts';
import type { DraftSettings, EventDraft, FeedReading, SetRule } from '../../../src/sync/model/draft.ts';
import { draftsOf } from '../../support/drafts-of.ts';
import { draftsFromRows } from '../../../src/sync/drafts/from-rows.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

const LINES = [
  'SUMMARY:Town Hall presents: Jazz café',
  'DESCRIPTION:<p>Three <b>Live</b>-Bands play.</p>',
  'CATEGORIES:Konzert,Kids',
  'LOCATION:Rathaus\\, Main St.',
  'ORGANIZER;CN=T. Council:mailto:x@town.example',
];

function reading(settings: Partial<DraftSettings>, lines: readonly string[] = LINES): FeedReading {
  const { value } = parseCalendar(
    [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'UID:1',
      'DTSTART:20270110T180000Z',
      ...lines,
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n'),
  );
  return draftsOf(value, { ...DRAFT_SETTINGS, ...settings });
}
const draft = (settings: Partial<DraftSettings>, lines?: readonly string[]): EventDraft =>
  reading(settings, lines).drafts[0]!;
const set = (...rules: readonly Partial<SetRule>[]): Pick<DraftSettings, 'set'> => ({
  set: rules.map((rule) => ({ when: [], only_where_empty: false, ...rule })),
});

describe('categories.words and tags.words', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['match the title, ignoring case and accents', ['CAFE'], ['categories.words: "Music" for "CAFE"']],
    [
      'match the description, ignoring markup and punctuation',
      ['live bands'],
      ['categories.words: "Music" for "live bands"'],
    ],
    ['match the categories of the feed', ['x', 'konzert'], ['categories.words: "Music" for "konzert"']],
    ['match whole words only', ['caf', 'Band', 'hall jazz', ' '], []],
  ])('%s', (_, words, rules) => {
    const one = draft({ categories: { ...DRAFT_SETTINGS.categories, words: { Music: words } } });
    expect([one.fields.categories, one.rules ?? []]).toEqual([
      ['Konzert', 'Kids', ...(rules.length > 0 ? ['Music'] : [])],
      rules,
    ]);
  });
  test('add tags, too, and make the category that they name a known one', () => {
    const one = draft({
      categories: { map: {}, add: [], unknown: 'ignore', words: { Kids: ['x'] } },
      tags: { add: ['town'], words: { evening: ['jazz'] } },
    });
    expect([one.fields.categories, one.fields.tags]).toEqual([['Kids'], ['town', 'evening']]);
  });
});

const table = (settings: Partial<DraftSettings>): FeedReading => {
  const rows = parseRows(new TextEncoder().encode('Title,Start,Category\nJazz,2027-01-10,"Konzert, Kids"'), null);
  if (rows.kind !== 'rows') throw new Error('no rows');
  return draftsFromRows(rows, { ...DRAFT_SETTINGS, ...settings });
};

describe('categories that "unknown: ignore" keeps off the site', () => {
  const categories = { map: {}, add: [], unknown: 'ignore', words: { Music: ['konzert'] } } as const;
  test.each([
    ['of a calendar', reading],
    ['of a table', table],
  ])('%s are seen by words, when, only and skip', (_, read) => {
    const when = [{ field: 'categories', matches: '^Kids$' }];
    const { drafts } = read({ categories, ...set({ when, cost: 'free' }), only: when });
    expect(drafts[0]?.fields).toMatchObject({ categories: ['Music'], cost: 'free' });
    expect(read({ categories, skip: when })).toMatchObject({
      drafts: [],
      excluded: [{ because: 'left out by the rule skip { field: categories, matches: "^Kids$" }' }],
    });
  });
  test('do not count for a rule that skips events without categories', () => {
    const skip = [{ field: 'categories', matches: '^$' }];
    expect(reading({ categories: { ...categories, words: {} }, skip }).drafts).toEqual([]);
  });
});

describe('aliases and defaults', () => {
  test('an alias gives a venue or organizer its name, and drops the other details of the feed', () => {
    const one = draft({
      venueAliases: { 'rathaus main st': 'Town Hall' },
      organizerAliases: { 'T Council': 'Town Council' },
    });
    expect(one.fields).toMatchObject({ venue: [{ venue: 'Town Hall' }], organizer: [{ organizer: 'Town Council' }] });
    expect(one.fields.organizer![0]).not.toHaveProperty('email');
    expect(one.rules).toEqual([
      'venue.aliases: "Rathaus, Main St." is "Town Hall"',
      'organizer.aliases: "T. Council" is "Town Council"',
    ]);
  });
  test('the default organizer is for events that name none', () => {
    expect(draft({ defaultOrganizer: 'Town' }).fields.organizer).toMatchObject([{ organizer: 'T. Council' }]);
    expect(draft({ defaultOrganizer: 'Town' }, ['SUMMARY:A'])).toMatchObject({
      fields: { organizer: [{ organizer: 'Town' }] },
      rules: ['organizer.default: "Town"'],
    });
  });
});

describe('set', () => {
  const prefix = [{ field: 'title', matches: '^Town Hall presents: (.+)$' }];
  test('inserts the groups that a condition has matched', () => {
    expect(draft(set({ when: prefix, title: '{1}', cost: '$10 ({9})' }))).toMatchObject({
      fields: { title: 'Jazz café', cost: '$10 ()' },
      rules: ['set 1: title', 'set 1: cost'],
    });
  });
  test('applies to events that match all conditions', () => {
    const one = draft(
      set(
        { when: [...prefix, { field: 'class', matches: 'PRIVATE' }], title: 'X' },
        { when: [{ field: 'categories', matches: '^Kids$' }], featured: true },
      ),
    );
    expect([one.fields.title, one.fields.featured, one.rules]).toEqual([
      'Town Hall presents: Jazz café',
      true,
      ['set 2: featured'],
    ]);
  });
  test('with only_where_empty, fills only what the feed leaves empty', () => {
    const rule = { only_where_empty: true, venue: 'Elsewhere', cost: 'free', categories: ['Other'] };
    expect(draft(set(rule))).toMatchObject({
      fields: { venue: [{ venue: 'Rathaus, Main St.' }], cost: 'free', categories: ['Konzert', 'Kids'] },
      rules: ['set 1: cost'],
    });
    expect(draft(set(rule), ['SUMMARY:A']).rules).toEqual(['set 1: cost', 'set 1: categories', 'set 1: venue']);
  });
  test('applies rule after rule, and each sees the result of the one before', () => {
    const one = draft(
      set(
        { categories: ['Music'], add_tags: ['a'] },
        {
          when: [{ field: 'categories', matches: 'Music' }],
          add_categories: ['music', 'Jazz'],
          add_tags: ['b'],
          venue: '',
          description: 'a < b',
        },
      ),
    );
    expect(one.fields).toMatchObject({
      categories: ['Music', 'Jazz'],
      tags: ['a', 'b'],
      venue: [],
      description: expect.stringContaining('a &lt; b'),
    });
  });
  describe('a venue and its address', () => {
    const inOneLine = [{ field: 'venue', matches: '^(.+?), (.+)$' }];
    test('a name and an address in one line become a venue with an address', () => {
      expect(draft(set({ when: inOneLine, venue: '{1}', address: '{2}', city: 'Leeds', country: 'UK' }))).toMatchObject(
        {
          fields: { venue: [{ venue: 'Rathaus', address: 'Main St.', city: 'Leeds', country: 'UK' }] },
          rules: ['set 1: venue'],
        },
      );
    });
    test('the address is set on the venues of the event if the rule names no venue', () => {
      const lines = ['SUMMARY:A', 'LOCATION:Rathaus\\nMain St.'];
      const parts = { address: 'High Street 1', zip: '01067', country: '' };
      expect(draft(set(parts), lines).fields.venue).toEqual([
        { venue: 'Rathaus', address: 'High Street 1', zip: '01067' },
      ]);
      expect(draft(set({ ...parts, only_where_empty: true }), lines).fields.venue).toEqual([
        { venue: 'Rathaus', address: 'Main St.', zip: '01067' },
      ]);
      expect(draft(set(parts), ['SUMMARY:A'])).toMatchObject({ fields: { venue: [] } });
    });
    test('a venue or organizer whose name comes out empty is dropped', () => {
      expect(draft(set({ when: inOneLine, venue: '{3}', organizer: '{3}' })).fields).toMatchObject({
        venue: [],
        organizer: [],
      });
    });
  });
  test('never leaves a title empty, and changes no identity', () => {
    const one = draft(set({ when: [{ field: 'title', matches: '.' }], title: '{5}' }));
    expect(one.fields.title).toBe('Town Hall presents: Jazz café');
    expect(draft(set({ title: 'Other' })).rungs).toEqual(one.rungs);
  });
  test('only and skip look at its results', () => {
    const { drafts, excluded } = reading({
      ...set({ add_tags: ['hidden'] }),
      skip: [{ field: 'tags', matches: 'hidden' }],
    });
    expect([drafts, excluded[0]?.because]).toEqual([
      [],
      'left out by the rule skip { field: tags, matches: "hidden" }',
    ]);
  });
});

test('rules apply to rows of tables, too, and a row that no rule touches lists none', () => {
  const rows = parseRows(
    Buffer.from('Title,Start,Tags,Venue\nJazz,2027-01-10 19:00,"Loud;late",Rathaus\nTalk,2027-01-11 19:00,,'),
    null,
  );
  if (rows.kind === 'notRows') throw new Error(rows.problem.message);
  const { drafts } = draftsFromRows(rows, {
    ...DRAFT_SETTINGS,
    tags: { add: [], map: { loud: 'noise' }, words: { music: ['jazz'] } },
    venueAliases: { rathaus: 'Town Hall' },
  });
  expect(drafts.map(({ fields, rules }) => [fields.tags, fields.venue, rules])).toEqual([
    [
      ['noise', 'late', 'music'],
      [{ venue: 'Town Hall' }],
      ['venue.aliases: "Rathaus" is "Town Hall"', 'tags.words: "music" for "jazz"'],
    ],
    [[], [], undefined],
  ]);
});
