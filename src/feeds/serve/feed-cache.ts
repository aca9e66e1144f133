import type { SiteClient } from '../../client/site-client.ts';
import { turns } from '../../client/turns.ts';
import { AppError } from '../../error.ts';
import type { Problem } from '../../problem.ts';
import { makeBudget, type Allowance } from '../../budget.ts';
import { buildFeed, type BuiltFeed } from '../content/build-feed.ts';
import { buildNews } from '../content/build-news.ts';
import { buildTable } from '../content/build-table.ts';
import { choicesOf, type Choices } from '../definition/choices.ts';
import type { ComingEvent } from '../content/coming-events.ts';
import { NEWS, pathOf, type FeedDefinition } from '../definition/definition.ts';
import type { FeedBody } from '../content/feed-body.ts';
import type { ExportedSite } from '../content/exported-site.ts';
import { coalesced } from '../../coalesced.ts';
import { currentlyKept, currentRevision, type Kept as KeptOf, type Slot as SlotOf } from './slot.ts';

/** A feed's bytes with their HTTP metadata. `lastModified` is in epoch milliseconds. */
export interface Feed {
  readonly definition: FeedDefinition;
  readonly title: string;
  readonly body: FeedBody;
  readonly lastModified: number;
  readonly events: number;
  /** How many of them were not over before the day on which it was made. */
  readonly stillToCome: number;
  /** The first of its future events at that time. */
  readonly coming: readonly ComingEvent[];
  /** When the feed was last known to be current (epoch milliseconds), if the site has failed since. */
  readonly staleSince?: number;
}

export interface FeedCacheOptions extends ExportedSite {
  /** A client that gets what visitors get, for the choices offered to them; `client` by default. */
  readonly visitor?: SiteClient;
  readonly now: () => number;
  /**
   * Changes when the site may have changed: a counter for the built-in site, a time interval for others. Must be cheap,
   * because every request calls it.
   */
  readonly revision: () => string | Promise<string>;
  /** How long (milliseconds) a request waits for a new feed if there is an older one. */
  readonly waitMs: number;
  /** How many requests to the site outsiders may cause with feeds on demand. */
  readonly onDemand: Allowance;
  /** Receives what was left out of a feed, and why a feed could not be made. */
  readonly report: (feed: string, problems: readonly Problem[]) => void;
}

/** The exported feeds of one site, each rebuilt when it is requested and the site has changed. */
export interface FeedCache {
  /**
   * Throws AppError: `feed-unknown`, `feed-refused`, `feeds-busy`, or the site's failure if nothing recent enough is
   * cached.
   */
  readonly feed: (definition: FeedDefinition) => Promise<Feed>;
  /** The cached feed, however old; for pages. */
  readonly latest: (definition: FeedDefinition) => Feed | undefined;
  /**
   * Records the current revision of the site. Called every second, so that `unasked` knows what was current a moment
   * ago.
   */
  readonly notice: () => Promise<void>;
  /**
   * The cached feed if it was current at the last notice, without asking anything, with its age in milliseconds; for
   * use while the database is unavailable.
   */
  readonly unasked: (definition: FeedDefinition) => { readonly feed: Feed; readonly ageMs: number } | undefined;
  /** What feeds can be narrowed to. Throws AppError when the site fails. */
  readonly choices: () => Promise<Choices>;
}

// How many feeds on demand are cached, and how many octets in all; the least recently used are dropped.
const ON_DEMAND_MAX = 100;
const ON_DEMAND_OCTETS_MAX = 64_000_000;
const WAITING_MAX = 20;
// Short, because an event may have been removed from the site in the meantime.
const UNASKED_MAX = 5 * 60_000;

/**
 * Caches feeds. There is one build for any number of waiting requests, and one build at a time (plus one on demand), so
 * that many feeds do not load the site at the same time.
 */
