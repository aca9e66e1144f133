import type { ErrorCode } from '../../codes.ts';
import type { Problem } from '../../problem.ts';

/** The validators that a server sent with a body; they are returned unchanged with the next request. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type FetchResult = NotModified | Fetched | FetchFailed;

interface Answered {
  readonly validators: Validators;
  /** The address that answered. It may contain secrets, so show it only through `publicAddress`. */
  readonly finalUrl: string;
  /** The address to which the feed has moved permanently; it may contain secrets, too. */
  readonly permanentRedirect?: string;
  /** How long the answer stays fresh, according to the server. */
  readonly maxAgeMs?: number;
}

export interface NotModified extends Answered {
  readonly kind: 'notModified';
}

export interface Fetched extends Answered {
  readonly kind: 'fetched';
  readonly bytes: Uint8Array;
  /** The Content-Type header; null if there is none. */
  readonly contentType: string | null;
}

export interface FetchFailed {
  readonly kind: 'failed';
  readonly problem: Problem<ErrorCode>;
  readonly retryAfterMs?: number;
}

export const failed = (code: ErrorCode, message: string, retryAfterMs?: number): FetchFailed => ({
  kind: 'failed',
  problem: { code, message, where: {} },
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

/** The end of the message about a feed that is too large. */
export const LIMIT_IN_WORDS =
  'the limit for feeds. If it is meant to be so large, raise fetch.max_megabytes in the configuration.';
