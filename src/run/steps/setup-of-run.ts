import type { ErrorCode } from '../../codes.ts';
import { AppError } from '../../error.ts';
import type { Problem } from '../../problem.ts';
import type { Policy } from '../../sync/model/plan.ts';
import { trafficOf } from '../log/traffic.ts';
import type { RunContext, SiteSetup, SourceSetup } from '../state/context.ts';
import { findRun, type RunRecord } from '../state/records.ts';

/**
 * The source of a run, as set up on the site that the run writes to; undefined if this process cannot carry out the
 * run. A source that is not configured there is only set up for decisions about what it has left.
 */
export async function setupOfRun(
  context: Pick<RunContext, 'database' | 'sources' | 'former' | 'siteOf'>,
  run: Pick<RunRecord, 'source' | 'site' | 'cause'>,
): Promise<SourceSetup | undefined> {
  const { sources, former } = context;
  const known = [sources.get(run.source), ...former(run.source)];
  return known.find((setup) => setup?.site.key === run.site) ?? setupOfFormer(context, run);
}

/**
 * The setup of a source that is no longer configured, for a run that moves its events to the trash or undoes this;
 * undefined for any other run, or if its site is not configured either.
 */
export async function setupOfFormer(
  { database, siteOf }: Pick<RunContext, 'database' | 'siteOf'>,
  { source, site: key, cause }: Pick<RunRecord, 'source' | 'site' | 'cause'>,
): Promise<SourceSetup | undefined> {
  const site = siteOf(key);
  const of = cause.kind === 'undo' ? (await findRun(database.query(), cause.of))?.cause : cause;
  return site && of?.kind === 'forget' ? formerSource(source, site) : undefined;
}

/** The setup of a source that is no longer configured, as far as its events need one. */
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
