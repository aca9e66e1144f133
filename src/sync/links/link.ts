import { isLinked, LINKED_FIELDS, type LinkedResource } from '../model/fields.ts';
import { valuesBefore } from '../model/values-before.ts';
import type { Action, Json, SentFields } from '../model/plan.ts';

/** Something that events link to. The ref stands for it in actions; `create` makes it if the site lacks it. */
export interface Link {
  readonly ref: string;
  readonly id: number | null;
  readonly create: Action | null;
}

/** Turns a name or a draft's data into a link. */
export type Resolve<T> = (value: T) => Link;

/** The ref that stands for a term, venue or organizer in actions: the resource, and a name that is unique within it. */
export const refFor = (resource: LinkedResource, name: string): string => `${resource}:${name}`;

/** The refs in the fields that an action sends. */
export const refsIn = (action: Action): readonly string[] =>
  action.resource === 'events' ? refsOf(action.fields) : [];

/** The refs in the values that an action replaces. */
export const refsReplaced = (action: Action): readonly string[] => refsOf(valuesBefore(action));

const refsOf = (values: SentFields): readonly string[] =>
  LINKED_FIELDS.flatMap((field) => {
    const refs = values[field];
    return Array.isArray(refs) ? refs.map(String) : [];
  });

/**
 * A shown or sent value in the site's form: refs become sorted ids. A ref without an id becomes -1, which no site has.
 */
export const siteForm = (
  field: string,
  value: Json | undefined,
  idOf: (ref: string) => number | null | undefined,
): Json | undefined =>
  isLinked(field) && Array.isArray(value)
    ? value.map((ref) => idOf(String(ref)) ?? -1).sort((one, other) => one - other)
    : value;

/** The name in a ref. */
export const nameOfRef = (ref: string): string => ref.slice(ref.indexOf(':') + 1);

/** The name part of a ref for an id that no list contained; `name` is what an event shows for it. */
export const namelessRef = (id: number, name: string): string => (name === '' ? `#${id}` : `#${id} ${name}`);

/** The name in the ref of a site's id; '' if it is unknown. */
export const siteNameOfRef = (ref: string, id: number): string => {
  const name = nameOfRef(ref);
  return name.startsWith(`#${id}`) ? name.slice(`#${id} `.length) : name.replace(new RegExp(` #${id}$`), '');
};

/** Refs for the site's items, by id. If several share a name, only the one with the lowest id gets the bare name. */
export function refsById(
  resource: LinkedResource,
  items: readonly { readonly id: number; readonly name: string }[],
): ReadonlyMap<number, string> {
  const taken = new Set<string>();
  return new Map(
    [...items]
      .sort((one, other) => one.id - other.id)
      .map(({ id, name }) => {
        const ref = taken.has(name) ? `${name} #${id}` : name;
        taken.add(ref);
        return [id, refFor(resource, ref)];
      }),
  );
}
