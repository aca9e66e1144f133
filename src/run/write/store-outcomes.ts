import { PREPARED, sql } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';
import { ledgerAfter } from '../../sync/event/ledger-after.ts';
import type { Outcome, Refs } from '../../sync/model/plan.ts';
import { unansweredOf } from '../../sync/event/late-answers.ts';
import { storeOutcomesSql, type BatchName, type AttemptedBatch } from '../state/batches.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { addingLines, type LogLine } from '../log/run-log.ts';
import type { Traffic } from '../log/traffic.ts';
import { insertOfEntries } from '../state/ledger.ts';
import { deleteOfAnswered, insertOfUnanswered } from '../state/lost-answers.ts';

/** The result of an attempt at batches of one stage of a run. */
export interface Attempt {
  readonly tried: readonly AttemptedBatch[];
  readonly refs: Refs;
  /** Refs that could not be created this time. */
  readonly missing: ReadonlySet<string>;
  readonly traffic: Traffic;
  readonly writes: number;
  readonly lines: readonly LogLine[];
}

/**
 * Stores the new outcomes of batches with their ledger entries and unanswered writes in a single statement, all or
 * nothing. Stores nothing if another process has begun a later attempt, because that attempt has looked up what this
 * one created. Returns whether the run is broken off.
 */
export async function storeOutcomes(
  { database, now }: RunContext,
  setup: SourceSetup,
  { run, stage }: Pick<BatchName, 'run' | 'stage'>,
  { tried, refs, missing, traffic, writes, lines }: Attempt,
): Promise<boolean> {
  const fresh = tried.flatMap(({ batch, outcomes }) =>
    batch.items.flatMap((item, index) => {
      const outcome = outcomes[index];
      return outcome && outcome !== batch.outcomes[index] ? [{ ...item, outcome, attempts: batch.attempts }] : [];
    }),
  );
  const entries = fresh.flatMap(({ action, change, outcome }) =>
    change ? (ledgerAfter(change, action, outcome, missing, now()) ?? []) : [],
  );
  const unanswered = fresh.flatMap(({ action, change, ...answer }) =>
    action.resource === 'events' && change && isUnanswered(answer) ? [unansweredOf(action, change, refs)] : [],
  );
  const open = new Set(unanswered.map(({ change }) => change.entry.slug));
  const done = fresh.flatMap(({ change, outcome }) =>
    change && outcome.kind === 'done' && !open.has(change.entry.slug) ? [change.entry.slug] : [],
  );
  const made = Object.fromEntries(
    fresh.flatMap(({ action, outcome }) =>
      'ref' in action && outcome.kind === 'done' ? [[action.ref, outcome.id]] : [],
    ),
  );
  const differs = tried.some(({ outcomes }) => outcomes.some((outcome) => outcome?.kind === 'done' && outcome.differs));
  const isStored = sql`exists (select from stored)`;
  const {
    rows: [told],
  } = await sql<{ readonly isBrokenOff: boolean }>`${PREPARED}
    with ${storeOutcomesSql(run, stage, tried)},
    entries as (${insertOfEntries(setup.site.key, setup.name, entries, isStored)}),
    answered as (${deleteOfAnswered(setup, run, done, isStored)}),
    unanswered as (${insertOfUnanswered(setup, run, unanswered, isStored)}),
    counted as (update calsync.runs set requests = requests + ${traffic.requests}, writes = writes + ${writes},
        statuses = calsync.added_counts(statuses, ${jsonb(traffic.statuses)}), ${addingLines(lines)},
        refs = case when ${jsonb(made)} = '{}' then refs else refs || ${jsonb(made)} end, broken_off = broken_off or ${differs}
      where run = ${run} and ${isStored} returning broken_off)
    select coalesce((select broken_off from counted), (select broken_off from calsync.runs where run = ${run})) as "isBrokenOff"`.execute(
    database.query(),
  );
  return told?.isBrokenOff === true;
}

// Even a refused write may have been carried out by an earlier attempt.
const isUnanswered = ({ outcome: { kind }, attempts }: { readonly outcome: Outcome; readonly attempts: number }) =>
  kind === 'failed' || (kind === 'refused' && attempts > 0);
