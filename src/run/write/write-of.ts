import type { Write } from '../../client/site-client.ts';
import { isLinked, type LinkedField } from '../../sync/model/fields.ts';
import type { Action, Json, Refs, SentFields } from '../../sync/model/plan.ts';

/**
 * The request that carries out an action; refs become ids. A ref without an id is left out: the report names the
 * creation that was refused.
 */
export function writeOf(action: Action, refs: Refs): Write {
  if (action.kind === 'create')
    return {
      method: 'POST',
      path: `/${action.resource}`,
      body:
        action.resource === 'events'
          ? withIds(action.fields, refs)
          : withNames(action.fields as unknown as Readonly<Record<string, Json>>),
    };
  const path = `/events/${action.id}`;
  return action.kind === 'remove' && action.how === 'trash'
    ? { method: 'DELETE', path }
    : { method: 'POST', path, body: withIds(action.fields, refs) };
}

// A real site takes one venue and refuses a list of one.
const withIds = (fields: SentFields, refs: Refs): Record<string, Json> =>
  withNames(
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, isLinked(name) ? idsSent(name, idsOf(value, refs)) : value]),
    ),
  );
const idsSent = (field: LinkedField, ids: readonly number[]): Json => (field === 'venue' ? (ids[0] ?? null) : ids);

const NAMES: ReadonlySet<string> = new Set(['title', 'name', 'venue', 'organizer']);

/**
 * Our titles and names are plain text, the interface's are HTML, so characters that would be read as markup or as a
 * character reference are escaped.
 */
const withNames = (fields: Readonly<Record<string, Json>>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      NAMES.has(name) && typeof value === 'string'
        ? value.replace(/&(?=#?\w+;)/g, '&amp;').replace(/</g, '&lt;')
        : value,
    ]),
  );

const idsOf = (value: Json, refs: Refs): readonly number[] =>
  (Array.isArray(value) ? value : []).flatMap((ref) =>
    typeof ref === 'string' && refs[ref] !== undefined ? [refs[ref]] : [],
  );
