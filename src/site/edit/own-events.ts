import { sql, type Queryable } from '../../db/database.ts';
import type { Status } from '../../contract/post-args.ts';
import type { Caller } from '../context.ts';
import { mayEditOthers } from '../store/rights.ts';
import { allOf } from '../store/visible.ts';
import { matches } from '../store/search.ts';

/** The lists of a person's events. */
export const EVENT_LISTS = ['all', 'draft', 'pending', 'publish', 'trash'] as const;
export type EventList = (typeof EVENT_LISTS)[number];

const STATUSES_OF: Readonly<Record<EventList, readonly Status[]>> = {
  all: ['draft', 'pending', 'publish', 'future', 'private'],
  draft: ['draft', 'auto-draft'],
  pending: ['pending'],
  publish: ['publish', 'future', 'private'],
  trash: ['trash'],
};

/** The events to look for. */
export interface EventsAsked {
  readonly list: EventList;
  readonly search: string;
  /** Whether to include those of others, which only some may see. */
  readonly everybodys: boolean;
  /** Only events older than the one with this id. */
  readonly before?: number | undefined;
}

/** An event in such a list. */
export interface ListedEvent {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly status: Status;
  readonly author: number;
  readonly trashed_from: Status | null;
  readonly start_wall: string;
  readonly all_day: boolean;
  readonly author_name: string | null;
  /** Why it was sent back. */
  readonly note: string | null;
}

export const EVENTS_SHOWN = 30;

/** A page of the caller's events, or of all that they may change, the newest first; one more than is shown. */
export async function ownEvents(db: Queryable, caller: Caller, asked: EventsAsked): Promise<readonly ListedEvent[]> {
  const { list, search, everybodys, before } = asked;
  const where = allOf([
    sql`status = any (${[...STATUSES_OF[list]]})`,
    ...(everybodys && mayEditOthers(caller) ? [] : [sql`author = ${caller.id}`]),
    ...(search === '' ? [] : [matches(sql`searched`, search)]),
    ...(before === undefined ? [] : [sql`id < ${before}`]),
  ]);
  const { rows } = await sql<ListedEvent>`
    select found.id, title, slug, status, author, trashed_from, to_char(start_wall, 'YYYY-MM-DD HH24:MI:SS') as start_wall, all_day,
      users.display_name as author_name, notes.text as note
    from (select * from site.events where ${where} order by id desc limit ${EVENTS_SHOWN + 1}) as found
      left join site.users on users.id = found.author
      left join site.review_notes as notes on notes.event_id = found.id
    order by found.id desc`.execute(db);
  return rows;
}
