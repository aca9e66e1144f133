import type { EventTables } from './series.ts';
import type { SeriesDates } from './series-dates.ts';

const ANSWERS_MAX = 100;
// The dates of this many series take some megabytes.
const SERIES_MAX = 2_000;

/**
 * Wraps tables so that what many pages show is read once per revision, whatever the addresses of the pages. Without a
 * revision, nothing is kept.
 */
export function keptTables(tables: EventTables): (revision: string | undefined) => EventTables {
  let known: { readonly revision: string; readonly tables: EventTables } | undefined;
  return (revision) => {
    if (revision === undefined) return tables;
    if (known?.revision !== revision) known = { revision, tables: keeping(tables) };
    return known.tables;
  };
}

const keeping = (tables: EventTables): EventTables => ({
  ...tables,
  daysBetween: once(tables.daysBetween),
  spansBetween: once(tables.spansBetween),
  daysAround: once(tables.daysAround),
  namesOf: once(tables.namesOf),
  seriesOf: seriesOnce(tables.seriesOf),
});

/** Asks once for each set of arguments. The oldest answers are dropped first. */
function once<Args extends readonly unknown[], Answer>(
  ask: (...args: Args) => Promise<Answer>,
): (...args: Args) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const former = answers.get(key);
    if (former) return former;
    const answer = ask(...args);
    answers.set(key, answer);
    // After a failure, the next caller tries again.
    answer.catch(() => answers.delete(key));
    const [oldest] = answers.keys();
    if (answers.size > ANSWERS_MAX && oldest !== undefined) answers.delete(oldest);
    return answer;
  };
}

/** Asks once for each event, because different lists share events. */
function seriesOnce(ask: EventTables['seriesOf']): EventTables['seriesOf'] {
  const known = new Map<string, SeriesDates | undefined>();
  return async (ids, from, datesMax) => {
    const keyOf = (id: number): string => `${from} ${datesMax ?? ''} ${id}`;
    const missing = ids.filter((id) => !known.has(keyOf(id)));
    const found = new Map(ids.map((id) => [id, known.get(keyOf(id))]));
    const asked = missing.length === 0 ? undefined : await ask(missing, from, datesMax);
    if (known.size + missing.length > SERIES_MAX) known.clear();
    for (const id of missing) {
      known.set(keyOf(id), asked?.get(id));
      found.set(id, asked?.get(id));
    }
    return new Map([...found].flatMap(([id, dates]) => (dates ? [[id, dates] as const] : [])));
  };
}
