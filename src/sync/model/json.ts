import type { Json } from './plan.ts';

/** Whether two values are equal as JSON, ignoring the order of keys and undefined members. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) || Array.isArray(other))
    return Array.isArray(one) && Array.isArray(other) && haveSameMembers(one, other);
  return isObject(one) && isObject(other) && haveSameValues(one, other);
}

function haveSameMembers(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (const [index, member] of one.entries()) if (!sameJson(member, other[index])) return false;
  return true;
}

type Values = Readonly<Record<string, unknown>>;

// Builds no list of names, as a large plan compares millions of values.
function haveSameValues(one: Values, other: Values): boolean {
  for (const name in one) if (!sameJson(one[name], other[name])) return false;
  for (const name in other) if (other[name] !== undefined && one[name] === undefined) return false;
  return true;
}

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null;

/** A canonical text for a value: keys sorted, undefined members left out. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

/** A JSON copy of a plain value of ours, with sorted keys and without undefined members. */
export function asJson(value: unknown): Json {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(asJson);
  if (!isObject(value)) return null;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return Object.fromEntries(names.sort().map((name) => [name, asJson(value[name])]));
}

/** Whether a value is missing, or a text or list without content. */
export const isEmpty = (value: unknown): value is undefined | null | '' | readonly [] =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether an event's field is empty, or a flag that is off. */
export const isBlank = (value: Json | undefined): boolean => isEmpty(value) || value === false;

/** Leaves out the values with these names. */
export const withoutNames = <T>(
  values: Readonly<Record<string, T>>,
  names: readonly string[] = [],
): Readonly<Record<string, T>> => Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
