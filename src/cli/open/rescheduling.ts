import type { ApplyConfig } from '../../config/change/in-force.ts';
import { sameValue } from '../../config/change/same-value.ts';
import type { Config } from '../../config/config.ts';
import { schedule, type Schedule } from '../../queue/schedulers.ts';
import { awaitingFirstPlan } from '../../run/state/held.ts';
import type { Workers, WriteLimits } from '../../queue/workers.ts';
import type { App } from './open-context.ts';

/** The schedules of all sources that are not paused in the file. */
export const schedulesOf = ({ inForce, context: { sources } }: Pick<App, 'inForce' | 'context'>): readonly Schedule[] =>
  inForce
    .config()
    .sources.filter(({ name, paused }) => !paused && sources.has(name))
    .map(({ name, schedule: when }) => ({ source: name, ...when }));

/** How many batches for each site a process works on at the same time. */
export const limitsOf = ({ sites }: Config): readonly WriteLimits[] =>
  Object.values(sites).map(({ name, requestsInFlight }) => ({ site: name, inFlight: requestsInFlight }));

/** Brings schedules and workers in line with the configuration in force, and requests a run of each changed source. */
export function rescheduling(
  app: App,
  workers: Pick<Workers, 'limit' | 'request'>,
  queue: Parameters<typeof schedule>[0],
): ApplyConfig {
  let known = readAs(app);
  return async (config, version) => {
    await workers.limit(limitsOf(config));
    await schedule(queue, schedulesOf(app));
    const now = readAs(app);
    const changed = [...now]
      .filter(([source, settings]) => !sameValue(known.get(source), settings))
      .map(([source]) => source);
    const begun = changed.some((source) => !known.has(source)) ? await begunInConsole(app) : new Set<string>();
    const wanted = changed.filter((source) => known.has(source) || !begun.has(source));
    known = now;
    await workers.request(wanted, 'settings', version);
    return 'all';
  };
}

/**
 * A source added in the console has its first run begun there; another run would supersede the plan being looked at.
 */
async function begunInConsole({ context }: App): Promise<ReadonlySet<string>> {
  const rows = await awaitingFirstPlan(context.database.query());
  return new Set(
    rows.filter(({ site, source }) => context.sources.get(source)?.site.key === site).map(({ source }) => source),
  );
}

/** What the reading of each source that is not paused depends on, except its schedule. */
function readAs(app: App): ReadonlyMap<string, unknown> {
  const { sources, sites, fetch } = app.inForce.config();
  const due = new Set(schedulesOf(app).map(({ source }) => source));
  return new Map(
    sources
      .filter(({ name }) => due.has(name))
      .map(({ schedule: _schedule, ...source }) => [source.name, [source, sites[source.site], fetch]]),
  );
}
