import { looksSame, mayHaveBecome } from '../compare/looks-same.ts';
import { isEditedByPerson, isRestored, seenAs, wasEditedByPerson } from '../compare/seen.ts';
import { isUtcOff } from '../compare/utc-times.ts';
import type { Wanted } from '../compare/wanted.ts';
import { siteForm } from '../links/link.ts';
import type { Links } from '../links/links.ts';
import { CUT_BY_TRASH, type FieldName } from '../model/fields.ts';
import { isBlank, sameJson } from '../model/json.ts';
import type { FieldState, Json, LedgerEntry, Policy, SiteEvent } from '../model/plan.ts';
import { isPublic } from '../model/publishing.ts';
import { isStateTag } from '../model/state-tags.ts';
import { isWithdrawn } from './life.ts';
import { authorityOf, merge, type Verdict } from './merge.ts';
import { lacksWriteRecord } from './write-record.ts';
import { isDueAgain } from './refused-image.ts';

/** Values by field name. */
export type Values = Readonly<Partial<Record<FieldName, Json>>>;

/** What the decisions about an event on the site are based on. */
export interface UnitInput {
  readonly entry: LedgerEntry | undefined;
  readonly wanted: Wanted;
  readonly onSite: SiteEvent;
  readonly links: Links;
  readonly policy: Policy;
  /** What the event's state writes into fields, even over a person's edits. */
  readonly marks: Values;
}

/** A decision about the fields of a unit. */
export interface Decision {
  readonly fields: readonly FieldName[];
  readonly verdict: Verdict;
  /** A person has edited the event on the site. */
  readonly siteChanged: boolean;
  readonly reopened: readonly Reopening[];
}

/** Why fields are written again although neither the feed nor a person has changed them. */
export type Reopening =
  /** The site shows a value from before our last write. */
  | 'restored'
  /** A person has unlocked it, and the feed may have changed while it was locked. */
  | 'unlocked'
  /** The site refused the image earlier. */
  | 'imageDue'
  /** The trash removed a link. */
  | 'linkCut'
  /** The site did not set the status that was sent. */
  | 'statusWithheld'
  /** The site's UTC times do not match its wall-clock times and zone. */
  | 'utcOff';

type Test = (field: FieldName, deciding: UnitInput) => boolean;

const REOPENED: Readonly<Record<Reopening, Test>> = {
  restored: (field, { entry, onSite }) => isRestored(field, entry?.fields[field], onSite),
  unlocked: (field, deciding) => deciding.entry?.fields[field]?.unlocked === true && !showsLastSent(field, deciding),
  imageDue: (field, { entry, policy }) => isDueAgain(entry?.fields[field], policy.now),
  linkCut: (field, { onSite }) => isCutLink(field, onSite),
  statusWithheld: (field, { entry, onSite }) => field === 'status' && isStatusWithheld(entry?.fields.status, onSite),
  utcOff: (field, { entry, wanted, onSite }) =>
    field === 'start_date' && entry !== undefined && isUtcOff(wanted.send, entry, onSite),
};
// The type of REOPENED guarantees that its keys are the reasons.
const REOPENINGS = Object.keys(REOPENED) as readonly Reopening[];

/** Reasons given for a write even if the feed has changed the field, too. */
const OUTWEIGHS_FEED: ReadonlySet<Reopening> = new Set(['restored', 'statusWithheld']);

/**
 * Whether a test holds for any of the fields. Takes no callback per field, as a large plan asks this millions of times.
 */
function isAny(fields: readonly FieldName[], test: Test, deciding: UnitInput): boolean {
  for (const field of fields) if (test(field, deciding)) return true;
  return false;
}

/** The verdict on the fields of a unit; null if the feed says nothing about them. */
export function decideUnit(unit: readonly FieldName[], deciding: UnitInput): Decision | null {
  const { entry, wanted } = deciding;
  const fields = isAny(unit, isSilent, deciding) ? unit.filter((field) => !isSilent(field, deciding)) : unit;
  if (fields.length === 0) return null;
  if (wanted.silentTags && fields.includes('tags')) return asFeedSays(fields, 'nothing');
  return lacksWriteRecord(entry, fields) ? decideFound(fields, deciding) : decideKnown(fields, deciding);
}

const asFeedSays = (fields: readonly FieldName[], verdict: Verdict): Decision => ({
  fields,
  verdict,
  siteChanged: false,
  reopened: [],
});

function decideKnown(fields: readonly FieldName[], deciding: UnitInput): Decision {
  const feed = isAny(fields, isNewInFeed, deciding);
  const siteChanged = !isAny(fields, REOPENED.statusWithheld, deciding) && isAny(fields, isTheirs, deciding);
  const reopened = siteChanged ? [] : REOPENINGS.filter((each) => isAny(fields, REOPENED[each], deciding));
  // Most units have not changed and need no comparison with what is wanted.
  if (!feed && !siteChanged && reopened.length === 0) return { fields, verdict: 'nothing', siteChanged, reopened };
  const same = !reopened.includes('utcOff') && fields.every((field) => isAsWanted(field, deciding));
  const changes = { feed: feed || reopened.length > 0, site: siteChanged, same };
  return {
    fields,
    verdict: merge(changes, authorityOf(deciding.policy, fields)),
    siteChanged,
    reopened: feed ? reopened.filter((each) => OUTWEIGHS_FEED.has(each)) : reopened,
  };
}

