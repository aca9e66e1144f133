import { sql, type Sql } from '../../db/database.ts';
import type { Status } from '../../contract/post-args.ts';
import type { Caller } from '../context.ts';
import { invalidParams } from '../http-problem.ts';
import { mayEditEvents, mayEditOthers } from './rights.ts';

/**
 * The condition on the status of listed posts. Visitors get published ones and may not ask for others; those who write
 * events get everything but the trash unless they name a status, and of other people's posts only what they may see.
 */
export function visiblePosts(status: readonly Status[] | undefined, caller: Caller | null): Sql<boolean> {
  if (!mayEditEvents(caller)) {
    if (status !== undefined && status.join() !== 'publish')
      throw invalidParams({ status: 'Only those who write events may ask for other states than publish.' });
    return sql<boolean>`status = 'publish'`;
  }
  const asked =
    status === undefined
      ? sql<boolean>`status not in ('trash', 'auto-draft')`
      : sql<boolean>`status = any (${[...status]})`;
  return allOf([asked, ...readable(caller)]);
}

/** The condition that a caller may read a post, equivalent to `mayRead`. */
export function readable(caller: Caller | null): readonly Sql<boolean>[] {
  if (mayEditOthers(caller)) return [];
  return [
    mayEditEvents(caller)
      ? sql<boolean>`(status = 'publish' or author = ${caller?.id ?? 0})`
      : sql<boolean>`status = 'publish'`,
  ];
}

/**
 * The condition that a caller may see all of an event: a protected one is shown in full only to editors and its author.
 */
export function shownWhole(caller: Caller | null): readonly Sql<boolean>[] {
  if (mayEditOthers(caller)) return [];
  return [
    mayEditEvents(caller) ? sql<boolean>`(password = '' or author = ${caller?.id ?? 0})` : sql<boolean>`password = ''`,
  ];
}

/** The ids of published events that a caller may see only in part; undefined if they may see all of each. */
export function partlyShown(caller: Caller | null): Sql | undefined {
  const whole = shownWhole(caller);
  return whole.length === 0
    ? undefined
    : sql`select id from site.events where status = 'publish' and not ${allOf(whole)}`;
}

/** The condition that selects one event if the caller may read it and see all of it. */
export const oneShownWhole = (id: number, caller: Caller | null): Sql<boolean> =>
  allOf([sql`id = ${id}`, ...readable(caller), ...shownWhole(caller)]);

/** Combines conditions with `and`. */
export const allOf = (conditions: readonly Sql[]): Sql<boolean> => sql<boolean>`${sql.join(conditions, sql` and `)}`;
