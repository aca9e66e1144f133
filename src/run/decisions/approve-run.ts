import { sql, type Queryable } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import { approvedPlan } from '../../sync/decisions/approve.ts';
import { leavesMissing } from '../../sync/event/held-absences.ts';
import { movedRefs } from '../../sync/links/moved-refs.ts';
import { unsettledPlan } from '../../sync/model/settled.ts';
import type { Plan } from '../../sync/model/plan.ts';
import { FIRST_STAGE } from '../../sync/model/to-batches.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { takeHeldBody } from '../state/feed-state.ts';
import { endFirstRun, loadHeld, notHeldNow, rejectHeld, type HeldRun } from '../state/held.ts';
import { batchesOf, type StartOutcome } from '../steps/keep-plan.ts';
import { acquireLease, releaseLease } from '../state/lease.ts';
import { loadLedger, saveBeforeWrites } from '../state/ledger.ts';
import { eventIn, loadEvents } from '../site/load-events.ts';
import { recordAct, type ActRequest } from '../watch/acts.ts';
import { plannedLine, logAndKeep } from '../log/run-log.ts';
import { savePlan, countTraffic } from '../state/records.ts';
import { publishingProblem } from '../write/refuse-unpublished.ts';

/** What a person decides about a held run. */
export interface ApprovalResult extends ActRequest {
  /** Slugs of events to exclude from the approval. */
  readonly except?: readonly string[];
}

/**
 * Starts writing a held run: what was shown and not excluded, as far as it still applies. Throws AppError if the run is
 * not held, or if an excluded event is not in it.
 */
export async function approveRun(
  context: RunContext,
  setup: SourceSetup,
  run: string,
  approved: ApprovalResult,
): Promise<StartOutcome> {
  const query = context.database.query();
  if (!(await acquireLease(context.database, { site: setup.site.key, source: setup.name, run }, context.member.id())))
    return { kind: 'busy' };
  try {
    const held = await loadHeld(query, run);
    if (!held) throw await notHeldNow(query, run);
    const except = exceptIn(held, approved);
    const plan = await planNow(context, setup, held, except);
    const problem = await publishingProblem(setup.site, plan);
    await countTraffic(query, run, setup.takeTraffic());
    // The run stays held.
    if (problem) throw new AppError(problem.code, problem.message);
    await begin(context, setup, held, plan, { ...approved, except: [...except] });
    return { kind: 'writing', run };
  } catch (error) {
    await releaseLease(context.database, run).catch(() => undefined);
    throw error;
  }
}

function exceptIn({ run, plan }: HeldRun, { except = [] }: ApprovalResult): ReadonlySet<string> {
  const slugs = new Set(plan.actions.flatMap((action) => (action.resource === 'events' ? [action.slug] : [])));
  const unknown = except.filter((slug) => !slugs.has(slug));
  if (unknown.length > 0)
    throw new AppError(
      'event-unknown',
      `The run ${run} does nothing to ${unknown.join(', ')}: nothing is written. "npm run -s calsyncd -- show ${run}" lists its events.`,
    );
  return new Set(except);
}

async function planNow(
  context: RunContext,
  setup: SourceSetup,
  { plan, heldAt }: HeldRun,
  except: ReadonlySet<string>,
): Promise<Plan> {
  const query = context.database.query();
  const acted = plan.actions.flatMap((action) => ('slug' in action ? [action.slug] : []));
  const slugs = [...new Set([...acted, ...plan.conflicts.map(({ slug }) => slug)])];
  const ledger = await loadLedger(query, setup.site.key, setup.name);
  const snapshot = await loadEvents(setup.site.client, ledger, slugs);
  return unsettledPlan(
    approvedPlan({
      plan,
      onSite: eventIn(snapshot),
      moved: await changedSince(query, setup, heldAt),
      movedRefs: movedRefs(plan.refs, snapshot),
      ledger,
      except,
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
  { by, reason, except = [] }: ApprovalResult,
): Promise<void> {
  await context.database.query().transaction(async (query) => {
    // Put the run back to the state before its plan was stored, so that the new plan can be stored.
    const { rows } =
      await sql`update calsync.runs set state = 'reading', finished_at = null, report = null where run = ${run} and state = 'held' returning run`.execute(
        query,
      );
    if (rows.length === 0) throw await notHeldNow(query, run);
    await recordAct(query, by, {
      kind: 'approve',
      site: site.key,
      source: name,
      run,
      reason,
      details: except.length > 0 ? { except } : {},
    });
    await takeHeldBody(query, run, leavesMissing(plan));
    await endFirstRun(query, site.key, name);
    await saveBeforeWrites(query, site.key, name, plan);
    const batches = batchesOf(plan, 1).map((batch) => ({ ...batch, attempts: 1 }));
    const lines = logAndKeep(context, { run, source: name }, [plannedLine(plan, batches.length)]);
    // What the first stages create may exist by now, so it is looked up first, as after a lost answer. The next run
    // compares everything and reads the whole feed, because this run may omit what it was meant to write.
    await savePlan(query, run, plan, { ...feedState, fullAt: null, frame: null }, batches, FIRST_STAGE, lines);
  });
}

/** Rejects a held run; nothing of it is written. Throws AppError if the run is not held. */
export async function rejectRun(
  { database }: Pick<RunContext, 'database'>,
  run: string,
  { by, reason }: ActRequest,
): Promise<void> {
  await database.query().transaction(async (query) => {
    const rejected = await rejectHeld(query, run);
    if (!rejected) throw await notHeldNow(query, run);
    await recordAct(query, by, { kind: 'reject', ...rejected, run, reason });
  });
}
