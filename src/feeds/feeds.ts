import { AppError } from '../error.ts';
import type { Problem } from '../problem.ts';
import { buildFeed, type FeedSite } from './build-feed.ts';
import { encoder, type Coding } from './content-coding.ts';
import { dayOf, type FeedDefinition } from './definition.ts';

/** A feed's bytes with what HTTP says of them. `lastModified` is in epoch milliseconds. */
export interface Feed {
  readonly definition: FeedDefinition;
  readonly body: Buffer;
  /** Without quotation marks; the bytes of every coding have their own, made of this. */
  readonly etag: string;
  readonly lastModified: number;
  readonly events: number;
  /** The body in a coding; compressed once. */
  readonly encoded: (coding: Coding) => Promise<Buffer>;
}

export interface FeedsOptions extends FeedSite {
  readonly definitions: readonly FeedDefinition[];
  readonly now: () => number;
  /** Changes when the site may have changed: a counter of the built-in site, a span of time elsewhere. Cheap: asked at every request. */
  readonly revision: () => string | Promise<string>;
  /** How old (milliseconds) a feed may be that is given out while a new one is made. */
  readonly staleMax: number;
  /** Told of what was left out of a feed, and of a feed that could not be made. */
  readonly report: (feed: string, problems: readonly Problem[]) => void;
}

/** The exported feeds of one site, each made when it is asked for and the site has changed since. */
export interface Feeds {
  readonly definitions: readonly FeedDefinition[];
  readonly publicUrl: string;
  /** Undefined when there is no such feed. Throws AppError when the site fails and there is nothing fresh enough to give. */
  readonly feed: (id: string) => Promise<Feed | undefined>;
  /** What is there now, however old; for pages. */
  readonly latest: (id: string) => Feed | undefined;
}

interface Kept { readonly feed: Feed; readonly revision: string; /** When it was last known to be right. */ freshAt: number }
interface Slot { kept?: Kept; building?: { readonly revision: string; readonly kept: Promise<Kept> }; failed?: { readonly at: number; readonly revision: string; readonly error: unknown } }

// A site that fails is not asked again by every subscriber, unless it has changed.
const RETRY_AFTER = 30_000;
// Meanwhile what it said last is better than an error, for a while: an event may have been taken off since.
const FAILED_STALE_MAX = 6 * 3_600_000;

/** Caches feeds: one build for any number of waiting requests, and one build at a time, so that many feeds do not load the site at once. */
export function makeFeeds(options: FeedsOptions): Feeds {
  const slots = new Map(options.definitions.map((definition) => [definition.id, { definition, slot: {} as Slot }]));
  let queue: Promise<unknown> = Promise.resolve();
  const build = (definition: FeedDefinition, slot: Slot, revision: string): Promise<Kept> => {
    const turn = queue.then(() => makeKept(options, definition, slot.kept, revision));
    queue = turn.catch(() => undefined);
    return turn;
  };
  return {
    definitions: options.definitions, publicUrl: options.publicUrl,
    latest: (id) => slots.get(id)?.slot.kept?.feed,
    feed: async (id) => {
      const found = slots.get(id);
      return found && (await current(options, found.slot, (revision) => build(found.definition, found.slot, revision))).feed;
    },
  };
}

async function current(options: FeedsOptions, slot: Slot, build: (revision: string) => Promise<Kept>): Promise<Kept> {
  // The window moves with the day.
  const revision = `${dayOf(options.now())} ${await options.revision()}`;
  const { kept } = slot;
  if (kept?.revision === revision) {
    kept.freshAt = options.now();
    return kept;
  }
  const age = kept ? options.now() - kept.freshAt : Number.POSITIVE_INFINITY;
  const usable = kept && age <= FAILED_STALE_MAX ? kept : undefined;
  if (slot.failed?.revision === revision && options.now() - slot.failed.at < RETRY_AFTER) return usable ?? rethrow(slot.failed.error);
  const building = (slot.building ??= { revision, kept: settle(options, slot, revision, build(revision)) });
  if (kept && age <= options.staleMax) {
    // Its failure is in the slot, for the next request.
    building.kept.catch(() => undefined);
    return kept;
  }
  const made = await building.kept.catch((error: unknown) => usable ?? rethrow(error));
  // What was under way when this request came may not show what the site shows by now.
  return building.revision === revision ? made : current(options, slot, build);
}

function rethrow(error: unknown): never {
  throw error;
}

/** Puts the outcome of a build into its slot. */
async function settle(options: FeedsOptions, slot: Slot, revision: string, building: Promise<Kept>): Promise<Kept> {
  try {
    slot.kept = await building;
    delete slot.failed;
    return slot.kept;
  } catch (error) {
    slot.failed = { at: options.now(), revision, error };
    throw error;
  } finally {
    delete slot.building;
  }
}

async function makeKept(options: FeedsOptions, definition: FeedDefinition, previous: Kept | undefined, revision: string): Promise<Kept> {
  const startedAt = options.now();
  try {
    const { body, hash, events, problems } = await buildFeed(options, definition, startedAt);
    if (problems.length > 0) options.report(definition.id, problems);
    // The same bytes are the same feed: what was compressed stays.
    if (previous?.feed.etag === hash) return { feed: previous.feed, revision, freshAt: startedAt };
    const lastModified = await options.state.changedAt(definition.id, hash, startedAt);
    return { feed: { definition, body, etag: hash, lastModified, events, encoded: encoder(body) }, revision, freshAt: startedAt };
  } catch (error) {
    const message = `The feed could not be made: ${error instanceof Error ? error.message : String(error)}`;
    options.report(definition.id, [{ code: error instanceof AppError ? error.code : 'feed-failed', message, where: {} }]);
    throw error;
  }
}
