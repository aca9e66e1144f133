import { expect, test } from 'vitest';
import type { Event } from '../../../../src/contract/representation.ts';
import type { Queryable } from '../../../../src/db/database.ts';
import { noticeRevision } from '../../../../src/site/store/changes.ts';
import { foundAt, keepEvent, keepShownAgain, keptFor, type KeptAt } from '../../../../src/site/store/kept-at.ts';

// Only the fields that are read here.
type Context = Parameters<typeof keptFor>[0];
const SETTINGS = { publicUrl: 'https://site.example' };
const contextOf = (db: object, revision: string | undefined, settings: object = SETTINGS): Context =>
  ({ db, revision, settings }) as unknown as Context;
const eventOf = (id: number, characters = 10): Event =>
  ({ id, description: 'x'.repeat(characters), start_date: '2027-01-10 18:00:00' }) as unknown as Event;
const keptIn = (context: Context): KeptAt => {
  const kept = keptFor(context);
  if (!kept) throw new Error('nothing is kept');
  return kept;
};

test('what is kept belongs to one database, one revision and the settings of one site', () => {
  const db = {};
  keepEvent(keptIn(contextOf(db, '1')), eventOf(1));
  const sizes = [
    contextOf(db, '1'),
    contextOf({}, '1'),
    contextOf(db, '1', { publicUrl: 'https://new.example' }),
    contextOf(db, '2'),
    contextOf(db, '1'),
  ].map((context) => keptIn(context).events.byId.size);
  expect(sizes).toEqual([1, 0, 0, 0, 0]);
  expect(keptFor(contextOf(db, undefined))).toBeUndefined();
});

test('an event that was read before the last write is not kept beside newer ones', () => {
  const db = {};
  const former = keptIn(contextOf(db, '1'));
  former.events.revision = '2';
  keepEvent(former, eventOf(1));
  expect(former.events.byId.size).toBe(0);
});

test('the oldest events are dropped when they take too much space', () => {
  const kept = keptIn(contextOf({}, '1'));
  for (let id = 1; id <= 5; id += 1) keepEvent(kept, eventOf(id, 2_500_000));
  keepEvent(kept, eventOf(5, 2_500_000));
  expect([...kept.events.byId.keys()]).toEqual([4, 5]);
  keepEvent(kept, eventOf(6, 20_000_000));
  expect([...kept.events.byId.keys()]).toEqual([]);
  expect([kept.events.byDay.size, kept.events.bytes]).toEqual([0, 0]);
  keepEvent(kept, eventOf(7));
  expect([...kept.events.byId.keys()]).toEqual([7]);
});

test('venues, organizers and terms start afresh when there are too many', () => {
  const context = contextOf({}, '1');
  const { venues } = keptIn(context).parts;
  for (let id = 1; id <= 5_000; id += 1) venues.set(id, undefined);
  expect(keptIn(context).parts.venues).toBe(venues);
  venues.set(5_001, undefined);
  expect(keptIn(context).parts.venues.size).toBe(0);
});

test('ids are looked up once, unless that fails or nothing is kept', async () => {
  const kept = keptIn(contextOf({}, '1'));
  let looked = 0;
  const find = async (): Promise<readonly number[]> => [(looked += 1)];
  expect([await foundAt(kept, 'a', find), await foundAt(kept, 'a', find)]).toEqual([[1], [1]]);
  expect([await foundAt(undefined, 'a', find), await foundAt(undefined, 'a', find)]).toEqual([[2], [3]]);
  await expect(foundAt(kept, 'b', () => Promise.reject(new Error('no such term')))).rejects.toThrow('no such term');
  expect(await foundAt(kept, 'b', find)).toEqual([4]);
  const [one, other] = await Promise.all([foundAt(kept, 'c', find), foundAt(kept, 'c', find)]);
  expect([one, other]).toEqual([[5], [5]]);
  for (let index = 0; index < 1_000; index += 1) await foundAt(kept, `other ${index}`, find);
  expect([await foundAt(kept, 'a', async () => []), kept.found.size]).toEqual([[], 1_000]);
});

test('of too many events, those that are shown repeatedly are kept', () => {
  const kept = keptIn(contextOf({}, '1'));
  const show = (id: number): void => keepShownAgain(kept, eventOf(id));
  for (const id of [1, 2, 2]) show(id);
  expect([...kept.events.byId.keys()]).toEqual([2]);
  for (let round = 0; round < 2; round += 1) for (let id = 3; id <= 5_000; id += 1) show(id);
  expect([...kept.events.byId.keys()]).toEqual([2]);
  show(1);
  expect(kept.events.byId.has(1)).toBe(false);
});

test('an event shown once before a write is kept when it is shown again after it', () => {
  const db = {};
  keepShownAgain(keptIn(contextOf(db, '1')), eventOf(1));
  const after = keptIn(contextOf(db, '2'));
  keepShownAgain(after, eventOf(1));
  expect(after.events.byId.has(1)).toBe(true);
});

test('a request with the revision before a write gets what is kept since, and does not discard it', async () => {
  const world = { value: 1 };
  const db = {
    run: async () => ({ rows: [{ value: world.value, parts: 1, days: [] }], rowCount: 1 }),
  } as unknown as Queryable;
  const former = await noticeRevision(db);
  keptIn(contextOf(db, former));
  world.value = 2;
  const current = keptIn(contextOf(db, await noticeRevision(db)));
  expect(keptIn(contextOf(db, former))).toBe(current);
  // A restored backup counts as another site.
  world.value = 1;
  expect(keptIn(contextOf(db, await noticeRevision(db)))).not.toBe(current);
});
