import type { Problem } from '../../problem.ts';
import type { OrganizerDraft, VenueDraft } from './draft.ts';
import type { FieldName } from './fields.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The ledger's record of one field. */
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
  /** For an image: when the site last refused it (epoch milliseconds), and how many times in a row. */
  readonly refused?: { readonly at: number; readonly times: number };
  /** For a start or end: its UTC time, as the site answered our last write. */
  readonly utc?: string;
  readonly by: 'feed' | 'person';
  /** The value comes from a rule of the source, as the feed gives none; it is dropped when the rule is. */
  readonly fromRule?: true;
  /** Feed and site changed it differently; a person must settle it. */
  readonly conflict?: true;
  /**
   * What the site showed at the last comparison. Kept for a title that a person has edited, for the title of an event
   * that is detached or has a conflict in any field, for fields hidden by the trash that a person has edited, and for
   * the status of an event that we have withdrawn.
   */
  readonly shown?: Json;
  /**
   * For the title of a detached event: it is detached only because its adoption was undone, so it may be adopted again.
   */
  readonly released?: true;
  /**
   * A person decided that the feed must not change it while the feed has the event. Fields of a unit are locked
   * together.
   */
  readonly locked?: true;
  /** It is no longer locked, and nothing has been decided about it since. */
  readonly unlocked?: true;
  /** For tags: the tag for the event's state is yet to be written, because a password hid the other tags. */
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
  /** The post id, which is only a hint; null while it is unknown. */
  readonly id: number | null;
  /**
   * kept: on the site because of us; removed: taken down by us; ignored: removed by a person; detached: made their own
   * by a person, so that the feed neither changes nor removes it.
   */
  readonly state: 'kept' | 'removed' | 'ignored' | 'detached';
  /** How many good fetches in a row lacked it. */
  readonly missing: number;
  /** An operator brought it back although the feed lacks it, so it stays until a person removes it. */
  readonly pinned?: true;
  /** How many more fetches lacked it whose plans were held and not carried out. */
  readonly heldMissing?: number;
  readonly fields: Readonly<Partial<Record<FieldName, FieldState>>>;
  /** The digest of the draft that was handled completely; absent if anything is left to compare. */
  readonly digest?: string;
  /**
   * The digest of the draft that it was last planned for. Kept if other events share its identity or once did, as
   * nothing else may tell them apart.
   */
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
  /** Its categories and tags with their names, because a list in one language lacks the terms of other languages. */
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

/** The current state of the site, as far as the plan needs it. */
export interface Snapshot {
  /** The events asked for, by slug: those of the ledger and of the drafts. Trashed ones have the status `trash`. */
  readonly events: ReadonlyMap<string, SiteEvent>;
  /** Slugs of events that the site does not let us read, and why; nothing is known about these events. */
  readonly unread?: ReadonlyMap<string, string>;
  readonly categories: readonly SiteTerm[];
  readonly tags: readonly SiteTerm[];
  readonly venues: readonly SiteVenue[];
  readonly organizers: readonly SiteOrganizer[];
  /** Events that no source of ours has written; only if the ledger is empty. */
  readonly strangers?: readonly SiteEvent[];
}

export type Stage = 'terms' | 'venues' | 'events' | 'removals';

/** A decided write. Events name their terms, venues and organizers by `ref`; ids are filled in when it is sent. */
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
   * The slug that the site shows now, which changes in the trash; absent if the event is to be restored from the trash.
   */
  readonly siteSlug?: string;
  readonly fields: SentFields;
  readonly changes: Readonly<Record<string, { readonly from: Json; readonly to: Json }>>;
  /** What we had sent before for the changed fields; an undo needs it. */
  readonly wrote?: SentFields;
  /** Fields that a person had edited on the site and that are overwritten because the feed has authority. */
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
   * The event as the site showed it, with links as refs: for an undo, and to check before writing that it has not
   * changed since.
   */
  readonly before: SentFields;
  /** The parts of `before` that we had sent. */
  readonly wrote?: SentFields;
  readonly because: string;
}

/** Field values as sent, except that `categories`, `tags`, `venue` and `organizer` hold refs. */
export type SentFields = Readonly<Record<string, Json>>;

/**
 * The site's ids for refs. Those known at planning time are there from the start; the first stages add what they
 * create.
 */
export type Refs = Readonly<Record<string, number>>;

/** The ledger entry that results if its action (if any) succeeds. */
export interface LedgerChange {
  readonly entry: LedgerEntry;
  /** Fields that the action sends; their `returned` is taken from the outcome. */ readonly pendingFields: readonly FieldName[];
  /** Found on the site, and new to the ledger. */ readonly isNew?: true;
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
  /** All reasons for a review, the most telling first; `held` gives them in words. */
  readonly reasons?: readonly HoldReason[];
  readonly problems: readonly Problem[];
  /** Slugs of events made by others that the source adopts. */
  readonly adopted?: readonly string[];
  /** Slugs of adopted events that go back to their makers because the adoption is undone. */
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
  /** The number of events concerned, and the number of upcoming events in the source. */
  readonly count: number;
  readonly all: number;
  /** The configured limit, if it was exceeded. */
  readonly limit?: Policy['hold'];
  /** In words and numbers. */
  readonly message: string;
}

export interface Policy {
  readonly source: string;
  /** The source's former name, if it was renamed: keys of older events start with that name's characters. */
  readonly was?: string;
  readonly now: number;
  readonly authority: { readonly default: Authority; readonly fields: Readonly<Record<string, Authority>> };
  readonly missing: { readonly action: 'keep' | 'draft' | 'cancel' | 'trash'; readonly after: number };
  readonly hold: { readonly share: number; readonly moreThan: number };
  /** The language of the title prefix for cancelled events. */
  readonly language: string;
  /** Whether venues accept `geo_lat` and `geo_lng` on this site. */
  readonly venueCoordinates: boolean;
  /**
   * Present if the source's settings (its rules, say) have changed since the last reading; says whether the feed has,
   * too.
   */
  readonly newSettings?: 'alone' | 'withFeed';
}
export type Authority = 'preserve' | 'feed' | 'site';

/** How an answer differs from what was sent: the status that was sent, if the site set another, or a changed slug. */
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
      /** The answer was lost and the event was looked up; the next run compares what it shows. */ readonly lookedUp?: true;
      /** Fields that already showed the value, unknown to the plan; there is nothing to undo for them. */ readonly already?: readonly string[];
      /** It had existed before; the duplicate that was just created has been removed. */ readonly older?: true;
      /** The site stored something else, and the run stopped there. */ readonly differs?: Difference;
      /** It was created under another address and has been put back into the trash. */ readonly takenBack?: true;
    }
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** Worth retrying: the site was busy, or the answer was lost. */
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
