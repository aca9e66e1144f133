import { jsonb } from '../../db/jsonb.ts';
import { sql, type Database, type Queryable } from '../../db/database.ts';
import type { Logger } from '../../log.ts';
import type { Added, Measures } from '../../measures.ts';

const EVERY_MS = 5_000;

/**
 * Adds what this process measures to what all processes have measured, every few seconds and at the end: a worker has
 * no address that could be asked, and a counter outlives its process. What a killed process had not added is lost.
 * Returns what stops it.
 */
export function keepMeasures(database: Database, measures: Measures, log: Logger): () => Promise<void> {
  const keep = async (): Promise<void> => {
    const added = measures.take();
    if (added.length === 0) return;
    await addMeasures(database.query(), added).catch((error: unknown) => {
      measures.putBack(added);
      throw error;
    });
  };
  let keeping: Promise<void> = Promise.resolve();
  const keepNow = (): Promise<void> =>
    (keeping = keep().catch((error: Error) =>
      log.warn({ error: error.message }, 'what was measured could not be stored; it is tried again'),
    ));
  const timer = setInterval(() => void keepNow(), EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await keeping;
    await keepNow();
  };
}

/** Adds to what is stored; in the same order everywhere, so that no two wait for each other. */
async function addMeasures(query: Queryable, added: readonly Added[]): Promise<void> {
  await sql`insert into calsync.measured (metric, labels, value)
    select metric, labels, value from jsonb_to_recordset(${jsonb(added)}) as added (metric text, labels jsonb, value double precision)
    order by metric, labels
    on conflict (metric, labels) do update set value = measured.value + excluded.value`.execute(query);
}
