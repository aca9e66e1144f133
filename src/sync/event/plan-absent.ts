import type { Links } from '../links/links.ts';
import { looksSame } from '../compare/looks-same.ts';
import { isFieldName } from '../model/fields.ts';
import type { Action, LedgerChange, LedgerEntry, Policy, RemoveEvent, SiteEvent } from '../model/plan.ts';
import { unsettled } from '../model/settled.ts';
import { fetchesInWords, type Absence } from './absence.ts';
import { absencesOf } from './held-absences.ts';
import { LIFE, whereaboutsOf, type OnSite } from './life.ts';
import { lateTag, removeEvent } from './remove-event.ts';

export interface AbsenceDecision {
  readonly action: Action | null;
  readonly change: LedgerChange | null;
}

/** What happens to an entry without a draft: counted, removed or left alone, according to the table in life.ts. */
export function planAbsent(
  known: LedgerEntry,
  absence: Absence,
  onSite: OnSite,
  links: Links,
  policy: Policy,
): AbsenceDecision {
  const { heldMissing: _held, ...entry } = { ...unsettled(known), missing: absencesOf(known) };
  const where = whereaboutsOf(known, onSite);
  const verdict = LIFE[absence.kind][where];
  switch (verdict) {
    case 'nothing':
      return NOTHING;
    case 'tagIfDue':
      return taggedLate(known, onSite, links);
    case 'markIgnored':
      return remembered({ ...entry, state: 'ignored' });
    case 'markRemoved':
      return remembered({ ...entry, state: 'removed' });
    case 'resetCount':
      return inStep(entry, onSite);
    case 'count':
      return counted({ ...entry, missing: entry.missing + 1 }, onSite, links, policy);
    case 'remove':
      return removed(entry, onSite, where === 'resurfaced' ? RESURFACED : reasonOf(absence), links, policy);
  }
}

const NOTHING: AbsenceDecision = { action: null, change: null };

const remembered = (entry: LedgerEntry): AbsenceDecision => ({ action: null, change: { entry, pendingFields: [] } });

// Only events that we had recorded as removed may lack the tag when they are back on the site.
const taggedLate = (entry: LedgerEntry, onSite: OnSite, links: Links): AbsenceDecision =>
  entry.state === 'removed' && isShown(onSite)
    ? (lateTag({ entry, onSite, links, because: TAGS_SHOWN }) ?? NOTHING)
    : NOTHING;

const TAGS_SHOWN = 'marked as cancelled before, when a password hid its tags';

// The id may differ: of two events with the same key, a person may have deleted the one that we knew.
function inStep(entry: LedgerEntry, onSite: OnSite): AbsenceDecision {
  const id = isShown(onSite) ? onSite.id : entry.id;
  return entry.missing === 0 && entry.id === id ? NOTHING : remembered({ ...entry, id, missing: 0 });
}

function counted(entry: LedgerEntry, onSite: OnSite, links: Links, policy: Policy): AbsenceDecision {
  const { missing } = entry;
  if (missing < policy.missing.after || policy.missing.action === 'keep') return remembered(entry);
  const because = `gone from the feed for ${fetchesInWords(missing)}`;
  return removed(entry, onSite, because, links, policy);
}

function removed(
  entry: LedgerEntry,
  onSite: OnSite,
  because: string,
  links: Links,
  { missing: { action }, language }: Policy,
): AbsenceDecision {
  if (action === 'keep' || !isShown(onSite)) return NOTHING;
  const removal = removeEvent({ entry, onSite, links, because }, action, language);
  return changesNothing(removal.action) ? remembered(removal.change.entry) : removal;
}

/** True if the feed had already cancelled the event, or a person had withdrawn it. */
const changesNothing = ({ how, fields, before }: RemoveEvent): boolean =>
  how !== 'trash' &&
  Object.entries(fields).every(([field, value]) => isFieldName(field) && looksSame(field, value, before[field]));

const RESURFACED = 'removed before, and back on the site because that went back to an older state';

const reasonOf = (absence: Absence): string =>
  absence.kind === 'excluded' ? absence.because : 'the feed has no events any more';

const isShown = (onSite: OnSite): onSite is SiteEvent => typeof onSite === 'object' && onSite.status !== 'trash';
