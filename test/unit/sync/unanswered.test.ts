import { describe, expect, it } from 'vitest';
import type { LedgerEntry, SiteEvent } from '../../../src/sync/model/plan.ts';
import { carriedOutWrites, unansweredOf, withoutTwins, type Unanswered } from '../../../src/sync/event/late-answers.ts';
import { EMPTY_PLAN } from '../../../src/sync/decisions/settle.ts';

const KEY = 'abcdefghijklmn';
const SLUG = `jazz-${KEY}`;
type Fields = LedgerEntry['fields'];
const entry = (fields: Fields, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  slug: SLUG,
  key: KEY,
  rung: 'uid',
  identity: '1',
  uid: '1',
  title: 'Jazz',
  startsAt: 0,
  endsAt: 1,
  id: 7,
  state: 'kept',
  missing: 0,
  fields,
  ...more,
});
const shown = (values: SiteEvent['values'], more: Partial<SiteEvent> = {}): SiteEvent => ({
  id: 7,
  slug: SLUG,
  status: 'publish',
  values,
  ...more,
});
const entryAfter = (
  before: LedgerEntry | undefined,
  unanswered: readonly Unanswered[],
  onSite: SiteEvent | undefined,
): LedgerEntry | undefined =>
  carriedOutWrites(unanswered, new Map(before ? [[SLUG, before]] : []), new Map(onSite ? [[SLUG, onSite]] : [])).at(-1)
    ?.entry;

const before = entry({
  title: { feed: 'Jazz', sent: 'Jazz', returned: 'Jazz', by: 'feed' },
  description: { feed: 'Old', sent: 'Old', returned: '<p>Old</p>', by: 'feed' },
});
const update = (title: string, refs: readonly string[] = []): Unanswered =>
  unansweredOf(
    {
      kind: 'update',
      resource: 'events',
      slug: SLUG,
      id: 7,
      title,
      fields: { title, description: 'New', categories: refs },
      changes: {},
      because: 'changed in the feed',
    },
    {
      entry: entry(
        {
          title: { feed: title, by: 'feed' },
          description: { feed: 'New', by: 'feed' },
          categories: { feed: refs, by: 'feed' },
        },
        { uid: '2' },
      ),
      pendingFields: ['title', 'description', 'categories'],
    },
    { 'categories:Music': 3, 'categories:Other': 4 },
  );

describe('an update without an answer', () => {
  it('that was carried out is in the ledger as if it had been answered', () =>
    expect(
      entryAfter(
        before,
        [update('Rock', ['categories:Music'])],
        shown({ title: 'Rock', description: '<p>New</p>', categories: [3] }),
      ),
    ).toEqual(
      entry(
        {
          title: { feed: 'Rock', sent: 'Rock', returned: 'Rock', by: 'feed' },
          description: { feed: 'New', sent: 'New', returned: '<p>New</p>', by: 'feed' },
          categories: { feed: ['categories:Music'], returned: [3], by: 'feed' },
        },
        { uid: '2' },
      ),
    ));
  it('that was not carried out changes nothing', () =>
    expect(
      entryAfter(before, [update('Rock')], shown({ title: 'Jazz', description: '<p>Old</p>', categories: [] })),
    ).toMatchObject({ fields: before.fields }));
  it('does not hide what a person has written since', () =>
    expect(
      entryAfter(before, [update('Rock')], shown({ title: 'By hand', description: '<p>New</p>', categories: [] }))
        ?.fields,
    ).toMatchObject({
      title: { feed: 'Jazz', returned: 'Jazz' },
      description: { feed: 'New', returned: '<p>New</p>' },
    }));
  it('is also recognized in an event in the trash', () =>
    expect(
      entryAfter(
        before,
        [update('Rock')],
        shown({ title: 'Rock', description: 'New', categories: [] }, { status: 'trash' }),
      )?.fields.title,
    ).toMatchObject({ feed: 'Rock' }));
  it('does not count a field as handled if what it links to could not be created', () =>
    expect(
      entryAfter(
        before,
        [update('Rock', ['categories:Music', 'categories:Film'])],
        shown({ title: 'Rock', description: 'New', categories: [3] }),
      )?.fields.categories,
    ).toEqual({ feed: null, returned: [3], by: 'feed' }));
  it('among several counts if it is the last that the site shows', () => {
    const both = [update('Rock'), update('Pop')];
    expect(
      entryAfter(before, both, shown({ title: 'Rock', description: 'New', categories: [] }))?.fields.title,
    ).toMatchObject({ feed: 'Rock' });
    expect(
      entryAfter(before, both, shown({ title: 'Pop', description: 'New', categories: [] }))?.fields.title,
    ).toMatchObject({ feed: 'Pop' });
  });
  it('is ignored if the event is not found at all', () =>
    expect(entryAfter(before, [update('Rock')], undefined)).toBeUndefined());
});

