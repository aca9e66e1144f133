import { hash } from 'node:crypto';
import { claimInOrder, groupsOf, unlessBlank, type Aspect, type Claim, type ClaimRule } from './claims.ts';
import { HALF_DAY_MS, HALF_WEEK_MS, inOrder, movedTogether, nearest, onlyOne } from './pairings.ts';
import { feedForm, handledState } from '../compare/wanted.ts';
import { isNear, type Named } from '../links/near-names.ts';
import { foldedWords } from '../../ascii.ts';
import { whenAsked } from '../../remembered.ts';
import type { EventDraft } from '../model/draft.ts';
import { FIELD_NAMES, type FieldName } from '../model/fields.ts';
import type { Rung } from '../model/identity.ts';
import { canonical, sameJson } from '../model/json.ts';
import type { LedgerEntry } from '../model/plan.ts';
import { isStateTag } from '../model/state-tags.ts';

/** What a draft shares with the entry that it continues. */
type Common = 'identity' | 'uid' | 'likeness' | 'title' | 'place';
type EntryAspect = Aspect<EventDraft, LedgerEntry>;
type EntryRule = ClaimRule<EventDraft, LedgerEntry, Common>;
export type EntryClaims = ReadonlyMap<EventDraft, Claim<LedgerEntry, Common>>;

/** Drafts and entries, with the identity of each without its ordinal; null if an entry's identity is unknown. */
export interface ClaimInput {
  readonly drafts: readonly EventDraft[];
  readonly entries: readonly LedgerEntry[];
  readonly identityOf: (draft: EventDraft) => string;
  readonly identityOfEntry: (entry: LedgerEntry) => string | null;
  /** Groups of drafts of one identity that also share title and start. */
  readonly alike: readonly (readonly EventDraft[])[];
  /** The source's rung. */
  readonly rung: Rung;
  readonly now: number;
}

/**
 * Decides which entry each draft continues: first by identities that are still in the feed, then, as identities can
 * change, by whatever else the two share.
 */
export function claimEntries(claiming: ClaimInput): EntryClaims {
  if (claiming.entries.length === 0) return new Map();
  const known = claimInOrder(claiming.drafts, claiming.entries, rulesOfIdentity(claiming));
  const shared = sharedOut(known.claims, claiming.alike);
  if (known.drafts.length === 0) return shared;
  const open = claiming.drafts.filter((draft) => !shared.has(draft));
  const moved = claimInOrder(open, known.candidates, rulesOfMoved(claiming, shared));
  return sharedOut(new Map([...shared, ...moved.claims]), claiming.alike);
}

/**
 * Redistributes the entries claimed by drafts that share identity, title and start, so that the most similar ones are
 * paired, whichever rule claimed them. The next run, which has nothing else to go by, pairs them the same way.
 */
function sharedOut(claims: EntryClaims, alike: readonly (readonly EventDraft[])[]): EntryClaims {
  if (alike.length === 0) return claims;
  const shared = new Map(claims);
  for (const drafts of alike) {
    const claimed = new Map<LedgerEntry, Claim<LedgerEntry, Common>>();
    for (const draft of drafts) {
      const claim = claims.get(draft);
      if (claim) claimed.set(claim.candidate, claim);
      shared.delete(draft);
    }
    for (const [draft, entry] of mostAlike(drafts, [...claimed.keys()])) {
      const claim = claimed.get(entry);
      if (claim) shared.set(draft, claim);
    }
  }
  return shared;
}

/** Groups drafts of one identity that share title and start; drafts that share them with no other are left out. */
export const alikeDrafts = (drafts: readonly EventDraft[]): readonly (readonly EventDraft[])[] =>
  drafts.length < 2
    ? []
    : [...Map.groupBy(drafts, ({ startsAt, fields }) => `${startsAt} ${fields.title}`).values()].filter(
        ({ length }) => length > 1,
      );

