import type { LedgerEntry, Plan } from '../model/plan.ts';
import { unsettled } from '../model/settled.ts';
import { EMPTY_PLAN } from './settle.ts';

/** Detaches an event: from now on its source neither changes nor removes it. Nothing is written to the site. */
export const planDetach = (entry: LedgerEntry): Plan => planFor(detachedEntry(entry));

/** The entry of a detached event. */
export function detachedEntry(entry: LedgerEntry): LedgerEntry {
  const { pinned: _pinned, heldMissing: _held, ...own } = unsettled(entry);
  return { ...own, state: 'detached', missing: 0, fields: withRelease(entry.fields, false) };
}

/** The entry of an event that is detached only because its adoption was undone; it may be adopted again. */
export const releasedEntry = (entry: LedgerEntry): LedgerEntry => ({
  ...detachedEntry(entry),
  fields: withRelease(entry.fields, true),
});

/** Whether an event is detached only because its adoption was undone. */
export const isReleased = ({ state, fields }: LedgerEntry): boolean =>
  state === 'detached' && fields.title?.released === true;

function withRelease(fields: LedgerEntry['fields'], released: boolean): LedgerEntry['fields'] {
  const { released: _before, ...title } = fields.title ?? { feed: null, by: 'feed' };
  return { ...fields, title: released ? { ...title, released } : title };
}

/** The entry of an event that its source has again, as if it had never been detached. */
export const attachedEntry = (entry: LedgerEntry): LedgerEntry => ({
  ...entry,
  state: 'kept',
  missing: 0,
  fields: withRelease(entry.fields, false),
});

/** A plan that only changes one entry of the ledger. */
export const planFor = (entry: LedgerEntry): Plan => ({
  ...EMPTY_PLAN,
  ledger: { [entry.slug]: { entry, pendingFields: [] } },
});
