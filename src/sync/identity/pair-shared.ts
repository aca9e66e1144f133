import { isStateTag } from '../model/state-tags.ts';
import type { EventDraft } from '../model/draft.ts';
import { UNITS } from '../model/fields.ts';
import {
  groupedPairs,
  HALF_DAY_MS,
  hasBegun,
  inOrder,
  isInFeed,
  nearest,
  nearInTime,
  without,
  type Pair,
} from './pairs.ts';
import type { FieldName, LedgerEntry } from '../model/plan.ts';
import { sameJson } from '../model/json.ts';
import { feedForm, handledState } from '../compare/wanted.ts';

/**
 * Drafts and ledger entries of one identity, one to one. A single draft is the single entry, whatever has changed. Where several share the
 * identity it says little: the most alike come first, and what has only that in common is another event.
 */
export function pairShared(
  drafts: readonly EventDraft[],
  entries: readonly LedgerEntry[],
  now: number,
): ReadonlyMap<EventDraft, LedgerEntry> {
  const [draft, entry] = [drafts[0], entries[0]];
  if (draft && entry && drafts.length === 1 && entries.length === 1) return new Map([[draft, entry]]);
  const alike = pairLikely(drafts, entries);
  const rest = without(drafts, entries, alike);
  return new Map([...alike, ...(rest.drafts.length === 0 ? [] : pairChanged(rest.drafts, rest.entries, drafts, now))]);
}

const LIKENESS: readonly ((draft: EventDraft, entry: LedgerEntry) => boolean)[] = [
  (draft, entry) => UNITS.flat().every((field) => isHandled(draft, entry, field)),
  (draft, entry) => UNITS.flat().every((field) => draft.fields[field] === undefined || isHandled(draft, entry, field)),
  (draft, entry) => draft.startsAt === entry.startsAt && draft.fields.title === entry.title,
  (draft, entry) => draft.startsAt === entry.startsAt && isInFeed(entry),
];

function isHandled({ fields, state }: EventDraft, entry: LedgerEntry, field: FieldName): boolean {
  const handled = entry.fields[field]?.feed ?? null;
  // The tag of a state is none of the feed's.
  if (field === 'tags')
    return (
      handledState(entry) === state &&
      sameJson(
        feedForm(fields.tags ?? []),
        Array.isArray(handled) ? handled.filter((name) => !isStateTag(String(name))) : [],
      )
    );
  return sameJson(fields[field] === undefined ? null : feedForm(fields[field]), handled);
}

function pairLikely(drafts: readonly EventDraft[], entries: readonly LedgerEntry[]): readonly Pair[] {
  const free = [...entries];
  const taken = new Map<EventDraft, LedgerEntry>();
  for (const alike of LIKENESS) {
    for (const draft of drafts) {
      const index = taken.has(draft) ? -1 : free.findIndex((entry) => alike(draft, entry));
      if (index >= 0) taken.set(draft, ...(free.splice(index, 1) as [LedgerEntry]));
    }
  }
  return [...taken];
}

/** Those that start at another time: under the same title first, then what took the place of another on its day. */
function pairChanged(
  drafts: readonly EventDraft[],
  entries: readonly LedgerEntry[],
  all: readonly EventDraft[],
  now: number,
): readonly Pair[] {
  const current = entries.filter((entry) => isInFeed(entry) && mayMove(entry, now));
  if (all.length === 1 && current.length === 1) return inOrder(drafts, current);
  const standing = new Set(all.filter((draft) => !drafts.includes(draft)).map(({ fields }) => fields.title));
  const moved = groupedPairs(
    drafts,
    entries,
    ({ fields }) => fields.title,
    ({ title }) => title,
    (some, others, title) => ofOneTitle(some, others, standing.has(title), now),
  );
  const rest = without(drafts, current, moved);
  return [...moved, ...nearest(rest.drafts, rest.entries, HALF_DAY_MS)];
}

function ofOneTitle(
  drafts: readonly EventDraft[],
  entries: readonly LedgerEntry[],
  stands: boolean,
  now: number,
): readonly Pair[] {
  const current = entries.filter((entry) => isInFeed(entry) && mayMove(entry, now));
  return !stands && drafts.length === 1 && current.length === 1
    ? inOrder(drafts, current)
    : nearInTime(drafts, entries, (entry) => mayMove(entry, now));
}

// What was removed from the site would take with it whatever took its place.
const mayMove = (entry: LedgerEntry, now: number): boolean => entry.state === 'kept' && !hasBegun(entry, now);
