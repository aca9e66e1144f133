import type { Scalar } from 'yaml';
import { expandEnvironment } from './environment.ts';
import { KINDS } from './kinds.ts';
import { nearest } from './nearest.ts';
import { complain, warn, type Path, type Reading } from './reading.ts';
import type { Schema } from './schema.ts';
import { Secret } from './secret.ts';

/** Reads a single value as its schema wants it, with the environment put in. */
export function readScalar(schema: Schema, node: Scalar, path: Path, reading: Reading): unknown {
  // As it was written: 0123 is no number where a text is wanted, and a number from the environment comes as text.
  const written = typeof node.value === 'string' ? node.value : node.source ?? String(node.value ?? '');
  const { text, unset, used } = expandEnvironment(written, reading.environment);
  for (const name of unset) complain(reading, path, 'config-unset', `The environment has no ${name}. Set it, or write \${${name}:-…} with a default.`);
  if (unset.length > 0) return undefined;
  if (node.value === null && schema.type !== 'boolean') return reject(schema, 'nothing', path, reading);
  if (schema.type === 'integer') return readInteger(schema, text, path, reading);
  if (schema.type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : reject(schema, quoted(text), path, reading);
  if (schema.writeOnly && !used) warn(reading, path, 'config-secret-in-file', 'A secret is written in the file. Put it into the environment and write ${NAME} here.');
  return readText(schema, text, path, reading);
}

function readInteger(schema: Schema, text: string, path: Path, reading: Reading): number | undefined {
  const number = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return number >= (schema.minimum ?? -Infinity) && number <= (schema.maximum ?? Infinity) ? number : reject(schema, quoted(text), path, reading);
}

function readText(schema: Schema, text: string, path: Path, reading: Reading): unknown {
  const found = schema.writeOnly ? 'something else' : quoted(text);
  if (schema.enum && !schema.enum.includes(text)) return reject(schema, found, path, reading, nearest(text, schema.enum));
  if (text.length < (schema.minLength ?? 0)) return reject(schema, 'an empty one', path, reading);
  if (schema.kind) return readKind(schema, text, found, path, reading);
  if (schema.pattern && !new RegExp(schema.pattern, 'u').test(text)) return reject(schema, found, path, reading);
  return schema.writeOnly ? new Secret(text) : text;
}

function readKind(schema: Schema, text: string, found: string, path: Path, reading: Reading): unknown {
  const { duration } = KINDS;
  const value = KINDS[schema.kind as keyof typeof KINDS].read(text.trim());
  if (value === undefined) return reject(schema, found, path, reading);
  if (schema.least && (value as number) < (duration.read(schema.least) as number)) return reject(schema, found, path, reading);
  return schema.writeOnly ? new Secret(String(value)) : value;
}

function reject(schema: Schema, found: string, path: Path, reading: Reading, meant?: string): undefined {
  complain(reading, path, 'config-value', `Expected ${expectation(schema)}, found ${found}.${meant ? ` Did you mean "${meant}"?` : ''}`);
}

function expectation({ kind, enum: values, type, minimum, maximum, least, writeOnly, pattern }: Schema): string {
  if (values) return `one of ${values.join(', ')}`;
  if (kind) return KINDS[kind].expected + (least ? ` of at least ${least}` : '');
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  if (type === 'boolean') return 'true or false';
  return writeOnly ? 'a secret' : pattern ? `a text of the form ${pattern}` : 'a text';
}

// Messages go to logs: a user in an address stays out of them.
const quoted = (text: string): string => JSON.stringify((text.length > 80 ? `${text.slice(0, 80)}…` : text).replace(/\/\/[^/@]*@/, '//…@'));
