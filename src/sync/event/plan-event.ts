import { isStateTag, stateFromTags, tagsInState, titleInState, withoutPrefix } from '../model/state-tags.ts';
import { NOBODY } from '../model/identity.ts';
import type { Identified } from '../identity/identify-drafts.ts';
import type { Links } from '../links/links.ts';
import { looksSame, mayHaveBecome } from '../compare/looks-same.ts';
import { LIFE, whereaboutsOf, type OnSite } from './life.ts';
import { merge, type Verdict } from './merge.ts';
import { CUT_BY_TRASH, FIELD_NAMES, isLinked, UNITS } from '../model/fields.ts';
import type {
  Action,
  Authority,
  FieldName,
  FieldState,
  Json,
  LedgerChange,
  LedgerEntry,
  Plan,
  Policy,
  SiteEvent,
  UpdateEvent,
} from '../model/plan.ts';
import { nameOfRef, siteForm } from '../links/link.ts';
import { isPublic } from '../model/publishing.ts';
import { isDueAgain } from './refused-image.ts';
import { isBlank, isEmpty, sameJson } from '../model/json.ts';
import { isPersons, isRestored } from '../compare/seen.ts';
import { withoutTrashed } from '../model/slug.ts';
import { isUtcOff } from '../compare/utc-times.ts';
import { handledState, wantedOf, type Wanted } from '../compare/wanted.ts';
import { replaced } from '../compare/earlier-write.ts';
import { lastSentValues } from '../compare/last-sent.ts';

/** What is decided about one draft. */
export interface Decided {
  readonly action: Action | null;
  readonly change: LedgerChange;
  readonly conflicts: Plan['conflicts'];
  /** A person removed the event: it stays removed. */
  readonly skipped: boolean;
}

/** One draft against what the site holds of it and what we wrote last. */
export function planEvent(known: Identified, onSite: OnSite, links: Links, policy: Policy): Decided {
  const { draft, entry } = known;
  const verdict = LIFE.drafted[whereaboutsOf(entry, onSite)];
  const event = typeof onSite === 'object' ? onSite : null;
  if (verdict === 'markIgnored') return ignored(entryFor(known, event, entry?.fields ?? {}), entry === undefined);
  const wanted = wantedOf(draft, entry, links, policy);
  return verdict === 'merge' && event ? merged(known, wanted, event, links, policy) : created(known, wanted, entry);
}

const ignored = (entry: LedgerEntry, isNew = false): Decided => ({
  action: null,
  change: { entry: { ...entry, state: 'ignored' }, awaits: [], ...(isNew ? { isNew } : {}) },
  conflicts: [],
  skipped: true,
});

function entryFor(
  { draft, slug, key, rung, identity, entry }: Identified,
  onSite: SiteEvent | null,
  fields: LedgerEntry['fields'],
): LedgerEntry {
  return {
    // The first slug is the one for ever: the ledger is kept by it, and keys are read through what servers append to it.
    slug: entry?.slug ?? (onSite ? withoutTrashed(onSite.slug) : slug),
    key,
    rung,
    identity,
    uid: draft.rungs.uid,
    title: draft.fields.title,
    startsAt: draft.startsAt,
    endsAt: draft.endsAt,
    id: onSite?.id ?? entry?.id ?? null,
    state: 'kept',
    missing: 0,
    fields,
  };
}

/** The complete event. What is empty is left out: sites refuse empty texts on a create. */
function created(known: Identified, wanted: Wanted, entry: LedgerEntry | undefined): Decided {
  const sent = Object.entries(wanted.send).filter(([, value]) => !isEmpty(value));
  const fields = Object.fromEntries(
    FIELD_NAMES.map((field): [FieldName, FieldState] => [field, { feed: wanted.feed[field] ?? null, by: 'feed' }]),
  );
  const because =
    entry === undefined
      ? 'new in the feed'
      : entry.state === 'removed'
        ? 'back in the feed'
        : 'no longer found on the site';
  const action: Action = {
    kind: 'create',
    resource: 'events',
    slug: known.slug,
    title: known.draft.fields.title,
    fields: { ...Object.fromEntries(sent), slug: known.slug },
    because,
  };
  return {
    action,
    change: { entry: { ...entryFor(known, null, fields), id: null }, awaits: FIELD_NAMES },
    conflicts: [],
    skipped: false,
  };
}

