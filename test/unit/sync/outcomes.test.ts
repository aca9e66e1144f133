import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/contract/representation.ts';
import { ledgerAfter } from '../../../src/sync/event/ledger-after.ts';
import { isAsReturned, looksSame, mayHaveBecome } from '../../../src/sync/compare/looks-same.ts';
import { planAsJson, planInWords } from '../../../src/sync/plan/plan-in-words.ts';
import type { Action, FieldState, Json, LedgerEntry, Outcome, Plan } from '../../../src/sync/model/plan.ts';
import { sumOfTallies, summarize, tallyOf } from '../../../src/sync/plan/report.ts';
import { isEditedByPerson, replaced, seenAs } from '../../../src/sync/compare/seen.ts';
import { siteEventOf, siteOrganizerOf, siteTermOf, siteVenueOf } from '../../../src/sync/compare/site-values.ts';
import { FIRST_STAGE, STAGES, stageOf, toBatches, WRITTEN_IN } from '../../../src/sync/model/to-batches.ts';

const create = (slug: string): Action => ({
  kind: 'create',
  resource: 'events',
  slug,
  title: slug,
  fields: { title: slug },
  because: 'new in the feed',
});
const remove = (slug: string): Action => ({
  kind: 'remove',
  resource: 'events',
  slug,
  id: 1,
  title: slug,
  how: 'trash',
  fields: {},
  before: {},
  because: 'gone',
});
const term = (name: string): Action => ({ kind: 'create', resource: 'tags', ref: `tags:${name}`, fields: { name } });
const venue: Action = { kind: 'create', resource: 'venues', ref: 'venues:Hall', fields: { venue: 'Hall' } };
const organizer: Action = {
  kind: 'create',
  resource: 'organizers',
  ref: 'organizers:Club',
  fields: { organizer: 'Club' },
};
const numbered = (count: number): Action[] => Array.from({ length: count }, (_, index) => create(`e${index}`));

describe('batches', () => {
  it('are cut to 25 writes of one stage: terms, venues and organizers, events, removals', () => {
    const batches = toBatches([remove('x'), ...numbered(51), venue, term('a'), organizer]);
    expect(batches.map(({ stage, number, actions }) => [stage, number, actions.length])).toEqual([
      ['terms', 0, 1],
      ['venues', 0, 2],
      ['events', 0, 25],
      ['events', 1, 25],
      ['events', 2, 1],
      ['removals', 0, 1],
    ]);
    expect(batches.flatMap(({ actions }) => actions).filter((action) => stageOf(action) === 'events')).toEqual(
      numbered(51),
    );
  });
  it.each([
    [2, [1, 1]],
    [5, [2, 2, 1]],
    [12, [3, 3, 3, 3]],
    [20, [5, 5, 5, 5]],
    [40, [10, 10, 10, 10]],
    [120, [25, 25, 25, 25, 20]],
  ])('of %d terms, four sent at once, have the sizes %j', (count, sizes) => {
    const terms = Array.from({ length: count }, (_, index) => term(`t${index}`));
    const batches = toBatches([...terms, ...numbered(12)], 4);
    expect(batches.map(({ actions }) => actions.length)).toEqual([...sizes, 12]);
    expect(batches.flatMap(({ actions }) => actions)).toEqual([...terms, ...numbered(12)]);
  });
  it.each([
    [2, [2]],
    [12, [5, 5, 2]],
    [40, [10, 10, 10, 10]],
  ])('of %d organizers, which each first need the list of all, have the sizes %j', (count, sizes) =>
    expect(
      toBatches(
        Array.from({ length: count }, () => organizer),
        4,
      ).map(({ actions }) => actions.length),
    ).toEqual(sizes),
  );
  // Runs of an earlier release begin with a stage of terms alone.
  it.each([FIRST_STAGE, 'terms'] as const)('of a run that starts with the stage %s cover all stages', (first) =>
    expect(new Set(STAGES.slice(STAGES.indexOf(first)).flatMap((stage) => WRITTEN_IN[stage]))).toEqual(new Set(STAGES)),
  );
  it('are none if there are no actions', () => expect(toBatches([])).toEqual([]));
});

