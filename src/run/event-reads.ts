import { AppError } from '../error.ts';

/** Up to so many events are asked for one by one; for more, lists are read. */
export const SINGLE_READS_MAX = 25;
/** So many ids are asked for at once: the smallest page that a real site is known to be capped at. */
const INCLUDE_MAX = 50;

/** List queries for events by their ids, fifty each. */
export const includeQueries = (ids: readonly number[]): readonly { readonly include: string }[] =>
  Array.from({ length: Math.ceil(ids.length / INCLUDE_MAX) }, (_, page) => ({ include: ids.slice(page * INCLUDE_MAX, (page + 1) * INCLUDE_MAX).join(',') }));

/** For the `catch` of a read: only lists show something of an event that a person has protected by a password. */
export function nullIfForbidden(error: unknown): null {
  if (error instanceof AppError && error.code === 'site-forbidden') return null;
  throw error;
}
