import type { Json } from './plan.ts';

/** Whether two values are equal as JSON, whatever the order of their keys; undefined members are left out. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other)) return false;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((member, index) => sameJson(member, other[index]))
    );
  const names = Object.keys(one).filter((name) => one[name] !== undefined);
  const count = Object.values(other).filter((member) => member !== undefined).length;
  return names.length === count && names.every((name) => sameJson(one[name], other[name]));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A canonical text for a value: keys sorted, undefined members left out. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

/** A plain value of ours as JSON; undefined members are left out. */
// JSON.parse returns JSON for what JSON.stringify wrote.
export const asJson = (value: unknown): Json => JSON.parse(canonical(value)) as Json;

/** Whether a value is missing, or a text or list without content. */
export const isEmpty = (value: unknown): value is undefined | null | '' | readonly [] =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether an event's field is empty, or a flag that is off. */
export const isBlank = (value: Json | undefined): boolean => isEmpty(value) || value === false;

/** Values without those of some names. */
export const withoutNames = <T>(
  values: Readonly<Record<string, T>>,
  names: readonly string[] = [],
): Readonly<Record<string, T>> => Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
