import { openBuiltin, type Builtin } from '../../../src/cli/open/open-builtin.ts';
import { makeSiteClient } from '../../../src/client/make-site-client.ts';
import type { Transport } from '../../../src/client/site-client.ts';
import type { Config } from '../../../src/config.ts';
import { sql, type Database } from '../../../src/db/database.ts';
import { decodeEntities } from '../../../src/html/references.ts';
import { createLogger } from '../../../src/log.ts';
import { callerByLogin } from '../../../src/site/users/users.ts';
import { dueFault, isCarriedOut, type FaultPlan } from '../real-site/faults.ts';
import { faultyResponse } from '../real-site/in-process.ts';
import type { Edit, Grounds, Post } from './grounds.ts';

const PUBLIC_URL = 'http://site.example';
const TABLES = ['images', 'terms', 'venues', 'organizers', 'events', 'event_links'] as const;

/** The built-in site on a test's database. */
export async function builtinGrounds(config: Config, database: Database, now: () => number): Promise<Grounds> {
  const query = database.query();
  const plans: FaultPlan[] = [];
  const opened: Builtin[] = [];
  const restOn = async (own: Database): Promise<Transport> => {
    const builtin = await openBuiltin(config, own, PUBLIC_URL, now, createLogger('silent'));
    opened.push(builtin);
    const caller = await callerByLogin(database.query());
    return (request) => builtin.rest(request, caller);
  };
  const byHand = makeSiteClient({
    root: `${PUBLIC_URL}/api`,
    namespace: 'calendar/events/v1',
    transport: await restOn(database),
  });
  const write = async (method: 'POST' | 'DELETE', path: string, body?: Record<string, unknown>): Promise<number> => {
    const [answer] = await byHand.write([{ method, path, ...(body ? { body } : {}) }]);
    if (answer?.kind !== 'answered' || answer.status >= 300) throw new Error(`by hand: ${JSON.stringify(answer)}`);
    return (answer.body as { id: number }).id;
  };
  let isKept = false;
  return {
    key: 'builtin',
    isPartial: true,
    client: async (wrap, own) => {
      // A process is only killed once it has started.
      const rest = await restOn(own);
      return makeSiteClient({
        root: `${PUBLIC_URL}/api`,
        namespace: 'calendar/events/v1',
        retry: { firstWaitMs: 0, waitMsMax: 0, random: () => 0 },
        transport: wrap(withFaults(rest, plans)),
      });
    },
    posts: () => readPosts(database),
    others: async () =>
      (
        await sql<{
          line: string;
        }>`select 'venues ' || title || ' ' || city || ' ' || address as line from site.venues
          where status <> 'trash' union all select 'organizers ' || title from site.organizers
      union all select taxonomy || ' ' || name from site.terms`.execute(query)
      ).rows.map(({ line }) => line),
    edit: async (id, edit) => {
      await write('POST', `/events/${id}`, await bodyOf(edit, write, database));
    },
    trash: async (id) => {
      await write('DELETE', `/events/${id}`);
    },
    untrash: async (id) => {
      await write('POST', `/events/${id}`, { status: 'publish' });
    },
    erase: async (id) => {
      await sql`delete from site.events where id = ${id}`.execute(query);
    },
    add: (title, start) =>
      write('POST', '/events', {
        title: title.replaceAll('<', '&lt;'),
        start_date: start,
        end_date: start,
        timezone: 'Europe/Warsaw',
      }),
    backUp: async () => {
      await sql`drop schema if exists kept cascade`.execute(query);
      await sql`create schema kept`.execute(query);
      for (const table of TABLES) await sql.raw(`create table kept.${table} as table site.${table}`).execute(query);
      await sql`create table kept.ids as select last_value, is_called from site.post_id`.execute(query);
      isKept = true;
    },
    restore: async () => {
      if (isKept) await restoreFrom(database, true);
    },
    freezeLists: () => undefined,
    thawLists: () => undefined,
    setRole: () => undefined,
    fail: (fault, plan) => {
      plans.push({ fault, when: plan.when ?? (() => true), after: plan.after ?? 0, times: plan.times ?? 1 });
    },
    heal: () => {
      plans.length = 0;
    },
    reset: async () => {
      isKept = false;
      plans.length = 0;
      await restoreFrom(database, false);
    },
    close: async () => {
      for (const one of opened) await one.close();
    },
  };
}