const KEY = 'abcdefghijklmn';
const entry: LedgerEntry = {
  slug: `jazz-${KEY}`,
  key: KEY,
  rung: 'uid',
  identity: '1',
  uid: '1',
  title: 'Jazz',
  startsAt: 0,
  endsAt: 1,
  id: null,
  state: 'kept',
  missing: 0,
  fields: { title: { feed: 'Jazz', by: 'feed' }, cost: { feed: '1', returned: '$1', by: 'feed' } },
};
const done = (slug: string): Outcome => ({ kind: 'done', id: 7, slug, values: { title: 'JAZZ' } });

describe('the ledger after an action', () => {
  it('holds the id, what was sent and what the site made of it; other fields stay', () => {
    expect(
      ledgerAfter(
        { entry, pendingFields: ['title'] },
        { ...create('x'), fields: { title: 'Jazz' } } as Action,
        done(entry.slug),
      ),
    ).toEqual({
      ...entry,
      id: 7,
      fields: { ...entry.fields, title: { feed: 'Jazz', sent: 'Jazz', returned: 'JAZZ', by: 'feed' } },
    });
  });
  it('does not count a field as handled if what it links to could not be created', () => {
    const sent = { ...create('x'), fields: { title: 'Jazz', venue: ['venues:Hall'] } } as unknown as Action;
    const planned: LedgerEntry = {
      ...entry,
      fields: { title: { feed: 'Jazz', by: 'feed' }, venue: { feed: [{ venue: 'Hall' }], by: 'feed' } },
    };
    const after = (open: readonly string[]) =>
      ledgerAfter({ entry: planned, pendingFields: ['title', 'venue'] }, sent, done(entry.slug), new Set(open))?.fields;
    expect(after([])).toMatchObject({ title: { feed: 'Jazz' }, venue: { feed: [{ venue: 'Hall' }] } });
    expect(after(['venues:Hall'])).toMatchObject({ title: { feed: 'Jazz' }, venue: { feed: null } });
  });
  it("does not count a cancelled title as handled without the tag that goes with it, unless it is a person's", () => {
    const sent = {
      ...create('x'),
      fields: { title: 'Cancelled: Jazz', tags: ['tags:cancelled'] },
    } as unknown as Action;
    const after = (by: 'feed' | 'person', open: string): string =>
      JSON.stringify(
        ledgerAfter(
          {
            entry: { ...entry, fields: { title: { feed: 'Jazz', by }, tags: { feed: ['cancelled'], by: 'feed' } } },
            pendingFields: ['title', 'tags'],
          },
          sent,
          done(entry.slug),
          new Set([open]),
        )?.fields.title?.feed,
      );
    expect([after('feed', 'tags:cancelled'), after('person', 'tags:cancelled'), after('feed', 'tags:Other')]).toEqual([
      'null',
      '"Jazz"',
      '"Jazz"',
    ]);
  });
  it('does not count a field as handled if its event was only looked up', () =>
    expect(
      ledgerAfter(
        { entry: { ...entry, fields: { title: { feed: 'Jazz', by: 'feed' } } }, pendingFields: ['title'] },
        { ...create('x'), fields: { title: 'Jazz' } } as Action,
        { ...done(entry.slug), lookedUp: true } as Outcome,
      )?.fields.title,
    ).toMatchObject({ feed: null }));
  it("keeps the instants that the site makes of an event's times, so that they are not corrected for ever", () => {
    const utc = { start_date: '2027-05-01 17:00:00', end_date: '2027-05-01 19:00:00' };
    const times = ['start_date', 'end_date', 'title'] as const;
    const after = ledgerAfter({ entry, pendingFields: [...times] }, create('x'), {
      ...done(entry.slug),
      utc,
    } as Outcome);
    expect(times.map((field) => after?.fields[field]?.utc)).toEqual([utc.start_date, utc.end_date, undefined]);
  });
  it('keeps its slug, whatever the site appended', () =>
    expect(ledgerAfter({ entry, pendingFields: [] }, create('x'), done(`${entry.slug}-2`))?.slug).toBe(entry.slug));
  it('keeps an event found on the site even if its update failed, without the fields to be written', () => {
    const update = { ...create(entry.slug), kind: 'update', id: 7, changes: {} } as Action;
    const after = ledgerAfter({ entry: { ...entry, id: 7 }, pendingFields: ['title'], isNew: true }, update, {
      kind: 'failed',
      problem: { code: 'answer-lost', message: 'x', where: {} },
    });
    expect(after).toEqual({ ...entry, id: 7, fields: { cost: entry.fields.cost } });
  });
  it('is not changed by a write that was refused or failed', () => {
    const problem = { code: 'answer-lost', message: 'x', where: {} } as const;
    expect(ledgerAfter({ entry, pendingFields: [] }, create('x'), { kind: 'refused', problem })).toBeNull();
    expect(ledgerAfter({ entry, pendingFields: [] }, create('x'), { kind: 'failed', problem })).toBeNull();
  });
});

