import type { Event } from '../../contract/representation.ts';
import { rowOf, sql, type Database, type Sql } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';
import type { CalendarContent, CalendarTime } from '../../ical/write/write-event.ts';
import { DAY_MS } from '../../time.ts';

// What subscribers have in their calendars cannot be withdrawn, only cancelled, so everything public is stored until it
// is over. Of events that have vanished from the site only the times are kept, for a while, so that programs show a
// cancelled event with the same UID and without any text. What was never public is neither stored nor cancelled.

/**
 * An event as it was last exported. `facts` are what filters can select it by, and `feed:<id>` for the configured feed
 * that it is in.
 */
export interface ExportedContent {
  readonly uid: string;
  readonly eventId: number;
  readonly slug: string;
  readonly hash: string;
  readonly content: CalendarContent;
  readonly facts: readonly string[];
}
export interface Gone {
  readonly uid: string;
  readonly eventId: number;
}
/** The events that a feed can contain: those in the window (epoch milliseconds) with a fact from every group. */
export interface Scope {
  readonly window: { readonly from: number; readonly to: number };
  readonly groups: readonly (readonly string[])[];
}

export interface ExportedContents {
  readonly keep: (events: readonly ExportedContent[], now: number) => Promise<void>;
  /** Future events of a scope that are not among those just exported, and not known to have vanished. */
  readonly missing: (scope: Scope, uids: ReadonlySet<string>, now: number, limit: number) => Promise<readonly Gone[]>;
  /** How many future events of a scope subscribers have, as far as is known. */
  readonly upcoming: (scope: Scope, now: number) => Promise<number>;
  readonly vanish: (uids: readonly string[], now: number) => Promise<void>;
  /** Whether subscribers have an event with a slug. */
  readonly has: (slug: string) => Promise<boolean>;
  /**
   * Like `vanish`, but by slug or id, and even if the event has vanished before; returns the UIDs. Feeds made earlier
   * become invalid.
   */
  readonly forget: (
    event: { readonly slug: string; readonly id?: number | undefined },
    now: number,
  ) => Promise<readonly string[]>;
  /** Changes when something was forgotten. */
  readonly epoch: () => Promise<string>;
  /** Replaces the facts of events, and removes them from all feeds until these export them again. */
  readonly move: (events: readonly { readonly uid: string; readonly facts: readonly string[] }[]) => Promise<void>;
  /** The events of a scope that vanished within the last 30 days, with the time; older ones are deleted. */
  readonly vanished: (
    scope: Scope,
    now: number,
  ) => Promise<readonly (ExportedContent & { readonly vanishedAt: number })[]>;
}

const VANISHED_MS = 30 * DAY_MS;

/** The facts by which the list's filters can select an event. */
export function factsOf(event: Event): readonly string[] {
  return [
    ...named('categories', event.categories),
    ...named('tags', event.tags),
    ...named('venue', [event.venue].flat()),
    ...named('organizer', event.organizer),
    ...(event.featured ? ['featured'] : []),
  ];
}

const named = (name: string, things: readonly { readonly id: number }[]): string[] =>
  things.map(({ id }) => `${name}:${id}`);

const instantOf = (time: CalendarTime): number =>
  time.kind === 'date' ? Date.parse(`${time.day}T00:00:00Z`) : time.at;

