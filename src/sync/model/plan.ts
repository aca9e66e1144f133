import type { Problem } from '../../problem.ts';
import type { OrganizerDraft, VenueDraft } from './draft.ts';
import type { FieldName } from './fields.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** What the ledger keeps about one field. */
export interface FieldState {
  /** The last draft value that was handled. */
  readonly feed: Json;
  /** What we sent last; absent if we never sent it, and for terms and linked posts, whose ids are in `returned`. */
  readonly sent?: Json;
  /** What the site returned for it: the normalised value from the answer to the write. */
  readonly returned?: Json;
  /**
   * The site's modification time for our last write of this field, and digests of what it returned for earlier writes.
   */
  readonly at?: string;
  readonly earlier?: readonly string[];
  /** For an image: when the site last refused it (epoch milliseconds), and how often in a row. */
  readonly refused?: { readonly at: number; readonly times: number };
  /** For a start or an end: its UTC time in the site's answer to our last write. */
  readonly utc?: string;
  readonly by: 'feed' | 'person';
  /** The value is a rule's of the source, while the feed says nothing of the field: it goes with the rule. */
  readonly fromRule?: true;
  /** Feed and site changed it differently; a person must settle it. */
  readonly conflict?: true;
  /**
   * What the site showed when it was compared last: for the title of an event that is in conflict, in this field or
   * another, or a person's own, for what a person has edited of the fields that the trash hides, and for the status of
   * one that we have withdrawn.
   */
  readonly shown?: Json;
  /** For the title of an event that is a person's own: only because its adoption was undone, and may be made again. */
  readonly released?: true;
  /** A person has decided that the feed never changes it, as long as it has the event. All fields of a unit are locked together. */
  readonly locked?: true;
  /** It is not locked any more, and nothing has been decided about it since. */
  readonly unlocked?: true;
  /** For tags: the tag of the event's state is not written yet, because a password hid the others. */
  readonly stateTagDue?: true;
}

export interface LedgerEntry {
  readonly slug: string;
  /** The 14 base32 characters at the slug's end: 4 from the source's id, 10 from the identity. */
  readonly key: string;
  readonly rung: 'uid' | 'url' | 'fingerprint';
  /** Null after the ledger was lost: then only the key of the event on the site identifies it. */
  readonly identity: string | null;
  readonly uid: string | null;
  readonly title: string;
  readonly startsAt: number;
  readonly endsAt: number;
  /** The post id, only a hint; null while unknown. */
  readonly id: number | null;
  /**
   * kept: on the site because of us; removed: taken down by us; ignored: removed by a person; detached: a person has made
   * it their own, so that its feed neither changes nor removes it.
   */
  readonly state: 'kept' | 'removed' | 'ignored' | 'detached';
  /** Consecutive good fetches without it. */
  readonly missing: number;
  /** An operator brought it back although the feed lacks it: it stays until people remove it. */
  readonly pinned?: true;
  /** Further fetches without it whose plans were held and not carried out. */
  readonly heldMissing?: number;
  readonly fields: Readonly<Partial<Record<FieldName, FieldState>>>;
  /** The digest of the draft that was handled completely; absent where anything is left to compare. */
  readonly digest?: string;
  /** The digest of the draft that it was last planned for, where others share its identity or have shared it: nothing else may tell them apart. */
  readonly said?: string;
}

/** Start and end in UTC, as a site writes them. */
export type UtcTimes = Readonly<Record<'start_date' | 'end_date', string>>;

/** An event on the site, in comparable form: terms and linked posts are sorted ids. */
export interface SiteEvent {
  readonly id: number;
  readonly slug: string;
  readonly status: string;
  /** When the site last modified it, in UTC, as text that sorts by time. */
  readonly modified?: string;
  readonly values: Readonly<Partial<Record<FieldName, Json>>>;
  /** Start and end in UTC, as the site gives them. */
  readonly utc?: UtcTimes;
  /** Its categories and tags by name: lists in one language lack the terms of others. */
  readonly terms?: Readonly<Record<'categories' | 'tags', readonly SiteTerm[]>>;
  /** The names of its venues and organizers, by id. */
  readonly names?: Readonly<Record<'venue' | 'organizer', Readonly<Record<number, string>>>>;
}