function withFaults(transport: Transport, plans: readonly FaultPlan[]): Transport {
  return async (request) => {
    const fault = dueFault(plans, request.method, new URL(request.url).pathname);
    if (!fault) return transport(request);
    return faultyResponse(fault, isCarriedOut(fault) ? await transport(request) : undefined);
  };
}

/**
 * Empties the site and, with `kept`, restores the backup. Triggers that react to people's writes are off. Ids are
 * assigned again from the same number.
 */
async function restoreFrom(database: Database, kept: boolean): Promise<void> {
  await database.query().transaction(async (query) => {
    await sql`set local session_replication_role = replica`.execute(query);
    for (const table of TABLES.toReversed()) await sql.raw(`delete from site.${table}`).execute(query);
    if (kept)
      for (const table of TABLES) {
        const columns = (
          await sql<{
            name: string;
          }>`select quote_ident(column_name) as name from information_schema.columns
            where table_schema = 'site' and table_name = ${table} and is_generated = 'NEVER'`.execute(query)
        ).rows
          .map(({ name }) => name)
          .join();
        await sql
          .raw(`insert into site.${table} (${columns}) overriding system value select ${columns} from kept.${table}`)
          .execute(query);
      }
    if (kept) await sql`select setval('site.post_id', last_value, is_called) from kept.ids`.execute(query);
    await sql`update site.revision set value = value + 1`.execute(query);
    await sql`update site.event_days set revision = (select value from site.revision)`.execute(query);
  });
}

interface Row extends Omit<Post, 'startsAt' | 'endsAt'> {
  readonly starts: Date;
  readonly ends: Date;
}

const names = (ids: string): ReturnType<typeof sql.raw> =>
  sql.raw(
    `(select coalesce(array_agg(name order by name collate "C"), '{}') from site.terms where terms.id = any (${ids}))`,
  );

async function readPosts(database: Database): Promise<readonly Post[]> {
  const { rows } = await sql<Row>`select id, slug, status, title, description,
    trim(array_to_string(cost_values, ' ') || ' ' || case when cost_values = '{}' then '' else cost_symbol end) as cost,
    featured, hide_from_listings as hidden,
    start_wall::text as start, start_at as starts, end_at as ends, timezone as zone,
    (select title from site.venues where venues.id = venue_ids[1]) as venue, cardinality(organizer_ids) as organizers,
    ${names('category_ids')} as categories, ${names('tag_ids')} as tags from site.events order by id`.execute(
    database.query(),
  );
  return rows.map(({ starts, ends, ...row }) => ({
    ...row,
    title: decodeEntities(row.title),
    venue: row.venue === null ? null : decodeEntities(row.venue),
    startsAt: starts.getTime(),
    endsAt: ends.getTime(),
  }));
}

async function bodyOf(
  { hidden, start, category, ...plain }: Edit,
  write: (method: 'POST', path: string, body: Record<string, unknown>) => Promise<number>,
  database: Database,
): Promise<Record<string, unknown>> {
  const known =
    category === undefined
      ? undefined
      : (
          await sql<{
            id: number;
          }>`select id from site.terms where taxonomy = 'categories' and name = ${category}`.execute(database.query())
        ).rows[0]?.id;
  return {
    ...plain,
    ...(hidden === undefined ? {} : { hide_from_listings: hidden }),
    ...(start === undefined ? {} : { start_date: start, end_date: start.replace(' 07', ' 08') }),
    ...(category === undefined
      ? {}
      : { categories: [known ?? (await write('POST', '/categories', { name: category }))] }),
  };
}