/**
 * A unique identity decides, unless both title and start differ: UIDs that count positions refer to other events as
 * soon as one is added or removed, so an entry that equals the draft takes precedence. Where several events have one
 * title and place, it does so as soon as the start differs. A shared identity says little: the most similar pairs come
 * first, and a draft with nothing else in common is a different event.
 */
function rulesOfIdentity({
  drafts,
  entries,
  identityOf,
  identityOfEntry,
  rung,
  now,
}: ClaimInput): readonly EntryRule[] {
  const identity: EntryAspect = { ofDraft: identityOf, ofCandidate: identityOfEntry };
  const ownIdentity = onlyWhereUnique(drafts, identity);
  const ownTitle = onlyWhereUnique(drafts, identity, TITLE);
  // Computed only if needed: nearly always, the first rule pairs everything.
  const inFeed = whenAsked(() => new Set(drafts.map(identityOf)));
  const inLedger = whenAsked(() => new Set(entries.map(identityOfEntry)));
  const shared = whenAsked(() => repeatedIn(entries.map((entry) => identityOfEntry(entry) ?? '')));
  // Not only among the entries that the rules before have left over.
  const isSoleEntry = (entry: LedgerEntry): boolean => !shared().has(identityOfEntry(entry) ?? '');
  // If neither side knows the other's identity, the UID of a moved series says more, as long as UIDs are reliable.
  const isIdentityKnown: EntryRule['provided'] =
    rung === 'uid'
      ? (draft, entry) => inLedger().has(identityOf(draft)) || inFeed().has(identityOfEntry(entry) ?? '')
      : undefined;
  // A draft that claimed a removed entry would stay off the site too.
  const mayMove = (entry: LedgerEntry): boolean => entry.state === 'kept' && !hasBegun(entry, now);
  const isCurrent = (entry: LedgerEntry): boolean => isInFeed(entry) && mayMove(entry);
  return [
    { by: 'identity', same: [ownIdentity], pair: onlyOne, provided: hasKeptStart },
    { by: 'identity', same: [identity, START, TITLE], pair: mostAlike },
    {
      by: 'likeness',
      same: [WORDS, PLACE],
      among: (entry) => entry.state === 'kept' && isInFeed(entry),
      pair: renumbered(now),
      provided: isIdentityKnown,
    },
    { by: 'identity', same: [ownIdentity], among: isSoleEntry, pair: onlyOne, provided: hasKeptTitle },
    { by: 'likeness', same: [START, WORDS, PLACE], pair: inOrder, provided: isIdentityKnown },
    { by: 'identity', same: [identity, START], among: isInFeed, pair: inOrder },
    { by: 'identity', same: [ownIdentity], pair: onlyOne },
    { by: 'identity', same: [ownIdentity], among: isCurrent, pair: onlyOne },
    { by: 'identity', same: [ownTitle], among: isCurrent, pair: onlyOne },
    { by: 'identity', same: [identity, TITLE], pair: onOneDay },
    { by: 'identity', same: [identity, TITLE], among: mayMove, pair: withinHalfAWeek },
    { by: 'identity', same: [identity], among: isCurrent, pair: onOneDay },
  ];
}

/**
 * Identities can change: a series gets another start, a single event becomes a series, UIDs are renewed. What is left
 * is paired by UID, then by similarity, then by title and place if near in time, and last by pairs that are unique on
 * both sides and differ in only one thing besides the UID. If an entry's identity is still in the feed, another draft
 * has claimed it, so the entry only matches a draft that equals it.
 */
