import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql, type Queryable } from '../../../src/db/database.ts';
import { loadLedger, saveBeforeWrites, saveEntries } from '../../../src/run/state/ledger.ts';
import { insertOfUnanswered, loadUnanswered } from '../../../src/run/state/lost-answers.ts';
import type { LedgerEntry } from '../../../src/sync/model/plan.ts';
import { storeBeforeWrites } from '../../support/site-model.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

let syncing: SyncingApp;
let app: OpenedApp;
beforeAll(async () => {
  syncing = await syncingApp();
  app = await syncing.open(
    'builtin: { timezone: Europe/Warsaw }\nsources:\n  town: { url: "https://feed.example/town.ics" }\n',
  );
});
afterAll(() => syncing.close());

const entry = (name: string, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  slug: `${name}-abcdefghijklmn`,
  key: 'abcdefghijklmn',
  rung: 'uid',
  identity: name,
  uid: name,
  title: name,
  startsAt: 0,
  endsAt: 1,
  id: 7,
  state: 'kept',
  missing: 0,
  fields: {},
  ...more,
});
const pinned = entry('pinned', { pinned: true });
const query = (): Queryable => app.context.database.query();

test('an entry is read as it was stored, and an entry that a person has brought back is stored as -1', async () => {
  const entries = [entry('plain'), entry('counted', { missing: 2, heldMissing: 3 }), pinned];
  await saveEntries(query(), 'site', 'town', entries);
  expect([...(await loadLedger(query(), 'site', 'town')).values()].toSorted(bySlug)).toEqual(entries.toSorted(bySlug));
  const { rows } = await sql<{
    missing: number;
  }>`select missing from calsync.ledger where slug = ${pinned.slug}`.execute(query());
  expect(rows).toEqual([{ missing: -1 }]);
});

test('fields with line breaks of any kind stay with their own entry', async () => {
  const texts = ['one\ntwo\n\n', '', '\r\n\u2028\u0085\v', 'a \\n "quoted" \t', '\n'];
  const entries = texts.map((text, index) =>
    entry(`lines-${index}`, { fields: { title: { by: 'feed', feed: text, sent: text, returned: text } } }),
  );
  await saveEntries(query(), 'site', 'lines', entries);
  expect([...(await loadLedger(query(), 'site', 'lines')).values()].toSorted(bySlug)).toEqual(entries);
});

test('values that the fields of an entry share are stored once, and read unchanged', async () => {
  const at = '2026-11-20 10:40:59';
  const text = '<p>A text</p>';
  const fields: LedgerEntry['fields'] = {
    title: { by: 'feed', feed: 'Jazz', sent: 'Jazz', returned: 'Jazz', at },
    description: { by: 'feed', feed: text, sent: text, returned: text, at, earlier: ['abc'] },
    start_date: { by: 'feed', feed: '2027-01-10', sent: '2027-01-10', returned: '2027-01-10', at, utc: '2027-01-09' },
    excerpt: { by: 'feed', feed: 'Short', sent: 'Short', returned: 'Short', at: '2026-11-19 10:40:59' },
    timezone: { by: 'feed', feed: 'UTC', sent: 'UTC', returned: 'UTC' },
    status: { by: 'person', feed: 'publish', sent: 'publish', returned: 'publish', at },
    cost: { by: 'person', conflict: true, feed: '5', sent: '4', returned: '4', at },
    website: { by: 'feed', feed: null, returned: '' },
    featured: { by: 'feed', feed: null },
    image: { by: 'feed', feed: null, sent: null, returned: null, at },
    categories: { by: 'feed', feed: ['Music'], returned: [3], at },
  };
  const whole = entry('whole', { slug: 'whole-abcdefghijklmn', fields });
  await saveEntries(query(), 'site', 'whole', [whole]);
  expect((await loadLedger(query(), 'site', 'whole')).get(whole.slug)).toEqual(whole);
  const stored = sql<{ text: string }>`select fields::text as text from calsync.ledger where slug = ${whole.slug}`;
  const [row] = (await stored.execute(query())).rows;
  expect(row?.text.split(text)).toHaveLength(2);
  // As an earlier version stored it.
  await sql`update calsync.ledger set fields = ${JSON.stringify(fields)}::jsonb, written_at = null
    where slug = ${whole.slug}`.execute(query());
  expect((await loadLedger(query(), 'site', 'whole')).get(whole.slug)).toEqual(whole);
});