interface Decision {
  readonly fields: readonly FieldName[];
  readonly verdict: Verdict;
  readonly siteChanged: boolean;
  /** The site shows what it did before our last write. */ readonly isBack?: boolean;
  /** The site refused the image before. */ readonly isAgain?: boolean;
  /** The site has not given it the status that was sent. */ readonly isWithheld?: boolean;
  /** The site's times in UTC are not those of its clock and zone. */ readonly isOff?: boolean;
}

function merged(known: Identified, wanted: Wanted, onSite: SiteEvent, links: Links, policy: Policy): Decided {
  const marks = changedState(known, wanted, onSite, links, policy);
  const decisions = UNITS.map((unit) =>
    decide(unit, { entry: known.entry, wanted, onSite, links, policy, marks }),
  ).filter((decision) => decision !== null);
  const sent = sentFields(decisions, known, { wanted, onSite, links, marks, policy });
  const awaits = FIELD_NAMES.filter((field) => sent[field] !== undefined);
  const fields = {
    ...known.entry?.fields,
    ...unspoken(known.entry, wanted, onSite),
    ...states(decisions, known.entry, wanted, onSite, awaits),
  };
  const entry = entryFor(known, onSite, fields);
  const changes = changesOf(sent, onSite, links);
  const action: Action | null =
    awaits.length === 0
      ? null
      : {
          kind: 'update',
          resource: 'events',
          slug: entry.slug,
          id: onSite.id,
          ...(onSite.status === 'trash' ? {} : { siteSlug: onSite.slug }),
          title: known.draft.fields.title,
          fields: sent,
          changes,
          ...lastSentValues(Object.keys(changes), known.entry, onSite),
          ...editedIn(changes, decisions, known.entry, onSite),
          because: reasonOf(known.entry, decisions),
        };
  return {
    action,
    change: { entry, awaits, ...(known.entry ? {} : { isNew: true }) },
    conflicts: conflictsOf(decisions, entry, wanted, onSite),
    skipped: false,
  };
}

/** What a verdict is about; `marks` is what the event's state writes whoever has edited it. */
interface Deciding {
  readonly entry: LedgerEntry | undefined;
  readonly wanted: Wanted;
  readonly onSite: SiteEvent;
  readonly links: Links;
  readonly policy: Policy;
  readonly marks: Readonly<Partial<Record<FieldName, Json>>>;
}

/** A unit's verdict; null where the feed says nothing about it. */
function decide(unit: readonly FieldName[], deciding: Deciding): Decision | null {
  const { entry, wanted, onSite, links, policy } = deciding;
  const fields = unit.filter((field) => wanted.feed[field] !== undefined);
  if (fields.length === 0) return null;
  if (wanted.silentTags && fields.includes('tags')) return { fields, verdict: 'nothing', siteChanged: false };
  if (isOnlyFound(entry, fields)) return decideFound(fields, deciding);
  const feed = fields.some(
    (field) =>
      !sameJson(withoutStateTags(field, wanted.feed[field]), withoutStateTags(field, entry?.fields[field]?.feed)),
  );
  const isWithheld = fields.includes('status') && isStatusWithheld(entry?.fields.status, onSite);
  const isTheirs = (field: FieldName): boolean =>
    isCutLink(field, onSite) ? entry?.fields[field]?.by === 'person' : isPersons(field, entry?.fields[field], onSite);
  const siteChanged = !isWithheld && fields.some(isTheirs);
  const isBack = !siteChanged && fields.some((field) => isRestored(field, entry?.fields[field], onSite));
  const isAgain = !siteChanged && fields.some((field) => isDueAgain(entry?.fields[field], policy.now));
  const isCut = !siteChanged && fields.some((field) => isCutLink(field, onSite));
  const isOff =
    !siteChanged && entry !== undefined && fields.includes('start_date') && isUtcOff(wanted.send, entry, onSite);
  const looks = (field: FieldName): typeof looksSame =>
    entry?.fields[field]?.sent === undefined ? mayHaveBecome : looksSame;
  const same =
    !isOff &&
    fields.every((field) => looks(field)(field, siteForm(field, wanted.send[field], links.idOf), onSite.values[field]));
  const isOpen = isBack || isAgain || isCut || isWithheld || isOff;
  const verdict = merge({ feed: feed || isOpen, site: siteChanged, same }, authorityOf(policy, fields));
  return { fields, verdict, siteChanged, isBack, isAgain: isAgain && !feed, isWithheld, isOff: isOff && !feed };
}

