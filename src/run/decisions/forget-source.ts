import { AppError } from '../../error.ts';
import { sql } from '../../db/database.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { supersedeHeldOf } from '../state/held.ts';
import type { StartOutcome } from '../steps/keep-plan.ts';
import { endShort } from '../steps/end-run.ts';
import { takeOverDeadLease, whileIdle } from '../state/lease.ts';
import { planTrash } from '../site/plan-trash.ts';
import { recordAct, type ActRequest } from '../watch/acts.ts';
import { forgetWishes } from '../watch/pauses.ts';
import { startPlanned } from '../steps/start-planned.ts';
import { sourceGoneProblem } from '../steps/take-over.ts';
import { forgetUnanswered } from '../state/lost-answers.ts';

/** What a source has left on a site where it is no longer configured. */
export interface FormerSource {
  /** The site's key. */
  readonly site: string;
  readonly source: string;
  /** The number of its events on the site, including those that it withdrew or marked as cancelled. */
  readonly kept: number;
}

/** The status that the site last returned, from the stored form of an entry. */
const RETURNED_STATUS = sql`coalesce(fields->'status'->>'returned', fields->'status'->>'same')`;

/** Sources that have events on sites where they are no longer configured, with the number of events they keep. */
export async function formerSources({
  database,
  sources,
}: Pick<RunContext, 'database' | 'sources'>): Promise<readonly FormerSource[]> {
  const configured = [...sources.values()];
  // Goes from one source to the next by the index, so that the many events of configured sources are not read.
  const { rows } = await sql<FormerSource>`
    with recursive known as (
      (select site, source from calsync.ledger order by site, source limit 1)
      union all
      select next.site, next.source from known, lateral (select site, source from calsync.ledger
        where (ledger.site, ledger.source) > (known.site, known.source) order by site, source limit 1) as next)
    select site, source, (select count(*) from calsync.ledger
      where ledger.site = known.site and ledger.source = known.source
        and (state = 'kept' or state = 'removed' and ${RETURNED_STATUS} is distinct from 'trash')) as kept
    from known
    where (site, source) not in (select * from unnest(${configured.map(({ site }) => site.key)}::text[], ${configured.map(({ name }) => name)}::text[]))
    order by source, site`.execute(database.query());
  return rows;
}

/**
 * Starts to move all events of a source to the trash, including past ones, after a person has confirmed their number.
 */
export const startTrashing = (context: RunContext, setup: SourceSetup, asked?: ActRequest): Promise<StartOutcome> =>
  startPlanned(context, setup, { kind: 'forget' }, () => planTrash(context, setup), asked);

/** Ends a run that was cut off while writing and that nobody can resume, because its source is no longer configured. */
export async function endLeftRun(
  context: Pick<RunContext, 'database' | 'member' | 'log' | 'now'>,
  site: string,
  source: string,
): Promise<void> {
  const lease = await takeOverDeadLease(context.database, context.member.id(), site, source);
  if (lease) await endShort(context, lease, sourceGoneProblem(lease));
}

/**
 * Deletes everything stored about a source except its runs; its events stay on the site as they are. Throws AppError if
 * a run of the source is under way.
 */
export async function forgetSource(
  { database }: Pick<RunContext, 'database'>,
  site: string,
  source: string,
  asked?: ActRequest,
): Promise<void> {
  const isForgotten = await whileIdle(database, { site, source }, async (query) => {
    await supersedeHeldOf(query, site, source);
    await sql`delete from calsync.ledger where site = ${site} and source = ${source}`.execute(query);
    await sql`delete from calsync.sources where site = ${site} and source = ${source}`.execute(query);
    await forgetUnanswered(query, site, source);
    await forgetWishes(query, { site, source });
    if (asked) await recordAct(query, asked.by, { kind: 'forget', site, source, reason: asked.reason });
  });
  if (!isForgotten)
    throw new AppError('source-busy', `A run of "${source}" is under way: try again when it has ended.`);
}
