import type { Logo } from '../look/files.ts';
import type { AtOnce } from '../contract/arg.ts';
import type { Queryable } from '../db/database.ts';
import type { At } from './kept.ts';
import type { Throttle } from './throttle.ts';
import type { Role } from './roles.ts';

export type { Role };

/** The currency symbol of costs, and where it is written. */
export interface Currency {
  readonly symbol: string;
  readonly position: 'prefix' | 'postfix';
}

/** The built-in site's settings from the configuration. */
export interface SiteSettings {
  readonly title: string;
  readonly description: string;
  readonly timezone: string;
  readonly languages: readonly string[];
  /** Has no trailing slash, as in `https://calendar.example`. The interface is below `<publicUrl>/api/`. */
  readonly publicUrl: string;
  /** `calendar/events/v1` */
  readonly namespace: string;
  /** A second name under which the same routes are served. */
  readonly namespaceAlias?: string;
  /** Whether visitors may suggest events. */
  readonly suggestions?: boolean;
  readonly trashDays: number;
  /** The currency of costs that name none; US dollars if unset. */
  readonly currency?: Currency;
  /** The brand colour of the pages, `#rrggbb`. */
  readonly brand?: string | undefined;
  readonly logo?: Logo | undefined;
}

/** The authenticated user behind a request. */
export interface Caller {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly role: Role;
}

/** The outcome for each image address in a request: a stored file, or why there is none. */
export type FetchedImages = ReadonlyMap<
  string,
  { readonly kind: 'file'; readonly hash: string } | { readonly kind: 'failed'; readonly message: string }
>;

/** The limits on attempts at event passwords, and the address of the current client. */
export interface PasswordTries {
  /** Keyed by network and event. */
  readonly throttle: Throttle;
  /** Keyed by event, across all networks. */
  readonly eventThrottle: Throttle;
  /** Pairs of network and event opened with the right password; other people's guesses do not slow them down. */
  readonly opened: Set<string>;
  readonly peer: string;
}

/** What a handler receives besides its arguments. `db` is the pool or, in a batch, the open transaction. */
export interface HandlerContext extends At {
  readonly db: Queryable;
  readonly caller: Caller | null;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly settings: SiteSettings;
  /** The language of the request, if its query names one; an update then finds only posts in that language. */
  readonly language?: string;
  /** The request's `password`, which opens events protected by it. */
  readonly password?: string | undefined;
  /** The throttle for event passwords, and the client's address. */
  readonly tries?: PasswordTries;
  /** Limits that replace the published ones; in-process requests may ask for more. */
  readonly atOnce?: AtOnce;
  /** Set in a transaction that may not hold the write lock yet; takes it. */
  readonly takeTurn?: () => Promise<void>;
  /** Whether the client still waits for the answer; once it does not, nothing is written. Always true if unset. */
  readonly isAwaited?: () => boolean;
  /** Whether a row is still as the caller last saw it; called under the write lock, just before the write. */
  readonly isAsKnown?: (row: object) => boolean;
  /** `context=edit`: callers who may edit an event need no password for it. */
  readonly isEditing?: boolean;
  /** The outcome for each image address in the request (in a batch, in all of its requests). */
  readonly images?: FetchedImages;
}
