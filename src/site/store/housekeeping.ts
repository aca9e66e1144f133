import { sql, type Queryable, type Sql } from '../../db/database.ts';
import type { HandlerContext } from '../context.ts';
import { forgetGoneEvents } from './former-events.ts';
import { publishWaitingFor } from './publish-waiting.ts';
import { forgetSentForms } from './sent-forms.ts';
import { forgetSuggestions } from './suggestions.ts';
import { inTurn } from './turn.ts';
import { DAY_MS } from '../../time.ts';

type Site = Pick<HandlerContext, 'db' | 'now' | 'settings'>;

/** The tables of publishable posts, with the column by which events refer to each. */
const TABLES = [
  ['events', null],
  ['venues', 'venue_ids'],
  ['organizers', 'organizer_ids'],
] as const;

/**
 * The tables with rows that meet a condition. The others are not written to: even a write that changes no row counts as
 * one, and everything that visitors read would be made again.
 */
async function tablesWith(db: Queryable, condition: Sql): Promise<readonly (typeof TABLES)[number][]> {
  const has = ([table]: (typeof TABLES)[number]): Sql =>
    sql`exists (select from ${sql.ref(`site.${table}`)} where ${condition}) as ${sql.id(table)}`;
  const { rows } = await sql<Readonly<Record<string, boolean>>>`select ${sql.join(TABLES.map(has))}`.execute(db);
  return TABLES.filter(([table]) => rows[0]?.[table]);
}

/**
 * Publishes the events, venues and organizers that are due, with the unpublished places and organizers of these events.
 * Returns how many.
 */
export async function publishDue(site: Site): Promise<number> {
  const isDue = sql`status = 'future' and published_at <= ${new Date(site.now)}`;
  const tables = await tablesWith(site.db, isDue);
  if (tables.length === 0) return 0;
  return inTurn(site, async (db) => {
    let count = 0;
    for (const [table] of tables) {
      const { rows } = await sql<{
        id: number;
      }>`update ${sql.ref(`site.${table}`)} set status = 'publish' where ${isDue} returning id`.execute(db);
      count += rows.length;
      if (table === 'events')
        count += await publishWaitingFor(
          db,
          rows.map(({ id }) => id),
          new Date(site.now),
        );
    }
    return count;
  });
}

/** Permanently deletes what has been in the trash for the site's `trashDays`, and returns how many. */
export const emptyTrash = (site: Site): Promise<number> =>
  inTurn(site, async (db) => {
    await dropUnusedFiles(db);
    await forgetGoneEvents(db, site.now);
    await forgetSuggestions(db, site.now);
    await forgetSentForms(db, site.now);
    const before = new Date(site.now - site.settings.trashDays * DAY_MS);
    const isOver = sql`status = 'trash' and modified_at < ${before}`;
    let count = 0;
    for (const [table, links] of await tablesWith(db, isOver)) {
      const { rows } = await sql<{
        id: number;
      }>`delete from ${sql.ref(`site.${table}`)} where ${isOver} returning id`.execute(db);
      const ids = rows.map(({ id }) => id);
      count += ids.length;
      // An event may have been linked to it while it was in the trash.
      if (links !== null && ids.length > 0) {
        await sql`update site.events set ${sql.ref(links)} = array(select kept
          from unnest(${sql.ref(links)}) with ordinality as link (kept, place) where kept <> all (${ids}) order by place)
        where ${sql.ref(links)} && ${ids}::integer[]`.execute(db);
      }
    }
    return count;
  });

/** Deletes the image files of refused requests; today's may belong to a request that is still under way. */
const dropUnusedFiles = (db: Queryable) =>
  sql`delete from site.image_files
  where fetched_at < now() - interval '1 day' and not exists (select from site.images where images.hash = image_files.hash)`.execute(
    db,
  );
