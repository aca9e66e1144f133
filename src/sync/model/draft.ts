import type { Problem, Where } from '../../problem.ts';
import type { Wall } from '../../time.ts';

// The words. source: a configured feed. draft: what a feed wants the site to hold. ledger: what we last wrote, per
// event.
// snapshot: what the site holds now. plan: the decided actions. A draft's fields are the contract's own (`start_date`,
// `all_day`), so that the merge compares like with like.

/** The fields of an event that a feed may speak about. An absent one means: the feed says nothing, leave it. */
export interface EventFields {
  /** Plain text, never empty. */
  readonly title: string;
  readonly start_date: Wall;
  /** Inclusive on all-day events (23:59:59 of the last day), as the interface has it. */
  readonly end_date: Wall;
  readonly timezone: string;
  readonly all_day: boolean;
  /** Sanitised HTML, or '' for none. */
  readonly description?: string;
  readonly excerpt?: string;
  readonly website?: string;
  /** An absolute address, or ''. */
  readonly image?: string;
  readonly cost?: string;
  readonly status?: string;
  readonly featured?: boolean;
  readonly sticky?: boolean;
  readonly hide_from_listings?: boolean;
  readonly show_map?: boolean;
  readonly show_map_link?: boolean;
  /** Names, in feed order; [] clears. */
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  /** At most one venue; [] clears. */
  readonly venue?: readonly VenueDraft[];
  readonly organizer?: readonly OrganizerDraft[];
}

export interface VenueDraft {
  readonly venue: string;
  readonly address?: string;
  readonly city?: string;
  readonly country?: string;
  readonly province?: string;
  readonly state?: string;
  readonly zip?: string;
  readonly phone?: string;
  readonly website?: string;
  readonly description?: string;
  readonly geo_lat?: number;
  readonly geo_lng?: number;
}

export interface OrganizerDraft {
  readonly organizer: string;
  readonly email?: string;
  readonly phone?: string;
  readonly website?: string;
  readonly description?: string;
}

/**
 * What could identify an event in its source, rung by rung, as the feed writes it; null where the feed does not give
 * it.
 */
export interface IdentityRungs {
  readonly uid: string | null;
  /** Wall-clock digits in the series' zone (`20270110T180000`) or a date (`20270110`); null for a single event. */
  readonly recurrenceId: string | null;
  readonly url: string | null;
  /** Of title, start and place. */
  readonly fingerprint: string;
}

export interface EventDraft {
  readonly where: Where;
  readonly rungs: IdentityRungs;
  /** The UID without the escapes that the feed writes it with (RFC 5545, 3.3.11); absent where it has none. */
  readonly uid?: string;
  /**
   * Of an occurrence of a series of times: the instant that its `recurrenceId` is; absent where that is not known apart
   * from the digits.
   */
  readonly originalStartsAt?: number;
  /** Instants in epoch milliseconds; of all-day events midnight in `fields.timezone`, the end exclusive. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly state: 'confirmed' | 'tentative' | 'cancelled';
  readonly fields: EventFields;
  /** Which rules of the source touched what, in words; absent where none did. */
  readonly rules?: readonly string[];
}

/** All that one reading of a feed says. */
export interface FeedReading {
  readonly drafts: readonly EventDraft[];
  /** Present, but left out by a rule, its class or its status: their `missing.action` is due at once. */
  readonly excluded: readonly {
    readonly rungs: IdentityRungs;
    readonly uid?: string;
    readonly title: string;
    readonly because: string;
  }[];
  /** UIDs of components that are present with occurrences outside the window only, or also outside it. */
  readonly outside: readonly string[];
  /** Present but bad, cut by a limit or without a readable identity: nothing is counted as gone in this run. */
  readonly unread: readonly Where[];
  /** The latest start that the feed covers, in epoch milliseconds: nothing after it can be gone. */
  readonly coversUntil: number;
  /**
   * UIDs that stand in the feed whole, up to `until` (the window's end): an occurrence before that which they do not
   * have is gone, also after `coversUntil`.
   */
  readonly whole?: { readonly uids: readonly string[]; readonly until: number };
  /** The first rung that the publisher's events are reliably known by, where it is not the UID. */
  readonly rung?: 'url' | 'fingerprint';
  readonly problems: readonly Problem[];
}

export interface Window {
  readonly from: number;
  readonly to: number;
}

/** What the configuration says about turning one source's feed into drafts. */
export interface DraftSettings {
  readonly source: string;
  readonly window: Window;
  /** The zone of floating times where the feed has none: the source's, which also beats X-WR-TIMEZONE. */
  readonly timezone: string | undefined;
  /** The site's zone, the last resort. */
  readonly siteTimezone: string;
  /** Whether times in UTC are shown in a local zone (as where it is left out), or stay in UTC. */
  readonly utcTimes?: 'local' | 'utc';
  /** Chooses among texts that are written in several languages. */
  readonly language?: string | undefined;
  readonly status: string;
  readonly categories: {
    readonly map: Readonly<Record<string, string>>;
    readonly add: readonly string[];
    readonly unknown: 'create' | 'ignore';
    /** Name → words that stand for it. */ readonly words?: Readonly<Record<string, readonly string[]>>;
  };
  readonly tags: {
    readonly add: readonly string[];
    readonly map?: Readonly<Record<string, string>>;
    readonly words?: Readonly<Record<string, readonly string[]>>;
  };
  readonly defaultVenue: string | undefined;
  readonly defaultOrganizer?: string | undefined;
  /** A name in the feed → the name on the site. */
  readonly venueAliases?: Readonly<Record<string, string>>;
  readonly organizerAliases?: Readonly<Record<string, string>>;
  readonly set?: readonly SetRule[];
  readonly only: readonly Rule[];
  readonly skip: readonly Rule[];
  /** CSV: field → column header. */
  readonly columns: Readonly<Record<string, string>>;
  /** `preview --all`: rules, classes and cancelled events are let through. */
  readonly everything: boolean;
}

/** A rule of `only` or `skip`: a regular expression (a leading `(?i)` ignores case) on one field's text. */
export interface Rule {
  readonly field: string;
  readonly matches: string;
}

/** A rule that sets fields of the events which all of `when` match; named as in the configuration. */
export interface SetRule extends Partial<
  Omit<EventFields, 'start_date' | 'end_date' | 'timezone' | 'all_day' | 'venue' | 'organizer'>
> {
  readonly when: readonly Rule[];
  readonly only_where_empty: boolean;
  readonly add_categories?: readonly string[];
  readonly add_tags?: readonly string[];
  readonly venue?: string;
  readonly organizer?: string;
}
