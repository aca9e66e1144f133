import { sql, type Queryable } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import { approvedPlan } from '../../sync/decisions/approve.ts';
import { movedRefs } from '../../sync/links/moved-refs.ts';
import { unsettledPlan } from '../../sync/model/settled.ts';
import type { Plan } from '../../sync/model/plan.ts';
import { FIRST_STAGE } from '../../sync/model/to-batches.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { takeHeldBody } from '../state/feed-state.ts';
import { endFirstRun, loadHeld, notHeldError, rejectHeld, type HeldRun } from '../state/held.ts';
import { batchesOf, type Started } from '../steps/keep-plan.ts';
import { acquireLease, releaseLease } from '../state/lease.ts';
import { loadLedger, saveEntries } from '../state/ledger.ts';
import { eventIn, loadEvents } from '../site/load-events.ts';
import { findRun, savePlan, countTraffic } from '../state/records.ts';
import { publishingProblem } from '../write/refuse-unpublished.ts';

/**
 * Starts writing a held run: exactly what was shown, as far as it still applies. Throws AppError when the run is not
 * held.
 */
export async function approveRun(context: RunContext, setup: SourceSetup, run: string): Promise<Started> {
  const query = context.database.query();
  if (!(await acquireLease(context.database, { site: setup.site.key, source: setup.name, run }, context.member.id())))
    return { kind: 'busy' };
  try {
    const held = await loadHeld(query, run);
    if (!held) throw notHeldError(run, await findRun(query, run));
    const plan = await planNow(context, setup, held);
    const problem = await publishingProblem(setup.site, plan);
    await countTraffic(query, run, setup.takeRequests(), 0);
    // It stays held.
    if (problem) throw new AppError(problem.code, problem.message);
    await begin(context, setup, held, plan);
    return { kind: 'writing', run };
  } catch (error) {
    await releaseLease(context.database, run).catch(() => undefined);
    throw error;
  }
}

async function planNow(context: RunContext, setup: SourceSetup, { plan, heldAt }: HeldRun): Promise<Plan> {
  const query = context.database.query();
  const slugs = plan.actions.flatMap((action) => ('slug' in action ? [action.slug] : []));
  const ledger = await loadLedger(query, setup.site.key, setup.name);
  const snapshot = await loadEvents(setup.site.client, ledger, slugs);
  return unsettledPlan(
    approvedPlan({
      plan,
      onSite: eventIn(snapshot),
      moved: await changedSince(query, setup, heldAt),
      movedRefs: movedRefs(plan.refs, snapshot),
    }),
  );
}

async function changedSince(query: Queryable, { site, name }: SourceSetup, since: Date): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    slug: string;
  }>`select slug from calsync.ledger where site = ${site.key} and source = ${name} and changed_at > ${since}`.execute(
    query,
  );
  return new Set(rows.map(({ slug }) => slug));
}

async function begin(
  context: RunContext,
  { site, name }: SourceSetup,
  { run, feedState }: HeldRun,
  plan: Plan,
): Promise<void> {
  const written = new Set(plan.actions.flatMap((action) => ('slug' in action ? [action.slug] : [])));
  await context.database.query().transaction(async (query) => {
    const { rows } =
      await sql`update calsync.runs set state = 'writing', finished_at = null, report = null where run = ${run} and state = 'held' returning run`.execute(
        query,
      );
    if (rows.length === 0) throw notHeldError(run, await findRun(query, run));
    await takeHeldBody(query, run);
    await endFirstRun(query, site.key, name);
    await saveEntries(
      query,
      site.key,
      name,
      Object.values(plan.ledger)
        .map(({ entry }) => entry)
        .filter(({ slug }) => !written.has(slug)),
    );
    // What the first stages create may exist by now, so it is looked up first, as after a lost answer. The next run
    // compares everything, and reads all of the feed, of which this one may leave out what it was to write.
    await savePlan(
      query,
      run,
      plan,
      { ...feedState, fullAt: null, frame: null },
      batchesOf(plan, 1).map((batch) => ({ ...batch, attempts: 1 })),
      FIRST_STAGE,
    );
  });
}

/** Rejects a held run; nothing of it is written. Throws AppError when the run is not held. */
export async function rejectRun(context: Pick<RunContext, 'database'>, run: string): Promise<void> {
  const query = context.database.query();
  if (!(await rejectHeld(query, run))) throw notHeldError(run, await findRun(query, run));
}
