import { mapWithPauses } from '../../pauses.ts';
import { sql, type Queryable, type Sql } from '../../db/database.ts';
import { jsonText } from '../../db/jsonb.ts';
import { beforeWrites, type Recognised } from '../../sync/event/before-writes.ts';
import type { LedgerEntry, Plan } from '../../sync/model/plan.ts';
import { keepDigestIfSettled } from '../../sync/model/settled.ts';
import { SOURCE_CHARACTERS, sourceKey } from '../../sync/model/slug.ts';
import {
  fieldsFromStored,
  storedFields,
  storedFieldsReader,
  type StoredFields,
} from '../../sync/model/stored-fields.ts';
import type { VenueClaim } from '../../sync/links/venue-claims.ts';

type Query = Queryable;

/**
 * The columns of an entry in its stored form. The fields come as text, because converting them to values for all rows
 * would be most of the cost of reading a large ledger.
 */
export const ENTRY_COLUMNS = sql.raw(
  'slug, key, rung, identity, uid, title, starts_at as "startsAt", ends_at as "endsAt", id, state, ' +
    'missing, held_missing as "heldMissing", fields::text, written_at as "writtenAt", digest, said',
);

/** An entry in its stored form. */
export type StoredEntry = Omit<LedgerEntry, 'digest' | 'said' | 'fields'> &
  Pick<StoredFields, 'fields'> & {
    readonly writtenAt?: string | null;
    readonly digest?: string | null;
    readonly said?: string | null;
  };

/** The same as a row selected with `ENTRY_COLUMNS`. */
export type EntryRow = Omit<StoredEntry, 'fields'> & { readonly fields: string };

/**
 * Converts an entry from its stored form, in which 0 means that nothing is held, '' that there is no identity, and -1
 * in `missing` that the entry is pinned.
 */
export function entryFromStored(stored: StoredEntry, fieldsOf = fieldsFromStored): LedgerEntry {
  const { fields, writtenAt = null, identity, missing, pinned = missing < 0, heldMissing = 0, digest, said } = stored;
  return {
    slug: stored.slug,
    key: stored.key,
    rung: stored.rung,
    identity: identity === '' ? null : identity,
    uid: stored.uid,
    title: stored.title,
    startsAt: stored.startsAt,
    endsAt: stored.endsAt,
    id: stored.id,
    state: stored.state,
    missing: Math.max(missing, 0),
    ...(pinned ? { pinned } : {}),
    ...(heldMissing > 0 ? { heldMissing } : {}),
    fields: fieldsOf({ fields, writtenAt }),
    ...(typeof digest === 'string' ? { digest } : {}),
    ...(typeof said === 'string' ? { said } : {}),
  };
}

/** Converts an entry from its row. */
export const entryFromRow = (row: EntryRow, fieldsOf = fieldsFromStored): LedgerEntry =>
  entryFromStored({ ...row, fields: JSON.parse(row.fields) as StoredFields['fields'] }, fieldsOf);

const storedForm = ({ pinned, heldMissing = 0, ...entry }: LedgerEntry) => ({
  ...entry,
  ...storedFields(entry.fields),
  identity: entry.identity ?? '',
  missing: pinned ? -1 : entry.missing,
  heldMissing,
});

/** Since when an event has been in conflict. An event stored in conflict from the start has not changed since. */
export const CONFLICT_SINCE = sql<number>`(extract(epoch from coalesce(conflict_since, changed_at)) * 1000)::bigint`;

/**
 * The title that visitors see for an event that somebody has retitled or decides about, if it is known. What an undo
 * has restored is a person's title, too, which the site returned for that write.
 */
export const SHOWN_TITLE = sql<string>`coalesce(fields->'title'->>'shown',
  case when state = 'detached' or fields->'title'->>'by' = 'person'
    then coalesce(fields->'title'->>'returned', fields->'title'->>'same') end, title)`;