export interface SiteVenue extends VenueDraft {
  readonly id: number;
  readonly slug: string;
}
export interface SiteOrganizer extends OrganizerDraft {
  readonly id: number;
  readonly slug: string;
}
export interface SiteTerm {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

/** What the site has now, as far as the plan needs it. */
export interface Snapshot {
  /** By slug, as requested for the slugs of the ledger and drafts; trashed ones have status `trash`. */
  readonly events: ReadonlyMap<string, SiteEvent>;
  /** Slugs of events that the site does not let us read, and why: nothing is known about them. */
  readonly unread?: ReadonlyMap<string, string>;
  readonly categories: readonly SiteTerm[];
  readonly tags: readonly SiteTerm[];
  readonly venues: readonly SiteVenue[];
  readonly organizers: readonly SiteOrganizer[];
  /** Only if the ledger is empty: events that no source of ours has written. */
  readonly strangers?: readonly SiteEvent[];
}

export type Stage = 'terms' | 'venues' | 'events' | 'removals';

/** One decided write. Events name their terms, venues and organizers by `ref`; ids are filled in when writing. */
export type Action =
  | {
      readonly kind: 'create';
      readonly resource: 'categories' | 'tags';
      readonly ref: string;
      readonly fields: { readonly name: string };
    }
  | { readonly kind: 'create'; readonly resource: 'venues'; readonly ref: string; readonly fields: VenueDraft }
  | { readonly kind: 'create'; readonly resource: 'organizers'; readonly ref: string; readonly fields: OrganizerDraft }
  | EventAction;

export type EventAction = CreateEvent | UpdateEvent | RemoveEvent;

export interface CreateEvent {
  readonly kind: 'create';
  readonly resource: 'events';
  readonly slug: string;
  readonly title: string;
  /** The complete event to send; term, venue and organizer fields hold refs. */
  readonly fields: SentFields;
  readonly because: string;
}

export interface UpdateEvent {
  readonly kind: 'update';
  readonly resource: 'events';
  readonly slug: string;
  readonly id: number;
  readonly title: string;
  /**
   * The slug the site currently shows, which trashing changes; absent if the event is to be restored from the trash.
   */
  readonly siteSlug?: string;
  readonly fields: SentFields;
  readonly changes: Readonly<Record<string, { readonly from: Json; readonly to: Json }>>;
  /** What we had previously sent for the changed fields, for an undo. */
  readonly wrote?: SentFields;
  /** Fields that a person had changed on the site and that are overwritten because the feed decides. */
  readonly edited?: readonly FieldName[];
  readonly because: string;
}

export interface RemoveEvent {
  readonly kind: 'remove';
  readonly resource: 'events';
  readonly slug: string;
  readonly id: number;
  readonly title: string;
  readonly siteSlug?: string;
  readonly how: 'trash' | 'draft' | 'cancel';
  readonly fields: SentFields;
  /**
   * The event as the site showed it, links as refs: for an undo, and to check that it is still the event that was
   * shown.
   */
  readonly before: SentFields;
  /** The parts of `before` that we had sent. */
  readonly wrote?: SentFields;
  readonly because: string;
}

/** Field values as they are sent, except that `categories`, `tags`, `venue` and `organizer` hold refs. */
export type SentFields = Readonly<Record<string, Json>>;

/** The ids on the site behind refs: those known when planning; those created by the first stages are added later. */
export type Refs = Readonly<Record<string, number>>;

/** The ledger entry that results if its action (if any) succeeds. */
export interface LedgerChange {
  readonly entry: LedgerEntry;
  /** Fields that the action sends; their `returned` comes from the outcome. */ readonly pendingFields: readonly FieldName[];
  /** Found on the site and not in the ledger yet. */ readonly isNew?: true;
}

export interface Plan {
  readonly actions: readonly Action[];
  readonly refs: Refs;
  /** By slug. Entries without an action of the same slug are stored together with the plan. */
  readonly ledger: Readonly<Record<string, LedgerChange>>;
  readonly unchanged: number;
  readonly skipped: number;
  readonly conflicts: readonly {
    readonly slug: string;
    readonly title: string;
    readonly field: string;
    readonly feed: Json;
    readonly site: Json;
  }[];
  /** Why the plan needs a review first, in words and numbers; null if it may run. */
  readonly held: string | null;
  /** All that speaks for a review, the most telling first, whose words are `held`. */
  readonly reasons?: readonly HoldReason[];
  readonly problems: readonly Problem[];
  /** Slugs of the events made by others that the source takes over. */
  readonly adopted?: readonly string[];
  /** Slugs of the events that it gives back to their makers, because it undoes an adoption. */
  readonly released?: readonly string[];
  /** The rung that the source uses from now on, if it was checked. */
  readonly rung?: LedgerEntry['rung'];
}

export type HoldKind =
  | 'emptied'
  | 'site-lost'
  | 'removals'
  | 'zone'
  | 'shift'
  | 'titles'
  | 'hidden'
  | 'replacement'
  | 'flood'
  | 'made-by-others'
  | 'other-name'
  | 'ledger-lost'
  | 'first-run';

/** Why a plan needs a review first. */
export interface HoldReason {
  readonly kind: HoldKind;
  /** How many events it is about, and how many upcoming ones the source has. */
  readonly count: number;
  readonly all: number;
  /** How much the configuration lets pass without a review, if that is what is exceeded. */
  readonly limit?: Policy['hold'];
  /** In words and numbers. */
  readonly message: string;
}

export interface Policy {
  readonly source: string;
  /** The source's name before it was renamed: the keys of older events start with that name's characters. */
  readonly was?: string;
  readonly now: number;
  readonly authority: { readonly default: Authority; readonly fields: Readonly<Record<string, Authority>> };
  readonly missing: { readonly action: 'keep' | 'draft' | 'cancel' | 'trash'; readonly after: number };
  readonly hold: { readonly share: number; readonly moreThan: number };
  /** The language of the prefix for cancelled events. */
  readonly language: string;
  /** Whether venues accept `geo_lat` and `geo_lng` on this site. */
  readonly venueCoordinates: boolean;
  /** Where the settings of the source, such as its rules, are others than when it was last read: whether the feed is, too. */
  readonly newSettings?: 'alone' | 'withFeed';
}
export type Authority = 'preserve' | 'feed' | 'site';

/** How an answer differs from what was sent: the sent status, if the site set another one; or a changed slug. */
export interface Difference {
  readonly status?: string;
  readonly slug?: true;
}

/** The result of one action. */
export type Outcome =
  | {
      readonly kind: 'done';
      readonly id: number;
      readonly slug: string;
      readonly values: Readonly<Partial<Record<FieldName, Json>>>;
      readonly modified?: string;
      readonly utc?: UtcTimes;
      /** What was left out. */ readonly problem?: Problem;
      /** The answer was lost, so the event was looked up: the next run compares what it shows. */ readonly lookedUp?: true;
      /** Fields that already showed the value although the plan had not seen it: nothing to undo. */ readonly already?: readonly string[];
      /** It existed before: the duplicate that was just created is gone again. */ readonly older?: true;
      /** The site stored something else, and the run stopped there. */ readonly differs?: Difference;
      /** What was created under another address is in the trash again. */ readonly takenBack?: true;
    }
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** Worth another try: the site was busy, or the answer was lost. */
  | { readonly kind: 'failed'; readonly problem: Problem };

export interface Report {
  readonly run: string;
  readonly source: string;
  readonly state: 'done' | 'unchanged' | 'held' | 'failed';
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly conflicts: number;
  readonly requests: number;
  readonly writes: number;
  readonly problems: readonly Problem[];
  /** The run is held: created, updated and removed count what is planned. */
  readonly planned?: true;
}
