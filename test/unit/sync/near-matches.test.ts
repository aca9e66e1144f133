import { describe, expect, test } from 'vitest';
import { nearMatches, nearMatchesOf } from '../../../src/sync/links/near-matches.ts';
import { whyNear } from '../../../src/sync/links/near-names.ts';
import type { Action } from '../../../src/sync/model/plan.ts';
import { draftOf } from '../../support/drafts.ts';
import { syncing } from '../../support/syncing.ts';

const named = (name: string, city?: string, ...contacts: string[]) => ({ name, city, contacts });

describe('two names', () => {
  test.each([
    ['Jazz Club', 'JazzClub', 'spelling'],
    ['Café-Kosmos', 'Cafe Kosmos!', 'spelling'],
    ['Main Library', 'Main Library, City', 'head'],
    ['Town Hall', 'Town Hall, Main Street 1', 'head'],
    ['Żak', 'Żak – Sala Suwnicowa', 'head'],
    ['Kosmos', 'Kosmos (Sopot)', 'head'],
    ['Town Hall', 'Old Town Hall', 'part'],
    ['City Library', 'Library of the City', 'part'],
    ['St. Mary Church', 'Saint Mary Church', 'abbreviation'],
    ['Univ. Library', 'University Library', 'abbreviation'],
    ['Long St Theatre', 'Long Street Theatre', 'abbreviation'],
    ['Main Libary', 'Main Library', 'typo'],
    ['Main Librray', 'Main Library', 'typo'],
    ['Palace Theater', 'Palace Theatre', 'typo'],
    ['Hall 1', 'Hall 2', null],
    ['Concert Hall A', 'Concert Hall B', null],
    ['Town Hall', 'Town Hall 2', null],
    ['Place 1', 'Place 10', null],
    ['Room 101', 'Room 102', null],
    ['Park', 'Park Hotel', null],
    ['Town Hall, Room 1', 'Town Hall, Room 2', null],
    ['North Library', 'South Library', null],
    ['Main Library', 'Main Theatre', null],
    ['東京', '大阪', null],
    ['!!!', '???', null],
  ])('%s and %s: %s', (one, other, why) => {
    expect([whyNear(named(one), named(other)), whyNear(named(other), named(one))]).toEqual([why, why]);
  });

  test('one address makes two names near matches, unless their cities differ', () => {
    expect(whyNear(named('Library', 'Sopot', 'Main St. 1'), named('Biblioteka', undefined, 'main st 1'))).toBe(
      'contact',
    );
    expect(whyNear(named('Library', 'Sopot', 'Main St. 1'), named('Biblioteka', 'Gdynia', 'main st 1'))).toBeNull();
    expect(whyNear(named('Main Library', 'Sopot'), named('Main Library, Sopot', 'SOPOT'))).toBe('head');
    expect(whyNear(named('Main Library', 'Sopot'), named('Main Library, Gdynia', 'Gdynia'))).toBeNull();
  });
});

const venue = (name: string, more: object = {}): Action => ({
  kind: 'create',
  resource: 'venues',
  ref: name,
  fields: { venue: name, ...more },
});
const organizer = (name: string, more: object = {}): Action => ({
  kind: 'create',
  resource: 'organizers',
  ref: name,
  fields: { organizer: name, ...more },
});
const site = (id: number, name: string, more: object = {}) => ({ id, slug: `s-${id}`, venue: name, ...more });
const NOTHING = { venues: [], organizers: [] };

