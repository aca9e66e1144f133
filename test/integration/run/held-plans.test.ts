import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { jsonb } from '../../../src/db/jsonb.ts';
import { loadHeld, waitingFor } from '../../../src/run/state/held.ts';
import { heldPlanRow, holdPlan, loadHeldPlan } from '../../../src/run/state/held-plans.ts';
import type { Action, LedgerChange, Plan } from '../../../src/sync/model/plan.ts';
import { EMPTY_PLAN } from '../../../src/sync/decisions/settle.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.close());

const updateOf = (slug: string, description: string): Action =>
  ({
    kind: 'update',
    resource: 'events',
    slug,
    fields: { description },
    changes: { description: {} },
  }) as unknown as Action;
const changeOf = (slug: string): LedgerChange =>
  ({ entry: { slug, title: `Title "${slug}"` }, pendingFields: ['description'] }) as unknown as LedgerChange;

/** Holds a plan that changes so many events; returns it, and what is loaded again. */
async function held(run: string, count: number, description: string): Promise<readonly [Plan, Plan | undefined]> {
  const query = fresh.database.query();
  await sql`insert into calsync.runs (run, site, source, cause, state)
    values (${run}, 'builtin', 'town', '{"kind":"schedule"}', 'reading')`.execute(query);
  const slugs = Array.from({ length: count }, (_, number) => `event-${number}`);
  const plan: Plan = {
    ...EMPTY_PLAN,
    held: 'too many',
    actions: slugs.map((slug) => updateOf(slug, description)),
    ledger: Object.fromEntries(slugs.map((slug) => [slug, changeOf(slug)])),
  };
  await holdPlan(query, run, await heldPlanRow(plan), plan.actions, {} as never, {} as never);
  return [plan, await loadHeldPlan(query, run)];
}

test('a held plan is stored in parts and loaded unchanged', async () => {
  const [plan, loaded] = await held('parts', 5_000, 'Żółć \\ "x" '.repeat(40));
  expect(loaded).toEqual(plan);
  const { rows } = await sql<{ parts: number; doing: number }>`
    select array_length(actions, 1) as parts, (select count(*)::int from jsonb_object_keys(doing)) as doing
    from calsync.runs where run = 'parts'`.execute(fresh.database.query());
  expect([rows[0]!.parts > 1, rows[0]!.doing]).toEqual([true, 5_000]);
});

test('a plan without actions can be held, too', async () => {
  const [plan, loaded] = await held('nothing', 0, '');
  expect(loaded).toEqual(plan);
});

test('a plan held by a process of an earlier version is read in the form that it stores', async () => {
  const plan = {
    ...EMPTY_PLAN,
    held: 'too many',
    actions: [updateOf('jazz', 'Trio')],
    ledger: { jazz: changeOf('jazz') },
  };
  const query = fresh.database.query();
  await sql`insert into calsync.runs (run, site, source, cause, state, plan)
    values ('earlier', 'builtin', 'mill', '{"kind":"schedule"}', 'held', ${jsonb(plan)})`.execute(query);
  expect(await loadHeldPlan(query, 'earlier')).toEqual(plan);
  expect((await loadHeld(query, 'earlier'))?.plan).toEqual(plan);
  const setup = { name: 'mill', site: { key: 'builtin' } as never };
  expect(await waitingFor(query, setup, 'jazz')).toMatchObject({ run: 'earlier', action: 'update' });
  expect(await waitingFor(query, setup, 'blues')).toBeUndefined();
});
