import type { ErrorCode } from '../../codes.ts';
import type { Problem } from '../../problem.ts';
import { AppError } from '../../error.ts';
import { sql } from '../../db/database.ts';
import { planForget } from '../../sync/decisions/forget.ts';
import type { Plan, Policy } from '../../sync/model/plan.ts';
import type { RunContext, SiteSetup, SourceSetup } from '../state/context.ts';
import { supersedeHeldOf } from '../state/held.ts';
import { trafficOf } from '../log/traffic.ts';
import type { Started } from '../steps/keep-plan.ts';
import { endShort } from '../steps/end-run.ts';
import { takeOverDeadLease, whileIdle } from '../state/lease.ts';
import { loadLedger } from '../state/ledger.ts';
import { eventIn, loadEvents } from '../site/load-events.ts';
import { recordAct, type Asked } from '../watch/acts.ts';
import { forgetWishes } from '../watch/pauses.ts';
import { startPlanned } from '../steps/start-planned.ts';
import { sourceGone } from '../steps/take-over.ts';
import { forgetUnanswered, loadUnanswered, withLostAnswers } from '../state/lost-answers.ts';
import { askAboutLostAnswers } from '../site/ask-about-lost-answers.ts';

/** The setup of a source that is no longer configured, as far as handling its events needs one. */
export function formerSource(name: string, site: SiteSetup): SourceSetup {
  const gone: Problem<ErrorCode> = {
    code: 'source-gone',
    message: `The source "${name}" is not in the configuration.`,
    where: {},
  };
  return {
    name,
    site,
    format: undefined,
    settingsHash: '',
    fetch: async () => ({ kind: 'failed', problem: gone }),
    draftSettings: () => {
      throw new AppError(gone.code, gone.message);
    },
    policy: (now, venueCoordinates): Policy => ({
      source: name,
      now,
      authority: { default: 'preserve', fields: {} },
      missing: { action: 'trash', after: 1 },
      hold: { share: 1, moreThan: 0 },
      language: 'en',
      venueCoordinates,
    }),
    takeTraffic: trafficOf(site.client),
  };
}

/** Sources that have events on sites but are no longer configured there, with the number of events they keep. */
export async function formerSources({
  database,
  sources,
}: Pick<RunContext, 'database' | 'sources'>): Promise<
  readonly { readonly site: string; readonly source: string; readonly kept: number }[]
> {
  const { rows } = await sql<{
    site: string;
    source: string;
    kept: number;
  }>`select site, source, count(*) filter (where state = 'kept') as kept
    from calsync.ledger group by site, source having count(*) > 0 order by source`.execute(database.query());
  return rows.filter(({ site, source }) => sources.get(source)?.site.key !== site);
}

/** Begins to move all events of a source to the trash, past ones too: a person has confirmed how many. */
export const startTrashing = (context: RunContext, setup: SourceSetup, asked?: Asked): Promise<Started> =>
  startPlanned(context, setup, { kind: 'forget' }, () => planTrash(context, setup), asked);

async function planTrash(context: RunContext, setup: SourceSetup): Promise<Plan> {
  const stored = await loadLedger(context.database.query(), setup.site.key, setup.name);
  const ledger = withLostAnswers(
    stored,
    await askAboutLostAnswers(setup.site.client, await loadUnanswered(context.database.query(), setup), stored),
  );
  const kept = [...ledger.values()].filter(({ state }) => state === 'kept');
  const snapshot = await loadEvents(
    setup.site.client,
    ledger,
    kept.map(({ slug }) => slug),
  );
  return planForget(kept, snapshot, eventIn(snapshot), setup.policy(context.now(), false));
}

/** Ends a run that was cut off while writing, because its source is no longer configured and nobody can continue it. */
export async function endLeftRun(
  context: Pick<RunContext, 'database' | 'member' | 'log' | 'now'>,
  site: string,
  source: string,
): Promise<void> {
  const lease = await takeOverDeadLease(context.database, context.member.id(), site, source);
  if (lease) await endShort(context, lease, sourceGone(lease));
}

/**
 * Deletes everything stored about a source except its runs. Its events stay on the site as they are. Throws AppError
 * while the source has a run under way.
 */
export async function forgetSource(
  { database }: Pick<RunContext, 'database'>,
  site: string,
  source: string,
  asked?: Asked,
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
