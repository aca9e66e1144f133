import type { LedgerEntry, Plan } from '../model/plan.ts';

/** What an event is recognised by, and whether the feed still has it: not what the site has of it. */
export type Recognised = Pick<
  LedgerEntry,
  'slug' | 'rung' | 'identity' | 'uid' | 'title' | 'startsAt' | 'endsAt' | 'missing' | 'heldMissing' | 'said'
>;

/** What the ledger learns of a plan before its first write. */
export interface BeforeWrites {
  /** The entries for which nothing is written. */
  readonly entries: readonly LedgerEntry[];
  /** Of the others, what they are recognised by from now on. */
  readonly recognised: readonly Recognised[];
}

/**
 * What to store with a plan. All events are recognised by one reading of the feed at once: a run that ends early leaves
 * no ledger behind in which some are known by what the feed says now and others by what it said before.
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
