import type { Parsed, Problem } from '../../problem.ts';
import { rungAfter, type Recognition } from './churn.ts';
import { countInWords } from '../../count-in-words.ts';
import { alikeDrafts, claimEntries, draftDigest, type EntryClaims } from './claim-entries.ts';
import type { EventDraft } from '../model/draft.ts';
import {
  identitiesOf,
  identityIn,
  identityText,
  ordinalIn,
  withOrdinal,
  withoutOrdinal,
  type Identity,
  type Rung,
} from '../model/identity.ts';
import { canonical } from '../model/json.ts';
import type { LedgerEntry } from '../model/plan.ts';
import { identityKey, keyOfIdentity, slugWithKey, sourceKey } from '../model/slug.ts';
import { resultOf } from '../model/steps.ts';

/** A draft with its identity; `entry` is its ledger entry, which then provides the slug. */
export interface Identified extends Identity {
  readonly draft: EventDraft;
  readonly key: string;
  readonly slug: string;
  readonly entry: LedgerEntry | undefined;
  /**
   * The digest of what it says, if other events share its identity or once did, so that unchanged drafts keep their
   * entries.
   */
  readonly said?: string;
}

/** The identified drafts of a reading, and the rung that the source uses from now on. */
export interface IdentifiedDrafts extends Parsed<readonly Identified[]> {
  readonly rung: Rung;
}

export interface Identification {
  readonly drafts: readonly EventDraft[];
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  readonly source: string;
  /** The source's current rung. */
  readonly rung: Rung;
  /**
   * Keys in the ledgers of the site's other sources; after a rename, they may start with the characters of a former
   * name.
   */
  readonly others?: ReadonlySet<string> | undefined;
  readonly now: number;
}

/**
 * Gives each draft an identity, key and slug, independent of the feed's order. Drafts that share an identity get an
 * ordinal: known ones keep theirs, new ones take the lowest free one.
 */
export const identifyDrafts = (identification: Identification): IdentifiedDrafts =>
  resultOf(identifyDraftsInSteps(identification));

/** The same in steps, so that the caller can do other work in between. */
export function* identifyDraftsInSteps({
  drafts,
  ledger,
  source,
  rung,
  now,
  others = new Set(),
}: Identification): Generator<void, IdentifiedDrafts> {
  const entries = [...ledger.values()];
  const baseOf = basesOf(drafts, entries, rung);
  yield;
  const groups = Map.groupBy(drafts, baseOf);
  const sharing = new Map<string, readonly EventDraft[]>();
  for (const base of [...groups.keys()].sort(compareText)) sharing.set(base, sortedByContent(groups.get(base) ?? []));
  const characters = sourceKey(source);
  const keyOf = (identity: string): string => characters + keyOfIdentity(identity);
  yield;
  const names = namesOf(entries, sharing);
  yield;
  const claims = claimEntries({
    drafts: [...sharing.values()].flat(),
    entries: entries.toSorted((one, other) => (names.get(one)?.ordinal ?? 1) - (names.get(other)?.ordinal ?? 1)),
    identityOf: baseOf,
    identityOfEntry: (entry) => names.get(entry)?.base ?? null,
    alike: [...sharing.values()].flatMap(alikeDrafts),
    rung,
    now,
  });
  yield;
  const entryOf = (draft: EventDraft): LedgerEntry | undefined => claims.get(draft)?.candidate;
  const ownOrdinal = (draft: EventDraft): number | undefined => {
    const entry = entryOf(draft);
    const name = entry && names.get(entry);
    return name?.base === baseOf(draft) ? name.ordinal : undefined;
  };
  // Includes events whose identity has changed since, so that a later event gets the same key even after a partial run.
  const keys = new Set([...others, ...entries.map(({ key }) => key)]);
  const isFree = (draft: EventDraft, ordinal: number): boolean =>
    keys.size === 0 || !keys.has(keyOf(withOrdinal(baseOf(draft), ordinal)));
  const isNew = (draft: EventDraft): boolean => !claims.has(draft);
  const entriesNamed = Map.groupBy(names.values(), ({ base }) => base);
  const isShared = (base: string): boolean =>
    [sharing.get(base), entriesNamed.get(base)].some((those) => those !== undefined && those.length > 1);
  const value: Identified[] = [];
  for (const [base, group] of sharing) {
    for (const [draft, ordinal] of numbered(group, ownOrdinal, isNew, isFree))
      value.push(identified(draft, withOrdinal(base, ordinal), entryOf(draft), keyOf, isShared(base)));
    yield;
  }
  const shared = repeatedIdentities([...sharing.values()]);
  const after = rungAfter(rung, recognition(claims, rung), drafts);
  return { value, rung: after.rung, problems: after.problem ? [...shared, after.problem] : shared };
}

