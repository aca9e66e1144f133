import { sql, type Sql } from '../../db/database.ts';
import type { Status } from '../../contract/post-args.ts';
import type { Caller } from '../context.ts';
import { invalidParams } from '../http-problem.ts';
import { mayEditEvents, mayEditOthers } from './rights.ts';

/**
 * The condition on the status of a list's items. Visitors get published posts and may ask for nothing else; editors get
 * everything but the trash unless a status is named, and only those of other people's posts that they may see.
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

/** The condition that a caller may read a post: the one of `mayRead`. */
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

/** The ids of published events of which a caller may not see all; undefined for whoever may see all of each. */
export function partlyShown(caller: Caller | null): Sql | undefined {
  const whole = shownWhole(caller);
  return whole.length === 0
    ? undefined
    : sql`select id from site.events where status = 'publish' and not ${allOf(whole)}`;
}

/** The condition for one event, if the caller may read it and see all of it. */
export const oneShownWhole = (id: number, caller: Caller | null): Sql<boolean> =>
  allOf([sql`id = ${id}`, ...readable(caller), ...shownWhole(caller)]);

/** All of some conditions. */
export const allOf = (conditions: readonly Sql[]): Sql<boolean> => sql<boolean>`${sql.join(conditions, sql` and `)}`;
