import { replaced, wasEditedByPerson } from '../compare/seen.ts';
import { FIELD_NAMES, HIDDEN_BY_TRASH, type FieldName } from '../model/fields.ts';
import { sameJson } from '../model/json.ts';
import type { FieldState, Json, LedgerEntry } from '../model/plan.ts';
import type { UnitInput, Decision } from './decide-unit.ts';
import { lacksWriteRecord } from './write-record.ts';
import { isStateTagDue, withStateTagDue } from './state-marks.ts';

/**
 * What the ledger records about an event's fields after the decisions; the answers for `sent` fields are added later.
 */
export function handledFields(
  decisions: readonly Decision[],
  deciding: UnitInput,
  sent: readonly FieldName[],
): LedgerEntry['fields'] {
  const before = deciding.entry?.fields ?? unspoken(deciding);
  const changed: Partial<Record<FieldName, FieldState>> = {};
  for (const decision of decisions)
    for (const field of decision.fields) {
      const state = withOrigin(stateAfter(field, decision, deciding, sent), deciding.wanted.fromRules.includes(field));
      if (state !== before[field]) changed[field] = state;
    }
  const fields = Object.keys(changed).length === 0 ? before : { ...before, ...changed };
  return knownByTitle(withStateTagDue(fields, !sent.includes('tags') && isStateTagDue(deciding)), deciding);
}

/** Keeps the visible title, by which people know an event, if a person has retitled it or it is in conflict. */
const knownByTitle = (fields: LedgerEntry['fields'], { onSite }: UnitInput): LedgerEntry['fields'] =>
  withShownTitle(
    fields,
    wasEditedByPerson(fields.title) || FIELD_NAMES.some((field) => fields[field]?.conflict)
      ? onSite.values.title
      : undefined,
  );

/** Keeps the title that visitors see, for events that people know by it; drops it if `shown` is undefined. */
export function withShownTitle(fields: LedgerEntry['fields'], shown: Json | undefined): LedgerEntry['fields'] {
  if (!fields.title || fields.title.shown === shown) return fields;
  const { shown: _earlier, ...title } = fields.title;
  return { ...fields, title: shown === undefined ? title : { ...title, shown } };
}

/**
 * For an event that is not in the ledger: the site's values of the fields that the feed omits. If the feed gives one
 * later, a person's edit can then be told from the value found.
 */
function unspoken({ wanted, onSite }: UnitInput): LedgerEntry['fields'] {
  const silent = FIELD_NAMES.filter((field) => wanted.feed[field] === undefined);
  return Object.fromEntries(
    silent.map((field): [FieldName, FieldState] => [
      field,
      { feed: null, returned: onSite.values[field] ?? null, by: 'feed' },
    ]),
  );
}

/** Marks whether a value of the feed actually comes from a rule of the source. */
export function withOrigin(state: FieldState, isFromRule: boolean): FieldState {
  if (isFromRule === (state.fromRule === true)) return state;
  const { fromRule: _fromRule, ...rest } = state;
  return isFromRule ? { ...rest, fromRule: true } : rest;
}

const UNKNOWN: FieldState = { feed: null, by: 'feed' };

function stateAfter(field: FieldName, decision: Decision, deciding: UnitInput, sent: readonly FieldName[]): FieldState {
  const { entry, wanted } = deciding;
  const feed = wanted.feed[field] ?? null;
  const known = entry?.fields[field];
  if (known && isAsBefore(known, feed, decision, deciding)) return known;
  const { refused, unlocked: _compared, shown: _seen, ...state } = known ?? UNKNOWN;
  if (decision.verdict === 'adopt') return adopted(field, state, feed, deciding);
  // A refused image is retried later, unless the feed has a new one.
  const before = { ...state, ...(refused && sameJson(feed, state.feed) ? { refused } : {}) };
  return decision.verdict === 'write'
    ? written(field, before, feed, decision, deciding)
    : left(field, before, feed, decision, deciding, sent);
}

/** Whether nothing is decided about a field, so that its record stays as it is; this is by far the most common case. */
const isAsBefore = (known: FieldState, feed: Json, { fields, verdict }: Decision, { entry }: UnitInput): boolean =>
  verdict === 'nothing' &&
  known.returned !== undefined &&
  !known.unlocked &&
  sameJson(feed, known.feed) &&
  !lacksWriteRecord(entry, fields);

/** For a field in which the site already shows what the feed wants. */
function adopted(field: FieldName, state: FieldState, feed: Json, { onSite }: UnitInput): FieldState {
  const { returned, conflict: _settled, ...before } = state;
  const shown = onSite.values[field] ?? null;
  const earlier = sameJson(returned ?? null, shown) ? {} : replaced(state, onSite.modified);
  return { ...before, ...earlier, feed, returned: shown, by: 'feed' };
}

function written(
  field: FieldName,
  { returned, conflict: _settled, ...before }: FieldState,
  feed: Json,
  { fields }: Decision,
  { entry, onSite }: UnitInput,
): FieldState {
  // A value found without a ledger and then overwritten may reappear in an out-of-date list.
  const former = lacksWriteRecord(entry, fields) ? onSite.values[field] : returned;
  return { ...before, ...lastShown(former), feed, by: 'feed' };
}

function left(
  field: FieldName,
  { returned, conflict, ...before }: FieldState,
  feed: Json,
  { fields, verdict, siteChanged }: Decision,
  deciding: UnitInput,
  sent: readonly FieldName[],
): FieldState {
  const { entry, onSite } = deciding;
  const theirs = siteChanged && verdict !== 'nothing';
  const isShownNow = lacksWriteRecord(entry, fields) || (returned === undefined && !sent.includes(field));
  return {
    ...before,
    ...(verdict === 'conflict' || conflict ? { conflict: true } : {}),
    ...lastShown(isShownNow ? onSite.values[field] : returned),
    feed,
    // A title that a person wrote remains theirs when a prefix is added to it.
    by: theirs ? 'person' : before.by,
    ...(theirs ? shownOf(field, deciding) : {}),
  };
}

/** A person's value of a field that the trash will hide. */
function shownOf(field: FieldName, { entry, onSite }: UnitInput): Pick<FieldState, 'shown'> {
  if (!HIDDEN_BY_TRASH.includes(field)) return {};
  const shown = onSite.status === 'trash' ? undefined : onSite.values[field];
  const known = shown ?? entry?.fields[field]?.shown;
  return known === undefined ? {} : { shown: known };
}

const lastShown = (returned: Json | undefined): Pick<FieldState, 'returned'> =>
  returned === undefined ? {} : { returned };