/** An entry's identity in two parts: its text without the ordinal, and the ordinal. */
interface Name {
  readonly base: string;
  readonly ordinal: number;
}

/**
 * The identities of the entries. An entry found while the ledger was lost has only a key: it gets the identity that
 * produces that key.
 */
function namesOf(
  entries: readonly LedgerEntry[],
  sharing: ReadonlyMap<string, readonly EventDraft[]>,
): ReadonlyMap<LedgerEntry, Name> {
  const names = new Map<LedgerEntry, Name>();
  const found = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    const name = nameOf(entry);
    if (name) names.set(entry, name);
    else found.set(identityKey(entry.key), entry);
  }
  if (found.size === 0) return names;
  const known = new Set([...names.values()].map(({ base, ordinal }) => withOrdinal(base, ordinal)));
  for (const [base, group] of sharing)
    for (let ordinal = 1; ordinal <= group.length; ordinal += 1) {
      const text = withOrdinal(base, ordinal);
      const entry = known.has(text) ? undefined : found.get(keyOfIdentity(text));
      if (entry) names.set(entry, { base, ordinal });
    }
  return names;
}

/**
 * Numbers drafts of the same identity. Those that continue an entry of this identity keep its ordinal, and new ones
 * take the lowest free ones, in order. Those that continue an entry of another identity come last: their ordinals form
 * no key, and must not change those of new drafts, some of which an interrupted run may already have written.
 */
function numbered(
  group: readonly EventDraft[],
  ownOrdinal: (draft: EventDraft) => number | undefined,
  isNew: (draft: EventDraft) => boolean,
  isFree: (draft: EventDraft, ordinal: number) => boolean,
): readonly (readonly [EventDraft, number])[] {
  const ordinals = new Map<EventDraft, number>();
  const used = new Set<number>();
  const give = (draft: EventDraft, ordinal: number): void => {
    ordinals.set(draft, ordinal);
    used.add(ordinal);
  };
  for (const draft of group) {
    const own = ownOrdinal(draft);
    if (own !== undefined) give(draft, own);
  }
  const others = group.filter((draft) => !ordinals.has(draft));
  const lowest = (drafts: readonly EventDraft[], mayHave: (draft: EventDraft, ordinal: number) => boolean): void => {
    let next = 1;
    for (const draft of drafts) {
      while (used.has(next) || !mayHave(draft, next)) next += 1;
      give(draft, next);
    }
  };
  lowest(others.filter(isNew), isFree);
  lowest(
    others.filter((draft) => !isNew(draft)),
    () => true,
  );
  return group.map((draft) => [draft, ordinals.get(draft) ?? 1]);
}

/** Joins a draft and its identity; a known draft keeps the slug and key of its entry. */
function identified(
  draft: EventDraft,
  text: string,
  entry: LedgerEntry | undefined,
  keyOf: (identity: string) => string,
  isShared: boolean,
): Identified {
  const key = entry?.key ?? keyOf(text);
  return {
    draft,
    ...identityIn(text, draft.rungs.uid),
    entry,
    key,
    slug: entry?.slug ?? slugWithKey(draft.fields.title, key),
    ...(isShared || entry?.said !== undefined ? { said: draftDigest(draft) } : {}),
  };
}