const plan: Plan = {
  actions: [],
  refs: {},
  ledger: {},
  unchanged: 4,
  skipped: 1,
  conflicts: [],
  held: null,
  problems: [{ code: 'feed-cut', message: 'p', where: {} }],
};
const problem = { code: 'site-refused', message: 'no', where: {} } as const;

describe('the report', () => {
  const states: readonly (readonly [string, readonly (Outcome | null)[], string])[] = [
    ['all done', [done(''), done('')], 'done'],
    ['one refused', [done(''), { kind: 'refused', problem }], 'done'],
    ['all refused', [{ kind: 'refused', problem }], 'failed'],
    ['one given up', [done(''), { kind: 'failed', problem }], 'failed'],
    ['one never tried', [done(''), null], 'failed'],
    ['nothing to do', [], 'unchanged'],
  ];
  it.each(states)('%s', (_name, outcomes, state) => {
    const actions = outcomes.map((_, index) => create(`e${index}`));
    expect(
      summarize({
        run: 'r',
        source: 's',
        plan,
        tally: sumOfTallies(actions.map((action, index) => tallyOf([{ action, outcome: outcomes[index] ?? null }]))),
      }).state,
    ).toBe(state);
  });
  it('counts events, not terms and venues, and lists every problem', () => {
    const actions = [term('a'), create('a'), create('b'), remove('c')];
    const outcomes = actions.map((action, index) => ({
      action,
      outcome: index === 2 ? ({ kind: 'refused', problem } as const) : done(''),
    }));
    expect(summarize({ run: 'r', source: 's', plan, tally: tallyOf(outcomes) })).toMatchObject({
      created: 1,
      updated: 0,
      removed: 1,
      unchanged: 4,
      skipped: 1,
      problems: [{ code: 'feed-cut' }, { code: 'site-refused' }],
    });
  });
  it('of a held plan says why it is held', () =>
    expect(summarize({ run: 'r', source: 's', plan: { ...plan, held: 'too many' }, tally: tallyOf([]) })).toMatchObject(
      {
        state: 'held',
        problems: [{ code: 'feed-cut' }, { code: 'held', message: 'too many' }],
      },
    ));
});

describe('a plan in words', () => {
  const update: Action = {
    kind: 'update',
    resource: 'events',
    slug: 's',
    id: 1,
    title: 'Jazz',
    because: 'changed in the feed',
    fields: { tags: ['tags:a', 'tags:b'], cost: '' },
    changes: { tags: { from: ['tags:a'], to: ['tags:a', 'tags:b'] }, cost: { from: '10', to: '' } },
  };
  const whole: Plan = {
    ...plan,
    actions: [term('b'), create('n'), update, remove('x')],
    conflicts: [{ slug: 's', title: 'Jazz', field: 'title', feed: 'A', site: 'B' }],
    held: 'too many',
  };
  it('is one line per action, with its changes', () => {
    expect(planInWords(whole)).toEqual([
      '+ tag "b"',
      '+ create "n" (n): new in the feed',
      '~ update "Jazz" (s): changed in the feed',
      '    cost: "10" → nothing',
      '    tags: a → a, b',
      '- remove "x" (x): gone',
      '! conflict "Jazz" (s): title is "B" on the site and "A" in the feed; the site\'s stays',
      'Held: too many',
    ]);
  });
  it('names what a conflict is about where the site has only an id', () => {
    const conflict = { slug: 's', title: 'Jazz', site: [15] };
    const conflicts = [
      { ...conflict, field: 'venue', feed: [{ venue: 'Town Hall' }] },
      { ...conflict, field: 'organizer', feed: [{ organizer: 'Choir' }, { organizer: 'Band' }] },
      { ...conflict, field: 'categories', feed: ['Music', 'Night'] },
      { ...conflict, field: 'tags', feed: [] },
    ];
    expect(planInWords({ ...plan, actions: [], conflicts, held: null })).toEqual(
      ['venue is something else on the site and Town Hall', 'organizer is something else on the site and Choir, Band']
        .concat(
          'categories is something else on the site and Music, Night',
          'tags is something else on the site and nothing',
        )
        .map((said) => `! conflict "Jazz" (s): ${said} in the feed; the site's stays`),
    );
  });
  it('has the documented form as JSON', () => {
    expect(planAsJson(whole)).toEqual([
      {
        action: 'create',
        slug: 'n',
        title: 'n',
        fields: { title: { from: null, to: 'n' } },
        because: 'new in the feed',
      },
      {
        action: 'update',
        slug: 's',
        title: 'Jazz',
        fields: { tags: { from: ['a'], to: ['a', 'b'] }, cost: { from: '10', to: '' } },
        because: 'changed in the feed',
      },
      { action: 'remove', slug: 'x', title: 'x', fields: {}, because: 'gone' },
    ]);
  });
});

