import { rowOf, sql, type Queryable, type Sql } from '../../db/database.ts';
import { likeEscaped } from '../../db/like.ts';
import { howRemoved } from '../../sync/event/life.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import { fieldsFromStored, type StoredFields } from '../../sync/model/stored-fields.ts';
import type { FieldName } from '../../sync/model/fields.ts';
import { SHOWN_TITLE } from '../state/ledger.ts';
import type { FoundByTitle } from './titled-on-sites.ts';

type Query = Queryable;

/** The states to filter events by, as conditions on the ledger. An event can be in several states. */
const STATES = {
  kept: sql<boolean>`ledger.state in ('kept', 'detached')`,
  conflict: marked('conflict', 'true'),
  edited: marked('by', '"person"'),
  locked: marked('locked', 'true'),
  detached: sql<boolean>`ledger.state = 'detached'`,
  gone: sql<boolean>`ledger.state = 'kept' and ledger.missing > 0`,
  held: sql<boolean>`held.run is not null`,
  ignored: sql<boolean>`ledger.state = 'ignored'`,
  removed: sql<boolean>`ledger.state = 'removed'`,
} as const;

export type ListedState = keyof typeof STATES;
export const LISTED_STATES = Object.keys(STATES) as readonly ListedState[];

/**
 * Whether an event on the site has a field that is marked like this in the ledger. Events with a digest are settled and
 * have none.
 */
function marked(mark: string, value: string): Sql<boolean> {
  const path = sql.lit(`$.*.${mark} ? (@ == ${value})`);
  return sql<boolean>`(ledger.state = 'kept' and ledger.digest is null and jsonb_path_exists(ledger.fields, ${path}))`;
}

/** Selects events of the ledgers; all given conditions must hold. */
export interface EventFilter {
  readonly source?: string | undefined;
  /** Events on the site by default. */
  readonly state?: ListedState | undefined;
  /** Only events that take place in this period: epoch milliseconds, `to` excluded. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** A category that the feed or a rule gives to the event. */
  readonly category?: string | undefined;
  /** A part of the feed's title or, if it is known, of the title that visitors see, ignoring case. */
  readonly search?: string | undefined;
  /** Events to include although the feed's title does not contain `search`. */
  readonly titled?: readonly Pick<FoundByTitle, 'site' | 'id'>[];
}

/** An event of a source, according to the ledger. */
export interface ListedEvent extends Pick<
  LedgerEntry,
  'slug' | 'title' | 'startsAt' | 'endsAt' | 'id' | 'state' | 'missing'
> {
  readonly site: string;
  readonly source: string;
  /** Wall-clock times in the event's zone, as the site shows them: `2027-03-06 19:00:00`. */
  readonly start: string;
  readonly end: string;
  readonly allDay: boolean;
  /** As the site shows it; '' if unknown. */
  readonly timezone: string;
  readonly status: string | null;
  /** How we have removed it; null if we have not. */
  readonly removed: ReturnType<typeof howRemoved>;
  readonly conflict: boolean;
  readonly edited: boolean;
  readonly locked: boolean;
  /** What a held run would do to it. */
  readonly held: { readonly run: string; readonly action: string } | null;
}

/** A page of the selected events, in the order in which they start. */
export interface EventsListed {
  readonly events: readonly ListedEvent[];
  readonly total: number;
  /** The number of events per source, without the filter by source; states and categories are counted likewise. */
  readonly bySource: Readonly<Record<string, number>>;
  readonly byState: Readonly<Record<ListedState, number>>;
  /** Null if counting would take too long; to filter by category, one then has to choose a month or a source first. */
  readonly byCategory: Readonly<Record<string, number>> | null;
}

/** The most events whose categories are counted, as each event has to be read for this. */
const COUNTED_MAX = 20_000;

/** The most categories that are counted, the most frequent first. */
export const CATEGORIES_MAX = 30;