/**
 * Whether the status shown is nobody's word, but what became of an event that a user without the right to publish has written: the answer
 * was not what was sent, or its slug is gone (what people withdraw keeps it).
 */
function isStatusWithheld(state: FieldState | undefined, { slug, values }: SiteEvent): boolean {
  if (state?.by !== 'feed' || isPublic(values.status)) return false;
  return slug === '' || (isPublic(state.sent) && !isPublic(state.returned) && state.returned === values.status);
}

/** Whether we know nothing of what we once wrote into these fields: the event was found by its key, with the ledger lost. */
function isOnlyFound(entry: LedgerEntry | undefined, fields: readonly FieldName[]): boolean {
  const states = fields.map((field) => entry?.fields[field]);
  if (states.some((state) => state === undefined)) return true;
  // Of one that the feed had left by then, what it showed is known, until we have removed it ourselves.
  return (
    entry?.identity === NOBODY.identity &&
    states.every((state) => state?.returned !== undefined && state.returned !== 'trash')
  );
}

/**
 * The verdict on a unit of which the ledger knows nothing: what the site shows may be a person's work, and it stays unless the feed decides;
 * what is empty there is filled in. Whoever decides, an event that is not public does not become so by being found.
 */
function decideFound(fields: readonly FieldName[], { wanted, onSite, links, policy, marks }: Deciding): Decision {
  const shown = fields.filter((field) => onSite.values[field] !== undefined);
  if (shown.length === 0) return { fields, verdict: 'nothing', siteChanged: false };
  const inSiteForm = (field: FieldName, value: Json | undefined): Json | undefined =>
    siteForm(field, value, links.idOf);
  if (shown.every((field) => mayHaveBecome(field, inSiteForm(field, wanted.send[field]), onSite.values[field])))
    return { fields, verdict: 'adopt', siteChanged: false };
  const isMarked = (field: FieldName): boolean =>
    field === 'tags'
      ? sameJson(sorted(marks.tags), sorted(wanted.send.tags))
      : looksSame(field, wanted.send[field], marks[field]);
  if (fields.every((field) => marks[field] !== undefined && isMarked(field)))
    return { fields, verdict: 'write', siteChanged: false };
  const authority = authorityOf(policy, fields);
  if (shown.every((field) => isBlank(onSite.values[field])))
    return { fields, verdict: merge({ feed: true, site: false, same: false }, authority), siteChanged: false };
  if (authority === 'feed' && fields.includes('status') && onSite.status !== 'publish')
    return { fields, verdict: 'conflict', siteChanged: false };
  return {
    fields,
    verdict: merge({ feed: true, site: true, same: false }, authority),
    siteChanged: authority !== 'feed',
  };
}

const sorted = (refs: Json | undefined): readonly string[] => (Array.isArray(refs) ? refs.map(String).sort() : []);

/** Whether an event may lack a link because it lies in the trash: that is no word of a person. */
const isCutLink = (field: FieldName, { status, values }: SiteEvent): boolean =>
  status === 'trash' && CUT_BY_TRASH.some((cut) => cut === field) && isBlank(values[field]);

// The tag of a state has a rule of its own (changedState).
const withoutStateTags = (field: FieldName, value: Json | undefined): Json =>
  field === 'tags' && Array.isArray(value)
    ? value.filter((name) => typeof name !== 'string' || !isStateTag(name))
    : (value ?? null);

/** Who decides about fields that are decided together. */
export const authorityOf = ({ authority }: Policy, fields: readonly FieldName[]): Authority =>
  fields.map((field) => authority.fields[field]).find((each) => each !== undefined) ?? authority.default;

