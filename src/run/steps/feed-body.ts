import type { Problem } from '../../problem.ts';
import { contentHash } from '../fetch/content-hash.ts';
import { NO_VALIDATORS, type FetchResult, type Validators } from '../fetch/fetch-feed.ts';
import { publicAddress } from '../fetch/public-address.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { loadBodyStart, loadPackedBody, type FeedState, type SourceRecord } from '../state/feed-state.ts';
import type { ReadingSteps } from '../state/progress.ts';
import { loadedBody, loadedFromStored, type LoadedBody } from './loaded-body.ts';

/** Why nothing could be planned. */
export interface FailedReading {
  readonly kind: 'failed';
  readonly problem: Problem;
  /** The feed is what failed, not the site. */
  readonly ofFeed?: true;
  readonly retryAfterMs?: number;
  /** How far the reading got. */
  readonly steps?: ReadingSteps;
}

type Fetched = Exclude<FetchResult, { kind: 'failed' }>;

/** The publisher's current answer about a feed. */
export interface FetchedBody {
  readonly kind: 'fetched';
  /** Null if the publisher says that the last good body is still current. */
  readonly loaded: LoadedBody | null;
  readonly finalUrl: string;
  readonly state: Validators & Pick<FeedState, 'bodyHash' | 'contentType'>;
  readonly maxAgeMs: number | undefined;
  readonly moved: readonly Problem[];
  readonly step: ReadingSteps['fetch'];
}

// After a failed run the stored body is newer than the stored validators, so these must not be sent.
export const hasBody = ({ feed, storedHash }: SourceRecord): boolean =>
  storedHash !== null && storedHash === feed.bodyHash;

/** Asks the publisher for the feed, or whether it has changed. */
export async function fetchBody(
  { now }: Pick<RunContext, 'now'>,
  setup: SourceSetup,
  record: SourceRecord,
): Promise<FetchedBody | FailedReading> {
  const { feed } = record;
  const isKnown = hasBody(record);
  const asked = now();
  const fetched = await setup.fetch(isKnown ? feed : NO_VALIDATORS);
  const step = stepOf(fetched, now() - asked);
  if (fetched.kind === 'failed') return { ...fetched, ofFeed: true, steps: { fetch: step } };
  const { maxAgeMs, finalUrl } = fetched;
  const { etag, lastModified } = fetched.validators;
  const said = { kind: 'fetched', finalUrl, maxAgeMs, moved: movedProblems(fetched), step } as const;
  if (fetched.kind === 'notModified') {
    // No validators were sent, so this answer is impossible.
    if (!isKnown) throw new TypeError('a feed was said to be unchanged of which nothing is stored');
    const { bodyHash, contentType } = feed;
    return { ...said, loaded: null, state: { etag, lastModified, bodyHash, contentType } };
  }
  const { bytes, contentType } = fetched;
  const state = { etag, lastModified, bodyHash: contentHash(bytes), contentType };
  return { ...said, loaded: loadedBody(bytes), state };
}

const TEXT_MAX = 200;
const cut = (text: string | null): string | null => text?.slice(0, TEXT_MAX) ?? null;

/** How long a fetch took and what it returned. Files have no status, and the message of a failure gives its status. */
function stepOf(fetched: FetchResult, ms: number): ReadingSteps['fetch'] {
  if (fetched.kind === 'failed') return { ms, status: null, bytes: null };
  const { finalUrl, validators } = fetched;
  const isWeb = /^https?:/.test(finalUrl);
  const said = {
    from: publicAddress(finalUrl),
    etag: cut(validators.etag),
    lastModified: cut(validators.lastModified),
  };
  return fetched.kind === 'notModified'
    ? { ms, status: isWeb ? 304 : null, bytes: null, ...said }
    : { ms, status: isWeb ? 200 : null, bytes: fetched.bytes.byteLength, ...said };
}

/** A feed's bytes, and the beginning of the last body if the two can be compared. */
export interface Body extends FetchedBody {
  readonly loaded: LoadedBody;
  readonly before?: Uint8Array | undefined;
}

/** The bytes of a feed: the fetched ones, else the stored ones. */
export async function readBody(
  context: RunContext,
  { site, name, settingsHash }: SourceSetup,
  fetched: FetchedBody,
  state: FeedState,
): Promise<Body> {
  const query = context.database.query();
  if (fetched.loaded === null) {
    const packed = await loadPackedBody(query, site.key, name);
    if (!packed) throw new TypeError('the last body of a feed is gone, although its hash is stored');
    return { ...fetched, loaded: await loadedFromStored(packed) };
  }
  const before = state.settingsHash === settingsHash ? await loadBodyStart(query, site.key, name) : undefined;
  return { ...fetched, loaded: fetched.loaded, before };
}

const movedProblems = ({ permanentRedirect }: Fetched): readonly Problem[] =>
  permanentRedirect === undefined
    ? []
    : [
        {
          code: 'feed-moved',
          where: { field: 'url' },
          message: `The feed has moved for good to ${permanentRedirect}: put the new address into the configuration.`,
        },
      ];
