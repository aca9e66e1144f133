import type { Schema } from './schema.ts';

declare const VALUE: unique symbol;

/** A schema that also carries the type of the values it describes. */
export interface TypedSchema<T> extends Schema {
  readonly [VALUE]: T;
}

/** A property that may be omitted. */
interface OptionalProperty<T> {
  readonly optional: TypedSchema<T>;
}

type Properties = Readonly<Record<string, TypedSchema<unknown> | OptionalProperty<unknown>>>;

/** The type of the values that a schema describes. */
export type ValueOf<S> = S extends TypedSchema<infer T> ? T : never;

type Plain<P> = { [K in keyof P as P[K] extends TypedSchema<unknown> ? K : never]: ValueOf<P[K]> };
type MayBeLeftOut<P> = {
  [K in keyof P as P[K] extends OptionalProperty<unknown> ? K : never]?: P[K] extends OptionalProperty<infer T>
    ? T
    : never;
};
type ObjectOf<P> = Plain<P> & MayBeLeftOut<P>;

/** A schema whose values have the type `T`. This is the only place where the type is asserted rather than derived. */
export const typed = <T>(schema: Schema): TypedSchema<T> => schema as TypedSchema<T>;

export const optional = <T>(schema: TypedSchema<T>): OptionalProperty<T> => ({ optional: schema });

export const text = (description: string, options: Schema = {}) =>
  typed<string>({ type: 'string', description, ...options });

export const flag = (description: string, options: Schema = {}) =>
  typed<boolean>({ type: 'boolean', description, ...options });

export const integer = (description: string, minimum: number, maximum: number, options: Schema = {}) =>
  typed<number>({ type: 'integer', description, minimum, maximum, ...options });

export const oneOf = <const T extends string>(values: readonly T[], description: string, options: Schema = {}) =>
  typed<T>({ type: 'string', enum: values, description, ...options });

export const either = <A, B>(one: TypedSchema<A>, other: TypedSchema<B>, description: string, options: Schema = {}) =>
  typed<A | B>({ anyOf: [one, other], description, ...options });

export const list = <T>(item: TypedSchema<T>, description: string, options: Schema = { default: [] }) =>
  typed<T[]>({ type: 'array', description, ...options, items: item });

export const map = <T>(pattern: string, value: TypedSchema<T>, description: string, options: Schema = {}) =>
  typed<Record<string, T>>({
    type: 'object',
    description,
    additionalProperties: false,
    default: {},
    ...options,
    patternProperties: { [pattern]: value },
  });

export const object = <P extends Properties>(properties: P, description: string, options: Schema = {}) => {
  const required = Object.entries(properties).flatMap(([name, property]) => ('optional' in property ? [] : [name]));
  return typed<ObjectOf<P>>({
    type: 'object',
    description,
    additionalProperties: false,
    ...options,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        'optional' in property ? property.optional : property,
      ]),
    ),
  });
};