/** The exported contents of one site in PostgreSQL. */
export function databaseContents(database: Database, site: string): ExportedContents {
  const query = database.query();
  return {
    keep: async (events, now) => {
      const rows = events
        .map((event) => ({
          ...event,
          startsAt: instantOf(event.content.start),
          endsAt: instantOf(event.content.end ?? event.content.start),
        }))
        .filter(({ endsAt }) => endsAt > now);
      if (rows.length === 0) return;
      await sql`insert into calsync.exported_content as old (site, uid, event_id, slug, hash, content, facts, starts_at, ends_at)
        select ${site}, uid, "eventId", slug, hash, content, facts, "startsAt", "endsAt"
        from jsonb_to_recordset(${jsonb(rows)}) as row(uid text, "eventId" integer, slug text, hash text,
        content jsonb, facts text[], "startsAt" bigint, "endsAt" bigint) order by uid
        on conflict (site, uid) do update
        set event_id = excluded.event_id, slug = excluded.slug, hash = excluded.hash, content = excluded.content,
          starts_at = excluded.starts_at, ends_at = excluded.ends_at, vanished_at = null,
          facts = array(select fact from unnest(old.facts) as fact where fact like 'feed:%' union select unnest(excluded.facts))
        where old.hash <> excluded.hash or old.vanished_at is not null or old.event_id <> excluded.event_id
        or old.slug <> excluded.slug or not old.facts @> excluded.facts
          or exists (select from unnest(old.facts) as fact where fact not like 'feed:%' and fact <> all(excluded.facts))`.execute(
        query,
      );
    },
    missing: async (scope, uids, now, limit) =>
      (
        await sql<Gone>`select uid, event_id as "eventId" from calsync.exported_content
      where site = ${site} and vanished_at is null and ends_at > ${now} and starts_at < ${scope.window.to} and ${withFacts(scope)}
        and not exists (select from unnest(${[...uids]}::text[]) as exported(uid) where exported.uid = exported_content.uid)
      order by starts_at, uid limit ${limit}`.execute(query)
      ).rows,
    upcoming: async (scope, now) =>
      rowOf(
        await sql<{ count: number }>`select count(*)::integer as count from calsync.exported_content
          where site = ${site} and vanished_at is null and ends_at > ${now} and starts_at < ${scope.window.to}
          and ${withFacts(scope)}`.execute(query),
      ).count,
    vanish: async (uids, now) => {
      if (uids.length > 0)
        await sql`update calsync.exported_content set vanished_at = ${now}, content = ${WITHOUT_WORDS}
          where site = ${site} and vanished_at is null and uid = any(${[...uids]}::text[])`.execute(query);
    },
    has: async (slug) =>
      rowOf(
        await sql<{ known: boolean }>`
          select exists (select from calsync.exported_content where site = ${site} and slug = ${slug}) as known`.execute(
          query,
        ),
      ).known,
    forget: async ({ slug, id = null }, now) => {
      const { rows } = await sql<{
        uid: string;
      }>`update calsync.exported_content set vanished_at = ${now}, content = ${WITHOUT_WORDS}
        where site = ${site} and (slug = ${slug} or event_id = ${id}::integer) returning uid`.execute(query);
      await sql`insert into calsync.exported_revision as old values (${site}, 1) on conflict (site) do update set value = old.value + 1`.execute(
        query,
      );
      return rows.map(({ uid }) => uid);
    },
    epoch: async () => {
      const { rows } = await sql<{
        value: number;
      }>`select value from calsync.exported_revision where site = ${site}`.execute(query);
      return String(rows[0]?.value ?? 0);
    },
    move: async (events) => {
      if (events.length > 0)
        await sql`update calsync.exported_content as old set facts = row.facts from jsonb_to_recordset(${jsonb(events)}) as row(uid text, facts text[])
        where site = ${site} and old.uid = row.uid`.execute(query);
    },
    vanished: async (scope, now) => {
      await sql`delete from calsync.exported_content
        where site = ${site} and (vanished_at < ${now - VANISHED_MS} or (vanished_at is null and ends_at < ${now - DAY_MS}))`.execute(
        query,
      );
      const { rows } = await sql<
        ExportedContent & { vanishedAt: number }
      >`select uid, event_id as "eventId", slug, hash, content, facts, vanished_at as "vanishedAt" from calsync.exported_content
        where site = ${site} and vanished_at is not null and starts_at < ${scope.window.to}
        and ends_at > ${scope.window.from} and ${withFacts(scope)} order by starts_at, uid`.execute(query);
      return rows;
    },
  };
}

// The times, and the required members of a content.
const WITHOUT_WORDS = sql`jsonb_strip_nulls(jsonb_build_object('title', '', 'status', 'CANCELLED', 'contacts', '[]'::jsonb, 'categories', '[]'::jsonb,
  'start', content -> 'start', 'end', content -> 'end'))`;

const withFacts = ({ groups }: Scope): Sql =>
  sql.join([sql`true`, ...groups.map((group) => sql`facts && ${[...group]}::text[]`)], sql` and `);