test('before its first write, a plan stores whole entries that it leaves alone, and the identity of the rest', async () => {
  const settled = { identity: 'same', uid: 'same', digest: 'read' };
  const before = [
    entry('same', settled),
    entry('other', { missing: 2, heldMissing: 1, fields: { title: { by: 'feed', feed: 'other' } }, digest: 'read' }),
    entry('alike', { said: 'this' }),
    entry('gone', { digest: 'read', said: 'this' }),
    entry('back', { pinned: true }),
    entry('quiet'),
  ];
  await saveEntries(query(), 'site', 'planned', before);
  await saveEntries(query(), 'site', 'beside', [entry('foreign')]);
  const now = { rung: 'url', identity: 'https://example.org/', title: 'Now', startsAt: 5, endsAt: 6 } as const;
  const after = [
    entry('same', { ...settled, fields: { cost: { by: 'feed', feed: '5' } } }),
    entry('other', { ...now, uid: null, fields: { title: { by: 'feed', feed: 'Now' } } }),
    entry('alike', { said: 'that' }),
    entry('gone', { state: 'removed', missing: 1 }),
    entry('back', now),
    entry('quiet', { identity: 'new', missing: 1 }),
    entry('foreign', now),
    entry('made', { id: null }),
  ];
  const plan = {
    actions: after.flatMap(({ slug, title }) =>
      slug.startsWith('quiet')
        ? []
        : [{ kind: 'create', resource: 'events', slug, title, fields: {}, because: '' } as const],
    ),
    ledger: Object.fromEntries(after.map((each) => [each.slug, { entry: each, pendingFields: [] }])),
  };
  const expected = new Map(before.map((each) => [each.slug, each]));
  storeBeforeWrites(plan, expected);
  await saveBeforeWrites(query(), 'site', 'planned', plan);
  const stored = await loadLedger(query(), 'site', 'planned');
  expect([...stored.values()].toSorted(bySlug)).toEqual([...expected.values()].toSorted(bySlug));
  expect(stored.get(before[2]!.slug)).toEqual({ ...before[2], said: 'that' });
  expect(stored.get(before[1]!.slug)).toEqual({ ...before[1], ...now, uid: null, missing: 0, ...WITHOUT });
  expect(stored.get(before[0]!.slug)).toEqual(before[0]);
  expect([...(await loadLedger(query(), 'site', 'beside')).values()]).toEqual([entry('foreign')]);
});
const WITHOUT = { heldMissing: undefined, digest: undefined };

test('-1 in a plan of an older version also marks an entry that a person has brought back', async () => {
  const older = entry('pinned', { missing: -1 });
  await saveEntries(query(), 'site', 'older', [{ ...older, slug: 'older-abcdefghijklmn' }]);
  expect((await loadLedger(query(), 'site', 'older')).get('older-abcdefghijklmn')).toMatchObject({
    missing: 0,
    pinned: true,
  });
  const setup = { ...app.setup('town'), name: 'older' };
  const action = { kind: 'remove', resource: 'events', slug: older.slug, id: 7, title: 'x', how: 'trash' } as const;
  const change = { entry: older, pendingFields: [] };
  await insertOfUnanswered(setup, 'town-1', [
    { action: { ...action, fields: {}, before: {}, because: '' }, change, refs: {} },
  ]).execute(query());
  expect((await loadUnanswered(query(), setup)).map((each) => each.change.entry)).toEqual([pinned]);
});

const bySlug = (one: LedgerEntry, other: LedgerEntry): number => (one.slug < other.slug ? -1 : 1);
