import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // When a sync last changed the site, how many syncs have done so, and the usual time between them.
  `alter table calsync.sources
    add column changed_at timestamptz, add column changes integer not null default 0, add column usual_gap_ms bigint`,
  `update calsync.sources as known set changed_at = past.last, changes = past.changes, usual_gap_ms = past.gap
    from (select site, source, max(started_at) as last, count(*) as changes,
        (extract(epoch from max(started_at) - min(started_at)) * 1000 / nullif(count(*) - 1, 0))::bigint as gap
      from calsync.runs where state = 'done' and cause->>'kind' in ('schedule', 'start', 'command')
      group by site, source) as past
    where known.site = past.site and known.source = past.source`,
  // Counts the conflicts of all sources without reading each entry.
  `alter table calsync.ledger add column in_conflict boolean not null
    generated always as (jsonb_path_exists(fields, '$.*.conflict ? (@ == true)')) stored`,
  'create index on calsync.ledger (site, source) where in_conflict',
  'create index on calsync.ledger (site, source, state, ends_at)',
  'drop index calsync.ledger_site_source_state_idx',
  // When a part of the daemon was last alive, even if it is gone.
  `create table calsync.beats (part text primary key, at timestamptz not null, process text not null)`,
];

/** The data from which the states of sources are computed, for all sources at the same time. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
