import { lastSentValues } from '../compare/last-sent.ts';
import { isEditedByPerson, personsChoice } from '../compare/seen.ts';
import { wantedOf, type Wanted } from '../compare/wanted.ts';
import type { Identified } from '../identity/identify-drafts.ts';
import { siteForm } from '../links/link.ts';
import type { Links } from '../links/links.ts';
import { CUT_BY_TRASH, FIELD_NAMES, isLinked, UNITS, type FieldName } from '../model/fields.ts';
import { isBlank, isEmpty, sameJson } from '../model/json.ts';
import type {
  Action,
  FieldState,
  Json,
  LedgerChange,
  LedgerEntry,
  Plan,
  Policy,
  SiteEvent,
  UpdateEvent,
} from '../model/plan.ts';
import { keepDigestIfSettled } from '../model/settled.ts';
import { withoutTrashed } from '../model/slug.ts';
import { decideUnit, isCutLink, type UnitInput, type Decision, type Reopening, type Values } from './decide-unit.ts';
import { handledFields, withOrigin, withShownTitle } from './handled-fields.ts';
import { onlyCancels, withoutOmittedFields } from './omitted-fields.ts';
import { isWithdrawn, LIFE, whereaboutsOf, type OnSite } from './life.ts';
import { withLocks } from './locks.ts';
import { authorityOf } from './merge.ts';
import { stateMarks } from './state-marks.ts';

/** The decision about one draft. */
export interface PlannedEvent {
  readonly action: Action | null;
  readonly change: LedgerChange | null;
  readonly conflicts: Plan['conflicts'];
  /** A person removed the event, so it stays removed. */
  readonly skipped: boolean;
}

/** Compares one draft with what the site holds and what we last wrote. */
export function planEvent(identified: Identified, onSite: OnSite, links: Links, policy: Policy): PlannedEvent {
  const event = typeof onSite === 'object' ? onSite : null;
  const known = withoutOmittedFields(identified, event);
  const { draft, entry } = known;
  const verdict = LIFE.drafted[whereaboutsOf(entry, onSite)];
  if (verdict === 'markIgnored') return ignored(entryFor(known, event, entry?.fields ?? {}), entry === undefined);
  if (verdict === 'leave' && entry !== undefined) return left(known, entry, event);
  if (onlyCancels(known, event)) return NOTHING_TO_CANCEL;
  const wanted = wantedOf(draft, entry, links, policy);
  return verdict === 'merge' && event
    ? merged(known, wanted, event, links, withLocks(policy, entry))
    : created(known, wanted, policy);
}

const NOTHING_TO_CANCEL: PlannedEvent = { action: null, change: null, conflicts: [], skipped: false };

const ignored = (entry: LedgerEntry, isNew: boolean): PlannedEvent => ({
  action: null,
  change: {
    entry: keepDigestIfSettled({ ...entry, state: 'ignored' }),
    pendingFields: [],
    ...(isNew ? { isNew } : {}),
  },
  conflicts: [],
  skipped: true,
});

/**
 * A detached event is recognised by what the feed now says, and shown to people under the title on the site; nothing
 * else of its entry changes.
 */
function left({ key, rung, identity, draft }: Identified, entry: LedgerEntry, onSite: SiteEvent | null): PlannedEvent {
  const { rungs, startsAt, endsAt } = draft;
  const fields = onSite ? withShownTitle(entry.fields, onSite.values.title) : entry.fields;
  const known = { key, rung, identity, uid: rungs.uid, title: draft.fields.title, startsAt, endsAt, fields };
  return {
    action: null,
    change: { entry: { ...entry, ...known, missing: 0 }, pendingFields: [] },
    conflicts: [],
    skipped: true,
  };
}

function entryFor(
  { draft, slug, key, rung, identity, said, entry }: Identified,
  onSite: SiteEvent | null,
  fields: LedgerEntry['fields'],
): LedgerEntry {
  return {
    // The first slug is kept for ever: it is the key in the ledger, and whatever servers append to it is ignored.
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
    ...(draft.digest === undefined ? {} : { digest: draft.digest }),
    ...(said === undefined ? {} : { said }),
  };
}

