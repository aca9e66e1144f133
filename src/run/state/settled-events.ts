import { sql, type Queryable, type Sql } from '../../db/database.ts';
import type { CountedLinkedNames, LinkedNames, SettledEvent } from '../../sync/model/unread-remainder.ts';
import type { Window } from '../../sync/model/draft.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import { ENTRY_COLUMNS, entriesFromRows, type EntryRow } from './ledger.ts';

type Query = Queryable;

/** Selects a source's events in a window. */
export interface EventsOf {
  readonly site: string;
  readonly source: string;
  readonly window: Window;
}

// Uses the same condition as for occurrences in the window (occurrences/series.ts).
const isSettled = ({ window: { from, to } }: EventsOf): Sql<boolean> =>
  sql`(digest is not null and starts_at < ${to} and (starts_at >= ${from} or ends_at > ${from}))`;

/** The same test for an entry. */
export const isInWindow = ({ startsAt, endsAt }: LedgerEntry, { from, to }: Window): boolean =>
  startsAt < to && (startsAt >= from || endsAt > from);

const ofSource = ({ site, source }: EventsOf): Sql<boolean> => sql`site = ${site} and source = ${source}`;

/** The events of a source that need not be read again if the feed says the same about them. */
export async function loadSettled(query: Query, events: EventsOf): Promise<readonly SettledEvent[]> {
  // One value instead of thousands of rows.
  const { rows } = await sql<{ settled: string | null }>`
    select string_agg(concat_ws(E'\t', uid, digest, key, starts_at, ends_at), E'\n') as settled
    from calsync.ledger where ${ofSource(events)} and ${isSettled(events)}`.execute(query);
  return (rows[0]?.settled ?? '').split('\n').flatMap((line): SettledEvent[] => {
    const [uid, digest, key, startsAt, endsAt] = line.split('\t');
    return uid === undefined || digest === undefined || key === undefined
      ? []
      : [{ uid, digest, key, startsAt: Number(startsAt), endsAt: Number(endsAt) }];
  });
}

/** The ledger of a source without its settled events, except those with certain UIDs. */
export async function loadUnsettled(
  query: Query,
  events: EventsOf,
  uids: readonly string[],
): Promise<Map<string, LedgerEntry>> {
  const { rows } = await sql<EntryRow>`select ${ENTRY_COLUMNS} from calsync.ledger
    where ${ofSource(events)} and (not ${isSettled(events)} or uid = any(${[...uids]}::text[]))`.execute(query);
  return entriesFromRows(rows);
}

/** The names that a source's settled events give to terms, venues and organizers. */
export async function loadNaming(query: Query, events: EventsOf): Promise<readonly CountedLinkedNames[]> {
  type Row = { readonly [Name in keyof LinkedNames['fields']]: LinkedNames['fields'][Name] | null };
  const { rows } = await sql<Row & Pick<CountedLinkedNames, 'events'>>`
    select categories, tags, venue, organizer, count(*)::int as events from (
      select linked.categories->'feed' as categories, linked.tags->'feed' as tags, linked.venue->'feed' as venue, linked.organizer->'feed' as organizer
      from calsync.ledger, jsonb_to_record(fields) as linked(categories jsonb, tags jsonb, venue jsonb, organizer jsonb)
      where ${ofSource(events)} and ${isSettled(events)}) as naming
    group by categories, tags, venue, organizer`.execute(query);
  return rows.map(({ categories, tags, venue, organizer, events: count }) => ({
    fields: {
      categories: categories ?? [],
      tags: tags ?? [],
      venue: venue ?? [],
      organizer: organizer ?? [],
    },
    events: count,
  }));
}
