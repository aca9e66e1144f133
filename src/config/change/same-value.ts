import { Secret } from '../secret.ts';

/** Whether two values of a configuration are equal; secrets are compared by their content. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (one instanceof Secret || other instanceof Secret)
    return one instanceof Secret && other instanceof Secret && one.reveal() === other.reveal();
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const [own, others] = [givenKeys(one), givenKeys(other)];
  return (
    own.length === others.length && own.every((key) => Object.hasOwn(other, key) && sameValue(one[key], other[key]))
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const givenKeys = (value: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(value).filter((key) => value[key] !== undefined);