describe('near matches', () => {
  test('are reported with the lines to paste into the configuration', () => {
    expect(
      nearMatches(
        [venue('Main Library, City')],
        { ...NOTHING, venues: [site(12, 'Main Library'), site(13, 'Theatre')] },
        'town',
      ),
    ).toEqual([
      {
        code: 'venue-near-match',
        where: {},
        message:
          'The feed\'s venue "Main Library, City" is one of its own on the site, beside "Main Library" (id 12), ' +
          'which is the same up to a comma. If they are one and the same, write under the source "town": ' +
          'venue: { aliases: { "Main Library, City": "Main Library" } }',
      },
    ]);
    expect(
      nearMatches(
        [organizer('The Club', { email: 'a@club.example' })],
        { ...NOTHING, organizers: [{ id: 4, slug: 'club', organizer: 'Jazz', email: 'A@club.example' }] },
        'town',
      ),
    ).toMatchObject([
      {
        code: 'organizer-near-match',
        message: expect.stringMatching(
          /"Jazz" \(id 4\), which has the same address\..*organizer: \{ aliases: \{ "The Club": "Jazz" \} \}$/,
        ) as string,
      },
    ]);
  });

  test("say what to do with the venue that the feed's events leave", () => {
    const update: Action = {
      kind: 'update',
      resource: 'events',
      slug: 's',
      id: 1,
      title: 'Ballet',
      fields: { venue: ['venues:Hall D'] },
      changes: { venue: { from: ['venues:Hall D, Main Street 1'], to: ['venues:Hall D'] } },
      because: 'changed by the settings of its source',
    };
    const hall: Action = { ...venue('Hall D'), ref: 'venues:Hall D' } as Action;
    const problems = nearMatches([hall, update], { ...NOTHING, venues: [site(3, 'Hall D, Main Street 1')] }, 'town');
    expect(problems.map(({ message }) => message)).toEqual([
      'The feed\'s venue "Hall D" now takes the place of "Hall D, Main Street 1" (id 3), which is the same up to a ' +
        'comma. Remove "Hall D, Main Street 1" on the site once no event needs it any more; to have it instead of ' +
        '"Hall D", write under the source "town": venue: { aliases: { "Hall D": "Hall D, Main Street 1" } }',
    ]);
  });

  test('between new venues of one plan are reported once, for the longer name', () => {
    const problems = nearMatches(
      [venue('Main Library'), venue('Main Library, City'), venue('Other Place')],
      NOTHING,
      'town',
    );
    expect(problems.map(({ message }) => /"([^"]+)" is one/.exec(message)![1])).toEqual(['Main Library, City']);
  });

  test('list each similar venue once, by its name on the site, and never the venue itself', () => {
    const venues = [
      site(1, 'Town Hall', { city: 'Warsaw' }),
      site(4, 'Town Hall (Sopot)', { city: 'Sopot' }),
      site(6, 'Townhall'),
    ];
    const problems = nearMatchesOf(
      {
        venues: [{ venue: 'Town Hall' }, { venue: 'Town Hall', city: 'Warsaw' }, { venue: 'Townhall' }],
        organizers: [],
      },
      { ...NOTHING, venues },
      'town',
    );
    const spelling = 'which differs only in spaces or punctuation';
    expect(problems.map(({ message }) => /(".*)\. If/.exec(message)![1])).toEqual([
      `"Town Hall" is one of its own on the site, beside "Townhall" (id 6), ${spelling}`,
      `"Townhall" is one of its own on the site, beside "Town Hall" (id 1), ${spelling}; "Town Hall (Sopot)" (id 4), ${spelling}`,
    ]);
  });

  test('are not found by an address that many share', () => {
    const email = 'office@town.example';
    expect(nearMatches([organizer('Choir', { email }), organizer('Theatre', { email })], NOTHING, 'town')).toHaveLength(
      1,
    );
    expect(
      nearMatches(
        [organizer('Choir', { email }), organizer('Theatre', { email }), organizer('Band', { email })],
        NOTHING,
        'town',
      ),
    ).toEqual([]);
  });

  test('do not include venues in another city, even for a venue whose name got its city', () => {
    expect(
      nearMatches(
        [venue('Hall (Sopot)', { city: 'Sopot' })],
        { ...NOTHING, venues: [site(1, 'Hall', { city: 'Gdynia' })] },
        'town',
      ),
    ).toEqual([]);
  });

  test('are also found later, among all names of a feed', () => {
    const onSite = { ...NOTHING, venues: [site(1, 'Main Library'), site(2, 'Main Library, City')] };
    expect(nearMatchesOf({ venues: [{ venue: 'Main Library, City' }], organizers: [] }, onSite, 'town')).toHaveLength(
      1,
    );
    expect(nearMatchesOf({ venues: [{ venue: 'Somewhere' }], organizers: [] }, onSite, 'town')).toEqual([]);
  });

  test('thousands of venues are compared in no time', () => {
    const venues = Array.from({ length: 3_000 }, (_, index) => venue(`Place ${index} of Hall`));
    expect(
      nearMatches(
        venues,
        { ...NOTHING, venues: Array.from({ length: 3_000 }, (_, index) => site(index, `Club ${index}`)) },
        'town',
      ),
    ).toEqual([]);
  });

  test('are reported by the run that creates the venue, and by no later one', () => {
    const { run } = syncing();
    run([draftOf('1', { venue: [{ venue: 'Main Library' }] })]);
    const drafts = [
      draftOf('1', { venue: [{ venue: 'Main Library' }] }),
      draftOf('2', { title: 'Two', venue: [{ venue: 'Main Library, City' }] }),
    ];
    expect(run(drafts).problems.map(({ code }) => code)).toEqual(['venue-near-match']);
    expect(run(drafts).problems).toEqual([]);
  });
});
