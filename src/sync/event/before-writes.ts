import type { LedgerEntry, Plan } from '../model/plan.ts';

/** The part of an entry by which an event is recognised, and whether the feed still has it; nothing about the site. */
export type Recognised = Pick<
  LedgerEntry,
  'slug' | 'rung' | 'identity' | 'uid' | 'title' | 'startsAt' | 'endsAt' | 'missing' | 'heldMissing' | 'said'
>;

/** What is stored in the ledger with a plan, before its first write. */
export interface BeforeWrites {
  /** The entries of events that are not written. */
  readonly entries: readonly LedgerEntry[];
  /** For the other entries, only what they are recognised by from now on. */
  readonly recognised: readonly Recognised[];
}

/**
 * What to store with a plan. All entries are updated to the same reading of the feed, so that a run that ends early
 * does not leave a ledger that recognises some events by the current feed and others by an earlier one.
 */
export function beforeWrites({ actions, ledger }: Pick<Plan, 'actions' | 'ledger'>): BeforeWrites {
  const written = new Set(actions.flatMap((action) => (action.resource === 'events' ? [action.slug] : [])));
  const all = Object.values(ledger).map(({ entry }) => entry);
  return {
    entries: all.filter(({ slug }) => !written.has(slug)),
    recognised: all.filter(({ slug }) => written.has(slug)).map(recognisedBy),
  };
}

const recognisedBy = ({
  slug,
  rung,
  identity,
  uid,
  title,
  startsAt,
  endsAt,
  missing,
  heldMissing = 0,
  said,
}: LedgerEntry): Recognised => {
  const by = { slug, rung, identity, uid, title, startsAt, endsAt, missing, heldMissing };
  return said === undefined ? by : { ...by, said };
};
