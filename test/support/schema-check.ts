import { Compile, type Validator } from 'typebox/schema';
import { schemas } from '../../src/contract/schemas.ts';

export type SchemaName = keyof typeof schemas;

const root = JSON.parse(JSON.stringify({ components: { schemas } }), (_, value: unknown) => closed(value)) as object;
const validators = new Map<SchemaName, Validator>();

/** Validates an answer against the OpenAPI document: every required key, and no others. Returns the mistakes. */
export function mistakesIn(body: unknown, name: SchemaName): readonly unknown[] {
  const validator = validators.get(name) ?? Compile({ ...root, $ref: `#/components/schemas/${name}` });
  validators.set(name, validator);
  if (validator.Check(body)) return [];
  const [, errors] = validator.Errors(body);
  return errors.map(({ instancePath, message, params }) => [instancePath, message, params]);
}

/** Translates OpenAPI's `nullable` into JSON Schema, and forbids additional properties in objects that list theirs. */
function closed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { nullable, ...schema } = value as Record<string, unknown>;
  const own =
    schema['type'] === 'object' && typeof schema['properties'] === 'object' && !isOpen(schema['properties'])
      ? { ...schema, additionalProperties: false }
      : schema;
  return nullable === true ? { anyOf: [own, { type: 'null' }] } : own;
}

// The site index may have more properties, as on real sites; so may problems.
function isOpen(properties: object | null): boolean {
  return properties !== null && ['namespaces', 'params', 'code'].some((key) => key in properties);
}
