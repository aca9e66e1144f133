import { ConfigFile } from '../declaration.ts';
import { KEY_NOTES, type KeyNote } from './key-notes.ts';
import { KINDS } from '../kinds.ts';
import type { Schema } from '../schema.ts';

/** A key of the configuration file, as documented. */
export interface ConfigKey {
  /** The path from the top of the file: `sources.NAME.every`; `[]` stands for each item of a list. */
  readonly path: string;
  readonly description: string;
  /** The values that it takes. */
  readonly takes: string;
  /** The default as it would be written; undefined if the key is optional without one. */
  readonly fallback: string | undefined;
  readonly isRequired: boolean;
  readonly note: KeyNote | undefined;
}

// These are described as a whole. Their contents are explained by their example, or elsewhere.
const WHOLE = new Set([
  'sites',
  'sources.NAME.authority',
  'sources.NAME.columns',
  'sources.NAME.skip',
  'sources.NAME.set[].when',
]);

/** All keys, in the order of the declaration. */
export const configKeys = (): readonly ConfigKey[] => keysIn(ConfigFile, '');

function keysIn(schema: Schema, prefix: string): readonly ConfigKey[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    return [keyOf(path, property, required.includes(name)), ...keysBelow(property, path)];
  });
}

function keysBelow(schema: Schema, path: string): readonly ConfigKey[] {
  if (WHOLE.has(path)) return [];
  const [each] = Object.values(schema.patternProperties ?? {});
  if (each?.properties) return keysIn(each, `${path}.NAME.`);
  if (schema.items?.properties) return keysIn(schema.items, `${path}[].`);
  return keysIn(schema, `${path}.`);
}

const keyOf = (path: string, schema: Schema, isRequired: boolean): ConfigKey => ({
  path,
  description: schema.description ?? '',
  takes: takesOf(schema),
  fallback: fallbackOf(schema.default),
  isRequired: isRequired && schema.default === undefined,
  note: KEY_NOTES[path],
});

function takesOf(schema: Schema): string {
  const { type, kind, enum: values, minimum, maximum, anyOf, writeOnly, patternProperties } = schema;
  if (kind) return `${KINDS[kind].expected}${writeOnly ? ', a secret' : ''}`;
  if (values) return values.join(', ');
  if (anyOf) return anyOf.map(takesOf).join('; or ');
  if (type === 'integer') return `a number from ${minimum} to ${maximum}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'array') return `a list: ${schema.items ? takesOf(schema.items) : 'of anything'}`;
  if (type === 'object') return patternProperties ? 'names with values' : 'keys of its own';
  return writeOnly ? 'a secret' : 'text';
}

function fallbackOf(value: unknown): string | undefined {
  if (value === undefined || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0))
    return undefined;
  return Array.isArray(value) ? `[${value.join(', ')}]` : String(value);
}

/** The keys that a name refers to, with everything below: the key itself, or those that end in the name. */
export function keysMeant(keys: readonly ConfigKey[], name: string): readonly ConfigKey[] {
  const below = keys.filter(({ path }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`));
  return below.length > 0 ? below : keys.filter(({ path }) => `${path.replaceAll('[]', '')}.`.includes(`.${name}.`));
}

const WORD_MIN = 3;

/** The keys whose name, description or values contain a word. */
export function keysWith(keys: readonly ConfigKey[], word: string): readonly ConfigKey[] {
  const wanted = word.toLowerCase();
  if (wanted.length < WORD_MIN) return [];
  return keys.filter(({ path, description, takes }) =>
    `${path}\n${description}\n${takes}`.toLowerCase().includes(wanted),
  );
}
