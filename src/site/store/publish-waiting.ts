import type { Queryable } from '../../db/database.ts';
import type { HandlerContext } from '../context.ts';
import { updateLinked } from './linked.ts';
import { relatedToEvents } from './related.ts';
import { mayEdit } from './rights.ts';
import { isUnpublished } from './status.ts';
import type { EventRow } from './tables.ts';

/**
 * Publishes the unpublished places and organizers of events that are being published, except those that the caller may
 * not edit.
 */
export async function publishWaiting(db: Queryable, events: readonly EventRow[], ctx: HandlerContext): Promise<void> {
  if (events.length === 0) return;
  const related = await relatedToEvents(db, events);
  for (const kind of ['venues', 'organizers'] as const)
    for (const row of related[kind].values())
      if (isUnpublished(row.status) && mayEdit(ctx.caller, row))
        await updateLinked(db, kind, { status: 'publish' }, row, ctx);
}