/** A source's ledger on a site, by slug. */
export async function loadLedger(query: Query, site: string, source: string): Promise<Map<string, LedgerEntry>> {
  const { rows } =
    await sql<EntryRow>`select ${ENTRY_COLUMNS} from calsync.ledger where site = ${site} and source = ${source}`.execute(
      query,
    );
  return entriesFromRows(rows);
}

/** A source's entries for some slugs, by slug; those that do not exist are left out. */
export async function loadEntries(
  query: Query,
  site: string,
  source: string,
  slugs: readonly string[],
): Promise<Map<string, LedgerEntry>> {
  const { rows } = await sql<EntryRow>`select ${ENTRY_COLUMNS} from calsync.ledger
    where site = ${site} and source = ${source} and slug = any(${[...slugs]}::text[])`.execute(query);
  return entriesFromRows(rows);
}

/** Converts rows to entries, by slug, pausing for other work if there are many. */
export async function entriesFromRows(rows: readonly EntryRow[]): Promise<Map<string, LedgerEntry>> {
  const fieldsOf = storedFieldsReader();
  return new Map(await mapWithPauses(rows, (row) => [row.slug, entryFromRow(row, fieldsOf)] as const));
}

/** Whether a source's empty ledger must have been lost, because its last good run had events to keep. */
export async function isLedgerLost(query: Query, site: string, source: string): Promise<boolean> {
  const { rows } = await sql<{ had: boolean }>`
    select (report->>'created')::int + (report->>'updated')::int + (report->>'removed')::int + (report->>'unchanged')::int > 0 as had
    from calsync.runs where site = ${site} and source = ${source} and state in ('done', 'unchanged') order by started_at desc limit 1`.execute(
    query,
  );
  return rows[0]?.had ?? false;
}

/**
 * Writes entries, either all of them or, if the transaction fails, none. Entries that belong to another source of the
 * site are left alone.
 */
export async function saveEntries(
  query: Query,
  site: string,
  source: string,
  entries: readonly LedgerEntry[],
): Promise<void> {
  if (entries.length > 0) await insertOfEntries(site, source, entries).execute(query);
}

/** Stores what `beforeWrites` gives for a plan. */
export async function saveBeforeWrites(
  query: Query,
  site: string,
  source: string,
  plan: Pick<Plan, 'actions' | 'ledger'>,
): Promise<void> {
  const { entries, recognised } = beforeWrites(plan);
  // A first sync writes all of its events, and has no entry yet.
  if (recognised.length > 0 && (await hasEntries(query, site, source)))
    await updateOfRecognised(site, source, recognised).execute(query);
  await saveEntries(query, site, source, entries);
}

async function hasEntries(query: Queryable, site: string, source: string): Promise<boolean> {
  const { rows } = await sql`select from calsync.ledger where site = ${site} and source = ${source} limit 1`.execute(
    query,
  );
  return rows.length > 0;
}

// A `missing` of -1 means that an entry is pinned.
const updateOfRecognised = (site: string, source: string, recognised: readonly Recognised[]): Sql => sql`
    update calsync.ledger set rung = by.rung, identity = by.identity, uid = by.uid, title = by.title,
      starts_at = by."startsAt", ends_at = by."endsAt", held_missing = by."heldMissing", said = by.said,
      missing = case when ledger.missing < 0 then ledger.missing else by.missing end,
      digest = null, changed_at = now()
    from json_to_recordset(${jsonText(recognised.map((by) => ({ ...by, identity: by.identity ?? '' })))}::json)
      as by(slug text, rung text, identity text, uid text, title text, "startsAt" bigint, "endsAt" bigint,
        missing integer, "heldMissing" integer, said text)
    where site = ${site} and source = ${source} and ledger.slug = by.slug
      and (ledger.rung, ledger.identity, ledger.uid, ledger.title, starts_at, ends_at, greatest(ledger.missing, 0), held_missing, ledger.said)
        is distinct from (by.rung, by.identity, by.uid, by.title, by."startsAt", by."endsAt", by.missing, by."heldMissing", by.said)`;

