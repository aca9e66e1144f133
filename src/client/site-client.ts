import type { AtOnce } from '../contract/arg.ts';
import type { Organizer, Venue } from '../contract/event-parts.ts';
import type { Event, TermRecord } from '../contract/representation.ts';
import type { Answer } from './answer.ts';

/** Carries one request to a site as texts, such as over the network. */
export type Transport = (request: Request) => Promise<Response>;

/** One request to a site, in values. */
export interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Hands one request to a site in this process: values in, values out, which neither side may change. */
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
  /** The most items on a page of a list: of a site in this process more than it gives others. */
  readonly perPageMax: number;
  readonly title: string;
  /**
   * The languages that the site separates; empty if the client was given no parameter for them, or the site does not
   * declare it.
   */
  readonly languages: readonly string[];
}

/**
 * What a user may do to events: everything a sync does, change them without publishing, nothing, or the site does not
 * say.
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

/** One write; `path` is below the namespace: `/events`, `/events/12`. */
export interface Write {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * The answer to one write. `lost`: it may or may not have been carried out, unless it `isUnsent`, because one before it
 * had no answer, or because the site has moved.
 */
export type WriteAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  | {
      readonly kind: 'lost';
      readonly message: string;
      readonly retryAfterMs?: number;
      readonly isUnsent?: true;
    };

/** Whether to go on with the next write after this one: asked as this one is sent, with the answer that it will get. */
export type GoOn = (write: Write, answer: Promise<WriteAnswer>) => Promise<boolean>;

/** Called as a list of more than one page is read: how many items have come, of how many if the site says so. */
export type OnRead = (read: { readonly unit: string; readonly done: number; readonly of?: number | undefined }) => void;

/** A site's REST interface, from outside. */
export interface SiteClient {
  /**
   * Found out once, at the first use. Throws AppError if the site cannot be reached, or the address is not that of a
   * site.
   */
  readonly abilities: () => Promise<Abilities>;
  /** Every item of a list, page by page, at most `perPageMax` a page; a 404 is the end. Throws AppError. */
  readonly list: <R extends Resource>(
    resource: R,
    query: Readonly<Record<string, string>>,
  ) => AsyncIterable<Representations[R]>;
  /** How many items such a list has; undefined if the site does not say. Throws AppError. */
  readonly count: (resource: Resource, query: Readonly<Record<string, string>>) => Promise<number | undefined>;
  /** The same list in the other languages of the site: empty if the client has no language. */
  readonly listElsewhere: SiteClient['list'];
  /**
   * One item, or null if it is gone (400, 403, 404 or 410, depending on the site). Events are looked for in the site's
   * other languages, too. Throws AppError; `site-forbidden` concerns this item only.
   */
  readonly read: <R extends Resource>(
    resource: R,
    key: { readonly id: number } | { readonly slug: string },
  ) => Promise<Representations[R] | null>;
  /**
   * What the user of the credentials may do. The right to publish is remembered for an hour; anything else is asked
   * each time.
   */
  readonly rights: () => Promise<Rights>;
  /** The most writes in one call: those of one batch, or of several where the site is in this process. */
  readonly writesMax: number;
  /**
   * At most `writesMax` writes: one `POST /batch/v1` where the routes allow it, else single requests in order; one answer
   * per write, in order. An item that does not exist in the client's language is written in its own. Single requests
   * continue while `goOn` says so of each, so there may be fewer answers than writes.
   */
  readonly write: (writes: readonly Write[], goOn?: GoOn) => Promise<readonly WriteAnswer[]>;
  /** For who reads one list after the other, each of some of the items, and knows of how many in all. */
  readonly onRead?: OnRead;
  /** Requests sent so far, for reports. */
  readonly requests: () => number;
  /** How many of them were answered with each status so far, or not at all (`none`). */
  readonly statuses: () => Readonly<Record<string, number>>;
  readonly close: () => Promise<void>;
}