function recognition(claims: EntryClaims, rung: Rung): Recognition {
  const onRung = [...claims.values()].filter(({ candidate }) => candidate.rung === rung);
  return {
    known: onRung.filter(({ by }) => by === 'identity').length,
    renewed: onRung.filter(({ by }) => by === 'likeness').length,
  };
}

const nameOf = ({ rung, identity }: LedgerEntry): Name | null =>
  identity === null
    ? null
    : { base: identityText({ rung, identity: withoutOrdinal(identity) }), ordinal: ordinalIn(identity) };

/**
 * Returns each draft's identity, as text without an ordinal: the one in the ledger, on any rung, else the best one that
 * the feed gives reliably.
 */
function basesOf(
  drafts: readonly EventDraft[],
  entries: readonly LedgerEntry[],
  rung: Rung,
): (draft: EventDraft) => string {
  const known = new Set(entries.map((entry) => nameOf(entry)?.base));
  const repeated = repeatedUrls(drafts);
  const baseOf = (draft: EventDraft): string => {
    const candidates = identitiesOf(draft, rung);
    const reliable = candidates.find((candidate) => candidate.rung !== 'url' || !repeated.has(draft.rungs.url ?? ''));
    const best = identityText(reliable ?? { rung: 'fingerprint', identity: draft.rungs.fingerprint });
    if (known.size === 0 || known.has(best)) return best;
    return candidates.map(identityText).find((text) => known.has(text)) ?? best;
  };
  const bases = new Map(drafts.map((draft) => [draft, baseOf(draft)]));
  return (draft) => bases.get(draft) ?? baseOf(draft);
}

// An address shared by several events (the calendar's own page) identifies none of them.
function repeatedUrls(drafts: readonly EventDraft[]): ReadonlySet<string> {
  const withUrl = drafts.filter(({ rungs }) => rungs.url !== null);
  const byUrl = Map.groupBy(withUrl, ({ rungs }) => `${rungs.url}\t${rungs.recurrenceId ?? ''}`);
  return new Set([...byUrl.values()].filter((group) => group.length > 1).flatMap((group) => group[0]?.rungs.url ?? []));
}

/** Sorts drafts by time, then by content. */
function sortedByContent(drafts: readonly EventDraft[]): readonly EventDraft[] {
  if (drafts.length === 1) return drafts;
  const contents = new Map<EventDraft, string>();
  const contentOf = (draft: EventDraft): string => {
    const { fields, state, rungs } = draft;
    const content = contents.get(draft) ?? `${fields.title}\n${state}\n${canonical(fields)}\n${canonical(rungs)}`;
    contents.set(draft, content);
    return content;
  };
  return drafts.toSorted(
    (one, other) =>
      one.startsAt - other.startsAt || one.endsAt - other.endsAt || compareText(contentOf(one), contentOf(other)),
  );
}
const compareText = (one: string, other: string): number => Number(one > other) - Number(one < other);

/**
 * Reports shared identities: one problem for all dates of a component that share theirs with the same number of others.
 */
function repeatedIdentities(groups: readonly (readonly EventDraft[])[]): readonly Problem[] {
  const repeated = groups.flatMap((group) => group.slice(1).map((draft) => ({ draft, others: group.length - 1 })));
  const alike = Map.groupBy(repeated, ({ draft, others }) =>
    canonical([draft.fields.title, { ...draft.where }, others]),
  );
  return [...alike.values()].flatMap(([first, ...more]) =>
    first ? repeatedIdentity(first.draft, first.others, more.length + 1) : [],
  );
}

const repeatedIdentity = ({ fields, where }: EventDraft, others: number, dates: number): Problem => ({
  code: 'repeated-identity',
  message:
    `"${fields.title}" shares its identity with ${countInWords(others, 'other event')} of this feed` +
    `${dates > 1 ? `, on ${dates} dates` : ''}; they are kept apart by their order in time. ` +
    'Give each event a UID of its own.',
  where,
});
