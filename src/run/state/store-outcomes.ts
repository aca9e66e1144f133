import type { Kysely } from '../../db/database.ts';
import { ledgerAfter } from '../../sync/event/ledger-after.ts';
import type { Outcome, Refs } from '../../sync/model/plan.ts';
import { unansweredOf } from '../../sync/event/late-answers.ts';
import { saveAttempt } from './batches.ts';
import type { RunContext, SourceSetup } from './context.ts';
import { saveEntries } from './ledger.ts';
import { addRefs, countTraffic, type Batch } from './records.ts';
import { forgetAnswered, saveUnanswered } from './lost-answers.ts';

/** The result of an attempt at a batch. */
export interface Attempt {
  readonly number: number;
  readonly outcomes: readonly (Outcome | null)[];
  readonly refs: Refs;
  /** Refs that could not be created this time. */
  readonly missing: ReadonlySet<string>;
  readonly requests: number;
  readonly writes: number;
}

/**
 * Stores a batch's new outcomes with their ledger entries and unanswered writes, all or nothing. Stores nothing if
 * another process has begun a later attempt, because that one has looked for what this one created.
 */
export async function storeOutcomes(
  { database, now }: RunContext,
  setup: SourceSetup,
  batch: Batch,
  { number, outcomes, refs, missing, requests, writes }: Attempt,
): Promise<void> {
  const fresh = batch.items.flatMap((item, index) => {
    const outcome = outcomes[index];
    return outcome && outcome !== batch.outcomes[index] ? [{ ...item, outcome }] : [];
  });
  const entries = fresh.flatMap(({ action, change, outcome }) =>
    change ? (ledgerAfter(change, action, outcome, missing, now()) ?? []) : [],
  );
  const unanswered = fresh.flatMap(({ action, change, outcome }) =>
    action.resource === 'events' && change && isUnanswered(outcome, batch) ? [unansweredOf(action, change, refs)] : [],
  );
  const done = fresh.flatMap(({ change, outcome }) => (change && outcome.kind === 'done' ? [change.entry.slug] : []));
  const made = Object.fromEntries(
    fresh.flatMap(({ action, outcome }) =>
      'ref' in action && outcome.kind === 'done' ? [[action.ref, outcome.id]] : [],
    ),
  );
  await database
    .query<unknown>()
    .transaction()
    .execute(async (query: Kysely<unknown>) => {
      if (!(await saveAttempt(query, batch, number, outcomes))) return;
      await saveEntries(query, setup.site.key, setup.name, entries);
      await forgetAnswered(query, setup, batch.run, done);
      await saveUnanswered(query, setup, batch.run, unanswered);
      await addRefs(query, batch.run, made);
      await countTraffic(query, batch.run, requests, writes);
    });
}

// Even a refused write may have been carried out by an earlier attempt.
const isUnanswered = ({ kind }: Outcome, { attempts }: Batch): boolean =>
  kind === 'failed' || (kind === 'refused' && attempts > 0);