/** A page of the selected events, with the counts for each filter. */
export async function listEvents(
  query: Query,
  filter: EventFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<EventsListed> {
  const [events, bySource, byState] = await Promise.all([
    eventsAt(query, filter, offset, limit),
    counted(query, sql`ledger.source`, { ...filter, source: undefined }),
    statesOf(query, filter),
  ]);
  const total = byState[filter.state ?? 'kept'];
  const byCategory = total > COUNTED_MAX ? null : await categoriesOf(query, filter);
  return { events, total, bySource, byState, byCategory };
}

/** All categories that feeds and rules give to events of any date, the most frequent first. */
export async function allCategories(query: Query): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from calsync.ledger, jsonb_array_elements_text(${CATEGORIES}) as name
    group by 1 order by count(*) desc, 1`.execute(query);
  return rows.map(({ name }) => name);
}

/** The titles of all events of sources, of any date: those in feeds and, as far as they are known, those on sites. */
export async function allTitles(query: Query): Promise<readonly string[]> {
  const { rows } = await sql<{ title: string }>`select title from calsync.ledger
    union select ${SHOWN_TITLE} from calsync.ledger`.execute(query);
  return rows.map(({ title }) => title);
}

async function eventsAt(
  query: Query,
  filter: EventFilter,
  offset: number,
  limit: number,
): Promise<readonly ListedEvent[]> {
  const { rows } = await sql<Row>`
    ${HELD} select ledger.site, ledger.source, ledger.slug, ${SHOWN_TITLE} as title,
      starts_at as "startsAt", ends_at as "endsAt", id, ledger.state, greatest(missing, 0) as missing,
      coalesce(${shown('start_date')}, '') as start, coalesce(${shown('end_date')}, '') as end,
      coalesce(${shown('all_day')}, 'false') = 'true' as "allDay", coalesce(${shown('timezone')}, '') as timezone,
      ${shown('status')} as status, ${STATES.conflict} as conflict, ${STATES.edited} as edited,
      ${STATES.locked} as locked, held.run, held.action, ${MARKS_OF_REMOVAL} as marks
    from ${LEDGER} where ${isWanted(filter)} order by starts_at, ledger.site, ledger.slug offset ${offset} limit ${limit}`.execute(
    query,
  );
  return rows.map(({ run, action, marks, ...event }) => ({
    ...event,
    removed: howRemoved({ state: event.state, fields: fieldsFromStored({ fields: marks ?? {}, writtenAt: null }) }),
    held: run === null ? null : { run, action },
  }));
}

interface Row extends Omit<ListedEvent, 'removed' | 'held'> {
  readonly run: string | null;
  readonly action: string;
  readonly marks: StoredFields['fields'] | null;
}

/** The fields that tell how we have removed an event. */
const MARKS_OF_REMOVAL = sql`case when ledger.state = 'removed'
  then jsonb_strip_nulls(jsonb_build_object('status', fields->'status', 'tags', fields->'tags')) end`;

/**
 * What the held runs would do, by event. If PostgreSQL expects a single row here, it compares every event with each of
 * the thousands of rows. Therefore there is no condition on what the runs do, and `isWanted` avoids an equality with
 * the source, which would be applied to these rows, too.
 */
const HELD = sql`with held as materialized (
  select runs.site, runs.source, slug, min(run) as run, min(action) as action
  from calsync.runs, jsonb_each_text(doing) as done(slug, action)
  where runs.state = 'held' group by 1, 2, 3)`;

const LEDGER = sql`calsync.ledger left join held using (site, source, slug)`;

/** A field as the site returned it for our last write, else as the feed gives it. */
function shown(field: FieldName): Sql<string | null> {
  const state = sql`ledger.fields->${sql.lit(field)}`;
  return sql<string | null>`coalesce(${state}->'returned', ${state}->'same', ${state}->'feed') #>> '{}'`;
}

const CATEGORIES = sql`coalesce(ledger.fields->'categories'->'feed', '[]'::jsonb)`;

/** The SQL condition for a filter; `any` does not filter by state. */
function isWanted({
  source,
  state = 'kept',
  from,
  to,
  category,
  search,
  titled = [],
}: Omit<EventFilter, 'state'> & { readonly state?: ListedState | 'any' | undefined }): Sql<boolean> {
  const conditions = [
    state === 'any' ? sql`true` : STATES[state],
    ...(source === undefined ? [] : [sql`ledger.source = any(${[source]}::text[])`]),
    ...(from === undefined ? [] : [sql`ledger.ends_at > ${from}`]),
    ...(to === undefined ? [] : [sql`ledger.starts_at < ${to}`]),
    ...(category === undefined ? [] : [sql`jsonb_exists(${CATEGORIES}, ${category})`]),
    ...(search === undefined ? [] : [sql`(${hasInTitle(search)} or ${isTitled(titled)})`]),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

function hasInTitle(search: string): Sql<boolean> {
  const pattern = `%${likeEscaped(search)}%`;
  return sql<boolean>`(ledger.title ilike ${pattern} or ${SHOWN_TITLE} ilike ${pattern})`;
}

const isTitled = (titled: NonNullable<EventFilter['titled']>): Sql<boolean> =>
  sql<boolean>`(ledger.site, ledger.id) in (select * from unnest(
    ${titled.map(({ site }) => site)}::text[], ${titled.map(({ id }) => id)}::integer[]))`;

async function counted(query: Query, by: Sql, filter: EventFilter): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<{ name: string; events: number }>`
    ${HELD} select ${by} as name, count(*)::int as events from ${LEDGER} where ${isWanted(filter)} group by 1`.execute(
    query,
  );
  return Object.fromEntries(rows.map(({ name, events }) => [name, events]));
}

async function statesOf(query: Query, filter: EventFilter): Promise<EventsListed['byState']> {
  const counts = LISTED_STATES.map((state) => sql`count(*) filter (where ${STATES[state]})::int as ${sql.id(state)}`);
  const { rows } = await sql<EventsListed['byState']>`
    ${HELD} select ${sql.join(counts)} from ${LEDGER} where ${isWanted({ ...filter, state: 'any' })}`.execute(query);
  return rowOf({ rows });
}

async function categoriesOf(query: Query, filter: EventFilter): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<{ name: string; events: number }>`
    ${HELD} select name, count(*)::int as events from ${LEDGER}, jsonb_array_elements_text(${CATEGORIES}) as name
    where ${isWanted({ ...filter, category: undefined })} group by 1 order by 2 desc, 1 limit ${CATEGORIES_MAX}`.execute(
    query,
  );
  return Object.fromEntries(rows.map(({ name, events }) => [name, events]));
}
