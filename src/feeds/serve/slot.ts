import { AppError } from '../../error.ts';
import { dayOf } from '../definition/definition.ts';

/**
 * Something made from the site at a revision, which includes the epoch and the day. `freshAt` is when it was last known
 * to be current (epoch milliseconds).
 */
export interface Kept<F> {
  readonly feed: F;
  readonly revision: string;
  freshAt: number;
}

/** The state of one feed: what is cached, what is being built, and the last failure. */
export interface Slot<F> {
  kept?: Kept<F>;
  building?: { readonly revision: string; readonly kept: Promise<Kept<F>> };
  failed?: { readonly at: number; readonly revision: string; readonly error: unknown };
}

export interface SlotOptions {
  readonly now: () => number;
  readonly revision: () => string | Promise<string>;
  /** What belongs to an earlier epoch is never served again, even if the site fails. */
  readonly epoch?: () => Promise<string>;
  readonly waitMs: number;
}

// While the site fails, it is not asked again for every subscriber, unless it has changed.
const RETRY_AFTER = 30_000;
// For a while an old feed is better than an error, but not for ever, because an event may have been removed.
const STALE_MAX = 6 * 3_600_000;

/**
 * The contents of a slot: unchanged if the site has not changed, otherwise rebuilt, once for all requests. A request
 * that would wait longer than `waitMs` gets the old contents.
 */
export async function currentlyKept<F>(
  options: SlotOptions,
  slot: Slot<F>,
  build: (revision: string) => Promise<Kept<F>>,
  waitUntil = performance.now() + options.waitMs,
): Promise<Kept<F>> {
  const { epoch, revision } = await currentRevision(options);
  const { kept } = slot;
  if (kept?.revision === revision) {
    kept.freshAt = options.now();
    return kept;
  }
  const usable = usableOf(kept, epoch, options.now());
  const failed = failedJustNow(slot, revision, options.now());
  if (failed) return usable ?? rethrow(failed.error);
  const building = (slot.building ??= { revision, kept: settle(options, slot, revision, build(revision)) });
  // The slot has recorded its failure for the next request.
  building.kept.catch(() => undefined);
  const made = await (usable ? newOrOld(building.kept, usable, waitUntil) : building.kept);
  // A build that began before this request may not include the site's latest changes.
  return building.revision === revision || (usable && performance.now() >= waitUntil)
    ? made
    : currentlyKept(options, slot, build, waitUntil);
}

/** The revision of the site, which begins with its epoch. */
export async function currentRevision({ epoch: epochOf, revision, now }: SlotOptions): Promise<{
  readonly epoch: string;
  readonly revision: string;
}> {
  const epoch = (await epochOf?.()) ?? '0';
  // The window moves every day.
  return { epoch, revision: `${epoch} ${dayOf(now())} ${await revision()}` };
}

const usableOf = <F>(kept: Kept<F> | undefined, epoch: string, now: number): Kept<F> | undefined =>
  kept?.revision.startsWith(`${epoch} `) && now - kept.freshAt <= STALE_MAX ? kept : undefined;

const failedJustNow = ({ failed }: Slot<unknown>, revision: string, now: number): Slot<unknown>['failed'] =>
  failed?.revision === revision && now - failed.at < RETRY_AFTER ? failed : undefined;

function rethrow(error: unknown): never {
  throw error;
}

/** The new contents, or the old ones if the build fails or takes until `waitUntil`. */
const newOrOld = <F>(making: Promise<Kept<F>>, old: Kept<F>, waitUntil: number): Promise<Kept<F>> =>
  within(
    making.catch(() => old),
    waitUntil - performance.now(),
    old,
  );

/** The result if it arrives within `ms` milliseconds, otherwise `otherwise`. */
async function within<T>(coming: Promise<T>, ms: number, otherwise: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(() => resolve(otherwise), Math.max(0, ms));
  try {
    return await Promise.race([coming, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Records the outcome of a build in its slot. */
async function settle<F>(
  options: SlotOptions,
  slot: Slot<F>,
  revision: string,
  building: Promise<Kept<F>>,
): Promise<Kept<F>> {
  try {
    slot.kept = await building;
    delete slot.failed;
    return slot.kept;
  } catch (error) {
    // A `feeds-busy` build has not asked the site at all, so it does not count as its failure.
    if (!(error instanceof AppError && error.code === 'feeds-busy'))
      slot.failed = { at: options.now(), revision, error };
    throw error;
  } finally {
    delete slot.building;
  }
}
