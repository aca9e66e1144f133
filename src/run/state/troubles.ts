import { sql, type Sql } from '../../db/database.ts';
import type { Problem } from '../../problem.ts';
import { listFirst } from '../../sync/plan/notices.ts';
import { hasReadWellSql, isSyncSql } from './causes.ts';
import { configuredIn, ofSources, openConflicts, type OpenMatter } from './open-matters.ts';
import type { RunContext } from './context.ts';
import { countInWords } from '../../count-in-words.ts';

// The most events that a message about conflicts names.
const NAMED_MAX = 3;

/** What waits for a person: held runs, and the number of events in conflict (`conflicts`) by configured source. */
export async function waitingForPerson(
  context: Pick<RunContext, 'database' | 'sources' | 'now'>,
  timeAt: (site: string, time: Date) => string,
): Promise<readonly Problem[]> {
  const [query, sources] = [context.database.query(), configuredIn(context)];
  const conflicts = await openConflicts(query, sources, context.now());
  const { rows } = await sql<{ run: string; site: string; source: string; why: string; heldAt: Date }>`
    select run, site, source, plan->>'held' as why, finished_at as "heldAt" from calsync.runs
    where state = 'held' and ${ofSources(sources)} order by finished_at`.execute(query);
  const held = rows.map(({ run, site, source, why, heldAt }): Problem => ({
    code: 'run-held',
    where: { field: source },
    message:
      `A run of ${source} has waited for a person since ${timeAt(site, heldAt)}: ` +
      `${why} "npm run -s calsyncd -- show ${run}" lists what it would do, "approve ${run}" does it, "reject ` +
      `${run}" gives it up.`,
  }));
  return [
    ...held,
    ...[...Map.groupBy(conflicts, ({ source }) => source)].map(([source, own]) => conflictsOf(source, own)),
  ];
}

function conflictsOf(source: string, own: readonly OpenMatter[]): Problem {
  const named = listFirst(
    own.map(({ title }) => `"${title}"`),
    NAMED_MAX,
  );
  return {
    code: 'conflicts',
    where: { field: source },
    message:
      `${countInWords(own.length, 'event')} of ${source} ${own.length === 1 ? 'was' : 'were'} changed both in ` +
      `the feed and on the site: ${named}. The site is not changed until "npm run -s calsyncd -- settle" says ` +
      'who is right.',
  };
}

/**
 * SQL for the failed runs of sources that have not been read successfully since. Runs that people asked for do not
 * count as readings: they do not end a failure of the feed, nor are they failures themselves if they were refused
 * before planning. If one failed while it was being written, it counts until the source is read or another run is
 * written. The query starts with the few failed runs, and looks up for each of their sources when it last succeeded.
 */
export const failedInARow: Sql = sql`(
  select failed.* from (select distinct site, source from calsync.runs where state = 'failed') as named
    left join lateral (select started_at from calsync.runs as own
      where own.site = named.site and own.source = named.source and ${hasReadWellSql}
      order by started_at desc limit 1) as read on true
    left join lateral (select started_at from calsync.runs as own
      where own.site = named.site and own.source = named.source and (state = 'done' or ${hasReadWellSql})
      order by started_at desc limit 1) as good on true
    join calsync.runs as failed on failed.site = named.site and failed.source = named.source and failed.state = 'failed'
      and case when ${isSyncSql} then failed.started_at > coalesce(read.started_at, '-infinity')
        else failed.plan is not null and failed.started_at > coalesce(good.started_at, '-infinity') end)`;