export function makeFeedCache(given: FeedCacheOptions): FeedCache {
  const epoch = given.contents && coalesced(given.contents.epoch);
  const options = { ...given, revision: coalesced(given.revision), ...(epoch && { epoch: lastKnown(epoch) }) };
  let noticed: { readonly revision: string; readonly at: number } | undefined;
  const [configured, onDemand] = [new Map<string, Slot>(), new Map<string, Slot>()];
  const slotsFor = (definition: FeedDefinition): Map<string, Slot> => (definition.onDemand ? onDemand : configured);
  const budget = makeBudget(options.onDemand, options.now);
  const inTurn = turns(1);
  let unfinishedOnDemand = 0;
  const build = (definition: FeedDefinition, slot: Slot, revision: string): Promise<Kept> =>
    inTurn('configured', () => makeKept(options, definition, slot.kept, revision));
  const buildOnDemand = (definition: FeedDefinition, slot: Slot, revision: string): Promise<Kept> => {
    const wait = Math.max(budget.waitMs(), unfinishedOnDemand < WAITING_MAX ? 0 : 60_000);
    if (wait > 0)
      return Promise.reject(
        new AppError('feeds-busy', 'Too many feeds are being asked for that are not kept ready.', {
          cause: { retryAfterMs: wait },
        }),
      );
    unfinishedOnDemand += 1;
    return inTurn('on demand', async () => {
      const kept = await makeKept(options, definition, slot.kept, revision).finally(() => budget.spend(2));
      budget.spend(Math.ceil(kept.feed.events / 50));
      return kept;
    }).finally(() => {
      unfinishedOnDemand -= 1;
    });
  };
  const choices: SlotOf<Choices> = {};
  return {
    choices: async () =>
      (
        await currentlyKept(options, choices, async (revision) => ({
          feed: await choicesOf(options.visitor ?? options.client),
          revision,
          freshAt: options.now(),
        }))
      ).feed,
    latest: (definition) => slotsFor(definition).get(pathOf(definition))?.kept?.feed,
    notice: async () => {
      const at = options.now();
      // Throws where other callers would use the last known epoch.
      const { revision } = await currentRevision({ ...options, ...(epoch && { epoch }) });
      noticed = { revision, at };
    },
    unasked: (definition) => {
      const kept = slotsFor(definition).get(pathOf(definition))?.kept;
      const noticedAt = noticed?.at ?? Number.NEGATIVE_INFINITY;
      // Current at the last notice, or found to be so since.
      if (!kept || (kept.revision !== noticed?.revision && kept.freshAt <= noticedAt)) return undefined;
      const ageMs = options.now() - Math.max(noticedAt, kept.freshAt);
      return ageMs <= UNASKED_MAX ? { feed: kept.feed, ageMs } : undefined;
    },
    feed: async (definition) => {
      const slots = slotsFor(definition);
      const slot = slots.get(pathOf(definition)) ?? {};
      // Moved to the end, because the first ones are the least recently used.
      slots.delete(pathOf(definition));
      slots.set(pathOf(definition), slot);
      const make = definition.onDemand ? buildOnDemand : build;
      const { feed, freshAt } = await currentlyKept(timed(options, definition), slot, (revision) =>
        make(definition, slot, revision),
      );
      evict(onDemand);
      return slot.failed ? { ...feed, staleSince: freshAt } : feed;
    },
  };
}

// In every zone, midnight falls on a quarter of an hour.
const QUARTER_MS = 15 * 60_000;

/** Days begin at the site's midnight, so a feed of particular days, and news from today on, are rebuilt then. */
const timed = <Options extends Pick<FeedCacheOptions, 'now' | 'revision'>>(
  options: Options,
  { time, form }: FeedDefinition,
): Options =>
  time || NEWS.some((news) => news === form)
    ? { ...options, revision: async () => `${await options.revision()} ${Math.floor(options.now() / QUARTER_MS)}` }
    : options;

/** While the database is unreachable, nothing can have been forgotten either. */
function lastKnown(epoch: () => Promise<string>): () => Promise<string> {
  let known = '0';
  return async () => {
    known = await epoch().catch(() => known);
    return known;
  };
}

type Kept = KeptOf<Feed>;
type Slot = SlotOf<Feed>;

/** Drops the least recently used feeds on demand. */
function evict(slots: Map<string, Slot>): void {
  let octets = [...slots.values()].reduce((sum, { kept }) => sum + (kept?.feed.body.octetsHeld() ?? 0), 0);
  for (const [path, { kept, building }] of slots) {
    if (slots.size <= ON_DEMAND_MAX && octets <= ON_DEMAND_OCTETS_MAX) return;
    if (building) continue;
    slots.delete(path);
    octets -= kept?.feed.body.octetsHeld() ?? 0;
  }
}

async function makeKept(
  options: FeedCacheOptions,
  definition: FeedDefinition,
  previous: Kept | undefined,
  revision: string,
): Promise<Kept> {
  const startedAt = options.now();
  try {
    const { body, title, events, stillToCome, coming, problems, isComplete } = await built(
      options,
      definition,
      startedAt,
    );
    if (problems.length > 0) options.report(definition.id, problems);
    // Matches no revision, so the next request rebuilds the feed.
    const madeOf = isComplete ? revision : `${revision}, in part`;
    // If the bytes are the same, the compressed forms can be kept.
    if (previous?.feed.body.hash === body.hash)
      return { feed: { ...previous.feed, stillToCome, coming }, revision: madeOf, freshAt: startedAt };
    const lastModified = definition.onDemand
      ? startedAt
      : await options.state.changedAt(stateKey(definition), body.hash, startedAt);
    return {
      feed: { definition, title, body, lastModified, events, stillToCome, coming },
      revision: madeOf,
      freshAt: startedAt,
    };
  } catch (error) {
    const code = error instanceof AppError ? error.code : 'feed-failed';
    const message = `The feed could not be made: ${error instanceof Error ? error.message : String(error)}`;
    if (code !== 'feed-unknown' && code !== 'feed-refused')
      options.report(definition.id, [{ code, message, where: {} }]);
    throw error;
  }
}

function built(site: ExportedSite, definition: FeedDefinition, now: number): Promise<BuiltFeed> {
  const { form } = definition;
  if (form === undefined) return buildFeed(site, definition, now);
  return form === 'csv' ? buildTable(site, definition, now) : buildNews(site, { ...definition, form }, now);
}

/**
 * Configured feeds and their few variants have a row each. Feeds on demand have none, because their number is
 * unlimited.
 */
const stateKey = (definition: FeedDefinition): string => {
  const query = pathOf(definition).split('?')[1];
  return `${definition.id}${definition.form === undefined ? '' : `.${definition.form}`}${query === undefined ? '' : `?${query}`}`;
};
