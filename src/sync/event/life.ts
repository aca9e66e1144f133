import { handledState } from '../compare/wanted.ts';
import { isRestored, isUnmodified, seenAs } from '../compare/seen.ts';
import type { LedgerEntry, RemoveEvent, SiteEvent } from '../model/plan.ts';
import type { Absence } from './absence.ts';

/** What the feed says about an event: it has a draft, or the reason for having none. */
export type Presence = 'drafted' | Absence['kind'];

/** Where an event is, and who put it there. */
export type Whereabouts =
  /** Not on the site, as expected: it is new, or we removed it. */
  | 'absent'
  /** On the site, as we keep it. */
  | 'shown'
  /** On the site because a person brought it back, by hand or with a command. */
  | 'broughtBack'
  /** On the site although we removed it, because the site was restored. */
  | 'resurfaced'
  /** In the trash because we put it there, or because a person did who wants it back. */
  | 'trashedByUs'
  | 'trashedByPerson'
  /** Not even in the site's trash, though other events are on the site, so a person deleted it. */
  | 'vanished'
  /** Not on the site, and too many others are missing for a person to have deleted them all. */
  | 'lost'
  /** A person removed it earlier, according to the ledger. */
  | 'ignored'
  /** Detached, wherever it is. */
  | 'detached';

/**
 * What happens to an event:
 * - create it, or merge its draft with what the site shows
 * - count one more fetch without it, and remove it once `missing.after` is reached; or reset that count
 * - remove it now
 * - mark it in the ledger as removed by us, so that it returns with the feed; or as ignored, because a person removed
 * it
 * - write the tag of its cancellation if a password has hidden its tags until now
 * - leave it alone, because a person has detached it
 */
export type LifeVerdict =
  | 'create'
  | 'merge'
  | 'count'
  | 'resetCount'
  | 'remove'
  | 'markRemoved'
  | 'markIgnored'
  | 'tagIfDue'
  | 'leave'
  | 'nothing';

const NOTHING = {
  absent: 'nothing',
  shown: 'nothing',
  broughtBack: 'nothing',
  resurfaced: 'nothing',
  trashedByUs: 'nothing',
  trashedByPerson: 'nothing',
  vanished: 'nothing',
  lost: 'nothing',
  ignored: 'nothing',
  detached: 'nothing',
} as const;

/** Without a draft, an event that is not on the site needs no removal. */
const WITHOUT_DRAFT = {
  ...NOTHING,
  broughtBack: 'tagIfDue',
  trashedByUs: 'markRemoved',
  trashedByPerson: 'markIgnored',
  vanished: 'markIgnored',
  lost: 'markRemoved',
} as const;

/** What happens to an event in every situation. Events that the site did not let us look for are not decided on. */
export const LIFE = {
  drafted: {
    absent: 'create',
    shown: 'merge',
    broughtBack: 'merge',
    resurfaced: 'merge',
    trashedByUs: 'merge',
    trashedByPerson: 'markIgnored',
    vanished: 'markIgnored',
    lost: 'create',
    ignored: 'markIgnored',
    detached: 'leave',
  },
  gone: { ...WITHOUT_DRAFT, shown: 'count', resurfaced: 'remove' },
  excluded: { ...WITHOUT_DRAFT, shown: 'remove', resurfaced: 'remove' },
  emptied: { ...WITHOUT_DRAFT, shown: 'remove' },
  outside: { ...WITHOUT_DRAFT, shown: 'resetCount' },
  past: { ...NOTHING, shown: 'resetCount', trashedByPerson: 'resetCount', vanished: 'resetCount', lost: 'resetCount' },
  unread: NOTHING,
} as const satisfies Readonly<Record<Presence, Readonly<Record<Whereabouts, LifeVerdict>>>>;

/** The site's version of an event; `lost` if too many others are gone for people to have removed them. */
export type OnSite = SiteEvent | 'lost' | undefined;

