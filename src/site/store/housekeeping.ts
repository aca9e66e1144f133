import { sql, type Queryable } from '../../db/database.ts';
import type { HandlerContext } from '../context.ts';
import { forgetGoneEvents } from './former-events.ts';
import { forgetSuggestions } from './suggestions.ts';
import { inTurn } from './turn.ts';
import { DAY_MS } from '../../time.ts';

type Site = Pick<HandlerContext, 'db' | 'now' | 'settings'>;

/** Publishes the events, venues and organizers whose time has come; returns how many. */
export const publishDue = (site: Site): Promise<number> =>
  inTurn(site, async (db) => {
    let count = 0;
    for (const table of ['events', 'venues', 'organizers']) {
      const { rowCount } =
        await sql`update ${sql.ref(`site.${table}`)} set status = 'publish' where status = 'future' and published_at <= ${new Date(site.now)}`.execute(
          db,
        );
      count += rowCount ?? 0;
    }
    return count;
  });

/** Permanently deletes what has been in the trash for the site's `trashDays`; returns how many. */
export const emptyTrash = (site: Site): Promise<number> =>
  inTurn(site, async (db) => {
    const before = new Date(site.now - site.settings.trashDays * DAY_MS);
    await dropUnusedFiles(db);
    await forgetGoneEvents(db, site.now);
    await forgetSuggestions(db, site.now);
    let count = 0;
    for (const [table, links] of [
      ['events', null],
      ['venues', 'venue_ids'],
      ['organizers', 'organizer_ids'],
    ] as const) {
      const { rows } = await sql<{
        id: number;
      }>`delete from ${sql.ref(`site.${table}`)} where status = 'trash' and modified_at < ${before} returning id`.execute(
        db,
      );
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
