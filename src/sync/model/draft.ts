import type { Problem, Where } from '../../problem.ts';
import type { Wall } from '../../time.ts';
import type { FieldName, FlagField, TextField } from './fields.ts';

// Terms. source: a configured feed. draft: what the feed wants on the site. ledger: what we last wrote, per event.
// snapshot: what the site shows now. plan: the actions decided on. A draft's fields have the interface's own names
// (`start_date`, `all_day`), so the merge compares like with like.

/** The fields of an event that a feed can set. A missing field means that the feed says nothing about it. */
export interface EventFields
  extends Readonly<Partial<Record<TextField, string>>>, Readonly<Partial<Record<FlagField, boolean>>> {
  /** Plain text, never empty. */
  readonly title: string;
  readonly start_date: Wall;
  /** Inclusive for all-day events (23:59:59 on the last day), as in the interface. */
  readonly end_date: Wall;
  readonly timezone: string;
  readonly all_day: boolean;
  readonly status?: string;
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
 * The possible identities of an event within its source, by rung, as written in the feed; null if the feed gives none.
 */
export interface IdentityRungs {
  readonly uid: string | null;
  /** Wall-clock time in the series' zone (`20270110T180000`) or a date (`20270110`); null for a single event. */
  readonly recurrenceId: string | null;
  readonly url: string | null;
  /** Derived from title, start and place. */
  readonly fingerprint: string;
}

export interface EventDraft {
  readonly where: Where;
  readonly rungs: IdentityRungs;
  /** The UID without its escapes (RFC 5545, 3.3.11); absent if there is none. */
  readonly uid?: string;
  /** For an occurrence of a timed series: the instant of its `recurrenceId`; absent if only the digits are known. */
  readonly originalStartsAt?: number;
  /** Instants in epoch milliseconds; for all-day events midnight in `fields.timezone`, with an exclusive end. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly state: 'confirmed' | 'tentative' | 'cancelled';
  /** Fields that a cancellation leaves out (RFC 5546, 3.2.5); on the site they stay as they are. */
  readonly unsaid?: readonly FieldName[];
  readonly fields: EventFields;
  /** Fields that the feed omits and that the source's rules and settings fill. Absent if there are none. */
  readonly fromRules?: readonly FieldName[];
  /** In words, which of the source's rules changed what; absent if none did. */
  readonly rules?: readonly string[];
  /** A digest of what the feed says about the event, if that can be read without the other events. */
  readonly digest?: string;
}

/** The result of reading a feed once. */
export interface FeedReading {
  readonly drafts: readonly EventDraft[];
  /** In the feed, but left out by a rule, its class or its status: `missing.action` applies at once. */
  readonly excluded: readonly {
    readonly rungs: IdentityRungs;
    readonly uid?: string;
    readonly title: string;
    readonly because: string;
  }[];
  /** UIDs of components that have occurrences outside the window (and perhaps inside it too). */
  readonly outside: readonly string[];
  /** In the feed but invalid, cut by a limit or without a readable identity: nothing counts as gone in this run. */
  readonly unread: readonly Where[];
  /** The latest start that the feed covers, in epoch milliseconds: later events cannot be gone. */
  readonly coversUntil: number;
  /** The end of the window, in epoch milliseconds: events that start then or later are outside it. */
  readonly windowTo?: number;
  /** UIDs whose occurrences in the window the feed gives completely: missing ones are gone, even after `coversUntil`. */
  readonly wholeSeries?: readonly string[];
  /** The first rung that reliably identifies this publisher's events, if it is not the UID. */
  readonly rung?: 'url' | 'fingerprint';
  readonly problems: readonly Problem[];
}

export interface Window {
  readonly from: number;
  readonly to: number;
}

/** The part of a source's configuration that decides how its feed becomes drafts; the same for every reading. */
export interface DraftConfig {
  /** The zone of floating times if the feed names none: the source's, which also overrides X-WR-TIMEZONE. */
  readonly timezone: string | undefined;
  /** Whether UTC times are shown in a local zone (the default) or stay in UTC. */
  readonly utcTimes?: 'local' | 'utc';
  readonly status: string;
  readonly categories: {
    readonly map: Readonly<Record<string, string>>;
    readonly add: readonly string[];
    readonly unknown: 'create' | 'ignore';
    /** Name → words that select it. */ readonly words?: Readonly<Record<string, readonly string[]>>;
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
}

/** Everything that turning a source's feed into drafts depends on. */
export interface DraftSettings extends DraftConfig {
  readonly source: string;
  readonly window: Window;
  /** The site's zone, as a last resort. */
  readonly siteTimezone: string;
  /** Chooses among texts that are given in several languages. */
  readonly language?: string | undefined;
  /** `preview --all`: ignores rules and classes, and keeps cancelled events. */
  readonly everything: boolean;
}

/** A rule of `only` or `skip`: a regular expression for one field's text (a leading `(?i)` ignores case). */
export interface Rule {
  readonly field: string;
  readonly matches: string;
}

/** A rule that sets fields of events matched by all of `when`; keys as in the configuration. */
export interface SetRule extends Partial<
  Omit<EventFields, 'start_date' | 'end_date' | 'timezone' | 'all_day' | 'venue' | 'organizer'>
> {
  readonly when: readonly Rule[];
  readonly only_where_empty: boolean;
  readonly add_categories?: readonly string[];
  readonly add_tags?: readonly string[];
  readonly venue?: string;
  readonly organizer?: string;
  /** The location of the event's venue: the venue that the rule names, else those that the event already has. */
  readonly address?: string;
  readonly zip?: string;
  readonly city?: string;
  readonly country?: string;
}

/** The parts of a venue that rules can set. */
export const VENUE_PARTS = ['address', 'zip', 'city', 'country'] as const;
