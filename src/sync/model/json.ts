import type { Json } from './plan.ts';

/** Whether two values are equal, whatever the order of their keys. */
export const sameJson = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && typeof other === 'object' && canonical(one) === canonical(other));

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