function rulesOfMoved(
  { drafts, identityOf, identityOfEntry, rung, now }: ClaimInput,
  claims: EntryClaims,
): readonly EntryRule[] {
  const isByIdentity = (draft: EventDraft): boolean => claims.get(draft)?.by === 'identity';
  const stillNamed = new Set(drafts.filter((draft) => !claims.has(draft) || isByIdentity(draft)).map(identityOf));
  const keptUids = new Set(drafts.filter(isByIdentity).map(({ rungs }) => rungs.uid));
  const keptUid = uidWhere((uid) => keptUids.has(uid));
  const movedUid = uidWhere((uid) => !keptUids.has(uid));

  const hasLeft = (entry: LedgerEntry): boolean => !stillNamed.has(identityOfEntry(entry) ?? '');
  const hasJustLeft = (entry: LedgerEntry): boolean => hasLeft(entry) && isInFeed(entry);
  const isToCome = (entry: LedgerEntry): boolean => !hasBegun(entry, now);
  // An event that a person brought back was not in the feed before.
  const wasInFeed = (entry: LedgerEntry): boolean => hasJustLeft(entry) && entry.missing === 0 && !entry.pinned;

  const byUid = (rule: Omit<EntryRule, 'by' | 'provided'>): EntryRule => ({
    ...rule,
    by: 'uid',
    provided: rung === 'uid' ? undefined : hasKeptTitleOrStart,
  });
  const ofOneSeries = (among: (entry: LedgerEntry) => boolean): readonly EntryRule[] => [
    byUid({ same: [UID], among, pair: onOneDay }),
    byUid({ same: [keptUid], among: (entry) => among(entry) && isToCome(entry), pair: withinHalfAWeek }),
    byUid({ same: [movedUid], among, pair: asASeries }),
  ];
  return [
    byUid({ same: [movedUid], among: hasJustLeft, pair: movedTogether }),
    byUid({ same: [UID, START, TITLE], among: hasLeft, pair: inOrder }),
    byUid({ same: [UID, START], among: hasLeft, pair: inOrder }),
    ...ofOneSeries(hasJustLeft),
    ...ofOneSeries(hasLeft),
    { by: 'likeness', same: [START, WORDS, PLACE], pair: inOrder },
    { by: 'title', same: [WORDS, PLACE], among: hasLeft, pair: onOneDay },
    { by: 'title', same: [WORDS, PLACE], among: (entry) => hasLeft(entry) && isToCome(entry), pair: withinHalfAWeek },
    { by: 'title', same: [START, unlessBlank(WORDS)], among: wasInFeed, pair: onlyOne },
    {
      by: 'place',
      same: [START, unlessBlank(PLACE)],
      // A draft that claimed an entry removed by a person would stay off the site too.
      among: (entry) => wasInFeed(entry) && entry.state === 'kept',
      pair: onlyOne,
      provided: isOtherwiseAlike,
    },
    // An event removed or detached by a person is only matched under a new title if that is nearly the old one.
    {
      by: 'place',
      same: [START, unlessBlank(PLACE)],
      among: (entry) => wasInFeed(entry) && entry.state !== 'kept',
      pair: onlyOne,
      provided: (draft, entry) => isOtherwiseAlike(draft, entry) && isTitleNear(draft, entry),
    },
  ];
}

const START: EntryAspect = { ofDraft: ({ startsAt }) => startsAt, ofCandidate: ({ startsAt }) => startsAt };
const UID: EntryAspect = { ofDraft: ({ rungs }) => rungs.uid, ofCandidate: ({ uid }) => uid };
const TITLE: EntryAspect = { ofDraft: ({ fields }) => fields.title, ofCandidate: ({ title }) => title };
/** The title as people compare it. */
const WORDS: EntryAspect = {
  ofDraft: ({ fields }) => foldedWords(fields.title),
  ofCandidate: ({ title }) => foldedWords(title),
};
const PLACE: EntryAspect = {
  ofDraft: ({ fields }) => foldedWords(fields.venue?.[0]?.venue ?? ''),
  ofCandidate: placeOfEntry,
};

/** The place of an entry as people compare it; '' if there is none. */
export function placeOfEntry({ fields }: LedgerEntry): string {
  const venues = fields.venue?.feed;
  const venue: unknown = Array.isArray(venues) ? venues[0] : undefined;
  return foldedWords(typeof venue === 'object' && venue !== null && 'venue' in venue ? String(venue.venue) : '');
}

