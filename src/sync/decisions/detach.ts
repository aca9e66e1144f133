import type { LedgerEntry, Plan } from '../model/plan.ts';
import { unsettled } from '../model/settled.ts';
import { EMPTY_PLAN } from './settle.ts';

/** An event that its source neither changes nor removes from here on. Nothing is written: it stays as it is. */
export const detached = (entry: LedgerEntry): Plan => planFor(detachedEntry(entry));

/** The entry of such an event. */
export function detachedEntry(entry: LedgerEntry): LedgerEntry {
  const { pinned: _pinned, heldMissing: _held, ...own } = unsettled(entry);
  return { ...own, state: 'detached', missing: 0, fields: withRelease(entry.fields, false) };
}

/** The entry of such an event, for which nobody has asked: its adoption was undone, and may be made again. */
export const releasedEntry = (entry: LedgerEntry): LedgerEntry => ({
  ...detachedEntry(entry),
  fields: withRelease(entry.fields, true),
});

/** Whether an event is a person's own only because its adoption was undone. */
export const isReleased = ({ state, fields }: LedgerEntry): boolean =>
  state === 'detached' && fields.title?.released === true;

function withRelease(fields: LedgerEntry['fields'], released: boolean): LedgerEntry['fields'] {
  const { released: _before, ...title } = fields.title ?? { feed: null, by: 'feed' };
  return { ...fields, title: released ? { ...title, released } : title };
}

/** The entry of an event that its source has again, as if it had never been without it. */
export const attached = (entry: LedgerEntry): LedgerEntry => ({
  ...entry,
  state: 'kept',
  missing: 0,
  fields: withRelease(entry.fields, false),
});

/** The ledger alone changes. */
export const planFor = (entry: LedgerEntry): Plan => ({
  ...EMPTY_PLAN,
  ledger: { [entry.slug]: { entry, pendingFields: [] } },
});
