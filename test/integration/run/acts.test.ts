import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { actInWords, commandActor, listActs, recordAct, type Actor } from '../../../src/run/watch/acts.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.close());

const clerk: Actor = { name: 'clerk', from: 'console', address: '192.0.2.7' };

test('acts are found by source, run and event, the latest first, with who did them, from where and why', async () => {
  const query = fresh.database.query();
  await recordAct(query, clerk, { kind: 'pause', site: 'builtin', source: 'cinema', reason: ' they move house ' });
  await recordAct(query, { name: 'root', from: 'command' }, { kind: 'undo', source: 'cinema', run: 'cinema-1' });
  await recordAct(query, clerk, { kind: 'settle', source: 'theatre', event: 'faust-1', details: { winner: 'feed' } });
  const cinema = await listActs(query, { source: 'cinema' }, 10);
  expect(cinema.map(({ kind, by, reason }) => [kind, by, reason])).toEqual([
    ['undo', { name: 'root', from: 'command' }, null],
    ['pause', clerk, 'they move house'],
  ]);
  expect(cinema.map(actInWords)).toEqual(['root took the run back', 'clerk paused the source']);
  expect((await listActs(query, { run: 'cinema-1' }, 10)).map(({ kind }) => kind)).toEqual(['undo']);
  expect((await listActs(query, { event: 'faust-1' }, 10)).map(({ details }) => details)).toEqual([{ winner: 'feed' }]);
  expect(await listActs(query, {}, 2)).toHaveLength(2);
  expect(await listActs(query, { before: cinema[1]?.at ?? new Date() }, 10)).toEqual([]);
});

test.each([
  ['held', 'root took the run back (not carried out)'],
  ['rejected', 'root took the run back (not carried out)'],
  ['superseded', 'root took the run back (not carried out)'],
  ['failed', 'root took the run back (failed)'],
  ['done', 'root took the run back'],
] as const)('an act that a run carries out is described by the state of that run: %s', async (state, words) => {
  const query = fresh.database.query();
  const run = `opera-${state}`;
  await sql`insert into calsync.runs (run, site, source, cause, state) values (${run}, 'builtin', 'opera', '{"kind":"undo","of":"opera-1"}', ${state})`.execute(
    query,
  );
  await recordAct(query, { name: 'root', from: 'command' }, { kind: 'undo', source: 'opera', run });
  expect((await listActs(query, { run }, 1)).map(actInWords)).toEqual([words]);
});

test('a command knows who runs it', () => {
  expect(commandActor()).toEqual({ name: expect.stringMatching(/./), from: 'command' });
});

test.each([
  ['settle', { winner: 'feed' }, 'clerk decided for the feed'],
  ['settle', { events: 12 }, 'clerk decided between feed and site'],
  ['forget', {}, 'clerk took the event back altogether'],
  ['lock', {}, 'clerk locked the event'],
  ['lock', { field: 'title' }, 'clerk locked title of the event'],
  ['unlock', { field: 'title' }, 'clerk unlocked title of the event'],
] as const)('an act on an event is described in words: %s %j', (kind, details, words) =>
  expect(
    actInWords({
      kind,
      details,
      by: { name: 'clerk', from: 'console' },
      event: 'fair',
      isFailed: false,
      isOpen: false,
    }),
  ).toBe(words),
);