const create = unansweredOf(
  {
    kind: 'create',
    resource: 'events',
    slug: SLUG,
    title: 'Jazz',
    fields: { title: 'Jazz', description: 'Old', slug: SLUG },
    because: 'new in the feed',
  },
  {
    entry: entry(
      {
        title: { feed: 'Jazz', by: 'feed' },
        description: { feed: 'Old', by: 'feed' },
        cost: { feed: null, by: 'feed' },
      },
      { id: null },
    ),
    pendingFields: ['title', 'description', 'cost'],
  },
  {},
);

describe('a create without an answer', () => {
  it('that was carried out makes the event ours', () =>
    expect(entryAfter(undefined, [create], shown({ title: 'Jazz', description: '<p>Old</p>', cost: '' }))).toEqual(
      entry({
        title: { feed: 'Jazz', sent: 'Jazz', returned: 'Jazz', by: 'feed' },
        description: { feed: 'Old', sent: 'Old', returned: '<p>Old</p>', by: 'feed' },
        cost: { feed: null, returned: '', by: 'feed' },
      }),
    ));
  it('is compared again where the event is not as it was created', () =>
    expect(
      entryAfter(undefined, [create], shown({ title: 'Jazz', description: 'By hand', cost: '' }))?.fields.description,
    ).toMatchObject({ feed: null, returned: 'By hand' }));
  it('that was not carried out is ignored', () => expect(entryAfter(undefined, [create], undefined)).toBeUndefined());
  it('distinguishes the event that the ledger has already from the one that it created', () => {
    const known = entry(before.fields, { state: 'removed' });
    expect(
      entryAfter(
        known,
        [create],
        shown({ title: 'Jazz', description: '<p>Old</p>', status: 'trash' }, { status: 'trash' }),
      ),
    ).toBeUndefined();
    expect(entryAfter(known, [create], shown({ title: 'Jazz', description: '<p>Old</p>' }, { id: 9 }))).toMatchObject({
      id: 9,
      state: 'kept',
    });
  });
});

describe('a removal without an answer', () => {
  const removal = unansweredOf(
    {
      kind: 'remove',
      resource: 'events',
      slug: SLUG,
      id: 7,
      title: 'Jazz',
      how: 'trash',
      fields: {},
      before: {},
      because: 'gone',
    },
    { entry: entry(before.fields, { state: 'removed' }), pendingFields: [] },
    {},
  );
  it('was carried out if the event is in the trash', () =>
    expect(entryAfter(before, [removal], shown({}, { status: 'trash' }))).toMatchObject({ state: 'removed' }));
  it('was not carried out if the event is still there', () =>
    expect(entryAfter(before, [removal], shown({}))).toBeUndefined());
});

it('a field that does not show what was sent is not part of what a run has done', () =>
  expect(
    carriedOutWrites(
      [update('Rock')],
      new Map([[SLUG, before]]),
      new Map([[SLUG, shown({ title: 'By hand', description: '<p>New</p>', categories: [] })]]),
    )[0]?.outcome.values,
  ).toEqual({ description: '<p>New</p>', categories: [] }));

it('an event that was created twice is removed by its id', () =>
  expect(
    withoutTwins(EMPTY_PLAN, [shown({ title: 'Jazz', venue: [3] }, { id: 9, slug: `${SLUG}-2` })]).actions,
  ).toMatchObject([
    { kind: 'remove', how: 'trash', slug: `${SLUG}-2`, id: 9, title: 'Jazz', before: { title: 'Jazz' } },
  ]));
