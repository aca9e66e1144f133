import { FIELD_NAMES, type FieldName } from './fields.ts';
import type { FieldState, Json, LedgerEntry } from './plan.ts';

/**
 * The state of a field in its stored form. Left out is what most of them have in common: `by: 'feed'`, `feed: null`, and
 * that a site shows what it was sent.
 */
type StoredField = { readonly [Key in keyof FieldState]?: FieldState[Key] | undefined } & {
  /** What the feed says, we have sent and the site has returned, all the same, at the time that the entry is kept with. */
  readonly same?: Json;
};

/** The fields of an entry in their stored form. */
export interface StoredFields {
  readonly fields: Readonly<Record<string, StoredField>>;
  /** The time of most of our last writes of them. */
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

/** Converts the fields of an entry from their stored form; those of earlier versions say everything. */
export const fieldsFromStored = (stored: StoredFields): LedgerEntry['fields'] => storedFieldsReader()(stored);

/**
 * The same for entries one after the other. Nine of ten fields are as those of the entry before, whose states they share:
 * a ledger of a hundred thousand events would have two million.
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

/** Whether two have the same values; lists only where they are empty. */
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