/** Combines several aspects, for drafts that no other draft equals in all of them. */
function onlyWhereUnique(drafts: readonly EventDraft[], ...aspects: readonly EntryAspect[]): EntryAspect {
  const textOf = (draft: EventDraft): string => aspects.map(({ ofDraft }) => ofDraft(draft)).join('\n');
  const repeated = whenAsked(() => repeatedIn(drafts.map(textOf)));
  return {
    ofDraft: (draft) => {
      const text = textOf(draft);
      return repeated().has(text) ? null : text;
    },
    ofCandidate: (entry) => aspects.map(({ ofCandidate }) => ofCandidate(entry)).join('\n'),
  };
}

function repeatedIn(texts: readonly string[]): ReadonlySet<string> {
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const text of texts) (seen.has(text) ? repeated : seen).add(text);
  return repeated;
}

/** The UID, limited to drafts whose UID passes the test. */
const uidWhere = (isMeant: (uid: string | null) => boolean): EntryAspect => ({
  ...UID,
  ofDraft: ({ rungs: { uid } }) => (isMeant(uid) ? uid : null),
});

type Pairing = EntryRule['pair'];

/**
 * Pairs the unchanged events among those of one title and place, whatever their identities: UIDs that count positions
 * have been given out anew. Not if a draft and an upcoming entry would be left over, since then the events may just as
 * well have moved.
 */
const renumbered =
  (now: number): Pairing =>
  (drafts, entries) => {
    const pairs = groupsOf([START], drafts, entries)
      .flatMap(([some, others]) => onlyOne(some, others))
      .filter(([draft, entry]) => isUnchanged(draft, entry));
    const continued = new Set(pairs.map(([, entry]) => entry));
    const isLeft = (entry: LedgerEntry): boolean => !continued.has(entry) && !hasBegun(entry, now);
    return pairs.length < drafts.length && entries.some(isLeft) ? [] : pairs;
  };

const onOneDay: Pairing = (drafts, entries) => nearest(drafts, entries, HALF_DAY_MS);
const withinHalfAWeek: Pairing = (drafts, entries) => nearest(drafts, entries, HALF_WEEK_MS);
/** In order if both sides have the same number, else the nearest. */
const asASeries: Pairing = (drafts, entries) =>
  drafts.length === entries.length ? inOrder(drafts, entries) : nearest(drafts, entries, Number.POSITIVE_INFINITY);

/**
 * Pairs one to one, by decreasing likeness: pairs of the last plan, events that are unchanged, events whose given
 * fields are unchanged, events in the same place, any. There may be thousands, so values are looked up rather than
 * compared pair by pair.
 */
const mostAlike: Pairing = (drafts, entries) => {
  if (drafts.length === 1 && entries.length === 1) return onlyOne(drafts, entries);
  // Slugs stay the same while ordinals change. Entries are taken from the end of this list.
  const bySlug = entries.toSorted((one, other) => (one.slug < other.slug ? 1 : -1));
  const free = new Set(bySlug);
  const pairs = new Map<EventDraft, LedgerEntry>();
  for (const likeness of [() => PLANNED, () => WHOLE, whatItSays(), () => PLACE, () => ANY]) {
    const byAspect = new Map<EntryAspect, Map<unknown, LedgerEntry[]>>();
    const waiting = bySlug.filter((entry) => free.has(entry));
    for (const draft of drafts) {
      const aspect = pairs.has(draft) ? undefined : likeness(draft);
      if (!aspect) continue;
      const alike = byAspect.get(aspect) ?? Map.groupBy(waiting, aspect.ofCandidate);
      byAspect.set(aspect, alike);
      const entry = lastFree(alike.get(aspect.ofDraft(draft)), free);
      if (!entry) continue;
      pairs.set(draft, entry);
      free.delete(entry);
    }
  }
  return [...pairs];
};

/** Removes entries from the end of a list up to the last one that is still free, and returns that one. */
function lastFree(entries: LedgerEntry[] | undefined, free: ReadonlySet<LedgerEntry>): LedgerEntry | undefined {
  for (let entry = entries?.pop(); entry; entry = entries?.pop()) if (free.has(entry)) return entry;
  return undefined;
}