/** Creates the complete event. Empty fields are left out, because sites refuse empty texts on a create. */
function created(known: Identified, wanted: Wanted, policy: Policy): PlannedEvent {
  const sent: Record<string, Json> = {};
  // The keys of Values are field names.
  for (const field of Object.keys(wanted.send) as FieldName[]) {
    const value = wanted.send[field];
    if (!isEmpty(value)) sent[field] = value;
  }
  sent['slug'] = known.slug;
  const fields: Partial<Record<FieldName, FieldState>> = { ...NOTHING_SAID };
  for (const field of Object.keys(wanted.feed) as FieldName[]) {
    const feed = wanted.feed[field] ?? null;
    if (feed !== null) fields[field] = withOrigin(unwrittenState(feed), wanted.fromRules.includes(field));
  }
  const action: Action = {
    kind: 'create',
    resource: 'events',
    slug: known.slug,
    title: known.draft.fields.title,
    fields: sent,
    because: whyCreated(known.entry, policy),
  };
  return {
    action,
    change: { entry: { ...entryFor(known, null, fields), id: null }, pendingFields: FIELD_NAMES },
    conflicts: [],
    skipped: false,
  };
}

/** The state of every field that the feed does not give. */
const NOTHING_SAID: Readonly<Partial<Record<FieldName, FieldState>>> = Object.fromEntries(
  FIELD_NAMES.map((field) => [field, { feed: null, by: 'feed' } satisfies FieldState]),
);

/**
 * The state of a field that is yet to be written. Equal states are shared, because most events have the same values in
 * most fields and these states take up most of a large plan's memory.
 */
function unwrittenState(feed: Json): FieldState {
  if (typeof feed !== 'object' || feed === null) return STATES.get(feed) ?? { feed, by: 'feed' };
  const state = statesOfLists.get(feed) ?? { feed, by: 'feed' };
  statesOfLists.set(feed, state);
  return state;
}
const STATES = new Map<Json, FieldState>(['', true, false].map((feed) => [feed, { feed, by: 'feed' }]));
const statesOfLists = new WeakMap<object, FieldState>();

const LOST = 'no longer found on the site';

/** Reasons given for events that are new, back or changed in the feed, by whether the settings have changed, too. */
const SAID_OF_FEED = {
  new: {
    no: 'new in the feed',
    alone: 'let in by the settings of its source',
    withFeed: 'new in the feed, or let in by the settings of its source',
  },
  removed: {
    no: 'back in the feed',
    alone: 'let in again by the settings of its source',
    withFeed: 'back in the feed, or let in again by the settings of its source',
  },
  changed: {
    no: 'changed in the feed',
    alone: 'changed by the settings of its source',
    withFeed: 'changed in the feed, or by the settings of its source',
  },
} as const;

const saidOfFeed = (what: keyof typeof SAID_OF_FEED, { newSettings }: Policy): string =>
  SAID_OF_FEED[what][newSettings ?? 'no'];

function whyCreated(entry: LedgerEntry | undefined, policy: Policy): string {
  if (entry === undefined) return saidOfFeed('new', policy);
  return entry.state === 'removed' ? saidOfFeed('removed', policy) : LOST;
}

/** Merges the draft with the site's event, unit by unit. */
function merged(known: Identified, wanted: Wanted, onSite: SiteEvent, links: Links, policy: Policy): PlannedEvent {
  const marking = { entry: known.entry, wanted, onSite, links, policy };
  const deciding: UnitInput = { ...marking, marks: stateMarks(marking, known.draft.fields.title) };
  const decisions = UNITS.flatMap((unit) => decideUnit(unit, deciding) ?? []);
  const sent = fieldsToSend(decisions, deciding);
  const pendingFields = FIELD_NAMES.filter((field) => sent[field] !== undefined);
  const entry = keepDigestIfSettled(entryFor(known, onSite, handledFields(decisions, deciding, pendingFields)));
  return {
    action: pendingFields.length === 0 ? null : updateEvent(entry, sent, decisions, deciding),
    change: { entry, pendingFields, ...(known.entry ? {} : { isNew: true }) },
    conflicts: conflictsIn(decisions, entry, deciding),
    skipped: false,
  };
}

function conflictsIn(
  decisions: readonly Decision[],
  { slug, title }: LedgerEntry,
  { wanted, onSite }: UnitInput,
): Plan['conflicts'] {
  const about = { slug, title: String(onSite.values.title ?? title) };
  return decisions
    .filter(({ verdict }) => verdict === 'conflict')
    .flatMap(({ fields }) => fields)
    .filter((field) => !sameJson(wanted.send[field], onSite.values[field]))
    .map((field) => ({ ...about, field, feed: wanted.feed[field] ?? null, site: onSite.values[field] ?? null }));
}

