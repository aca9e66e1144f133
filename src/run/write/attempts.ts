import { DAY_MS } from '../../time.ts';
import type { BatchProgress } from './write-batch.ts';

/** The number of attempts at a batch. */
export const WRITE_ATTEMPTS = 6;
/** The number of attempts if the site says when to ask again. */
const WISHED_ATTEMPTS = 2 * WRITE_ATTEMPTS;
/** The wait after the first attempt, in milliseconds; it doubles each time. */
export const FIRST_WAIT_MS = 1_000;

/** What follows an attempt at a batch. `ofSite` means that the site asked for the wait, so all batches wait. */
export type Next =
  | { readonly kind: 'through' }
  | { readonly kind: 'again'; readonly afterMs: number; readonly because: string; readonly ofSite: boolean }
  | { readonly kind: 'given-up' };

/** Decides what follows the `attempt`th attempt (from 1) at a batch. */
export function nextAfter({ open, retryAfterMs, because }: BatchProgress, attempt: number): Next {
  if (open === 0) return { kind: 'through' };
  if (retryAfterMs !== undefined) {
    return attempt < WISHED_ATTEMPTS
      ? { kind: 'again', afterMs: wishedMs(retryAfterMs), because, ofSite: true }
      : { kind: 'given-up' };
  }
  if (attempt >= WRITE_ATTEMPTS) return { kind: 'given-up' };
  return { kind: 'again', afterMs: FIRST_WAIT_MS * 2 ** (attempt - 1), because, ofSite: false };
}

/**
 * A site whose clock is wrong may name a time years ahead, or in the past; waits are limited to between a second and a
 * day.
 */
const wishedMs = (ms: number): number => Math.min(DAY_MS, Math.max(FIRST_WAIT_MS, ms));
