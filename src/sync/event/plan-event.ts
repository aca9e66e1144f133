import type { Identified } from '../identity/identify-drafts.ts';
import type { Links } from '../links/links.ts';
import { wantedOf, type Wanted } from '../compare/wanted.ts';
import { FIELD_NAMES, UNITS } from '../model/fields.ts';
import { isEmpty, sameJson } from '../model/json.ts';
import type {
  Action,
  FieldName,
  FieldState,
  LedgerChange,
  LedgerEntry,
  Plan,
  Policy,
  SiteEvent,
} from '../model/plan.ts';
import { withoutTrashed } from '../model/slug.ts';
import { decideUnit, type Deciding, type Decision } from './decide-unit.ts';
import { handledFields } from './handled-fields.ts';
import { LIFE, whereaboutsOf, type OnSite } from './life.ts';
import { stateMarks } from './state-marks.ts';
import { fieldsToSend, updateEvent } from './update-event.ts';

/** What is decided about one draft. */
export interface Decided {
  readonly action: Action | null;
  readonly change: LedgerChange;
  readonly conflicts: Plan['conflicts'];
  /** A person removed the event, so it stays removed. */
  readonly skipped: boolean;
}

/** Compares one draft with what the site holds and what we last wrote. */
export function planEvent(known: Identified, onSite: OnSite, links: Links, policy: Policy): Decided {
  const { draft, entry } = known;
  const verdict = LIFE.drafted[whereaboutsOf(entry, onSite)];
  const event = typeof onSite === 'object' ? onSite : null;
  if (verdict === 'markIgnored') return ignored(entryFor(known, event, entry?.fields ?? {}), entry === undefined);
  const wanted = wantedOf(draft, entry, links, policy);
  return verdict === 'merge' && event ? merged(known, wanted, event, links, policy) : created(known, wanted);
}

const ignored = (entry: LedgerEntry, isNew: boolean): Decided => ({
  action: null,
  change: { entry: { ...entry, state: 'ignored' }, pendingFields: [], ...(isNew ? { isNew } : {}) },
  conflicts: [],
  skipped: true,
});

function entryFor(
  { draft, slug, key, rung, identity, entry }: Identified,
  onSite: SiteEvent | null,
  fields: LedgerEntry['fields'],
): LedgerEntry {
  return {
    // The first slug is kept for ever: it is the ledger's key, and anything that servers append to it is ignored.
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

/** Creates the complete event. Empty fields are left out, because sites refuse empty texts on a create. */
function created(known: Identified, wanted: Wanted): Decided {
  const sent = Object.entries(wanted.send).filter(([, value]) => !isEmpty(value));
  const fields = Object.fromEntries(
    FIELD_NAMES.map((field): [FieldName, FieldState] => [field, { feed: wanted.feed[field] ?? null, by: 'feed' }]),
  );
  const action: Action = {
    kind: 'create',
    resource: 'events',
    slug: known.slug,
    title: known.draft.fields.title,
    fields: { ...Object.fromEntries(sent), slug: known.slug },
    because: CREATED_BECAUSE[known.entry?.state ?? 'new'],
  };
  return {
    action,
    change: { entry: { ...entryFor(known, null, fields), id: null }, pendingFields: FIELD_NAMES },
    conflicts: [],
    skipped: false,
  };
}

const LOST = 'no longer found on the site';
const CREATED_BECAUSE = { new: 'new in the feed', removed: 'back in the feed', kept: LOST, ignored: LOST } as const;

/** Merges the draft with the site's event, unit by unit. */
function merged(known: Identified, wanted: Wanted, onSite: SiteEvent, links: Links, policy: Policy): Decided {
  const marking = { entry: known.entry, wanted, onSite, links, policy };
  const deciding: Deciding = { ...marking, marks: stateMarks(marking, known.draft.fields.title) };
  const decisions = UNITS.flatMap((unit) => decideUnit(unit, deciding) ?? []);
  const sent = fieldsToSend(decisions, deciding);
  const pendingFields = FIELD_NAMES.filter((field) => sent[field] !== undefined);
  const entry = entryFor(known, onSite, handledFields(decisions, deciding, pendingFields));
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
  { wanted, onSite }: Deciding,
): Plan['conflicts'] {
  return decisions
    .filter(({ verdict }) => verdict === 'conflict')
    .flatMap(({ fields }) => fields)
    .filter((field) => !sameJson(wanted.send[field], onSite.values[field]))
    .map((field) => ({ slug, title, field, feed: wanted.feed[field] ?? null, site: onSite.values[field] ?? null }));
}