/** The fields to send: decided values, the marks of the event's state, and what reverses our removal. */
function fieldsToSend(decisions: readonly Decision[], deciding: UnitInput): Values {
  const { wanted, marks } = deciding;
  const written = writtenIn(decisions).flatMap(({ fields }) => fields);
  const sent = Object.fromEntries(written.map((field) => [field, wanted.send[field] ?? null]));
  return { ...marks, ...sent, ...asBefore(deciding) };
}

/** What a trashed or withdrawn event gets back, whoever has authority over these fields. */
function asBefore(deciding: UnitInput): Values {
  const { entry, wanted, onSite } = deciding;
  const status = statusBefore(deciding) ?? wanted.send.status ?? 'publish';
  if (onSite.status === 'trash') return { status, ...linksBefore(deciding) };
  return isWithdrawn(entry, onSite) && status !== onSite.status ? { status } : {};
}

const writtenIn = (decisions: readonly Decision[]): readonly Decision[] =>
  decisions.filter(({ verdict }) => verdict === 'write');

// If a person had published or withdrawn the event before we removed it, it gets that status back, unless the feed has
// authority.
const statusBefore = ({ entry, policy }: UnitInput): Json | undefined =>
  authorityOf(policy, ['status']) === 'feed' ? undefined : personsChoice(entry?.fields.status);

// The venue and organizers that a person had chosen come back as well.
const linksBefore = ({ entry, onSite, links, policy }: UnitInput): Values =>
  Object.fromEntries(
    CUT_BY_TRASH.flatMap((field) => {
      const theirs = authorityOf(policy, [field]) === 'feed' ? undefined : personsChoice(entry?.fields[field]);
      return !isBlank(theirs) && isCutLink(field, onSite) ? [[field, links.refsOfIds(field, theirs)]] : [];
    }),
  );

/** The update that sends `fields`; `entry` is the ledger entry afterwards. */
function updateEvent(
  entry: LedgerEntry,
  fields: Values,
  decisions: readonly Decision[],
  deciding: UnitInput,
): UpdateEvent {
  const { onSite } = deciding;
  const changes = changesOf(fields, deciding);
  return {
    kind: 'update',
    resource: 'events',
    slug: entry.slug,
    id: onSite.id,
    ...(onSite.status === 'trash' ? {} : { siteSlug: onSite.slug }),
    title: entry.title,
    fields,
    changes,
    ...lastSentValues(Object.keys(changes), deciding.entry, onSite),
    ...editedIn(changes, decisions, deciding),
    because: reasonOf(deciding, decisions),
  };
}

function changesOf(fields: Values, { onSite, links }: UnitInput): UpdateEvent['changes'] {
  return Object.fromEntries(
    // The keys of Values are field names.
    (Object.entries(fields) as [FieldName, Json][]).flatMap(([field, to]) => {
      const shown = onSite.values[field];
      if (sameJson(siteForm(field, to, links.idOf), shown)) return [];
      const from = shown !== undefined && isLinked(field) ? links.refsOfIds(field, shown) : (shown ?? null);
      return [[field, { from, to }]];
    }),
  );
}

/** The fields in which an update overwrites a person's edits because the feed has authority. */
function editedIn(
  changes: UpdateEvent['changes'],
  decisions: readonly Decision[],
  { entry, onSite }: UnitInput,
): Pick<UpdateEvent, 'edited'> {
  if (entry?.state !== 'kept') return {};
  const written = writtenIn(decisions).flatMap(({ fields }) => fields);
  const edited = written.filter(
    (field) => changes[field] !== undefined && isEditedByPerson(field, entry.fields[field], onSite),
  );
  return edited.length === 0 ? {} : { edited };
}

// The most telling reason comes first.
const REASONS: readonly (readonly [Reopening, string])[] = [
  ['restored', 'older on the site than it was: the site went back to an earlier state'],
  ['statusWithheld', 'not published before, because the user of the site had no right to'],
  ['utcOff', 'at another time in UTC on the site than its clock and zone say'],
  ['unlocked', 'unlocked by a person, so what the feed says is written'],
  ['imageDue', 'the site did not accept its image before'],
];

function reasonOf({ entry, policy }: UnitInput, decisions: readonly Decision[]): string {
  if (entry === undefined) return 'found on the site by its key';
  if (entry.state === 'removed') return saidOfFeed('removed', policy);
  const changed = saidOfFeed('changed', policy);
  const written = writtenIn(decisions);
  if (written.length === 0) return changed;
  const reason = REASONS.find(([each]) => written.every(({ reopened }) => reopened.includes(each)));
  if (reason) return reason[1];
  return written.every(({ siteChanged }) => siteChanged) ? 'changed on the site, where the feed decides' : changed;
}