const isSilent: Test = (field, { wanted }) => wanted.feed[field] === undefined;

const isNewInFeed: Test = (field, { entry, wanted }) =>
  !sameJson(withoutStateTags(field, wanted.feed[field]), withoutStateTags(field, entry?.fields[field]?.feed));

const isTheirs: Test = (field, { entry, onSite }) =>
  isOfTrash(field, onSite)
    ? wasEditedByPerson(entry?.fields[field])
    : isEditedByPerson(field, entry?.fields[field], onSite);

function isAsWanted(field: FieldName, { entry, wanted, onSite, links }: UnitInput): boolean {
  const looks = entry?.fields[field]?.sent === undefined ? mayHaveBecome : looksSame;
  // The status that our own withdrawal set is neither the feed's nor a person's, so the one before it is compared.
  const shown = field === 'status' && isWithdrawn(entry, onSite) ? entry?.fields.status?.shown : onSite.values[field];
  return looks(field, siteForm(field, wanted.send[field], links.idOf), shown);
}

/** Whether what we last sent is still wanted, and shown in the form that the site gave it, such as a copy of an image. */
function showsLastSent(field: FieldName, { entry, wanted, onSite }: UnitInput): boolean {
  const state = entry?.fields[field];
  return (
    state?.sent !== undefined &&
    sameJson(state.sent, wanted.send[field] ?? null) &&
    seenAs(field, state, onSite) === 'as-returned'
  );
}

/**
 * Whether the site, and not a person, set the status shown, because our user may not publish: the answer differed from
 * what was sent, or the event has lost its slug (events that people withdraw keep theirs).
 */
function isStatusWithheld(state: FieldState | undefined, { slug, values }: SiteEvent): boolean {
  if (state?.by !== 'feed' || isPublic(values.status)) return false;
  return slug === '' || (isPublic(state.sent) && !isPublic(state.returned) && state.returned === values.status);
}

/** Whether an event may lack a link only because it is in the trash, not because a person removed it. */
export const isCutLink = (field: FieldName, { status, values }: SiteEvent): boolean =>
  status === 'trash' && CUT_BY_TRASH.some((cut) => cut === field) && isBlank(values[field]);

/** Whether a field only shows that the event is in the trash; a merge restores the event. */
const isOfTrash = (field: FieldName, onSite: SiteEvent): boolean =>
  (field === 'status' && onSite.status === 'trash') || isCutLink(field, onSite);

// Tags for an event's state are handled separately (state-marks.ts).
const withoutStateTags = (field: FieldName, value: Json | undefined): Json =>
  field === 'tags' && Array.isArray(value)
    ? value.filter((name) => typeof name !== 'string' || !isStateTag(name))
    : (value ?? null);

/**
 * The verdict on fields that the ledger does not know. What the site shows may be a person's work, so it stays unless
 * the feed has authority; empty fields are filled in. Either way, an event that was only found is never made public.
 */
function decideFound(fields: readonly FieldName[], deciding: UnitInput): Decision {
  const { wanted, onSite, links, policy } = deciding;
  const shown = fields.filter((field) => onSite.values[field] !== undefined);
  if (shown.length === 0) return asFeedSays(fields, 'nothing');
  const isAsFound = (field: FieldName): boolean =>
    mayHaveBecome(field, siteForm(field, wanted.send[field], links.idOf), onSite.values[field]);
  if (shown.every(isAsFound)) return asFeedSays(fields, 'adopt');
  if (fields.every((field) => isMarked(field, deciding))) return asFeedSays(fields, 'write');
  const authority = authorityOf(policy, fields);
  if (shown.every((field) => isBlank(onSite.values[field])))
    return asFeedSays(fields, merge({ feed: true, site: false, same: false }, authority));
  if (authority === 'feed' && fields.includes('status') && onSite.status !== 'publish')
    return asFeedSays(fields, 'conflict');
  const verdict = merge({ feed: true, site: true, same: false }, authority);
  return { ...asFeedSays(fields, verdict), siteChanged: authority !== 'feed' };
}

/** Whether the event's state already writes a field as the feed wants it. */
function isMarked(field: FieldName, { wanted, marks }: UnitInput): boolean {
  if (marks[field] === undefined) return false;
  return field === 'tags'
    ? sameJson(sorted(marks.tags), sorted(wanted.send.tags))
    : looksSame(field, wanted.send[field], marks[field]);
}

const sorted = (refs: Json | undefined): readonly string[] => (Array.isArray(refs) ? refs.map(String).sort() : []);
