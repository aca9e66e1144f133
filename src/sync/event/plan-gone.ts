import type { FeedReading } from '../model/draft.ts';
import { absencesOf } from './held-absences.ts';
import { identitiesOf, identityText, withoutOrdinal } from '../model/identity.ts';
import type { Links } from '../links/links.ts';
import { isRestored } from '../compare/seen.ts';
import { removeEvent } from './remove-event.ts';
import type { Action, LedgerChange, LedgerEntry, Policy, SiteEvent } from '../model/plan.ts';

/** Why an event of the ledger has no draft; only `gone` is counted. */
export type Absence =
  | { readonly kind: 'gone' }
  | { readonly kind: 'excluded'; readonly because: string }
  /** Outside the window, in the past, or (`isBeyond`) after what the feed covers: left alone. */
  | { readonly kind: 'outside'; readonly isBeyond: boolean }
  /** Something in the feed could not be read, so nothing is known about this one. */
  | { readonly kind: 'unread' };

export interface AbsenceDecision {
  readonly action: Action | null;
  readonly change: LedgerChange | null;
}

/** The reasons for which entries that are on the site have no draft in a reading. */
export function absencesIn(reading: FeedReading, policy: Policy): (entry: LedgerEntry) => Absence {
  const excluded = excludedBy(reading);
  const drafted = new Set(reading.drafts.map(({ rungs }) => rungs.uid));
  // Present in the feed, with nothing of it in the window: an event that was moved out of it, or a series that has ended or not begun.
  const elsewhere = new Set(reading.outside.filter((uid) => !drafted.has(uid)));
  const isCovered = coveredSeries(reading);
  return (entry) => {
    if (entry.endsAt <= policy.now) return { kind: 'outside', isBeyond: false };
    const because = excluded(entry);
    if (because !== undefined) return { kind: 'excluded', because };
    if (isCovered(entry)) return reading.unread.length > 0 ? { kind: 'unread' } : { kind: 'gone' };
    if (entry.uid !== null && elsewhere.has(entry.uid)) return { kind: 'outside', isBeyond: false };
    if (entry.startsAt > reading.coversUntil) return { kind: 'outside', isBeyond: true };
    return reading.unread.length > 0 ? { kind: 'unread' } : { kind: 'gone' };
  };
}

/** Whether an entry is an occurrence of a series that the feed gives whole: it may end earlier now, or be a single event again. */
function coveredSeries({ whole }: FeedReading): (entry: LedgerEntry) => boolean {
  const uids = new Set(whole?.uids);
  return ({ rung, uid, identity, startsAt }) =>
    rung === 'uid' &&
    uid !== null &&
    uids.has(uid) &&
    withoutOrdinal(identity) !== uid &&
    startsAt < (whole?.until ?? 0);
}

/** Why the feed's rules left an entry out. A component without RECURRENCE-ID that is left out takes all its occurrences with it. */
function excludedBy({ excluded }: FeedReading): (entry: LedgerEntry) => string | undefined {
  const whole = new Map(
    excluded.flatMap(({ rungs, because }) =>
      rungs.recurrenceId === null && rungs.uid !== null ? [[rungs.uid, because]] : [],
    ),
  );
  const single = new Map(
    excluded.flatMap((left) => identitiesOf(left, 'uid').map((identity) => [identityText(identity), left.because])),
  );
  return ({ uid, rung, identity }) =>
    (uid === null ? undefined : whole.get(uid)) ??
    single.get(identityText({ rung, identity: withoutOrdinal(identity) }));
}

/** What the site holds of an entry; `lost` where it holds so few of the others that nobody can have removed them. */
export type OnSite = SiteEvent | 'lost' | undefined;

/** An entry without a draft: counted, removed at once or left alone. `onSite` is what the site holds of it. */
export function planAbsent(
  known: LedgerEntry,
  absence: Absence,
  onSite: OnSite,
  links: Links,
  policy: Policy,
): AbsenceDecision {
  if (absence.kind === 'unread') return NOTHING;
  const { heldMissing: _held, ...entry } = { ...known, missing: absencesOf(known) };
  if (entry.missing < 0) return broughtBack(entry, onSite, policy);
  if (entry.state === 'removed' && absence.kind !== 'outside' && isShown(onSite) && isRemovedNoMore(entry, onSite))
    return removed(
      entry,
      onSite,
      'removed before, and back on the site because that went back to an older state',
      links,
      policy,
    );
  if (entry.state !== 'kept') return NOTHING;
  const isAway = entry.endsAt > policy.now && !isShown(onSite);
  if (absence.kind === 'outside' && !isAway) return stays(entry, onSite);
  const missing = absence.kind === 'gone' ? entry.missing + 1 : entry.missing;
  const because =
    absence.kind === 'excluded'
      ? absence.because
      : `gone from the feed for ${missing} good ${missing === 1 ? 'fetch' : 'fetches'}`;
  if (isAway) return notShown(entry, onSite);
  const due = absence.kind === 'excluded' || missing >= policy.missing.after;
  if (!due || policy.missing.action === 'keep')
    return { action: null, change: { entry: { ...entry, missing }, awaits: [] } };
  return removed({ ...entry, missing }, onSite, because, links, policy);
}

// Under another id, too: of two with one key, people may have left the other one.
function stays(entry: LedgerEntry, onSite: OnSite): AbsenceDecision {
  const id = isShown(onSite) ? onSite.id : entry.id;
  return {
    action: null,
    change: entry.missing === 0 && entry.id === id ? null : { entry: { ...entry, id, missing: 0 }, awaits: [] },
  };
}

/** What an operator brought back although the feed does not have it stays as long as people leave it there. */
export const broughtBack = (entry: LedgerEntry, onSite: OnSite, { now }: Policy): AbsenceDecision =>
  entry.state === 'kept' && entry.endsAt > now && !isShown(onSite) ? notShown(entry, onSite) : NOTHING;

const NOTHING: AbsenceDecision = { action: null, change: null };

// Once a person has brought it back by hand, it was modified after we had removed it.
const isRemovedNoMore = ({ fields }: LedgerEntry, onSite: SiteEvent): boolean =>
  (['status', 'tags'] as const).some((field) => isRestored(field, fields[field], onSite));

/** Takes an entry from the site as the policy says; one that the site no longer shows was removed by a person. */
export function removed(
  entry: LedgerEntry,
  onSite: OnSite,
  because: string,
  links: Links,
  policy: Policy,
): AbsenceDecision {
  if (!isShown(onSite)) return notShown(entry, onSite);
  if (policy.missing.action === 'keep') return { action: null, change: null };
  return removeEvent({ entry, onSite, links, because }, policy.missing.action, policy.language);
}

const isShown = (onSite: OnSite): onSite is SiteEvent => typeof onSite === 'object' && onSite.status !== 'trash';

// What a restored site has lost comes back with the feed; what a person took away does not.
const notShown = (entry: LedgerEntry, onSite: OnSite): AbsenceDecision => ({
  action: null,
  change: { entry: { ...entry, state: onSite === 'lost' ? 'removed' : 'ignored' }, awaits: [] },
});