describe('the site’s values', () => {
  const event = {
    id: 1,
    slug: 's',
    status: 'publish',
    title: 'Rock &#038; Roll &#8211; <em>live</em>',
    description: '<p>x</p>',
    website: 'https://e.example/?a=1&amp;b=2',
    url: 'https://site.example/event/s/',
    image: { url: 'https://site.example/a.jpg', id: 3, extension: 'jpg' },
    cost: '$1',
    categories: [{ id: 9 }, { id: 4 }],
    tags: [],
    organizer: [{ id: 5 }],
  };
  // The representation has many more members; these are the ones that are read.
  const values = (more: object) => siteEventOf({ ...event, venue: [], ...more } as unknown as Event).values;
  it('are decoded, and links are lists of sorted ids', () => {
    expect(values({})).toEqual({
      title: 'Rock & Roll – live',
      description: '<p>x</p>',
      website: 'https://e.example/?a=1&b=2',
      image: 'https://site.example/a.jpg',
      cost: '$1',
      status: 'publish',
      categories: [4, 9],
      tags: [],
      venue: [],
      organizer: [5],
    });
  });
  it.each([
    [[], []],
    [{ id: 2 }, [2]],
    [
      [{ id: 3 }, { id: 2 }],
      [2, 3],
    ],
  ])('venue %j', (venue, ids) => expect(values({ venue })).toMatchObject({ venue: ids }));
  it('an event without a picture, whose website is its own page, has neither', () =>
    expect(values({ image: false, website: event.url })).toMatchObject({ image: '', website: '' }));
  it('names are decoded, and empty fields are left out', () => {
    expect(
      siteVenueOf({ id: 1, slug: 'v', venue: 'Klub &#038; Bar', city: 'Gdańsk', address: '' } as Parameters<
        typeof siteVenueOf
      >[0]),
    ).toEqual({ id: 1, slug: 'v', venue: 'Klub & Bar', city: 'Gdańsk' });
    expect(
      siteOrganizerOf({ id: 1, slug: 'o', organizer: 'A &amp; B' } as Parameters<typeof siteOrganizerOf>[0]),
    ).toEqual({ id: 1, slug: 'o', organizer: 'A & B' });
    expect(siteTermOf({ id: 1, slug: 't', name: 'R&amp;B' } as Parameters<typeof siteTermOf>[0])).toEqual({
      id: 1,
      slug: 't',
      name: 'R&B',
    });
  });
});

