import type { Problem } from '../../problem.ts';
import { claimStrangers } from '../identity/claim-site-events.ts';
import { finder } from '../identity/find-on-site.ts';
import type { Identified } from '../identity/identify-drafts.ts';
import { FIELD_NAMES, type FieldName } from '../model/fields.ts';
import { identify, type PlanInputWithoutSite } from '../plan/plan-changes.ts';
import type { FieldState, LedgerEntry, SiteEvent, Snapshot } from '../model/plan.ts';
import { isBlank } from '../model/json.ts';
import { withoutLedger } from '../event/without-ledger.ts';
import { isReleased } from './detach.ts';

/** Events on the site made by others, paired with drafts that would otherwise be created. */
export interface Adoption {
  /**
   * The ledger with an entry for each pair. The entry keeps the event's slug, the event's values count as a person's,
   * and the feed fills its empty fields.
   */
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  readonly adopted: readonly LedgerEntry[];
  /** Pairs that are not one to one, or whose event has no slug. */
  readonly problems: readonly Problem[];
}

/**
 * Pairs new drafts with events made by others, by title, start and place, one to one. Ambiguous pairs are reported and
 * left alone, and so are people's unpublished drafts without a slug, which could not be recognised later. Events whose
 * adoption was undone are adopted again.
 */
export function adoptEvents(
  known: PlanInputWithoutSite,
  snapshot: Snapshot,
  strangers: readonly SiteEvent[],
): Adoption {
  const { ledger, policy, others } = known;
  const { value } = identify(known);
  const identified = ledger.size > 0 ? value : withoutLedger(value, snapshot, policy, others).identified;
  const onSite = finder(snapshot);
  const { claims, unsure } = claimStrangers(
    identified.filter((one) => !one.entry && !onSite(one)),
    strangers.filter(({ status }) => status !== 'trash'),
    snapshot,
  );
  const pairs = [...claims].map(([known, { candidate }]) => ({ known, candidate }));
  const adopted = [
    ...identified.flatMap((one) => adoptedAgain(one, onSite(one)) ?? []),
    ...pairs.flatMap(({ known, candidate }) => (candidate.slug === '' ? [] : entryFor(known, candidate))),
  ];
  return {
    ledger: new Map([...ledger, ...adopted.map((entry) => [entry.slug, entry] as const)]),
    adopted,
    problems: [
      ...pairs.flatMap(({ known, candidate }) => (candidate.slug === '' ? withoutAddress(known) : [])),
      ...unsure.map(ambiguous),
    ],
  };
}

/** The entry of an event that had been adopted until the adoption was undone. */
const adoptedAgain = (known: Identified, event: SiteEvent | undefined): LedgerEntry | undefined =>
  known.entry && isReleased(known.entry) && event && event.status !== 'trash'
    ? { ...entryFor(known, event), slug: known.entry.slug }
    : undefined;

function entryFor({ draft, key, rung, identity }: Identified, { id, slug, values }: SiteEvent): LedgerEntry {
  const fields = FIELD_NAMES.map((field): [FieldName, FieldState] => [
    field,
    { feed: null, returned: values[field] ?? null, by: isBlank(values[field]) ? 'feed' : 'person' },
  ]);
  const { title } = draft.fields;
  return {
    slug,
    key,
    rung,
    identity,
    uid: draft.rungs.uid,
    title,
    startsAt: draft.startsAt,
    endsAt: draft.endsAt,
    id,
    state: 'kept',
    missing: 0,
    fields: Object.fromEntries(fields),
  };
}

const withoutAddress = ({ draft }: Identified): Problem => ({
  code: 'event-without-address',
  where: draft.where,
  message:
    `"${draft.fields.title}" is a draft on the site that has no address yet: it is not adopted. ` +
    'Publish it, and adopt again; or delete it there.',
});

const ambiguous = ({ draft }: Identified): Problem => ({
  code: 'ambiguous-pair',
  where: draft.where,
  message:
    `"${draft.fields.title}" has more than one like it on the site at the same time, or in the feed: ` +
    'it is not adopted. Change the title or the place of one of them.',
});
