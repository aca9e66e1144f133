import { FIELD_NAMES, type FieldName } from './fields.ts';
import type { FieldState, Json, LedgerEntry } from './plan.ts';

/**
 * A field's state as it is stored. What most fields have in common is left out: `by: 'feed'`, `feed: null`, and that
 * the site shows what was sent.
 */
type StoredField = { readonly [Key in keyof FieldState]?: FieldState[Key] | undefined } & {
  /** The value of `feed`, `sent` and `returned` if all three are equal and `at` equals the entry's `writtenAt`. */
  readonly same?: Json;
};

/** The fields of an entry in their stored form. */
export interface StoredFields {
  readonly fields: Readonly<Record<string, StoredField>>;
  /** The time of our last write of most fields. */
  readonly writtenAt: string | null;
}

/** Converts the fields of an entry to their stored form. */
export function storedFields(fields: LedgerEntry['fields']): StoredFields {
  const writtenAt = Object.values(fields).find(({ at }) => at !== undefined)?.at ?? null;
  const stored: Partial<Record<FieldName, StoredField>> = {};
  for (const name of FIELD_NAMES) if (fields[name]) stored[name] = storedField(fields[name], writtenAt);
  return { fields: stored, writtenAt };
}

function storedField(state: FieldState, writtenAt: string | null): StoredField {
  const { feed, sent, returned, at } = state;
  const by = state.by === 'feed' ? undefined : state.by;
  return !(feed instanceof Object) && feed === sent && feed === returned && at === writtenAt
    ? { ...state, by, same: feed, feed: undefined, sent: undefined, returned: undefined, at: undefined }
    : { ...state, by, feed: feed ?? undefined };
}

/** Converts an entry's fields from their stored form; earlier versions stored every member. */
export const fieldsFromStored = (stored: StoredFields): LedgerEntry['fields'] => storedFieldsReader()(stored);

/**
 * Returns a function that does the same for entry after entry. Nine of ten fields equal those of the previous entry,
 * whose states they share in memory: a ledger of a hundred thousand events would otherwise have two million of them.
 */
export function storedFieldsReader(): (stored: StoredFields) => LedgerEntry['fields'] {
  const former = new Map<string, Read>();
  return ({ fields, writtenAt }) => {
    const states: Record<string, FieldState> = {};
    for (const name in fields) {
      const stored = fields[name] ?? {};
      const last = former.get(name);
      const isSame = last?.writtenAt === writtenAt && isAlike(last.stored, stored);
      const read = isSame ? last : { stored, writtenAt, state: stateFromStored(stored, writtenAt) };
      states[name] = read.state;
      if (!isSame) former.set(name, read);
    }
    return states;
  };
}

interface Read {
  readonly stored: StoredField;
  readonly writtenAt: string | null;
  readonly state: FieldState;
}

function stateFromStored({ same, ...state }: StoredField, writtenAt: string | null): FieldState {
  const at = writtenAt === null ? {} : { at: writtenAt };
  const common =
    same === undefined ? { by: 'feed', feed: null } : { by: 'feed', feed: same, sent: same, returned: same, ...at };
  return { ...common, ...state } as FieldState;
}

/** Whether two have the same values; lists are equal only if both are empty. */
function isAlike(one: StoredField, other: StoredField): boolean {
  return hasAllOf(one, other) && hasAllOf(other, one);
}

function hasAllOf(one: StoredField, other: StoredField): boolean {
  let name: keyof StoredField;
  for (name in other)
    if (!(name in one && (one[name] === other[name] || (isEmpty(one[name]) && isEmpty(other[name]))))) return false;
  return true;
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
