import type { Abilities } from '../../client/site-client.ts';
import { AppError } from '../../error.ts';

/** Up to this many events are read one by one; for more, lists are read. */
export const SINGLE_READS_MAX = 25;
/** Filters for lists of events by id, one for each page. */
export const includeQueries = (
  { perPageMax }: Pick<Abilities, 'perPageMax'>,
  ids: readonly number[],
): readonly { readonly include: string }[] =>
  Array.from({ length: Math.ceil(ids.length / perPageMax) }, (_, page) => ({
    include: ids.slice(page * perPageMax, (page + 1) * perPageMax).join(','),
  }));

/**
 * For the `catch` of a read: returns the error if only this event may not be read (because of its rights, or because a
 * firewall dislikes its address). Throws any other error.
 */
export function errorIfForbidden(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'site-forbidden') return error;
  throw error;
}

/**
 * Throws AppError if several events were tried and none could be read; then the site is at fault and not the events.
 */
export function assertSomeRead(unread: ReadonlyMap<string, string>, read: number): void {
  const [why] = unread.values();
  if (unread.size > 1 && read === 0 && why !== undefined) throw new AppError('site-forbidden', why);
}

/**
 * For the `catch` of a read: returns null if this event may not be read. Only lists show anything of a
 * password-protected event.
 */
export function nullIfForbidden(error: unknown): null {
  errorIfForbidden(error);
  return null;
}
