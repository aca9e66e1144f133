import type { Scalar } from 'yaml';
import { redactWritten } from '../redact.ts';
import { expandEnvironment } from './environment.ts';
import { KINDS, type DayHours, type Kind } from './kinds.ts';
import { nearest } from './nearest.ts';
import { complain, warn, type Path, type Reading } from './reading.ts';
import type { Schema } from './schema.ts';
import { Secret } from './secret.ts';
import { shortened } from '../html/shortened.ts';

/** Reads a single value according to its schema, expanding environment variables. */
export function readScalar(schema: Schema, node: Scalar, path: Path, reading: Reading): unknown {
  if (schema.writeOnly && node.range) reading.secrets.push([node.range[0], node.range[1]]);
  const { text, used, faults } = expandEnvironment(asWritten(node), reading.environment);
  for (const fault of faults) complain(reading, path, 'config-unset', fault);
  if (faults.length > 0) return undefined;
  if (node.value === null && schema.type !== 'boolean')
    return reject(schema, 'nothing', path, reading, commentInstead(node, path, reading));
  if (schema.type === 'integer') return readInteger(schema, text, path, reading);
  if (schema.type === 'boolean') return readBoolean(schema, text, path, reading);
  if (schema.writeOnly && !used)
    warn(
      reading,
      path,
      'config-secret-in-file',
      'The file contains a secret. Put it into the environment and write ${NAME} here.',
    );
  return readText(schema, text, path, reading);
}

/** `0123` stays text where text is expected, and numbers from the environment arrive as text. */
const asWritten = ({ value, source }: Scalar): string =>
  typeof value === 'string' ? value : (source ?? String(value ?? ''));

function readBoolean(schema: Schema, text: string, path: Path, reading: Reading): boolean | undefined {
  if (text === 'true' || text === 'false') return text === 'true';
  return reject(schema, quoted(text), path, reading, booleanInstead(text));
}

function readInteger(schema: Schema, text: string, path: Path, reading: Reading): number | undefined {
  const number = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return number >= (schema.minimum ?? -Infinity) && number <= (schema.maximum ?? Infinity)
    ? number
    : reject(schema, quoted(text), path, reading);
}

function readText(schema: Schema, text: string, path: Path, reading: Reading): unknown {
  const found = schema.writeOnly ? 'something else' : quoted(text);
  if (schema.enum && !schema.enum.includes(text))
    return reject(schema, found, path, reading, nearestInstead(text, schema.enum));
  if (text.length < (schema.minLength ?? 0)) return reject(schema, 'an empty one', path, reading);
  if (schema.kind) return readKind(schema, text, found, path, reading);
  if (schema.pattern && !new RegExp(schema.pattern, 'u').test(text)) return reject(schema, found, path, reading);
  return schema.writeOnly ? new Secret(text) : text;
}

function readKind(schema: Schema, text: string, found: string, path: Path, reading: Reading): unknown {
  const { duration } = KINDS;
  const kind: Kind<string | number | DayHours> = KINDS[schema.kind as keyof typeof KINDS];
  const value = kind.read(text.trim());
  if (value === undefined)
    return reject(schema, found, path, reading, schema.writeOnly ? undefined : kind.instead?.(text.trim()));
  if (schema.least && (value as number) < (duration.read(schema.least) as number))
    return reject(schema, found, path, reading);
  return schema.writeOnly ? new Secret(String(value)) : value;
}

/** `instead` is a sentence about what to write. */
function reject(schema: Schema, found: string, path: Path, reading: Reading, instead?: string): undefined {
  complain(
    reading,
    path,
    'config-value',
    `Expected ${expectation(schema)}, found ${found}.${instead ? ` ${redactWritten(instead)}` : ''}`,
  );
}

function nearestInstead(text: string, values: readonly string[]): string | undefined {
  const meant = nearest(text, values);
  return meant === undefined ? undefined : `Did you mean "${meant}"?`;
}

function booleanInstead(text: string): string | undefined {
  if (/^(?:yes|on|y|1)$/i.test(text)) return 'Write true.';
  return /^(?:no|off|n|0)$/i.test(text) ? 'Write false.' : undefined;
}

// `color: #ff0000` is a key without a value, followed by a comment.
function commentInstead(node: Scalar, path: Path, { text, lines }: Reading): string | undefined {
  const from = node.range?.[0];
  if (from === undefined) return undefined;
  const line = text.split(/\r?\n/)[lines.linePos(from).line - 1] ?? '';
  const [, comment] =
    new RegExp(String.raw`\b${String(path.at(-1)).replace(/\W/g, String.raw`\$&`)}:\s+(#[^\s,}\]]+)`).exec(line) ?? [];
  return comment === undefined ? undefined : `Everything after "#" is a comment: write "${comment}" in quotes.`;
}

function expectation({ kind, enum: values, type, minimum, maximum, least, writeOnly, pattern }: Schema): string {
  if (values) return `one of ${values.join(', ')}`;
  if (kind) return KINDS[kind].expected + (least ? ` of at least ${least}` : '');
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  if (type === 'boolean') return 'true or false';
  if (writeOnly) return 'a secret';
  return pattern ? `a text of the form ${pattern}` : 'a text';
}

// Messages appear in logs and on pages, and an address may contain a password even without its scheme.

function quoted(text: string): string {
  const shown = redactWritten(text);
  return JSON.stringify(shortened(shown, 80));
}
