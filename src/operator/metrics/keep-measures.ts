import { jsonb } from '../../db/jsonb.ts';
import { sql, type Database, type Queryable } from '../../db/database.ts';
import type { Logger } from '../../log.ts';
import type { Added, Measures } from '../../measures.ts';

const EVERY_MS = 5_000;

/**
 * Adds this process's measurements to those of all processes, every few seconds and at the end, because a worker has no
 * address to scrape and a counter must outlive its process. What a killed process has not added is lost. Returns a
 * function that stops it.
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

/** Adds to the stored values, in the same order everywhere to avoid deadlocks. */
async function addMeasures(query: Queryable, added: readonly Added[]): Promise<void> {
  await sql`insert into calsync.measured (metric, labels, value)
    select metric, labels, value from jsonb_to_recordset(${jsonb(added)}) as added (metric text, labels jsonb, value double precision)
    order by metric, labels
    on conflict (metric, labels) do update set value = measured.value + excluded.value`.execute(query);
}
