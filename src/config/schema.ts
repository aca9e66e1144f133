import type { KindName } from './kinds.ts';

/** The subset of JSON Schema that the declaration uses, with keywords of our own. */
export interface Schema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** A secret. */
  readonly writeOnly?: boolean;
  readonly kind?: KindName;
  /** The minimum of a duration. */
  readonly least?: string;
  /** A description of a map's keys. */
  readonly keys?: string;
}

const REFERENCE = '\\$\\{[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\\}';

/**
 * The declaration as a JSON Schema for editors: without our own keywords, with defaulted values optional, and with
 * `${NAME}` allowed for any value.
 */
export function schemaForEditors(schema: Schema): unknown {
  const {
    kind: _kind,
    least: _least,
    keys: _keys,
    required,
    properties,
    patternProperties,
    items,
    anyOf,
    ...plain
  } = schema;
  const whole = {
    ...plain,
    ...(properties && { properties: mapped(properties) }),
    ...(required && { required: required.filter((key) => properties?.[key]?.default === undefined) }),
    ...(patternProperties && { patternProperties: mapped(patternProperties) }),
    ...(items && { items: schemaForEditors(items) }),
    ...(anyOf && { anyOf: anyOf.map(schemaForEditors) }),
  };
  if (!isConstrained(schema)) return whole;
  const { description, default: fallback, ...constraint } = whole;
  return {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
    anyOf: [constraint, { type: 'string', pattern: REFERENCE }],
  };
}

/** Whether `${NAME}` would not be a valid value by itself. */
const isConstrained = ({ type, pattern, enum: values }: Schema): boolean =>
  type === 'integer' || type === 'boolean' || (type === 'string' && Boolean(pattern || values));

const mapped = (schemas: Readonly<Record<string, Schema>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, schemaForEditors(schema)]));
