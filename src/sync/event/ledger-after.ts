import { keepDigestIfWritten, unsettled } from '../model/settled.ts';
import { isStateTag } from '../model/state-tags.ts';
import { nameOfRef } from '../links/link.ts';
import { FIELD_NAMES, isLinked, type FieldName } from '../model/fields.ts';
import { refusedBy } from './refused-image.ts';
import { replaced, seenAs } from '../compare/seen.ts';
import type { Action, FieldState, Json, LedgerChange, LedgerEntry, Outcome } from '../model/plan.ts';

/**
 * The ledger entry after an action: null if it was not carried out, else the planned entry with the post id, what was
 * sent and what the site returned. The slug stays, as an event whose slug the server extends (`-2`) is found by its id
 * and key. `open` holds the refs that could not be created this time; fields that point to them count as not handled.
 * An event that was only found stays in the ledger without the unwritten fields even if its update failed, because the
 * feed may have renamed it by the next run.
 */
export function ledgerAfter(
  change: LedgerChange,
  action: Action,
  outcome: Outcome,
  open: ReadonlySet<string> = NONE,
  now = 0,
): LedgerEntry | null {
  const { entry, pendingFields, isNew } = change;
  if (outcome.kind !== 'done') return isNew && action.kind === 'update' ? unwritten(change) : null;
  if (outcome.takenBack) return null;
  // The event existed before, so we do not know what it shows.
  if (outcome.older) return { ...unwritten(change), id: outcome.id };
  const answer: Answer = { sent: sentFields(action), outcome, open, now };
  const fields: Fields = { ...entry.fields, ...resurfacedWrites(entry, outcome) };
  for (const field of pendingFields) fields[field] = stateAfter(field, entry.fields[field], answer);
  Object.assign(fields, trashed(entry, action, outcome), withheld(entry, outcome));
  Object.assign(fields, removedFrom(entry, fields));
  const lacksState =
    pendingFields.includes('tags') &&
    refsIn(answer.sent.tags).some((ref) => open.has(ref) && isStateTag(nameOfRef(ref)));
  return keepDigestIfWritten({ ...entry, id: outcome.id, fields: lacksState ? withOpenTitle(fields) : fields }, change);
}

type Done = Extract<Outcome, { kind: 'done' }>;
type Fields = { -readonly [Name in FieldName]?: FieldState };

/** What was sent, and its outcome. */
interface Answer {
  readonly sent: Readonly<Partial<Record<FieldName, Json>>>;
  readonly outcome: Done;
  readonly open: ReadonlySet<string>;
  readonly now: number;
}

/** Only actions on events have event fields; for other actions there are none. */
const sentFields = (action: Action): Answer['sent'] => (action.resource === 'events' ? action.fields : {});

const unwritten = ({ entry, pendingFields }: LedgerChange): LedgerEntry => ({
  ...unsettled(entry),
  fields: withoutFields(entry.fields, pendingFields),
});

/** The state of a field that was to be written. */
function stateAfter(
  field: FieldName,
  planned: FieldState = { feed: null, by: 'feed' },
  { sent, outcome, open, now }: Answer,
): FieldState {
  const before = unanswered(planned);
  const after: Writable<FieldState> = { ...before, returned: outcome.values[field] ?? null };
  if (field === 'image') Object.assign(after, refusedBy(planned.refused, outcome, now));
  if (outcome.lookedUp) return { ...after, feed: null };
  const value = sent[field];
  if (isLinked(field) && refsIn(value).some((ref) => open.has(ref))) after.feed = null;
  if (outcome.utc && (field === 'start_date' || field === 'end_date')) after.utc = outcome.utc[field];
  if (value === undefined) return after;
  if (!isLinked(field)) after.sent = value;
  return Object.assign(after, replaced(before, outcome.modified));
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Drops the parts of a state that each answer sets afresh; most states have none of them. */
function unanswered(state: FieldState): FieldState {
  if (state.refused === undefined && state.utc === undefined && state.shown === undefined) return state;
  const { refused: _refused, utc: _utc, shown: _shown, ...before } = state;
  return before;
}

// Trashing sends no fields, but changes the status.
const trashed = ({ fields: { status } }: LedgerEntry, action: Action, { modified }: Done): LedgerEntry['fields'] =>
  action.kind === 'remove' && action.how === 'trash' && status && modified !== undefined
    ? { status: { ...status, at: modified } }
    : {};

/**
 * Keeps the status that a removal hides, so that the event gets it back when it returns, whatever happens until then.
 */
function removedFrom(planned: LedgerEntry, { status }: Fields): Fields {
  const shown = planned.fields.status?.shown;
  return planned.state === 'removed' && status && shown !== undefined ? { status: { ...status, shown } } : {};
}

/**
 * Records that the site set another status than the one sent. This is not a person's edit, and the next run sends it
 * again.
 */
function withheld({ fields }: LedgerEntry, { differs, values }: Done): LedgerEntry['fields'] {
  if (differs?.status === undefined || differs.status === 'trash') return {};
  const { status = { feed: differs.status, by: 'feed' } } = fields;
  return { status: { ...status, sent: differs.status, returned: values.status ?? null } };
}

/**
 * Unwritten fields that show an earlier write of ours, which an out-of-date list had hidden. The plan saw no edit
 * there, so they are still ours.
 */
function resurfacedWrites({ fields }: LedgerEntry, { values, modified }: Done): LedgerEntry['fields'] {
  const resurfaced: Fields = {};
  if (modified === undefined) return resurfaced;
  for (const field of FIELD_NAMES) {
    const state = fields[field];
    if (state?.by !== 'feed' || !state.earlier) continue;
    const now = { ...state, at: modified };
    if (seenAs(field, now, { modified, values }) === 'earlier') resurfaced[field] = now;
  }
  return resurfaced;
}

/**
 * Marks the title as not handled, because its prefix belongs to the state whose tag is missing; a person's title is
 * left alone.
 */
export const withOpenTitle = (fields: LedgerEntry['fields']): LedgerEntry['fields'] =>
  fields.title?.by === 'feed' ? { ...fields, title: { ...fields.title, feed: null } } : fields;

/** Leaves out the fields that were not written. */
export const withoutFields = (fields: LedgerEntry['fields'], names: readonly FieldName[]): LedgerEntry['fields'] =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.some((each) => each === name)));

const NONE: ReadonlySet<string> = new Set();

const refsIn = (refs: Json | undefined): readonly string[] => (Array.isArray(refs) ? refs.map(String) : []);
