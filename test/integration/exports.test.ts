import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/database.ts';
import { databaseExportState } from '../../src/feeds/content/export-state.ts';
import { ourKeysOf } from '../../src/feeds/content/our-keys.ts';
import { keyFor, slugWithKey } from '../../src/sync/model/slug.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.close());

test('published events are remembered for each site, with their latest modification', async () => {
  const [town, campus] = [databaseExportState(fresh.database, 'town'), databaseExportState(fresh.database, 'campus')];
  await town.keep([
    { uid: 'a', hash: 'one', modifiedAt: 1000 },
    { uid: 'b', hash: 'one', modifiedAt: 2000 },
  ]);
  await town.keep([
    { uid: 'a', hash: 'two', modifiedAt: 3000 },
    { uid: 'b', hash: 'older', modifiedAt: 1000 },
  ]);
  await town.keep([]);
  expect(await town.known(['a', 'b', 'c'])).toEqual(
    new Map([
      ['a', { uid: 'a', hash: 'two', modifiedAt: 3000 }],
      ['b', { uid: 'b', hash: 'one', modifiedAt: 2000 }],
    ]),
  );
  expect(await campus.known(['a'])).toEqual(new Map());
  expect(await town.known([])).toEqual(new Map());
});

test('the time of a feed’s last change moves by at least a second', async () => {
  const state = databaseExportState(fresh.database, 'town');
  expect(await state.changedAt('all', 'x', 50_000)).toBe(50_000);
  expect(await state.changedAt('all', 'x', 90_000)).toBe(50_000);
  expect(await state.changedAt('all', 'y', 50_100)).toBe(51_000);
  expect(await state.changedAt('all', 'y', 95_000)).toBe(51_000);
});

test('an event is recognized as ours by its source or the ledger, and a copy is not', async () => {
  const [known, gone] = [
    slugWithKey('Jazz', keyFor('library', 'uid-1')),
    slugWithKey('Blues', keyFor('source-that-is-no-more', 'uid-2')),
  ];
  await sql`insert into calsync.ledger (site, slug, source, key, rung, identity, title, starts_at, ends_at, id, state, fields)
    values ('town', ${gone}, 'source-that-is-no-more', ${keyFor('source-that-is-no-more', 'uid-2')}, 'uid', 'uid-2', 'Blues', 0, 0, 2, 'kept', '{}'),
      ('town', ${`${known}x`}, 'library', ${keyFor('library', 'uid-1')}, 'uid', 'uid-1', 'Jazz', 0, 0, 9, 'kept', '{}')`.execute(
    fresh.database.query(),
  );
  const ours = await ourKeysOf(fresh.database, 'town', () => ['library'])([
    { id: 1, slug: known },
    { id: 2, slug: gone },
    { id: 3, slug: `${gone}-2` },
    { id: 4, slug: `${known}-2` },
    { id: 9, slug: `${known}-3` },
    { id: 5, slug: 'somebody-elses' },
    { id: 6, slug: 'a-abcdefghijklmn' },
  ]);
  expect(ours).toEqual(
    new Map([
      [1, keyFor('library', 'uid-1')],
      [2, keyFor('source-that-is-no-more', 'uid-2')],
      [9, keyFor('library', 'uid-1')],
    ]),
  );
});

test('an event keeps its UID when its source is forgotten, and similar slugs do not get it', async () => {
  const [gone, other] = [
    slugWithKey('Blues', keyFor('former', 'uid-3')),
    slugWithKey('Soul', keyFor('former', 'uid-4')),
  ];
  await databaseExportState(fresh.database, 'town').keep([
    { uid: `${keyFor('former', 'uid-3')}@calsyncd`, hash: 'x', modifiedAt: 1_000 },
  ]);
  const named = [
    { id: 1, slug: gone },
    { id: 2, slug: other },
    { id: 3, slug: `${gone}-2` },
  ];
  expect(await ourKeysOf(fresh.database, 'town', () => ['library'])(named)).toEqual(
    new Map([[1, keyFor('former', 'uid-3')]]),
  );
  expect(await ourKeysOf(fresh.database, 'elsewhere', () => ['library'])(named)).toEqual(new Map());
});
