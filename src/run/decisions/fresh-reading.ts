import type { Abilities } from '../../client/site-client.ts';
import { AppError } from '../../error.ts';
import type { SettledEvents } from '../../sync/formats/format.ts';
import type { FeedReading } from '../../sync/model/draft.ts';
import type { Policy } from '../../sync/model/plan.ts';
import type { Rung } from '../../sync/model/identity.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { NO_VALIDATORS } from '../fetch/fetch-feed.ts';
import { loadBody, loadFeedState } from '../state/feed-state.ts';

/** A new reading of a feed, and what planning needs to know about it. */
export interface FreshReading {
  readonly reading: FeedReading;
  readonly policy: Policy;
  readonly rung: Rung;
  readonly windowFrom: number;
  /**
   * The settled events that had to be read although they could have been skipped; absent if the whole feed was read.
   */
  readonly unsettled?: readonly string[] | undefined;
}

/** What reading a feed needs to know about its site. */
export type SiteAsRead = Pick<Abilities, 'timezone' | 'venueCoordinates'>;

/**
 * Reads the feed again: as of the last good fetch or, with `now`, as it is now. Asks the site for its settings unless
 * `site` is given. Skips `settled` events if that does not affect the others. Throws AppError if the feed cannot be
 * read.
 */
export async function readAgain(
  context: RunContext,
  setup: SourceSetup,
  when: 'last' | 'now' = 'last',
  site?: SiteAsRead,
  settled?: SettledEvents,
): Promise<FreshReading> {
  const query = context.database.query();
  const state = await loadFeedState(query, setup.site.key, setup.name);
  const { bytes, contentType, finalUrl } =
    when === 'now'
      ? await fetchNow(setup)
      : {
          bytes: await loadBody(query, setup.site.key, setup.name),
          contentType: state.contentType,
          finalUrl: undefined,
        };
  if (!bytes)
    throw new AppError(
      'feed-never-read',
      `The feed of ${setup.name} has not been read yet: "npm run -s calsyncd -- sync ${setup.name}" does that.`,
    );
  const { timezone, venueCoordinates } = site ?? (await setup.site.client.abilities());
  const settings = setup.draftSettings(context.now(), timezone);
  // If the feed does not name its maker, the addresses decide which publisher's profile applies.
  const addresses = [setup.address, finalUrl].filter((address) => address !== undefined);
  const parsed = await context.parser.parse({
    bytes,
    contentType,
    addresses,
    format: setup.format,
    settings,
    ...(settled ? { settled } : {}),
  });
  if (parsed.kind === 'notAFeed') throw new AppError(parsed.problem.code, parsed.problem.message);
  return {
    reading: parsed.reading,
    policy: setup.policy(context.now(), venueCoordinates),
    rung: state.rung,
    windowFrom: settings.window.from,
    unsettled: parsed.unsettled,
  };
}

async function fetchNow(
  setup: SourceSetup,
): Promise<{ bytes: Uint8Array | undefined; contentType: string | null; finalUrl: string | undefined }> {
  const fetched = await setup.fetch(NO_VALIDATORS);
  if (fetched.kind === 'failed') throw new AppError(fetched.problem.code, fetched.problem.message);
  return fetched.kind === 'fetched' ? fetched : { bytes: undefined, contentType: null, finalUrl: undefined };
}
