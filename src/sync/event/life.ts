import { isRestored, isUnmodified, seenAs } from '../compare/seen.ts';
import type { LedgerEntry, SiteEvent } from '../model/plan.ts';
import type { Absence } from './absence.ts';

/** What the feed says of an event: it has a draft, or why it has none. */
export type Presence = 'drafted' | Absence['kind'];

/** Where an event is, and whose doing that is. */
export type Whereabouts =
  /** Not on the site, as it should be: it is new, or we removed it. */
  | 'absent'
  /** On the site, as we keep it there. */
  | 'shown'
  /** On the site because a person has brought it back, by hand or with a command. */
  | 'broughtBack'
  /** On the site again although we removed it: the site was restored. */
  | 'resurfaced'
  | 'trashedByUs'
  | 'trashedByPerson'
  /** Not on the site, not even in its trash, though others are: a person has deleted it. */
  | 'vanished'
  /** Not on the site, nor are so many others: nobody can have deleted them all. */
  | 'lost'
  /** Removed by a person, as the ledger knows. */
  | 'ignored';

/**
 * What becomes of an event:
 * - create it, or merge its draft with what the site shows
 * - count that the feed lacks it once more, and remove it when `missing.after` is reached; or begin that count anew
 * - remove it now
 * - mark it in the ledger as removed by us, so that it comes back with the feed; or as ignored, because a person
 *   removed it
 */
export type LifeVerdict =
  | 'create'
  | 'merge'
  | 'count'
  | 'resetCount'
  | 'remove'
  | 'markRemoved'
  | 'markIgnored'
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
} as const;

/** Without a draft: what is not on the site needs no removal any more. */
const WITHOUT_DRAFT = {
  ...NOTHING,
  trashedByUs: 'markRemoved',
  trashedByPerson: 'markIgnored',
  vanished: 'markIgnored',
  lost: 'markRemoved',
} as const;

/** The life of an event, whole. Of an event that the site did not let us look for, nothing is decided. */
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
  },
  gone: { ...WITHOUT_DRAFT, shown: 'count', resurfaced: 'remove' },
  excluded: { ...WITHOUT_DRAFT, shown: 'remove', resurfaced: 'remove' },
  emptied: { ...WITHOUT_DRAFT, shown: 'remove' },
  outside: { ...WITHOUT_DRAFT, shown: 'resetCount' },
  past: { ...NOTHING, shown: 'resetCount', trashedByPerson: 'resetCount', vanished: 'resetCount', lost: 'resetCount' },
  unread: NOTHING,
} as const satisfies Readonly<Record<Presence, Readonly<Record<Whereabouts, LifeVerdict>>>>;

/** What the site holds of an event; `lost` where it holds so few of the others that nobody can have removed them. */
export type OnSite = SiteEvent | 'lost' | undefined;

/** Where an event is, by what the site holds of it and what the ledger knows. */
export function whereaboutsOf(entry: LedgerEntry | undefined, onSite: OnSite): Whereabouts {
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
  if (entry.state === 'removed' || isOurTrash(entry, onSite)) return 'trashedByUs';
  return entry.state === 'ignored' ? 'ignored' : 'trashedByPerson';
}

/** It lies in the trash since we put it there: an old list had shown it as if it did not. */
const isOurTrash = ({ fields: { status } }: LedgerEntry, onSite: SiteEvent): boolean =>
  isUnmodified(status, onSite) && ['as-returned', 'earlier'].includes(seenAs('status', status, onSite));

/** The entry of an event that an operator brings back although the feed does not have it. */
export const pinnedEntry = (entry: LedgerEntry): LedgerEntry => ({ ...entry, state: 'kept', missing: 0, pinned: true });

// Once a person has brought it back by hand, it was modified after we had removed it.
const showsTimeBeforeRemoval = ({ fields }: LedgerEntry, onSite: SiteEvent): boolean =>
  (['status', 'tags'] as const).some((field) => isRestored(field, fields[field], onSite));
