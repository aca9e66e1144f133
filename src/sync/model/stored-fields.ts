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
export function fieldsFromStored({ fields, writtenAt }: StoredFields): LedgerEntry['fields'] {
  const states = Object.entries(fields).map(([name, { same, ...state }]) => [
    name,
    same === undefined
      ? { by: 'feed', feed: null, ...state }
      : {
          by: 'feed',
          feed: same,
          sent: same,
          returned: same,
          ...(writtenAt === null ? {} : { at: writtenAt }),
          ...state,
        },
  ]);
  return Object.fromEntries(states) as LedgerEntry['fields'];
}
