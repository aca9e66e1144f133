import { sql, type Queryable } from '../database.ts';

/**
 * Actions and outcomes are only read by the program, so the server no longer parses and indexes them; what queries need
 * is stored next to them. Those of earlier runs stay uncompressed.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.runs add column broken_off boolean not null default false`.execute(db);
  await sql`update calsync.runs set broken_off = true
    where run in (select run from calsync.batches where outcomes @? '$[*].differs')`.execute(db);
  await sql`drop index calsync.batches_items_idx, calsync.batches_run_idx`.execute(db);
  await sql`alter table calsync.batches add column slugs integer[] not null default '{}', add column tally jsonb`.execute(
    db,
  );
  await sql`update calsync.batches as batch set slugs = found.slugs, tally = found.tally from (
    select run, stage, number,
      coalesce(array_agg(hashtext(action->>'slug')) filter (where action ? 'slug'), '{}') as slugs,
      jsonb_build_object('writes', count(*),
        'open', count(*) filter (where outcome is null or outcome = 'null' or outcome->>'kind' = 'failed'),
        'done', count(*) filter (where outcome->>'kind' = 'done'),
        'created', count(*) filter (where ${isDone('create')}),
        'updated', count(*) filter (where ${isDone('update')}),
        'removed', count(*) filter (where ${isDone('remove')}),
        'lookedUp', count(*) filter (where (outcome->'lookedUp')::boolean),
        'differing', count(*) filter (where outcome ? 'differs'),
        'problems', coalesce(jsonb_agg(outcome->'problem' order by place) filter (where outcome ? 'problem'), '[]')) as tally
    from (select run, stage, number, item->'action' as action, outcomes->(place - 1)::integer as outcome, place
      from calsync.batches, jsonb_array_elements(items) with ordinality as list(item, place)) as written
    group by run, stage, number) as found
    where batch.run = found.run and batch.stage = found.stage and batch.number = found.number`.execute(db);
  await sql`alter table calsync.batches alter column outcomes drop not null, alter column tally set not null,
    alter column items type bytea using convert_to(items::text, 'UTF8'),
    alter column outcomes type bytea using convert_to(outcomes::text, 'UTF8')`.execute(db);
  await sql`create index on calsync.batches using gin (slugs)`.execute(db);
};

const isDone = (kind: string) =>
  sql`outcome->>'kind' = 'done' and action->>'resource' = 'events' and action->>'kind' = ${sql.lit(kind)}`;
