import { sql, type Queryable } from '../../db/database.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { moveSource, renamedBack, type ConfiguredNames } from '../state/ledger.ts';
import { moveWishes } from '../watch/pauses.ts';

/**
 * Other names under which a source may have events: those in the configuration, and one to which a rename was reverted.
 */
export async function formerNames(
  query: Queryable,
  configured: readonly ConfiguredNames[],
): Promise<(source: string) => readonly string[]> {
  const back = await renamedBack(query, configured);
  return (source) => {
    const told = configured.flatMap((each) => (each.source === source ? each.names : []));
    const former = back.get(source);
    return [...told, ...(former === undefined ? [] : [former])].filter((name) => name !== source);
  };
}

/**
 * The former name under which a source still has events; undefined if there is none, or if a run is under way under it.
 */
export async function nameOfEvents(
  { database, sources, now }: Pick<RunContext, 'database' | 'sources' | 'now'>,
  { name, site }: SourceSetup,
): Promise<string | undefined> {
  const query = database.query();
  const configured = [...sources.values()].map((setup): ConfiguredNames => {
    const { was } = setup.policy(now(), false);
    return { site: setup.site.key, source: setup.name, names: [setup.name, ...(was === undefined ? [] : [was])] };
  });
  const names = (await formerNames(query, configured))(name);
  const { rows } = await sql<{ source: string }>`select source from unnest(${[...names]}::text[]) as named (source)
    where exists (select from calsync.ledger as entry where entry.site = ${site.key} and entry.source = named.source)
      and not exists (select from calsync.leases as lease where lease.site = ${site.key} and lease.source = named.source)
    limit 1`.execute(query);
  return rows[0]?.source;
}

/** Moves everything that a source has under a former name to its new name. */
export async function moveToName(query: Queryable, site: string, from: string, to: string): Promise<void> {
  await moveSource(query, site, from, to);
  await moveWishes(query, { site, source: from }, { site, source: to });
}
