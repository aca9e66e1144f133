import { sql, type Queryable } from '../../db/database.ts';
import type { HandlerContext } from '../context.ts';
import { updateLinked } from './linked.ts';
import { relatedToEvents } from './related.ts';
import { mayEdit } from './rights.ts';
import { isUnpublished, UNPUBLISHED } from './status.ts';
import type { EventRow } from './tables.ts';

/** The kinds of posts that may wait, with the column by which events refer to each. */
const LINKED = [
  ['venues', 'venue_ids'],
  ['organizers', 'organizer_ids'],
] as const;

/**
 * Publishes the unpublished places and organizers of events that are being published, except those that the caller may
 * not edit.
 */
export async function publishWaiting(db: Queryable, events: readonly EventRow[], ctx: HandlerContext): Promise<void> {
  if (events.length === 0) return;
  const related = await relatedToEvents(db, events);
  for (const [kind] of LINKED)
    for (const row of related[kind].values())
      if (isUnpublished(row.status) && mayEdit(ctx.caller, row))
        await updateLinked(db, kind, { status: 'publish' }, row, ctx);
}

/**
 * Does the same for events that were scheduled and are due, and returns how many it has published. Whoever scheduled an
 * event may edit everything, unless its author did so without being an editor: then only what is theirs is published.
 */
export async function publishWaitingFor(db: Queryable, eventIds: readonly number[], now: Date): Promise<number> {
  let count = 0;
  for (const [table, links] of LINKED) {
    const { rowCount } = await sql`update ${sql.ref(`site.${table}`)} as linked set status = 'publish', dated = true,
      published_at = case when dated then least(published_at, ${now}) else ${now} end, modified_at = ${now}
      where status = any (${[...UNPUBLISHED]}) and exists (
        select from site.events left join site.users on users.id = events.author
        where events.id = any (${[...eventIds]}) and linked.id = any (events.${sql.id(links)})
          and (linked.author = events.author or users.role is distinct from 'author'))`.execute(db);
    count += rowCount ?? 0;
  }
  return count;
}
