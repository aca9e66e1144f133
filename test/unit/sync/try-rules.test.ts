import { describe, expect, test } from 'vitest';
import { parseAndTry, parseFeed } from '../../../src/run/parse/parse-feed.ts';
import type { RuleTrial } from '../../../src/sync/drafts/rule-trial.ts';
import { joinedVenues } from '../../../src/sync/drafts/joined-venues.ts';
import { nestedRepetition } from '../../../src/sync/drafts/nested-repetition.ts';
import type { DraftSettings } from '../../../src/sync/model/draft.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

const event = (uid: string, ...more: readonly string[]): readonly string[] => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTAMP:20260101T000000Z',
  `DTSTART;TZID=Europe/Warsaw:20270110T1${uid.length % 10}0000`,
  ...more,
  'END:VEVENT',
];
const FEED = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:test',
  ...event('a', 'SUMMARY:Jazz: Quartet', 'CATEGORIES:Konzert,Bar', 'LOCATION:Main Libr.'),
  ...event('bb', 'SUMMARY:Reading for kids', 'CATEGORIES:Lesung', 'LOCATION:MAIN LIBR'),
  ...event('ccc', 'SUMMARY:Staff meeting', 'CATEGORIES:Staff'),
  ...event('dddd', 'SUMMARY:Board games'),
  ...event('eeeee', 'SUMMARY:Private', 'CLASS:PRIVATE'),
  'END:VCALENDAR',
  '',
].join('\r\n');
const bytes = Buffer.from(FEED);
const input = (settings: Partial<DraftSettings>) => ({
  bytes,
  contentType: 'text/calendar',
  format: undefined,
  settings: { ...DRAFT_SETTINGS, ...settings },
});

function tried(settings: Partial<DraftSettings>, shown?: Parameters<typeof parseAndTry>[0]['shown']): RuleTrial {
  const output = parseAndTry({ ...input(settings), ...(shown ? { shown } : {}) });
  if (output.kind !== 'tried') throw new Error(output.problem.message);
  return output.trial;
}
const touches = (trial: RuleTrial): readonly (readonly [string, number])[] =>
  trial.rules.map(({ path, count }) => [path.join('.'), count]);

const RULES: Partial<DraftSettings> = {
  categories: {
    map: { konzert: 'Music', Nothing: 'Void' },
    add: ['Library'],
    unknown: 'ignore',
    words: { Children: ['kids', 'story time'] },
  },
  tags: { add: ['imported'] },
  defaultVenue: 'Town hall',
  venueAliases: { 'main libr': 'Main Library' },
  defaultOrganizer: 'The library',
  set: [
    {
      when: [{ field: 'title', matches: '^Jazz: (.*)' }],
      only_where_empty: false,
      title: '{1}',
      add_categories: ['Jazz'],
    },
  ],
  only: [{ field: 'venue', matches: '.' }],
  skip: [{ field: 'title', matches: '(?i)staff' }],
};

describe('rules tried on a feed', () => {
  test('each rule counts the events that it touches, in the order in which rules are applied', () => {
    const trial = tried(RULES);
    expect(touches(trial)).toEqual([
      ['categories.map.konzert', 1],
      ['categories.map.Nothing', 0],
      ['categories.add.0', 4],
      ['categories.unknown', 3],
      ['tags.add.0', 4],
      ['venue.default', 2],
      ['venue.aliases.main libr', 2],
      ['organizer.default', 4],
      ['categories.words.Children', 1],
      ['set.0', 1],
      ['only.0', 0],
      ['skip.0', 1],
    ]);
    expect(trial).toMatchObject({ events: 4, through: 3, untouched: 0 });
  });

  test('each rule shows the values before and after it, field by field', () => {
    const { rules } = tried(RULES);
    expect(rules.find(({ path }) => path[0] === 'set')?.first).toEqual([
      {
        title: 'Quartet',
        start: '2027-01-10 11:00:00',
        changes: [
          { field: 'title', before: 'Jazz: Quartet', after: 'Quartet' },
          { field: 'categories', before: 'Music, Library', after: 'Music, Library, Jazz' },
        ],
      },
    ]);
    expect(rules.find(({ path }) => path[1] === 'aliases')?.first.map(({ changes }) => changes)).toEqual([
      [{ field: 'venue', before: 'Main Libr.', after: 'Main Library' }],
      [{ field: 'venue', before: 'MAIN LIBR', after: 'Main Library' }],
    ]);
  });

  test('a value that was empty before is shown, too', () => {
    const { rules } = tried({ set: [{ when: [], only_where_empty: true, cost: 'free' }] });
    expect(rules[0]?.first[0]?.changes).toEqual([{ field: 'cost', before: '', after: 'free' }]);
  });

  test('names in the feed that no rule knows are listed', () => {
    expect(tried(RULES).categories).toEqual({
      first: [
        { name: 'Bar', count: 1 },
        { name: 'Lesung', count: 1 },
        { name: 'Staff', count: 1 },
      ],
      more: 0,
    });
    expect(tried({}).venues.first).toEqual([
      { name: 'Main Libr.', count: 1 },
      { name: 'MAIN LIBR', count: 1 },
    ]);
    expect(tried({}).untouched).toBe(4);
  });

  test('more events of one rule are shown when asked for', () => {
    const shown = { path: ['tags', 'add', 0], max: 2 };
    expect(tried(RULES, shown).rules.map(({ first }) => first.length)).toContain(2);
  });

  test.each([
    RULES,
    {},
    { ...RULES, only: [{ field: 'categories', matches: '^Jazz$' }] },
    { ...RULES, skip: [{ field: 'categories', matches: '^Staff$' }] },
    { venueAliases: { 'Main Libr.': 'B', B: 'C' }, skip: [{ field: 'venue', matches: '^B$' }] },
  ] satisfies readonly Partial<DraftSettings>[])('as many events come through as in a run', (settings) => {
    const parsed = parseFeed(input(settings));
    expect(parsed.kind === 'reading' && parsed.reading.drafts.length).toBe(tried(settings).through);
  });

  test('a page that is not a feed is reported as such', () => {
    expect(parseAndTry({ ...input({}), bytes: Buffer.from('<html>') }).kind).toBe('notAFeed');
  });
});

test('venues that rules give one name are listed with their addresses, unless they are in two towns', () => {
  const { add, found } = joinedVenues();
  add([{ venue: 'Library A' }], [{ venue: 'Library', address: 'Street 1', city: 'Warsaw' }]);
  add([{ venue: 'Library B' }], [{ venue: 'Library', address: 'Street 2', city: 'Warsaw' }]);
  add([{ venue: 'Museum A' }], [{ venue: 'Museum', address: 'Street 1', city: 'Warsaw' }]);
  add([{ venue: 'Museum B' }], [{ venue: 'Museum', address: 'Street 2', city: 'Leeds' }]);
  expect(found()).toEqual([{ name: 'Library', venues: 2, addresses: ['Street 1', 'Street 2'] }]);
});

test.each([
  ['(?i)jazz', undefined],
  ['^(?i', undefined],
  ['(a+)+$', '(a+)+'],
  ['(?i)x(?:a|b)*c', '(?:a|b)*'],
  [String.raw`\((a|\))[+*](x+y)*`, '(x+y)*'],
  ['((a+)b){2,5}c', '((a+)b){2,5}'],
  ['(a{2,3}){4}', undefined],
])('in the expression %j the slow part is %j', (expression, part) => {
  const found = nestedRepetition(expression);
  expect(found && expression.slice(found.from, found.to)).toBe(part);
});
