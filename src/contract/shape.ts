/** A JSON Schema as OpenAPI 3.0 defines it. */
export type Schema = Readonly<Record<string, unknown>>;

/** What an answer holds under a key: its JSON Schema, and the type of its values. */
export interface Shape<T> {
  readonly schema: Schema;
  /** Never set; it only carries the type. */
  readonly holds?: T;
}

/** What only some answers hold. */
export interface OptionalShape<T> extends Shape<T> {
  readonly optional: true;
}

export type Shapes = Readonly<Record<string, Shape<unknown>>>;
type HeldBy<S> = S extends Shape<infer T> ? T : never;

/** The type of an answer with these keys. */
export type AnswerOf<S extends Shapes> = {
  readonly [Name in keyof S as S[Name] extends { optional: true } ? never : Name]: HeldBy<S[Name]>;
} & {
  readonly [Name in keyof S as S[Name] extends { optional: true } ? Name : never]?: HeldBy<S[Name]>;
};

/** What every answer holds: values of type T, as `schema` describes them. */
export const shape = <T>(schema: Schema): Shape<T> => ({ schema });
/** Like `shape`, for what only some answers hold. */
export const optional = <T>({ schema }: Shape<T>): OptionalShape<T> => ({ schema, optional: true });

/** A reference to a named schema of the OpenAPI document. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
/** The schema of a list of `items`. */
export const list = (items: Schema): Schema => ({ type: 'array', items });

const emptyList = { type: 'array', maxItems: 0, items: {} };
/** The schema of an arbitrary object. */
export const anyObject = {
  oneOf: [{ type: 'object' }, emptyList],
  description: 'An object; PHP writes an empty one as []',
};

/** The JSON Schemas of shapes, separated into required and optional keys. */
export function schemasOf(shapes: Shapes): Readonly<Record<'required' | 'optional', Record<string, Schema>>> {
  const entries = Object.entries(shapes);
  const those = (isOptional: boolean): Record<string, Schema> =>
    Object.fromEntries(
      entries.filter(([, one]) => 'optional' in one === isOptional).map(([name, { schema }]) => [name, schema]),
    );
  return { required: those(false), optional: those(true) };
}