/**
 * SQL that writes entries if `condition` is true. The fields are sent separately, one text per line (JSON contains no
 * line breaks), because within the records PostgreSQL would parse them three times.
 */
export const insertOfEntries = (
  site: string,
  source: string,
  entries: readonly LedgerEntry[],
  condition: Sql = sql`true`,
): Sql => {
  const stored = entries.map((entry) => storedForm(keepDigestIfSettled(entry)));
  return sql`
    insert into calsync.ledger (site, source, slug, key, rung, identity, uid, title, starts_at, ends_at, id, state,
      missing, held_missing, written_at, digest, said, fields)
    select ${site}, ${source}, slug, key, rung, identity, uid, title, "startsAt", "endsAt", id, state,
      missing, "heldMissing", "writtenAt", digest, said, fields::jsonb
    from rows from (
      json_to_recordset(${jsonText(stored.map(({ fields: _fields, ...entry }) => entry))}::json)
        as (slug text, key text, rung text, identity text, uid text, title text, "startsAt" bigint, "endsAt" bigint,
          id integer, state text, missing integer, "heldMissing" integer, "writtenAt" text, digest text, said text),
      string_to_table(${stored.map(({ fields }) => jsonText(fields)).join('\n')}::text, chr(10))
    ) as entry(slug, key, rung, identity, uid, title, "startsAt", "endsAt", id, state, missing, "heldMissing",
      "writtenAt", digest, said, fields)
    where ${condition}
    on conflict (site, slug) do update set key = excluded.key, rung = excluded.rung, identity = excluded.identity,
      uid = excluded.uid, title = excluded.title, starts_at = excluded.starts_at, ends_at = excluded.ends_at, id = excluded.id,
      state = excluded.state, missing = excluded.missing, held_missing = excluded.held_missing,
      fields = excluded.fields, written_at = excluded.written_at, digest = excluded.digest, said = excluded.said, changed_at = now(),
      conflict_since = case when excluded.in_conflict then coalesce(ledger.conflict_since, now()) end
      where ledger.source = excluded.source`;
};

/** All sources that have entries, configured or not. */
export async function sourcesInLedger(query: Query): Promise<readonly string[]> {
  const { rows } = await sql<{ source: string }>`select distinct source from calsync.ledger order by 1`.execute(query);
  return rows.map(({ source }) => source);
}

/** Slugs with this beginning, in order, at most `limit` of them. */
export async function slugsBeginning(query: Query, beginning: string, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ slug: string }>`select distinct slug from calsync.ledger
    where starts_with(slug, ${beginning}) order by slug limit ${limit}`.execute(query);
  return rows.map(({ slug }) => slug);
}

/** The feeds' titles of a site's events, by slug. */
export async function titlesOf(
  query: Query,
  site: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ slug: string; title: string }>`select slug, title from calsync.ledger
    where site = ${site} and slug = any(${[...slugs]}::text[])`.execute(query);
  return new Map(rows.map(({ slug, title }) => [slug, title]));
}

/** The entries with a slug, on any site and from any source. */
export async function findEntries(
  query: Query,
  slug: string,
): Promise<readonly (LedgerEntry & { readonly site: string; readonly source: string })[]> {
  const { rows } = await sql<
    EntryRow & { site: string; source: string }
  >`select site, source, ${ENTRY_COLUMNS} from calsync.ledger where slug = ${slug}`.execute(query);
  return rows.map((row) => ({ site: row.site, source: row.source, ...entryFromRow(row) }));
}

/** The number of events of each city that the sources of a site have assigned to its venues. */
export async function loadVenueClaims(query: Query, site: string): Promise<readonly VenueClaim[]> {
  const { rows } = await sql<VenueClaim>`
    select (fields->'venue'->'returned'->>0)::int as id, fields->'venue'->'feed'->0->>'city' as city, count(*)::int as events
    from calsync.ledger
    where site = ${site} and state = 'kept' and coalesce(fields->'venue'->>'by', 'feed') = 'feed'
      and fields->'venue'->'feed'->0->>'city' is not null and fields->'venue'->'returned'->>0 is not null
    group by 1, 2`.execute(query);
  return rows;
}

