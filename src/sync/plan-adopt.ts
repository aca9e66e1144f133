import type { Problem } from '../problem.ts';
import { instantFromWall, isZone } from '../time.ts';
import { withoutPrefix } from './cancelled.ts';
import { identifyDrafts, type Identified } from './identify-drafts.ts';
import { UNITS } from './merge.ts';
import { foldedWords } from './source-rules.ts';
import type { FeedReading } from './draft.ts';
import type { Rung } from './identity.ts';
import type { FieldName, FieldState, Json, LedgerEntry, Policy, SiteEvent, Snapshot } from './plan.ts';

/** Events of the site that others made, paired with what a feed wants to make anew. */
export interface Adoption {
  /** The ledger with an entry for each pair: under the slug that the event has, its values a person's, its empty fields the feed's. */
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  readonly adopted: readonly LedgerEntry[];
  /** Pairs that are not one to one. */
  readonly problems: readonly Problem[];
}

interface Adopting { readonly reading: FeedReading; readonly ledger: ReadonlyMap<string, LedgerEntry>; readonly policy: Policy; readonly rung?: Rung }

/** Pairs new drafts with strangers' events by title, start and place, one to one; what cannot be told apart is named and left. */
export function adoptEvents({ reading, ledger, policy, rung = 'uid' }: Adopting, snapshot: Snapshot, strangers: readonly SiteEvent[]): Adoption {
  const { value } = identifyDrafts({ drafts: reading.drafts, ledger, source: policy.source, rung });
  const { pairs, unsure } = pairByLikeness(value.filter(({ entry }) => !entry), strangers.filter(({ status }) => status !== 'trash'), snapshot);
  const adopted = pairs.map(([known, event]) => entryFor(known, event));
  return { ledger: new Map([...ledger, ...adopted.map((entry) => [entry.slug, entry] as const)]), adopted, problems: unsure.map(ambiguous) };
}

/** Drafts and events of the site with the same title, start and place, one to one; `unsure` are drafts that more than one would fit. */
export function pairByLikeness(drafts: readonly Identified[], events: readonly SiteEvent[], snapshot: Snapshot): Pairs {
  const others = Map.groupBy(events, (event) => pairKey(withoutPrefix(String(event.values.title ?? '')), startOf(event)));
  const groups = [...Map.groupBy(drafts, ({ draft }) => pairKey(withoutPrefix(draft.fields.title), draft.startsAt))].flatMap(([key, group]) => {
    const found = others.get(key);
    return found ? [pairsOf(group, found, snapshot)] : [];
  });
  return { pairs: groups.flatMap(({ pairs }) => pairs), unsure: groups.flatMap(({ unsure }) => unsure) };
}

const pairKey = (title: string, startsAt: number): string => `${foldedWords(title)}|${startsAt}`;

function startOf({ values: { start_date: wall, timezone: zone } }: SiteEvent): number {
  return typeof wall === 'string' && typeof zone === 'string' && isZone(zone) ? instantFromWall(wall, zone) : Number.NaN;
}

interface Pairs { readonly pairs: readonly (readonly [Identified, SiteEvent])[]; readonly unsure: readonly Identified[] }

/** Those of one title and start: by place where both sides name one; a single pair without a place on one side is one all the same. */
function pairsOf(drafts: readonly Identified[], events: readonly SiteEvent[], snapshot: Snapshot): Pairs {
  const byPlace = Map.groupBy(events, (event) => placeOnSite(event, snapshot));
  const draftsByPlace = Map.groupBy(drafts, placeOf);
  const exact = [...draftsByPlace].flatMap(([place, group]) => { const [event, ...more] = byPlace.get(place) ?? []; return group.length === 1 && event && more.length === 0 ? [[group[0]!, event] as const] : []; });
  const openDrafts = drafts.filter((draft) => !exact.some(([one]) => one === draft));
  const openEvents = events.filter((event) => !exact.some(([, one]) => one === event));
  const [draft, event] = [openDrafts[0], openEvents[0]];
  if (!draft || !event) return { pairs: exact, unsure: [] };
  const isSingle = openDrafts.length === 1 && openEvents.length === 1;
  if (isSingle && (placeOf(draft) === '' || placeOnSite(event, snapshot) === '')) return { pairs: [...exact, [draft, event]], unsure: [] };
  return { pairs: exact, unsure: isSingle ? [] : openDrafts };
}

const placeOf = ({ draft }: Identified): string => foldedWords(draft.fields.venue?.[0]?.venue ?? '');

function placeOnSite({ values }: SiteEvent, { venues }: Snapshot): string {
  const id: unknown = Array.isArray(values.venue) ? values.venue[0] : undefined;
  return foldedWords(venues.find((venue) => venue.id === id)?.venue ?? '');
}

function entryFor({ draft, key, rung, identity }: Identified, { id, slug, values }: SiteEvent): LedgerEntry {
  const fields = UNITS.flat().map((field): [FieldName, FieldState] => [field, { feed: null, returned: values[field] ?? null, by: isEmpty(values[field]) ? 'feed' : 'person' }]);
  const { title } = draft.fields;
  return { slug, key, rung, identity, uid: draft.rungs.uid, title, startsAt: draft.startsAt, endsAt: draft.endsAt, id, state: 'kept', missing: 0, fields: Object.fromEntries(fields) };
}

const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);

const ambiguous = ({ draft }: Identified): Problem => ({
  code: 'ambiguous-pair', where: draft.where,
  message: `"${draft.fields.title}" has more than one like it on the site at the same time, or in the feed: it is not adopted. Change the title or the place of one of them.`,
});
