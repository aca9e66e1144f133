import type { Parsed, Problem } from '../../problem.ts';
import { rungAfter, type Recognition } from './churn.ts';
import type { EventDraft } from '../model/draft.ts';
import { NOBODY } from '../model/identity.ts';
import {
  identitiesOf,
  identityText,
  withOrdinal,
  withoutOrdinal,
  type Identity,
  type Rung,
} from '../model/identity.ts';
import { pairMoved, type MovedPair, type Moving } from './pair-moved.ts';
import { pairRenumbered } from './pair-renumbered.ts';
import { pairShared } from './pair-shared.ts';
import { isUnlike, pairAlike } from './pairs.ts';
import type { LedgerEntry } from '../model/plan.ts';
import { canonical } from '../model/json.ts';
import { identityKey, keyFor, slugFor } from '../model/slug.ts';

/** A draft that knows who it is; `entry` is what the ledger holds of it, and then gives the slug. */
export interface Identified extends Identity {
  readonly draft: EventDraft;
  readonly key: string;
  readonly slug: string;
  readonly entry: LedgerEntry | undefined;
}

/** All drafts of a reading, and on which rung the source stands from now on. */
export interface IdentifiedDrafts extends Parsed<readonly Identified[]> {
  readonly rung: Rung;
}

export interface Identification {
  readonly drafts: readonly EventDraft[];
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  readonly source: string;
  /** The source's current rung. */
  readonly rung: Rung;
  /** Keys that other sources of the site have in their ledgers: what a source had before it was renamed bears keys of its old name. */
  readonly others?: ReadonlySet<string> | undefined;
  readonly now: number;
}

/**
 * Each draft with its identity, key and slug, in an order that does not depend on the feed's.
 * Drafts that share an identity keep apart by an ordinal: those that the ledger knows keep theirs, new ones take the lowest free.
 */
export function identifyDrafts({
  drafts,
  ledger,
  source,
  rung,
  now,
  others = new Set(),
}: Identification): IdentifiedDrafts {
  const known = entriesByBase(ledger.values());
  const repeated = repeatedUrls(drafts);
  const groups = Map.groupBy([...drafts].sort(byContent), (draft) => baseOf(draft, rung, known, repeated));
  // Of several with one identity, those that some under other identities are just like are theirs, also after a run that was cut short.
  const strange = [...groups].flatMap(([base, group]) =>
    group.filter((draft) => (known.get(base) ?? []).every((entry) => isUnlike(draft, entry))),
  );
  const spoken = new Set(pairAlike(strange, [...ledger.values()]).map(([, entry]) => entry));
  const problems: Problem[] = [];
  // What was found when the ledger was lost is known by nothing but its key.
  const found = new Map(
    [...ledger.values()].flatMap((entry) =>
      entry.identity === NOBODY.identity ? [[identityKey(entry.key), entry] as const] : [],
    ),
  );
  // Also of an event that goes by another identity by now: whoever comes after it gets the same key, however much of a run was done.
  const taken = new Set([
    ...others,
    ...[...ledger.values()].flatMap(({ identity, key }) => (identity === NOBODY.identity ? [] : [key])),
  ]);
  const isFree =
    (base: string) =>
    (ordinal: number): boolean =>
      !taken.has(keyFor(source, identityTextOf(base, ordinal)));
  const byIdentity = [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([base, group]) => {
      if (group.length > 1) problems.push(...group.slice(1).map((draft) => repeatedIdentity(draft, group.length)));
      return paired(group, known.get(base) ?? [], spoken, isFree(base), now).map(({ draft, ordinal, entry }) =>
        identified(draft, identityFrom(base), ordinal, entry, source),
      );
    })
    .map((each) => continued(each, each.entry ?? found.get(identityKey(each.key))));
  const renumbered = pairRenumbered(byIdentity, [...ledger.values()]);
  const standing = withoutRenumbered(byIdentity, renumbered, source);
  const released = new Set(byIdentity.flatMap(({ entry }, index) => (entry && !standing[index]?.entry ? [entry] : [])));
  const compared = new Set(
    [...groups.keys()].flatMap((base) => known.get(base) ?? []).filter((entry) => !released.has(entry)),
  );
  const moved = movedPairs(standing, renumbered, ledger, { compared, now, rung });
  const value = withOwnKeys(
    standing.map((known) => continued(known, moved.get(known.draft)?.entry)),
    new Set([...others, ...[...ledger.values()].map(({ key }) => key)]),
    source,
  );
  const after = rungAfter(rung, recognition(standing, moved, rung), drafts);
  return { value, rung: after.rung, problems: after.problem ? [...problems, after.problem] : problems };
}

