import type { SiteClient } from '../../client/site-client.ts';
import type { Database } from '../../db/database.ts';
import type { Logger } from '../../log.ts';
import type { Measures } from '../../measures.ts';
import type { FormatName } from '../../sync/formats/format-kinds.ts';
import type { DraftSettings } from '../../sync/model/draft.ts';
import type { Policy } from '../../sync/model/plan.ts';
import type { FetchResult, Validators } from '../fetch/fetch-feed.ts';
import type { Traffic } from '../log/traffic.ts';
import type { ListedByRuns } from './listed-names.ts';
import type { Pace } from './pace.ts';
import type { PlannedItems } from './planned-items.ts';
import type { FeedParser } from '../parse/parse-pool.ts';
import type { Membership } from './process.ts';

/** A target site, as the steps of a run need it. */
export interface SiteSetup {
  readonly name: string;
  /** API root and namespace; identifies the site in the ledger. */
  readonly key: string;
  readonly client: SiteClient;
  /** The host in the UIDs that our feeds give to events of the site that are not ours. */
  readonly host?: string;
  /** The number of batches that may be under way at once, over all processes. */
  readonly requestsInFlight: number;
  /** A full comparison is due after this many milliseconds, even if the feed is unchanged. */
  readonly fullEveryMs: number;
}

/** A source, as the steps of a run need it: its configuration, with functions that depend on the clock and the site. */
export interface SourceSetup {
  readonly name: string;
  readonly site: SiteSetup;
  readonly format: FormatName | undefined;
  /** The address of its feed, which may contain secrets. */
  readonly address?: string;
  readonly fetch: (validators: Validators) => Promise<FetchResult>;
  readonly draftSettings: (now: number, siteTimezone: string) => DraftSettings;
  readonly policy: (now: number, venueCoordinates: boolean) => Policy;
  /**
   * Returns the requests made to the site for this source since the last call, with the answers' statuses. Each request
   * is counted once, however many batches run in parallel.
   */
  readonly takeTraffic: () => Traffic;
  /** Whether the configuration pauses it, so that it is only read when a person asks for it. */
  readonly isPaused?: boolean;
  /** Changes when the source's own mapping changes. */
  readonly settingsHash: string;
}

/**
 * A source's settings for drafts whose times are not used. The site's zone, which would have to be asked for, only
 * affects times.
 */
export const settingsWithoutZone = (now: number, { draftSettings }: SourceSetup): DraftSettings =>
  draftSettings(now, 'UTC');

/** Everything outside itself that a step may use. */
export interface RunContext {
  readonly database: Database;
  readonly log: Logger;
  readonly measures: Measures;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly member: Membership;
  readonly parser: FeedParser;
  /** The sources in the current configuration. */
  readonly sources: ReadonlyMap<string, SourceSetup>;
  /** A source's setups on sites that it has left while this process was running. */
  readonly former: (source: string) => readonly SourceSetup[];
  /** A configured site, by its key. */
  readonly siteOf: (key: string) => SiteSetup | undefined;
  readonly pace: Pace;
  readonly planned: PlannedItems;
  readonly listed: ListedByRuns;
  /** Whether an answer has broken off a run, in any process. */
  readonly isBrokenOff: (run: string) => Promise<boolean>;
  /** Aborted when the program is asked to stop. */
  readonly stopping: AbortSignal;
}
