import { grouped } from '../../count-in-words.ts';
import { claimOwnEvents, claimStrangers } from '../identity/claim-site-events.ts';
import { byRank } from '../identity/find-on-site.ts';
import type { Identified } from '../identity/identify-drafts.ts';
import { otherNameReason, type LeftBehindEvent } from './other-name.ts';
import type { PlannedEvent } from './plan-event.ts';
import type { HoldReason, Policy, SiteEvent, Snapshot } from '../model/plan.ts';
import { keyOfSlug, keyUnder, sourceKey, sourceKeys } from '../model/slug.ts';

/** A source's drafts compared with the site, while its ledger is empty. */
export interface WithoutLedger {
  readonly identified: readonly Identified[];
  /** How many drafts have more than one possible match among the source's own events. */
  readonly unsure: number;
  /** How many drafts that the site does not have by key match exactly one event made by others. */
  readonly alike: number;
  /** Events of the source on the site that match no draft. */
  readonly orphans: readonly SiteEvent[];
}

/**
 * Recognises a source's events on the site after its ledger was lost: by their keys, else by their content. If an
 * event's time has changed, no draft produces its original key any more.
 */
export function withoutLedger(
  drafts: readonly Identified[],
  snapshot: Snapshot,
  policy: Policy,
  others: ReadonlySet<string> = new Set(),
): WithoutLedger {
  const { events, strangers = [] } = snapshot;
  if (events.size === 0 && strangers.length === 0) return { identified: drafts, unsure: 0, alike: 0, orphans: [] };
  const isOurs = isOwnKey(policy, others);
  // A Map keeps the last of several events with the same key, so the highest-ranked one goes in last.
  const present = new Map(
    [...events.values()]
      .sort(byRank)
      .reverse()
      .flatMap((event) => {
        const key = keyOfSlug(event.slug);
        return key === null ? [] : [[key, event] as const];
      }),
  );
  const named = drafts.map((known) => underFormerName(known, present, policy, isOurs));
  const keys = new Set(named.map(({ key }) => key));
  const orphans = [...present].flatMap(([key, event]) =>
    event.status !== 'trash' && !keys.has(key) && isOurs(key) ? [event] : [],
  );
  const open = named.filter(({ key, entry }) => !entry && !present.has(key));
  const { claims, unsure } = claimOwnEvents(open, orphans, snapshot);
  const alike = claimStrangers(
    open.filter((known) => !claims.has(known)),
    strangers,
    snapshot,
  ).claims.size;
  const taken = new Set([...claims.values()].map(({ candidate }) => candidate));
  return {
    identified: named.map((known) => asOnSite(known, claims.get(known)?.candidate)),
    unsure: unsure.length,
    alike,
    orphans: orphans.filter((event) => !taken.has(event)),
  };
}

/** Returns a test for keys of the source, under its current or former name, that no other source has. */
export function isOwnKey(policy: Policy, others: ReadonlySet<string>): (key: string) => boolean {
  const prefixes = sourceKeys(policy);
  return (key) => !others.has(key) && prefixes.some((prefix) => key.startsWith(prefix));
}

// Keys outlive a rename of the source: those of older events start with the characters of its former name.
function underFormerName(
  known: Identified,
  present: ReadonlyMap<string, SiteEvent>,
  { was }: Policy,
  isOurs: (key: string) => boolean,
): Identified {
  if (was === undefined || known.entry || present.has(known.key)) return known;
  const key = keyUnder(sourceKey(was), known.key);
  return isOurs(key) ? asOnSite(known, present.get(key)) : known;
}

const asOnSite = (known: Identified, event: SiteEvent | undefined): Identified =>
  event ? { ...known, slug: event.slug, key: keyOfSlug(event.slug) ?? known.key } : known;

/** An event that was found and differs from the feed, with the fields that differ. */
export interface DifferingEvent {
  readonly title: string;
  readonly fields: readonly string[];
}

/** The events found by their keys that differ from the feed. */
export const differingIn = (decided: readonly PlannedEvent[]): readonly DifferingEvent[] =>
  decided.flatMap(({ action, change, conflicts }) => {
    const changes = action?.kind === 'update' ? Object.keys(action.changes) : [];
    const fields = [...new Set([...conflicts.map(({ field }) => field), ...changes])];
    return change?.isNew && fields.length > 0 ? [{ title: change.entry.title, fields }] : [];
  });

/** Why a plan without a ledger needs a review; empty if it does not. */
export function withoutLedgerReasons(
  found: WithoutLedger,
  differing: readonly DifferingEvent[],
  { policy, left = [] }: { readonly policy: Policy; readonly left?: readonly LeftBehindEvent[] },
): readonly HoldReason[] {
  const all = found.identified.length;
  const alike = alikeReason(found, policy);
  const otherName = otherNameReason(found.identified, left);
  const lost = [unsureReason(found), differingReason(differing)].filter((reason) => reason !== null);
  return [
    ...(alike === null ? [] : [{ kind: 'made-by-others', count: found.alike, all, message: alike } as const]),
    ...(otherName === null ? [] : [otherName]),
    ...(lost.length === 0
      ? []
      : [{ kind: 'ledger-lost', count: found.unsure + differing.length, all, message: lost.join(' ') } as const]),
  ];
}

const unsureReason = ({ unsure }: WithoutLedger): string | null =>
  unsure === 0
    ? null
    : `The ledger of this source was lost, and ${unsure} of its events cannot be paired with those on the site one to one. Approving creates them again.`;

function alikeReason({ alike, identified }: WithoutLedger, { source }: Policy): string | null {
  if (alike === 0) return null;
  const [look, them] = alike === 1 ? ['looks like one', 'it'] : ['look like ones', 'them'];
  return (
    `${grouped(alike)} of ${grouped(identified.length)} events ${look} that the site already has, made by others (same title, ` +
    `start and place). "npm run -s calsyncd -- adopt ${source}" takes ${them} over; ` +
    `approving creates ${them} a second time.`
  );
}

function differingReason(differing: readonly DifferingEvent[]): string | null {
  const [first] = differing;
  if (!first) return null;
  const fields = [...new Set(differing.flatMap((each) => each.fields))].join(', ');
  const [differ, them] = differing.length === 1 ? ['differs', 'it'] : ['differ', 'them'];
  return (
    `The ledger of this source was lost, and ${grouped(differing.length)} of its events on the site ${differ} from ` +
    `the feed, such as "${first.title}" (in all: ${fields}). ` +
    `Nobody can tell any more what people have changed there. Approving takes ${them} over as listed: ` +
    'what counts as a conflict stays as the site has it until "npm run -s calsyncd -- settle" decides.'
  );
}