/** Those whose identity names another entry now, and those whose entry is another's, stand without one. */
function withoutRenumbered(
  identified: readonly Identified[],
  renumbered: readonly MovedPair[],
  source: string,
): readonly Identified[] {
  const [drafts, entries] = [
    new Set(renumbered.map(({ draft }) => draft)),
    new Set(renumbered.map(({ entry }) => entry)),
  ];
  return identified.map((known) =>
    known.entry && (drafts.has(known.draft) || entries.has(known.entry))
      ? identifiedAs(known, source, identityText(known))
      : known,
  );
}

/** Partners of those whose identity has moved. */
function movedPairs(
  identified: readonly Identified[],
  renumbered: readonly MovedPair[],
  ledger: ReadonlyMap<string, LedgerEntry>,
  moving: Omit<Moving, 'standing'>,
): ReadonlyMap<EventDraft, MovedPair> {
  const settled = new Map(renumbered.map((pair) => [pair.draft, pair]));
  const taken = new Set([
    ...identified.flatMap(({ entry }) => entry?.slug ?? []),
    ...renumbered.map(({ entry }) => entry.slug),
  ]);
  const standing = new Set(identified.flatMap(({ entry, draft }) => (entry ? (draft.rungs.uid ?? []) : [])));
  const open = identified.filter(({ entry, draft }) => !entry && !settled.has(draft)).map(({ draft }) => draft);
  const pairs =
    open.length === 0
      ? []
      : pairMoved(
          open,
          [...ledger.values()].filter(({ slug }) => !taken.has(slug)),
          { ...moving, standing },
        );
  return new Map([...settled, ...pairs.map((pair) => [pair.draft, pair] as const)]);
}

/** The event goes on under its slug and key. */
const continued = (known: Identified, entry: LedgerEntry | undefined): Identified =>
  entry ? { ...known, entry, key: entry.key, slug: entry.slug } : known;

/** Events that moved, or whose source was renamed, have kept the keys of their old identities: whoever comes under such an identity now gets another key. */
function withOwnKeys(identified: readonly Identified[], taken: Set<string>, source: string): readonly Identified[] {
  return identified.map((known) => {
    if (known.entry || !taken.has(known.key)) return known;
    let [ordinal, text] = [2, ''];
    do text = identityText({ rung: known.rung, identity: withOrdinal(known.identity, ordinal++) });
    while (taken.has(keyFor(source, text)));
    taken.add(keyFor(source, text));
    return identifiedAs(known, source, text);
  });
}

/** A new event, under the key that an identity gives. */
const identifiedAs = (known: Identified, source: string, text: string): Identified => ({
  ...known,
  entry: undefined,
  key: keyFor(source, text),
  slug: slugFor(known.draft.fields.title, source, text),
});

function recognition(
  identified: readonly Identified[],
  moved: ReadonlyMap<EventDraft, MovedPair>,
  rung: Rung,
): Recognition {
  const known = identified.filter(({ entry }) => entry?.rung === rung).length;
  return {
    known,
    renewed: [...moved.values()].filter(({ by, entry }) => by === 'likeness' && entry.rung === rung).length,
  };
}

const identityFrom = (text: string): Identity => {
  const colon = text.indexOf(':');
  // The text was made by identityText.
  return { rung: text.slice(0, colon) as Rung, identity: text.slice(colon + 1) };
};

function identityTextOf(base: string, ordinal: number): string {
  const { rung, identity } = identityFrom(base);
  return identityText({ rung, identity: withOrdinal(identity, ordinal) });
}