function sentFields(
  decisions: readonly Decision[],
  known: Identified,
  { wanted, onSite, links, marks, policy }: Omit<Deciding, 'entry'>,
): Readonly<Partial<Record<FieldName, Json>>> {
  const written = decisions.filter(({ verdict }) => verdict === 'write').flatMap(({ fields }) => fields);
  const restored: Partial<Record<FieldName, Json>> =
    onSite.status === 'trash'
      ? {
          status: statusBefore(known.entry, policy) ?? wanted.send.status ?? 'publish',
          ...linksBefore(known.entry, onSite, links, policy),
        }
      : {};
  const sent = Object.fromEntries(written.map((field) => [field, wanted.send[field] ?? null]));
  return { ...marks, ...sent, ...restored };
}

// A person had withdrawn it before we took it off: it stays withdrawn, unless the feed decides.
const statusBefore = (entry: LedgerEntry | undefined, policy: Policy): Json | undefined =>
  entry?.fields.status?.by === 'person' && authorityOf(policy, ['status']) !== 'feed'
    ? entry.fields.status.returned
    : undefined;

// So do the venue and the organizers that a person had chosen.
function linksBefore(
  entry: LedgerEntry | undefined,
  onSite: SiteEvent,
  links: Links,
  policy: Policy,
): Readonly<Partial<Record<FieldName, Json>>> {
  return Object.fromEntries(
    CUT_BY_TRASH.flatMap((field) => {
      const { by, returned }: Partial<FieldState> = entry?.fields[field] ?? {};
      const isTheirs = by === 'person' && !isBlank(returned) && authorityOf(policy, [field]) !== 'feed';
      return isTheirs && isCutLink(field, onSite) ? [[field, links.refsOfIds(field, returned)]] : [];
    }),
  );
}

/** A cancelled event is marked, and one that takes place after all is unmarked, also where a person has edited its title or tags: the rest of them stays. */
function changedState(
  { draft, entry }: Identified,
  { state }: Wanted,
  onSite: SiteEvent,
  links: Links,
  policy: Policy,
): Readonly<Partial<Record<FieldName, Json>>> {
  if (handledState(entry) === state && !isRestored('tags', entry?.fields.tags, onSite)) return {};
  const tagsShown = links.refsOfIds('tags', onSite.values.tags);
  // Of an event that was only found, nobody knows who marked it: no mark is taken off there, nor replaced by a lesser one.
  if (isOnlyFound(entry, ['tags']) && state !== 'cancelled' && stateFromTags(tagsShown.map(nameOfRef)) !== 'confirmed')
    return {};
  const title = String(onSite.values.title ?? entry?.title ?? draft.fields.title);
  const shown = handledState(entry) === 'cancelled' ? withoutPrefix(title) : title;
  // Reads are rendered (typographic quotes): only a person's title is taken from there.
  const theirs = isOnlyFound(entry, ['title'])
    ? !looksSame('title', draft.fields.title, withoutPrefix(title))
    : isPersons('title', entry?.fields.title, onSite);
  const bare = theirs ? shown : draft.fields.title;
  const marked = titleInState(bare, state, policy.language);
  const others = tagsShown.filter((ref) => !isStateTag(nameOfRef(ref)));
  const tags = [...others, ...links.refsOf('tags', tagsInState([], state))];
  return {
    ...(authorityOf(policy, ['title']) === 'site' || looksSame('title', marked, title) ? {} : { title: marked }),
    ...(authorityOf(policy, ['tags']) === 'site' || sameJson(siteForm('tags', tags, links.idOf), onSite.values.tags)
      ? {}
      : { tags }),
  };
}

/** Of fields that the feed does not speak about, what the site shows: so that a later word of the feed can be told from a person's. */
function unspoken(entry: LedgerEntry | undefined, wanted: Wanted, onSite: SiteEvent): LedgerEntry['fields'] {
  const silent = entry === undefined ? FIELD_NAMES.filter((field) => wanted.feed[field] === undefined) : [];
  return Object.fromEntries(
    silent.map((field): [FieldName, FieldState] => [
      field,
      { feed: null, returned: onSite.values[field] ?? null, by: 'feed' },
    ]),
  );
}