/** Moves the events and ended runs of a source to its new name. Slugs and keys stay as they are. */
export async function moveSource(query: Query, site: string, from: string, to: string): Promise<void> {
  await sql`update calsync.ledger set source = ${to} where site = ${site} and source = ${from}`.execute(query);
  await sql`update calsync.sources set source = ${to} where site = ${site} and source = ${from}
    and not exists (select 1 from calsync.sources as there where there.site = ${site} and there.source = ${to})`.execute(
    query,
  );
  await sql`update calsync.runs set source = ${to} where site = ${site} and source = ${from} and state not in ('reading', 'writing')`.execute(
    query,
  );
  for (const table of ['unanswered', 'readings'])
    await sql`update ${sql.raw(`calsync.${table}`)} set source = ${to} where site = ${site} and source = ${from}`.execute(
      query,
    );
}

/** A configured source, and its names in the configuration: the current one, and the former one if it is given. */
export interface ConfiguredNames {
  readonly site: string;
  readonly source: string;
  readonly names: readonly string[];
}

/**
 * The sources whose renaming was reverted (by restoring an earlier configuration file, say), each with the name that it
 * had in between, which no source has now. The keys of the events under that name begin with the characters of the
 * current name. Sources with events of their own, and uncertain cases, are left out.
 */
export async function renamedBack(
  query: Query,
  configured: readonly ConfiguredNames[],
): Promise<ReadonlyMap<string, string>> {
  const { rows: gone } = await sql<{ site: string; source: string }>`select site, source from calsync.sources
    except select * from unnest(${configured.map(({ site }) => site)}::text[],
      ${configured.map(({ source }) => source)}::text[])`.execute(query);
  if (gone.length === 0) return new Map();
  const asked = configured.flatMap(({ names, ...each }) => names.map((name) => ({ ...each, key: sourceKey(name) })));
  const { rows } = await sql<Renamed>`
    with gone as (
      select distinct site, source, left(key, ${SOURCE_CHARACTERS}) as key from calsync.ledger
        join unnest(${gone.map(({ site }) => site)}::text[], ${gone.map(({ source }) => source)}::text[])
          as named (site, source) using (site, source))
    select distinct asked.site, asked.source, gone.source as former
    from unnest(${asked.map(({ site }) => site)}::text[], ${asked.map(({ source }) => source)}::text[],
        ${asked.map(({ key }) => key)}::text[]) as asked (site, source, key)
      join gone on gone.site = asked.site and gone.key = asked.key
    where not exists (select from calsync.ledger as own where own.site = asked.site and own.source = asked.source)`.execute(
    query,
  );
  const isOnly = (row: Renamed): boolean =>
    rows.every((other) => other === row || (other.source !== row.source && !isSameFormer(other, row)));
  // Two names may happen to have the same characters; the keys then prove nothing.
  const renamed = rows.filter((row) => isOnly(row) && sourceKey(row.source) !== sourceKey(row.former));
  return new Map(renamed.map(({ source, former }) => [source, former]));
}

interface Renamed {
  readonly site: string;
  readonly source: string;
  readonly former: string;
}

const isSameFormer = (one: Renamed, other: Renamed): boolean => one.site === other.site && one.former === other.former;

/** So many new entries matter for how the ledger is best read. */
const ENTRIES_MANY = 250;

/**
 * Collects statistics of the ledger if it has many new entries, as PostgreSQL recommends. It does so itself only a
 * minute or two later; until then, it may compare each of thousands of entries with each change that waits for approval.
 */
export async function analyzeIfGrown(query: Query, created: number): Promise<void> {
  if (created >= ENTRIES_MANY) await sql`analyze (skip_locked) calsync.ledger`.execute(query);
}
