import { expect, test } from 'vitest';
import { sql } from '../../src/db/database.ts';
import { loadBatches, saveBatches, type Item, type PlannedBatch } from '../../src/run/state/batches.ts';
import { heldPlanRow, holdPlan, loadHeldPlan } from '../../src/run/state/held-plans.ts';
import { EMPTY_PLAN } from '../../src/sync/decisions/settle.ts';
import { freshDatabase } from '../support/database.ts';

/** An action that takes long to serialize, like that of a large event on a small, busy machine. */
const slowItem = (index: number, ms: number): Item => ({
  action: {
    kind: 'create',
    resource: 'events',
    slug: `event-${index}`,
    title: `Event ${index}`,
    fields: {
      toJSON: () => {
        for (const until = performance.now() + ms; performance.now() < until;);
        return {};
      },
    },
  } as never,
  change: null,
});

test('a plan that takes long to serialize can be stored: its transaction never idles into the timeout', async () => {
  const { database, close } = await freshDatabase();
  const run = 'town-20270115T120000-abcdef';
  await database.pool.query(
    `insert into calsync.runs (run, site, source, cause, state) values ($1, 'builtin', 'town', '{"kind":"schedule"}', 'reading')`,
    [run],
  );
  const batches = Array.from({ length: 20 }, (_, number): PlannedBatch => ({
    stage: 'events',
    number,
    items: Array.from({ length: 25 }, (_each, index) => slowItem(number * 25 + index, 20)),
  }));
  await database.query().transaction(async (query) => {
    await sql`set local idle_in_transaction_session_timeout = '5s'`.execute(query);
    await saveBatches(query, run, batches);
  });
  expect(await loadBatches(database.query(), run)).toHaveLength(20);
  await close();
});

test('a held plan can be larger than 256 MB, the limit of a JSON value in PostgreSQL', async () => {
  const { database, close } = await freshDatabase();
  const query = database.query();
  await sql`insert into calsync.runs (run, site, source, cause, state)
    values ('large', 'builtin', 'town', '{"kind":"schedule"}', 'reading')`.execute(query);
  const description = 'x'.repeat(3_000_000);
  const actions = Array.from(
    { length: 90 },
    (_, number) => ({ kind: 'update', resource: 'events', slug: `event-${number}`, fields: { description } }) as never,
  );
  const plan = { ...EMPTY_PLAN, held: 'too many', actions };
  await holdPlan(query, 'large', await heldPlanRow(plan), actions, {} as never, {} as never);
  const loaded = await loadHeldPlan(query, 'large');
  expect(loaded?.actions.length).toBe(90);
  expect(loaded?.actions.at(-1)).toEqual(actions.at(-1));
  await close();
});
