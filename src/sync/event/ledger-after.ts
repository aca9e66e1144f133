import { isStateTag } from '../model/state-tags.ts';
import { nameOfRef } from '../links/link.ts';
import { isLinked } from '../model/fields.ts';
import { refusedBy } from './refused-image.ts';
import { sameJson } from '../model/json.ts';
import { showsEarlierWrite, replaced } from '../compare/earlier-write.ts';
import type { Action, FieldName, FieldState, LedgerChange, LedgerEntry, Outcome } from '../model/plan.ts';

/**
 * The ledger entry after an action: null unless it was done, then the planned entry with the post id, what was sent and what the site made of it.
 * The slug stays: where a server appends to it (`-2`), the event is found by its id and key. `open` are the refs that could not be made this
 * time: fields that point to them are not handled yet, nor are those of an event that was only found. An event that the ledger did not know
 * stays known, with what was not to be written, also where its update failed: by then the feed may call it otherwise.
 */
export function ledgerAfter(
  change: LedgerChange,
  action: Action,
  outcome: Outcome,
  open: ReadonlySet<string> = NONE,
  now = 0,
): LedgerEntry | null {
  const { entry, awaits, isNew } = change;
  // It was there before: nothing is known of what it shows.
  if (outcome.kind === 'done' && outcome.older)
    return { ...entry, id: outcome.id, fields: withoutFields(entry.fields, awaits) };
  if (outcome.kind !== 'done')
    return isNew && action.kind === 'update' ? { ...entry, fields: withoutFields(entry.fields, awaits) } : null;
  const sent = new Map(Object.entries(action.fields));
  const states = awaits.map((field): [FieldName, FieldState] => {
    const { refused, utc: _utc, ...before }: FieldState = entry.fields[field] ?? { feed: null, by: 'feed' };
    const value = isLinked(field) ? undefined : sent.get(field);
    const isOpen = outcome.found || (isLinked(field) && refsOf(action, field).some((ref) => open.has(ref)));
    return [
      field,
      {
        ...before,
        ...(field === 'image' ? refusedBy(refused, outcome, now) : {}),
        ...(isOpen ? { feed: null } : {}),
        ...(value === undefined || outcome.found ? {} : { sent: value }),
        returned: outcome.values[field] ?? null,
        ...utcIn(field, outcome),
        ...(outcome.found || !sent.has(field) ? {} : replaced(before, outcome.modified)),
      },
    ];
  });
  // Into the trash: nothing is sent, but the status is another one from now on.
  const { status } = entry.fields;
  const trashed =
    action.kind === 'remove' && action.how === 'trash' && status && outcome.modified !== undefined
      ? { status: { ...status, at: outcome.modified } }
      : {};
  const fields: LedgerEntry['fields'] = {
    ...entry.fields,
    ...resurfacedWrites(entry, outcome),
    ...Object.fromEntries(states),
    ...trashed,
    ...withheld(entry, outcome),
  };
  const lacksState =
    awaits.includes('tags') && refsOf(action, 'tags').some((ref) => open.has(ref) && isStateTag(nameOfRef(ref)));
  return { ...entry, id: outcome.id, fields: lacksState ? withOpenTitle(fields) : fields };
}

const utcIn = (field: FieldName, { utc, found }: Extract<Outcome, { kind: 'done' }>): Pick<FieldState, 'utc'> =>
  utc && !found && (field === 'start_date' || field === 'end_date') ? { utc: utc[field] } : {};

/** The site has given another status than was sent: that is its doing, not a person's, and the next run sends it again. */
function withheld(
  { fields }: LedgerEntry,
  { differs, values }: Extract<Outcome, { kind: 'done' }>,
): LedgerEntry['fields'] {
  if (differs?.status === undefined || differs.status === 'trash') return {};
  const { status = { feed: differs.status, by: 'feed' } } = fields;
  return { status: { ...status, sent: differs.status, returned: values.status ?? null } };
}

/** Fields that were not written, and show what we wrote before: an old list had hidden that. The plan has seen no person's word there, so it is ours still. */
const resurfacedWrites = (
  { fields }: LedgerEntry,
  { values, modified }: Extract<Outcome, { kind: 'done' }>,
): LedgerEntry['fields'] =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, state]) => {
      const value = values[field as FieldName];
      return modified !== undefined &&
        state.by === 'feed' &&
        value !== undefined &&
        !sameJson(state.returned ?? null, value) &&
        showsEarlierWrite(state, value)
        ? [[field, { ...state, at: modified }]]
        : [];
    }),
  );

/** Without its tag a state is not handled, and neither is the title that bears its prefix, unless that is a person's. */
export const withOpenTitle = (fields: LedgerEntry['fields']): LedgerEntry['fields'] =>
  fields.title?.by === 'feed' ? { ...fields, title: { ...fields.title, feed: null } } : fields;

/** What is known of an event, but for fields that were not written. */
export const withoutFields = (fields: LedgerEntry['fields'], names: readonly FieldName[]): LedgerEntry['fields'] =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.some((each) => each === name)));

const NONE: ReadonlySet<string> = new Set();

const refsOf = ({ fields }: Action, field: string): readonly string[] => {
  const refs: unknown = new Map(Object.entries(fields)).get(field);
  return Array.isArray(refs) ? refs.map(String) : [];
};
