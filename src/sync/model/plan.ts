import type { Problem } from '../../problem.ts';
import type { EventFields, OrganizerDraft, VenueDraft } from './draft.ts';

export type FieldName = keyof EventFields;
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** What the ledger keeps of one field. */
export interface FieldState {
  /** The last draft value that was handled. */
  readonly feed: Json;
  /** What we sent last; absent where we never sent it, and for terms and linked posts, whose ids are in `returned`. */
  readonly sent?: Json;
  /** What the site made of it: the normalised value of the representation that the write answered. */
  readonly returned?: Json;
  /**
   * When the site says that it was modified by our last write of this field, and digests of what it had made of the
   * writes before.
   */
  readonly at?: string;
  readonly earlier?: readonly string[];
  /** Of an image: when the site refused it last (epoch milliseconds), and how often in a row. */
  readonly refused?: { readonly at: number; readonly times: number };
  /** Of a start or an end: what it was in UTC for the site, as that answered our last write. */
  readonly utc?: string;
  readonly by: 'feed' | 'person';
  /** Feed and site both changed, differently: a person must settle it. */
  readonly conflict?: true;
}

export interface LedgerEntry {
  readonly slug: string;
  /** The 14 base32 characters at the slug's end: 4 of the source's id, 10 of the identity. */
  readonly key: string;
  readonly rung: 'uid' | 'url' | 'fingerprint';
  /** Null where the ledger was lost, and only the key of the event on the site tells whose it is. */
  readonly identity: string | null;
  readonly uid: string | null;
  readonly title: string;
  readonly startsAt: number;
  readonly endsAt: number;
  /** The post id, a hint: null while unknown. */
  readonly id: number | null;
  /** kept: on the site by our hand; removed: taken away by us; ignored: a person removed it. */
  readonly state: 'kept' | 'removed' | 'ignored';
  /** Good fetches in a row without it. */
  readonly missing: number;
  /** An operator has brought it back although the feed does not have it: it stays as long as people leave it there. */
  readonly pinned?: true;
  /** Those besides whose plans were held: nothing else of them has been carried out. */
  readonly heldMissing?: number;
  readonly fields: Readonly<Partial<Record<FieldName, FieldState>>>;
}

/** Start and end in UTC, as a site writes them. */
export type UtcTimes = Readonly<Record<'start_date' | 'end_date', string>>;

/** An event as the site holds it, in comparable form: lists of terms and linked posts are sorted ids. */
export interface SiteEvent {
  readonly id: number;
  readonly slug: string;
  readonly status: string;
  /** When the site says that it was last modified, in UTC: text that sorts by time. */
  readonly modified?: string;
  readonly values: Readonly<Partial<Record<FieldName, Json>>>;
  /** Start and end in UTC, as the site gives them. */
  readonly utc?: UtcTimes;
  /** Its categories and tags by name: the lists of a language do not have those of other ones. */
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

/** What the site holds now, as far as the plan needs it. */
export interface Snapshot {
  /** By slug, as asked for by the ledger's and drafts' slugs; trashed ones have status `trash`. */
  readonly events: ReadonlyMap<string, SiteEvent>;
  /** Slugs whose events the site does not let us read, and why: nothing is known about them. */
  readonly unread?: ReadonlyMap<string, string>;
  readonly categories: readonly SiteTerm[];
  readonly tags: readonly SiteTerm[];
  readonly venues: readonly SiteVenue[];
  readonly organizers: readonly SiteOrganizer[];
  /** Where the ledger is empty: events that no source of ours has written. */
  readonly strangers?: readonly SiteEvent[];
}

export type Stage = 'terms' | 'venues' | 'events' | 'removals';

/** One decided write. Terms, venues and organizers are named by `ref` inside events; ids are put in at write time. */
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
   * The slug that the site shows it under, which every move to the trash changes; absent where it is to come out of
   * there.
   */
  readonly siteSlug?: string;
  readonly fields: SentFields;
  readonly changes: Readonly<Record<string, { readonly from: Json; readonly to: Json }>>;
  /** Of what it changes, what we had sent before: for the way back. */
  readonly wrote?: SentFields;
  /** Fields that a person had changed on the site, and that are written over because the feed decides. */
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
   * The event as the site showed it, linked things as refs: for the way back, and to know that it is still the one that
   * was shown.
   */
  readonly before: SentFields;
  /** Of that, what we had sent. */
  readonly wrote?: SentFields;
  readonly because: string;
}

/** Field values as they go out, except that `categories`, `tags`, `venue` and `organizer` are lists of refs. */
export type SentFields = Readonly<Record<string, Json>>;

/**
 * What a ref stands for on the site: known ids at planning time; those that the first stages create are added later.
 */
export type Refs = Readonly<Record<string, number>>;

/** A ledger entry as it shall stand once its action (if any) has succeeded. */
export interface LedgerChange {
  readonly entry: LedgerEntry;
  /** Fields that the action sends: their `returned` comes from the outcome. */ readonly awaits: readonly FieldName[];
  /** The event was found on the site; the ledger does not know it yet. */ readonly isNew?: true;
}

export interface Plan {
  readonly actions: readonly Action[];
  readonly refs: Refs;
  /** By slug. Those without an action of the same slug are stored when the plan is. */
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
  /** Why a review is needed first, in words and numbers; null when the plan may run. */
  readonly held: string | null;
  readonly problems: readonly Problem[];
  /** The rung that the source stands on from now on, where it was looked at. */
  readonly rung?: LedgerEntry['rung'];
}

export interface Policy {
  readonly source: string;
  /** The source's name before it was renamed: the keys of its older events begin with that one's characters. */
  readonly was?: string;
  readonly now: number;
  readonly authority: { readonly default: Authority; readonly fields: Readonly<Record<string, Authority>> };
  readonly missing: { readonly action: 'keep' | 'draft' | 'cancel' | 'trash'; readonly after: number };
  readonly hold: { readonly share: number; readonly moreThan: number };
  /** The language of the cancelled prefix. */
  readonly language: string;
  /** Whether venues take `geo_lat` and `geo_lng` on this site. */
  readonly venueCoordinates: boolean;
}
export type Authority = 'preserve' | 'feed' | 'site';

/**
 * Where an answer is not what was sent: the status that was sent, where the site gave another one; or the slug was not
 * kept.
 */
export interface Difference {
  readonly status?: string;
  readonly slug?: true;
}

/** What became of one action. */
export type Outcome =
  | {
      readonly kind: 'done';
      readonly id: number;
      readonly slug: string;
      readonly values: Readonly<Partial<Record<FieldName, Json>>>;
      readonly modified?: string;
      readonly utc?: UtcTimes;
      /** What was left out. */ readonly problem?: Problem;
      /** Not seen written, but found there: what it shows is compared by the next run. */ readonly found?: true;
      /** Fields that the site showed so before, which the plan had not seen: there is nothing to take back. */ readonly already?: readonly string[];
      /** It was there before: a second one that was made beside it is gone again. */ readonly older?: true;
      /** The site made something else of it, and the run has stopped there. */ readonly differs?: Difference;
    }
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** Worth another attempt: the site was busy, or the answer was lost. */
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
  /** The run is held: created, updated and removed tell what is planned. */
  readonly planned?: true;
}