function identified(
  draft: EventDraft,
  { rung, identity: base }: Identity,
  ordinal: number,
  entry: LedgerEntry | undefined,
  source: string,
): Identified {
  const identity = withOrdinal(base, ordinal);
  const text = identityText({ rung, identity });
  return {
    draft,
    rung,
    identity,
    entry,
    key: entry?.key ?? keyFor(source, text),
    slug: entry?.slug ?? slugFor(draft.fields.title, source, text),
  };
}

function entriesByBase(entries: Iterable<LedgerEntry>): ReadonlyMap<string, readonly LedgerEntry[]> {
  return Map.groupBy(entries, ({ rung, identity }) => identityText({ rung, identity: withoutOrdinal(identity) }));
}

// An address that several events share (the calendar's own page) identifies none of them.
function repeatedUrls(drafts: readonly EventDraft[]): ReadonlySet<string> {
  const byUrl = Map.groupBy(drafts, ({ rungs }) => `${rungs.url ?? ''}\t${rungs.recurrenceId ?? ''}`);
  return new Set([...byUrl.values()].filter((group) => group.length > 1).flatMap((group) => group[0]?.rungs.url ?? []));
}

/** The identity under which the ledger knows the draft, on whichever rung; else the best one that the feed gives reliably. */
function baseOf(
  draft: EventDraft,
  rung: Rung,
  known: ReadonlyMap<string, unknown>,
  repeated: ReadonlySet<string>,
): string {
  const candidates = identitiesOf(draft, rung);
  const reliable = candidates.find((candidate) => candidate.rung !== 'url' || !repeated.has(draft.rungs.url ?? ''));
  const texts = [...(reliable ? [reliable] : []), ...candidates].map(identityText);
  return (
    texts.find((text) => known.has(text)) ??
    texts[0] ??
    identityText({ rung: 'fingerprint', identity: draft.rungs.fingerprint })
  );
}

function byContent(one: EventDraft, other: EventDraft): number {
  return one.startsAt - other.startsAt || one.endsAt - other.endsAt || compareText(contentOf(one), contentOf(other));
}
const contentOf = ({ fields, state, rungs }: EventDraft): string =>
  `${fields.title}\n${state}\n${canonical(fields)}\n${canonical(rungs)}`;
const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

interface Known {
  readonly draft: EventDraft;
  readonly ordinal: number;
  readonly entry: LedgerEntry | undefined;
}

/** Drafts and ledger entries of one identity, one to one; whoever finds none takes the lowest free ordinal. */
function paired(
  drafts: readonly EventDraft[],
  entries: readonly LedgerEntry[],
  spoken: ReadonlySet<LedgerEntry>,
  isFree: (ordinal: number) => boolean,
  now: number,
): readonly Known[] {
  const isShared = Math.max(drafts.length, entries.length) > 1;
  const own = entries.filter((entry) => !isShared || !spoken.has(entry) || pairAlike(drafts, [entry]).length > 0);
  const taken = pairShared(
    drafts,
    own.sort((one, other) => ordinalOf(one) - ordinalOf(other)),
    now,
  );
  const used = new Set(own.map(ordinalOf));
  return drafts.map((draft) => {
    const entry = taken.get(draft);
    const ordinal = entry ? ordinalOf(entry) : lowestFree((each) => !used.has(each) && isFree(each));
    used.add(ordinal);
    return { draft, ordinal, entry };
  });
}

const ordinalOf = ({ identity }: LedgerEntry): number => Number(/\t~(\d+)$/.exec(identity)?.[1] ?? 1);

function lowestFree(isFree: (ordinal: number) => boolean): number {
  let ordinal = 1;
  while (!isFree(ordinal)) ordinal += 1;
  return ordinal;
}

const repeatedIdentity = (draft: EventDraft, times: number): Problem => ({
  code: 'repeated-identity',
  message: `"${draft.fields.title}" shares its identity with ${times - 1} other ${times === 2 ? 'event' : 'events'} of this feed; they are kept apart by their order in time. Give each event a UID of its own.`,
  where: draft.where,
});
