import type { ErrorCode } from '../../codes.ts';
import type { Problem } from '../../problem.ts';

/** What a server told of a body, sent back word for word the next time. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type FetchResult = NotModified | Fetched | FetchFailed;

interface Answered {
  readonly validators: Validators;
  /** The address that answered. It may hold secrets: show it through `publicAddress` only. */
  readonly finalUrl: string;
  /** Where the feed has moved for good. It may hold secrets, too. */
  readonly permanentRedirect?: string;
  /** How long the server calls this answer fresh. */
  readonly maxAgeMs?: number;
}

export interface NotModified extends Answered {
  readonly kind: 'notModified';
}

export interface Fetched extends Answered {
  readonly kind: 'fetched';
  readonly bytes: Uint8Array;
  /** The Content-Type header; null where there is none. */
  readonly contentType: string | null;
  /** SHA-256 of `bytes`, in hexadecimal digits. */
  readonly bodyHash: string;
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
