import { AppError } from '../../error.ts';
import { dayOf } from '../definition/definition.ts';

/**
 * Something that was made of the site as it was at a revision (of an epoch, on a day). `freshAt`: when it was last
 * known to be right.
 */
export interface Kept<F> {
  readonly feed: F;
  readonly revision: string;
  freshAt: number;
}

/** The place of one feed: what is there, what is being made, and what failed last. */
export interface Slot<F> {
  kept?: Kept<F>;
  building?: { readonly revision: string; readonly kept: Promise<Kept<F>> };
  failed?: { readonly at: number; readonly revision: string; readonly error: unknown };
}

export interface SlotOptions {
  readonly now: () => number;
  readonly revision: () => string | Promise<string>;
  /** What was made in another epoch is given to nobody any more, however the site fails. */
  readonly epoch?: () => Promise<string>;
  readonly waitMs: number;
}

// A site that fails is not asked again by every subscriber, unless it has changed.
const RETRY_AFTER = 30_000;
// What it said last is better than an error, for a while: an event may have been taken off since.
const STALE_MAX = 6 * 3_600_000;

/**
 * What is in a slot: as it is where the site has not changed since, else made anew, once for all who ask. Who would
 * wait longer than `waitMs` gets the old one meanwhile.
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
  // Its failure is in the slot, for the next request.
  building.kept.catch(() => undefined);
  const made = await (usable ? newOrOld(building.kept, usable, waitUntil) : building.kept);
  // What was under way when this request came may not show what the site shows by now.
  return building.revision === revision || (usable && performance.now() >= waitUntil)
    ? made
    : currentlyKept(options, slot, build, waitUntil);
}

async function currentRevision({ epoch: epochOf, revision, now }: SlotOptions): Promise<{
  readonly epoch: string;
  readonly revision: string;
}> {
  const epoch = (await epochOf?.()) ?? '0';
  // The window moves with the day.
  return { epoch, revision: `${epoch} ${dayOf(now())} ${await revision()}` };
}

const usableOf = <F>(kept: Kept<F> | undefined, epoch: string, now: number): Kept<F> | undefined =>
  kept?.revision.startsWith(`${epoch} `) && now - kept.freshAt <= STALE_MAX ? kept : undefined;

const failedJustNow = ({ failed }: Slot<unknown>, revision: string, now: number): Slot<unknown>['failed'] =>
  failed?.revision === revision && now - failed.at < RETRY_AFTER ? failed : undefined;

function rethrow(error: unknown): never {
  throw error;
}

/** What is being made, or the old one where that fails or takes until `waitUntil`. */
const newOrOld = <F>(making: Promise<Kept<F>>, old: Kept<F>, waitUntil: number): Promise<Kept<F>> =>
  within(
    making.catch(() => old),
    waitUntil - performance.now(),
    old,
  );

/** What comes within a time (milliseconds), else `otherwise`. */
async function within<T>(coming: Promise<T>, ms: number, otherwise: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(() => resolve(otherwise), Math.max(0, ms));
  try {
    return await Promise.race([coming, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Puts the outcome of a build into its slot. */
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
    // Who is told to wait has asked nothing of the site.
    if (!(error instanceof AppError && error.code === 'feeds-busy'))
      slot.failed = { at: options.now(), revision, error };
    throw error;
  } finally {
    delete slot.building;
  }
}
