import { sql, type Queryable } from '../../db/database.ts';
import type { Matter } from './matters.ts';

type Query = Queryable;

/** A matter that a person has put off. */
export interface Snooze {
  readonly person: string;
  readonly matter: string;
  /** In epoch milliseconds; null until the matter looks different. */
  readonly until: number | null;
  readonly look: string;
}

/** Puts a matter off for one person until a time or, if `until` is null, until something about it changes. */
export async function snooze(
  query: Query,
  person: string,
  { key, look }: Pick<Matter, 'key' | 'look'>,
  until: number | null,
): Promise<void> {
  await sql`insert into calsync.snoozes (person, matter, until, look) values (${person}, ${key}, ${until === null ? null : new Date(until)}, ${look})
    on conflict (person, matter) do update set until = excluded.until, look = excluded.look, at = now()`.execute(query);
}

/** Ends the putting off of a matter. */
export async function endSnooze(query: Query, person: string, matter: string): Promise<void> {
  await sql`delete from calsync.snoozes where person = ${person} and matter = ${matter}`.execute(query);
}

/** The matters that a person has put off. */
export async function snoozesOf(query: Query, person: string): Promise<readonly Snooze[]> {
  const { rows } = await sql<Snooze>`select person, matter, (extract(epoch from until) * 1000)::bigint as until, look
    from calsync.snoozes where person = ${person}`.execute(query);
  return rows;
}

/** The matters of a person: those that wait, those put off, and those for others to deal with. */
export interface SortedMatters {
  readonly waiting: readonly Matter[];
  readonly putOff: readonly { readonly matter: Matter; readonly snooze: Snooze }[];
  readonly others: readonly Matter[];
}

/** Those who act on a matter without looking at the console. */
const OTHERS: ReadonlySet<Matter['mustAct']> = new Set(['developer', 'site', 'nobody']);

/** Sorts matters for a person; `now` is in epoch milliseconds. */
export function sortMatters(matters: readonly Matter[], snoozes: readonly Snooze[], now: number): SortedMatters {
  const asleep = matters.flatMap((matter) => {
    const own = snoozes.find((each) => each.matter === matter.key && isAsleep(each, matter, now));
    return own ? [{ matter, snooze: own }] : [];
  });
  const awake = matters.filter((matter) => !asleep.some((each) => each.matter === matter));
  return {
    waiting: awake.filter(({ mustAct }) => !OTHERS.has(mustAct)),
    putOff: asleep,
    others: awake.filter(({ mustAct }) => OTHERS.has(mustAct)),
  };
}

const isAsleep = ({ until, look }: Snooze, matter: Matter, now: number): boolean =>
  until === null ? look === matter.look : until > now;
