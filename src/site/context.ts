import type { Logo } from '../look/files.ts';
import type { AtOnce } from '../contract/arg.ts';
import type { Queryable } from '../db/database.ts';
import type { At } from './kept.ts';
import type { Throttle } from './throttle.ts';
import type { Role } from './roles.ts';

export type { Role };

/** How amounts are written. */
export interface Currency {
  readonly symbol: string;
  readonly position: 'prefix' | 'postfix';
}

/** What the configuration says about the built-in site. */
export interface SiteSettings {
  readonly title: string;
  readonly description: string;
  readonly timezone: string;
  readonly languages: readonly string[];
  /** Without a slash at the end: `https://calendar.example`. The interface is below `<publicUrl>/api/`. */
  readonly publicUrl: string;
  /** `calendar/events/v1` */
  readonly namespace: string;
  /** The same routes once more, under this name. */
  readonly namespaceAlias?: string;
  /** Visitors may suggest events. */
  readonly suggestions?: boolean;
  readonly trashDays: number;
  /** The currency of costs that name none; dollars where it is not said. */
  readonly currency?: Currency;
  /** The colour of its pages, `#rrggbb`. */
  readonly brand?: string | undefined;
  readonly logo?: Logo | undefined;
}

/** Who asks. */
export interface Caller {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly role: Role;
}

/** What became of the addresses of images in a request: a stored file, or why there is none. */
export type FetchedImages = ReadonlyMap<
  string,
  { readonly kind: 'file'; readonly hash: string } | { readonly kind: 'failed'; readonly message: string }
>;

/** How often passwords of events were tried, and from which network now. */
export interface PasswordTries {
  /** By network and event. */
  readonly throttle: Throttle;
  /** By event, from wherever it is tried. */
  readonly eventThrottle: Throttle;
  /** Networks and events that the right password has opened: others' guesses do not slow them down. */
  readonly opened: Set<string>;
  readonly peer: string;
}

/** What a handler gets besides its arguments. `db` is the pool or, in a batch, the open transaction. */
export interface HandlerContext extends At {
  readonly db: Queryable;
  readonly caller: Caller | null;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly settings: SiteSettings;
  /** The language in which the request runs, where its query names one: an update finds only what is in it. */
  readonly language?: string;
  /** The request's `password`, which opens protected events that have it. */
  readonly password?: string | undefined;
  /** The throttle for passwords of events, and the address of the client. */
  readonly tries?: PasswordTries;
  /** Where that is not what is published: this process may ask for more. */
  readonly atOnce?: AtOnce;
  /** In a transaction whose turn to write it may not be yet: waits until it is. */
  readonly takeTurn?: () => Promise<void>;
  /** Whether somebody still waits for the answer; where nobody does, nothing is written. Without it: always. */
  readonly isAwaited?: () => boolean;
  /** Whether what is to be changed still is what the caller has looked at: asked in turn, just before the write. */
  readonly isAsKnown?: (row: object) => boolean;
  /** `context=edit`: who may edit an event needs no password for it. */
  readonly isEditing?: boolean;
  /** What became of the addresses of images in the request (in a batch: of all of its requests). */
  readonly images?: FetchedImages;
}
