import { AppError } from '../../error.ts';

/** Up to so many events are asked for one by one; for more, lists are read. */
export const SINGLE_READS_MAX = 25;
/** So many ids are asked for at once: the smallest page that a real site is known to be capped at. */
const INCLUDE_MAX = 50;

/** List queries for events by their ids, fifty each. */
export const includeQueries = (ids: readonly number[]): readonly { readonly include: string }[] =>
  Array.from({ length: Math.ceil(ids.length / INCLUDE_MAX) }, (_, page) => ({
    include: ids.slice(page * INCLUDE_MAX, (page + 1) * INCLUDE_MAX).join(','),
  }));

/**
 * For the `catch` of a read: why this very event may not be read, by its rights or by a firewall that its address
 * displeases.
 */
export function errorIfForbidden(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'site-forbidden') return error;
  throw error;
}

/** Lists answer, but not one of several events: that is no matter of single events. Throws AppError. */
export function assertSomeRead(unread: ReadonlyMap<string, string>, read: number): void {
  const [why] = unread.values();
  if (unread.size > 1 && read === 0 && why !== undefined) throw new AppError('site-forbidden', why);
}

/** For the `catch` of a read: only lists show something of an event that a person has protected by a password. */
export function nullIfForbidden(error: unknown): null {
  errorIfForbidden(error);
  return null;
}