function states(
  decisions: readonly Decision[],
  entry: LedgerEntry | undefined,
  wanted: Wanted,
  onSite: SiteEvent,
  awaits: readonly FieldName[],
): LedgerEntry['fields'] {
  return Object.fromEntries(
    decisions.flatMap(({ fields, verdict, siteChanged }) =>
      fields.map((field): [FieldName, FieldState] => {
        const { returned, conflict, refused, ...known }: FieldState = entry?.fields[field] ?? {
          feed: null,
          by: 'feed',
        };
        const feed = wanted.feed[field] ?? null;
        const before = {
          ...known,
          ...(refused && verdict !== 'adopt' && sameJson(feed, known.feed) ? { refused } : {}),
        };
        if (verdict === 'adopt')
          return [
            field,
            {
              ...before,
              ...(sameJson(returned ?? null, onSite.values[field] ?? null)
                ? {}
                : replaced({ ...before, ...(returned === undefined ? {} : { returned }) }, onSite.modified)),
              feed,
              returned: onSite.values[field] ?? null,
              by: 'feed',
            },
          ];
        // What was found without a ledger, and is written over, may come to light again in an old list.
        const former = isOnlyFound(entry, fields) ? onSite.values[field] : returned;
        if (verdict === 'write')
          return [field, { ...before, ...(former === undefined ? {} : { returned: former }), feed, by: 'feed' }];
        // A person's title stays theirs when the prefix is put before it.
        const by = siteChanged && verdict !== 'nothing' ? 'person' : before.by;
        const open = verdict === 'conflict' || conflict ? ({ conflict: true } as const) : {};
        const isShownNow = isOnlyFound(entry, fields) || (returned === undefined && !awaits.includes(field));
        const lastShown = isShownNow ? onSite.values[field] : returned;
        return [field, { ...before, ...open, ...(lastShown === undefined ? {} : { returned: lastShown }), feed, by }];
      }),
    ),
  );
}

function changesOf(
  sent: Readonly<Partial<Record<FieldName, Json>>>,
  onSite: SiteEvent,
  links: Links,
): Readonly<Record<string, { from: Json; to: Json }>> {
  const differing = Object.entries(sent).filter(
    ([field, to]) => !sameJson(siteForm(field, to, links.idOf), onSite.values[field as FieldName]),
  );
  return Object.fromEntries(
    differing.map(([field, to]) => {
      const from = onSite.values[field as FieldName] ?? null;
      return [field, { from: isLinked(field) ? links.refsOfIds(field, from) : from, to: to ?? null }];
    }),
  );
}

function conflictsOf(
  decisions: readonly Decision[],
  { slug, title }: LedgerEntry,
  wanted: Wanted,
  onSite: SiteEvent,
): Plan['conflicts'] {
  return decisions
    .filter(({ verdict }) => verdict === 'conflict')
    .flatMap(({ fields }) => fields)
    .filter((field) => !sameJson(wanted.send[field], onSite.values[field]))
    .map((field) => ({ slug, title, field, feed: wanted.feed[field] ?? null, site: onSite.values[field] ?? null }));
}

/** What a person had changed, or undone, and an update writes over because the feed decides there. */
function editedIn(
  changes: UpdateEvent['changes'],
  decisions: readonly Decision[],
  entry: LedgerEntry | undefined,
  onSite: SiteEvent,
): Pick<UpdateEvent, 'edited'> {
  if (entry?.state !== 'kept') return {};
  const written = decisions.filter(({ verdict }) => verdict === 'write').flatMap(({ fields }) => fields);
  const edited = written.filter(
    (field) => changes[field] !== undefined && isPersons(field, entry.fields[field], onSite),
  );
  return edited.length === 0 ? {} : { edited };
}

function reasonOf(entry: LedgerEntry | undefined, decisions: readonly Decision[]): string {
  if (entry === undefined) return 'found on the site by its key';
  if (entry.state === 'removed') return 'back in the feed';
  const written = decisions.filter(({ verdict }) => verdict === 'write');
  if (written.length > 0 && written.every(({ isBack }) => isBack))
    return 'older on the site than it was: the site went back to an earlier state';
  if (written.length > 0 && written.every(({ isWithheld }) => isWithheld))
    return 'not published before, for the user of the site had no right to';
  if (written.length > 0 && written.every(({ isOff }) => isOff))
    return 'at another time in UTC on the site than its clock and zone say';
  if (written.length > 0 && written.every(({ isAgain }) => isAgain)) return 'the site did not take its image before';
  return written.some(({ siteChanged }) => !siteChanged)
    ? 'changed in the feed'
    : written.length > 0
      ? 'changed on the site, where the feed decides'
      : 'changed in the feed';
}