describe('what looks the same to a reader', () => {
  const cases: readonly (readonly [Parameters<typeof looksSame>[0], string, string, boolean])[] = [
    ['title', 'The "best" -- really', 'The “best” – really', true],
    ['title', 'A', 'B', false],
    ['description', 'One\n\nTwo', '<p>One</p>\n<p>Two</p>', true],
    ['description', '<a href="https://a.example">x</a>', '<a href="https://b.example">x</a>', false],
    ['website', 'https://a.example', 'https://a.example/', false],
    ['cost', '10', '10', true],
  ];
  it.each(cases)('%s %j and %j: %s', (field, one, other, same) => expect(looksSame(field, one, other)).toBe(same));
  const adopted: readonly (readonly [Parameters<typeof looksSame>[0], string, string, boolean])[] = [
    ['cost', '25', '$25', true],
    ['cost', '10, 20', '$10 – $20', true],
    ['cost', '0', 'Free', true],
    ['cost', 'Pay what you can', 'pay what you can', true],
    ['cost', '25', '$26', false],
    ['cost', '', '$5', false],
    ['image', 'https://a.example/x/Poster%201.jpg?w=3', 'https://site.example/up/poster-201-4.jpg', true],
    ['image', 'https://a.example/x/poster.jpg', 'https://site.example/up/poster-4.png', true],
    ['image', 'https://a.example/a.jpg', 'https://site.example/b.jpg', false],
  ];
  it.each(adopted)('a %s of %j may have become %j: %s', (field, wanted, shown, may) =>
    expect(mayHaveBecome(field, wanted, shown)).toBe(may),
  );
  const moved: readonly (readonly [Parameters<typeof isAsReturned>[0], string, string, boolean])[] = [
    ['image', 'http://127.0.0.1:8080/media/0a/a.png', 'https://site.example/media/0a/a.png', true],
    ['image', 'https://site.example/media/0a/a.png', 'https://site.example/town/media/0a/a.png', true],
    ['image', 'https://site.example/media/0a/a.png', 'https://site.example/media/0b/a.png', false],
    ['image', 'https://site.example/?image=1', 'https://site.example/?image=2', false],
    ['image', '', 'https://site.example/media/0a/a.png', false],
    ['image', 'https://site.example/media/0a/a.png', '', false],
    ['website', 'https://a.example/x', 'https://b.example/x', false],
  ];
  it.each(moved)('a %s returned as %j is the same at %j: %s', (field, returned, shown, is) =>
    expect(isAsReturned(field, returned, shown)).toBe(is),
  );
  it('nothing looks like what is still to be created', () =>
    expect(looksSame('tags', undefined, undefined)).toBe(false));
});

describe('what the site shows of a field', () => {
  const written = {
    feed: 'c',
    returned: 'C',
    by: 'feed',
    ...replaced({ returned: 'B' }, '2027-01-02 00:00:00'),
  } as const;
  it.each<[string, FieldState | undefined, Json | undefined, string, ReturnType<typeof seenAs>, boolean]>([
    ['no value is hidden', written, undefined, '2027-01-02 00:00:00', 'hidden', false],
    [
      'no value is hidden, also where a person wrote',
      { ...written, by: 'person' },
      undefined,
      '2027-01-02 00:00:00',
      'hidden',
      true,
    ],
    ['a value that we never wrote is unseen', undefined, 'X', '2027-01-02 00:00:00', 'unseen', false],
    [
      "a value is unseen if the site's answer to our write is not known",
      { feed: 'c', sent: 'c', by: 'feed' },
      'C',
      '2027-01-02 00:00:00',
      'unseen',
      false,
    ],
    ["the site's form of our last write is as returned", written, 'C', '2027-01-09 00:00:00', 'as-returned', false],
    [
      "the site's form of the write before is an earlier value, if the event was not modified since",
      written,
      'B',
      '2027-01-01 00:00:00',
      'earlier',
      false,
    ],
    [
      "an earlier value is not a person's, even if they had written the field",
      { ...written, by: 'person' },
      'B',
      '2027-01-01 00:00:00',
      'earlier',
      false,
    ],
    [
      "the site's form of the write before is somebody's edit, if the event was modified since",
      written,
      'B',
      '2027-01-03 00:00:00',
      'other',
      true,
    ],
    ["any other value is somebody's edit", written, 'D', '2027-01-01 00:00:00', 'other', true],
  ])('%s', (_, state, value, modified, seen, isTheirs) => {
    const onSite = {
      id: 1,
      slug: 's',
      status: 'publish',
      modified,
      values: value === undefined ? {} : { cost: value },
    };
    expect([seenAs('cost', state, onSite), isEditedByPerson('cost', state, onSite)]).toEqual([seen, isTheirs]);
  });

  it('is unknown if the event is missing, and the field stays with its last author', () =>
    expect([
      isEditedByPerson('cost', written, undefined),
      isEditedByPerson('cost', { ...written, by: 'person' }, undefined),
    ]).toEqual([false, true]));
});