/** What a feed says in some fields, as a digest, because descriptions are long. */
const saying = (fields: readonly FieldName[]): EntryAspect => ({
  ofDraft: (draft) => digestOf(fields.map((field) => saidIn(draft, field))),
  ofCandidate: (entry) => digestOf(fields.map((field) => handledIn(entry, field))),
});
const digestOf = (values: readonly unknown[]): string => hash('sha1', canonical(values), 'base64');

const WHOLE = saying(FIELD_NAMES);

/** A digest of everything a draft says, including which fields it leaves out. */
export const draftDigest = ({ fields, state }: EventDraft): string =>
  digestOf([state, ...FIELD_NAMES.map((field) => (fields[field] === undefined ? null : feedForm(fields[field])))]);
/** The draft that an entry was last planned for, even if that run ended early. */
const PLANNED: EntryAspect = {
  ofDraft: draftDigest,
  ofCandidate: (entry) => (isInFeed(entry) ? (entry.said ?? '') : ''),
};
const ANY: EntryAspect = { ofDraft: () => '', ofCandidate: () => '' };

/** A feed's events usually omit the same few fields. Beyond this many combinations, only the place is compared. */
const LEAVING_OUT_MAX = 16;

/** What a draft says in the fields that it gives. */
function whatItSays(): (draft: EventDraft) => EntryAspect | undefined {
  const known = new Map<string, EntryAspect>();
  return ({ fields }) => {
    const said = FIELD_NAMES.filter((field) => fields[field] !== undefined);
    const aspect = known.get(said.join()) ?? (known.size < LEAVING_OUT_MAX ? saying(said) : undefined);
    if (aspect) known.set(said.join(), aspect);
    return aspect;
  };
}

function saidIn({ fields, state }: EventDraft, field: FieldName): unknown {
  if (field === 'tags') return [state, feedForm(fields.tags ?? [])];
  return fields[field] === undefined ? null : feedForm(fields[field]);
}

function handledIn(entry: LedgerEntry, field: FieldName): unknown {
  const handled = entry.fields[field]?.feed ?? null;
  if (field !== 'tags') return handled;
  // The tag for a state does not come from the feed.
  return [handledState(entry), Array.isArray(handled) ? handled.filter((name) => !isStateTag(String(name))) : []];
}

/** Whether an entry's event is exactly as the draft has it, in all that the draft says. */
const isUnchanged = (draft: EventDraft, entry: LedgerEntry): boolean =>
  FIELD_NAMES.every(
    (field) => draft.fields[field] === undefined || sameJson(saidIn(draft, field), handledIn(entry, field)),
  );

const hasKeptStart = ({ startsAt }: EventDraft, entry: LedgerEntry): boolean => startsAt === entry.startsAt;
const hasKeptTitle = ({ fields }: EventDraft, { title }: LedgerEntry): boolean => fields.title === title;
const hasKeptTitleOrStart = (draft: EventDraft, entry: LedgerEntry): boolean =>
  hasKeptStart(draft, entry) || hasKeptTitle(draft, entry);

/** A different text or end means another event that is booked into the same room. */
const isOtherwiseAlike = (draft: EventDraft, entry: LedgerEntry): boolean =>
  draft.endsAt === entry.endsAt &&
  (['description', 'excerpt'] as const).every(
    (field) => (draft.fields[field] ?? '') === (entry.fields[field]?.feed ?? ''),
  );

const isTitleNear = ({ fields }: EventDraft, { title }: LedgerEntry): boolean =>
  isNear(titled(fields.title), titled(title));
const titled = (name: string): Named => ({ name, city: undefined, contacts: [] });

/**
 * Whether the previous reading of the feed had the event; events that the feed has dropped may still be on the site.
 */
const isInFeed = ({ state, missing }: LedgerEntry): boolean => state !== 'removed' && missing <= 0;

/** Whether an event has begun. It may then be corrected within the same day; anything later is another event. */
const hasBegun = ({ startsAt }: LedgerEntry, now: number): boolean => startsAt <= now;
