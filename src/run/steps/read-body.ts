import type { Problem } from '../../problem.ts';
import { contentHash } from '../fetch/content-hash.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { loadBody, type FeedState } from '../state/feed-state.ts';
import type { FetchResult, Validators } from '../fetch/fetch-feed.ts';

/** Why nothing could be planned. */
export interface FailedReading {
  readonly kind: 'failed';
  readonly problem: Problem;
  /** The feed is what failed, not the site. */
  readonly ofFeed?: true;
  readonly retryAfterMs?: number;
}

/** A table's header is always within these first bytes. */
const HEADER_BYTES = 16_384;

type Fetched = Exclude<FetchResult, { kind: 'failed' }>;
/** A feed's bytes, those that the last reading began with, and what the publisher said of them. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  readonly finalUrl: string;
  readonly before?: Uint8Array;
  readonly changed: boolean;
  readonly state: Validators & Partial<FeedState>;
  readonly maxAgeMs: number | undefined;
  readonly moved: readonly Problem[];
}

/** The feed's bytes: newly fetched or, if the publisher says that nothing changed, those of the last good fetch. */
export async function readBody(
  context: RunContext,
  setup: SourceSetup,
  before: FeedState,
): Promise<Body | FailedReading> {
  const stored = await loadBody(context.database.query(), setup.site.key, setup.name);
  // After a failed run the stored body is newer than the stored validators, so they must not be sent.
  const validators =
    stored && contentHash(stored) === before.bodyHash
      ? { etag: before.etag, lastModified: before.lastModified }
      : { etag: null, lastModified: null };
  const fetched = await setup.fetch(validators);
  if (fetched.kind === 'failed') return { ...fetched, ofFeed: true };
  const { maxAgeMs, finalUrl } = fetched;
  if (fetched.kind === 'notModified') {
    // No validators were sent, so no server may answer that.
    if (!stored) throw new TypeError('a feed was said to be unchanged of which nothing is stored');
    return {
      bytes: stored,
      contentType: before.contentType,
      finalUrl,
      changed: false,
      state: fetched.validators,
      maxAgeMs,
      moved: movedProblems(fetched),
    };
  }
  const { etag, lastModified } = fetched.validators;
  const bodyHash = contentHash(fetched.bytes);
  const state = { etag, lastModified, bodyHash, contentType: fetched.contentType };
  return {
    bytes: fetched.bytes,
    contentType: fetched.contentType,
    finalUrl,
    ...(stored ? { before: stored.slice(0, HEADER_BYTES) } : {}),
    changed: bodyHash !== before.bodyHash,
    state,
    maxAgeMs,
    moved: movedProblems(fetched),
  };
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