/** Where an event is, from what the site holds and what the ledger knows. */
export function whereaboutsOf(entry: LedgerEntry | undefined, onSite: OnSite): Whereabouts {
  if (entry?.state === 'detached') return 'detached';
  if (typeof onSite !== 'object') return whyNotThere(entry, onSite);
  if (onSite.status === 'trash') return whoTrashed(entry, onSite);
  if (entry === undefined || (entry.state === 'kept' && !entry.pinned)) return 'shown';
  return entry.state === 'removed' && !entry.pinned && showsTimeBeforeRemoval(entry, onSite)
    ? 'resurfaced'
    : 'broughtBack';
}

function whyNotThere(entry: LedgerEntry | undefined, onSite: 'lost' | undefined): Whereabouts {
  if (entry === undefined || entry.state === 'removed') return 'absent';
  if (entry.state === 'ignored') return 'ignored';
  return onSite === 'lost' ? 'lost' : 'vanished';
}

function whoTrashed(entry: LedgerEntry | undefined, onSite: SiteEvent): Whereabouts {
  if (entry === undefined) return 'trashedByPerson';
  // Even if we had trashed it earlier: a person has decided since that it stays off.
  if (entry.state === 'ignored') return 'ignored';
  // What we had only withdrawn or marked as cancelled was still on the site, so a person trashed it.
  const isRemoval = entry.state === 'removed' && (entry.pinned || howRemoved(entry) === 'trash');
  return isRemoval || isOurTrash(entry, onSite) ? 'trashedByUs' : 'trashedByPerson';
}

/** Whether we put an event into the trash, although an out-of-date list had shown it as not trashed. */
const isOurTrash = ({ fields: { status } }: LedgerEntry, onSite: SiteEvent): boolean =>
  isUnmodified(status, onSite) && ['as-returned', 'earlier'].includes(seenAs('status', status, onSite));

/**
 * Whether we put an event into the trash. If we had only withdrawn it or marked it as cancelled, a person trashed it.
 */
export const isInOurTrash = ({ state, fields: { status } }: LedgerEntry): boolean =>
  state === 'removed' && status?.returned === 'trash';

/** The entry of an event that a person removed and wants back as its feed has it. */
export const wantedBack = (entry: LedgerEntry): LedgerEntry => ({ ...entry, state: 'removed', pinned: true });

/**
 * Whether we withdrew an event because its feed lacks it: it stays a draft until the feed has it again. A person may have
 * dismissed it since, but if the status is theirs, the draft was their own choice.
 */
const wasWithdrawn = ({ state, fields: { status } }: Pick<LedgerEntry, 'state' | 'fields'>): boolean =>
  (state === 'removed' || (state === 'ignored' && status?.by === 'feed')) &&
  status?.shown !== undefined &&
  status.returned !== 'trash';

/** Whether an event is a draft only because we withdrew it, with its status unchanged since. */
export const isWithdrawn = (entry: LedgerEntry | undefined, onSite: SiteEvent): boolean =>
  entry !== undefined &&
  wasWithdrawn(entry) &&
  entry.fields.status?.shown !== onSite.status &&
  seenAs('status', entry.fields.status, onSite) === 'as-returned';

/** How we removed an event, judging by the ledger; null if we did not. */
export function howRemoved(entry: Pick<LedgerEntry, 'state' | 'fields'>): RemoveEvent['how'] | null {
  if (entry.state !== 'removed') return null;
  if (wasWithdrawn(entry)) return 'draft';
  return entry.fields.status?.returned !== 'trash' && handledState(entry) === 'cancelled' ? 'cancel' : 'trash';
}

/** An entry in another state. Detached events stay detached, even while they are off the site. */
export const inState = (entry: LedgerEntry, state: LedgerEntry['state']): LedgerEntry =>
  entry.state === 'detached' ? entry : { ...entry, state };

/**
 * The entry of an event that an operator keeps or brings back although the feed lacks it; detached ones stay as they
 * are.
 */
export function pinnedEntry(entry: LedgerEntry): LedgerEntry {
  if (entry.state === 'detached') return entry;
  const { heldMissing: _held, ...own } = entry;
  return { ...own, state: 'kept', missing: 0, pinned: true };
}

// If a person had brought it back by hand, its modification time would be later than our removal.
const showsTimeBeforeRemoval = ({ fields }: LedgerEntry, onSite: SiteEvent): boolean =>
  (['status', 'tags'] as const).some((field) => isRestored(field, fields[field], onSite));
