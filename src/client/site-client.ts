import type { AtOnce } from '../contract/arg.ts';
import type { Organizer, Venue } from '../contract/event-parts.ts';
import type { Event, TermRecord } from '../contract/representation.ts';
import type { Answer } from './answer.ts';

/** Carries one request to a site as text, for example over the network. */
export type Transport = (request: Request) => Promise<Response>;

/** One request to a site, as values. */
export interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Passes one request to a site in this process. Values go in and come out, and neither side may change them. */
export interface InProcess {
  readonly atOnce: AtOnce;
  readonly exchange: (sent: Sent) => Promise<Answer>;
}

/** What a site can do. */
export interface Abilities {
  readonly root: string;
  readonly namespace: string;
  readonly batch: boolean;
  readonly timezone: string;
  readonly venueCoordinates: boolean;
  /** The most items per page of a list. A site in this process allows us more than others. */
  readonly perPageMax: number;
  readonly title: string;
  /**
   * The languages that the site separates; empty if the client was given no parameter for them or the site does not
   * declare it.
   */
  readonly languages: readonly string[];
}

/**
 * What a user may do to events: everything that a sync does, change them without publishing, or nothing; `unknown` if
 * the site does not say.
 */
export type Rights = 'publish' | 'edit' | 'nothing' | 'unknown';

export type Resource = 'events' | 'venues' | 'organizers' | 'categories' | 'tags';
export interface Representations {
  events: Event;
  venues: Venue;
  organizers: Organizer;
  categories: TermRecord;
  tags: TermRecord;
}

/** One write. `path` is below the namespace: `/events`, `/events/12`. */
export interface Write {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * The answer to one write. `lost`: it may or may not have been carried out. If it `isUnsent`, it was not, because a
 * write before it had no answer or because the site has moved.
 */
export type WriteAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  | {
      readonly kind: 'lost';
      readonly message: string;
      readonly retryAfterMs?: number;
      readonly isUnsent?: true;
    };

/** Whether to continue after this write. Called when the write is sent, with the promise of its answer. */
export type GoOn = (write: Write, answer: Promise<WriteAnswer>) => Promise<boolean>;

/**
 * Called while a list of more than one page is read, with the number of items so far, and the total if the site gives
 * it.
 */
export type OnRead = (read: { readonly unit: string; readonly done: number; readonly of?: number | undefined }) => void;

/** A client for a site's REST interface. */
export interface SiteClient {
  /**
   * Determined once, on first use. Throws AppError if the site cannot be reached, or the address does not belong to a
   * site.
   */
  readonly abilities: () => Promise<Abilities>;
  /** Every item of a list, page by page, at most `perPageMax` per page; a 404 is the end. Throws AppError. */
  readonly list: <R extends Resource>(
    resource: R,
    query: Readonly<Record<string, string>>,
  ) => AsyncIterable<Representations[R]>;
  /** The number of items in such a list; undefined if the site does not say. Throws AppError. */
  readonly count: (resource: Resource, query: Readonly<Record<string, string>>) => Promise<number | undefined>;
  /** The same list in the site's other languages; empty if the client has no language. */
  readonly listElsewhere: SiteClient['list'];
  /**
   * One item, or null if it is gone (400, 403, 404 or 410, depending on the site). Events are looked for in the site's
   * other languages, too. Throws AppError; `site-forbidden` concerns only this item.
   */
  readonly read: <R extends Resource>(
    resource: R,
    key: { readonly id: number } | { readonly slug: string },
  ) => Promise<Representations[R] | null>;
  /**
   * What the user of the credentials may do. The right to publish is cached for an hour; anything else is asked each
   * time.
   */
  readonly rights: () => Promise<Rights>;
  /** The most writes in one call: one batch, or several for a site in this process. */
  readonly writesMax: number;
  /**
   * At most `writesMax` writes: one `POST /batch/v1` if the routes allow it, else single requests in order. Gives one
   * answer per write, in order. An item that does not exist in the client's language is written in its own. Single
   * requests continue as long as `goOn` agrees, so there may be fewer answers than writes.
   */
  readonly write: (writes: readonly Write[], goOn?: GoOn) => Promise<readonly WriteAnswer[]>;
  /** For callers that read several lists, each of some of the items, and know the total themselves. */
  readonly onRead?: OnRead;
  /** The number of requests sent so far, for reports. */
  readonly requests: () => number;
  /** How many requests were answered with each status so far, or not at all (`none`). */
  readonly statuses: () => Readonly<Record<string, number>>;
  readonly close: () => Promise<void>;
}
