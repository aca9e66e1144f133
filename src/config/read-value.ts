import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { nearest } from './nearest.ts';
import { readScalar } from './read-scalar.ts';
import { complain, place, type Path, type Reading } from './reading.ts';
import type { Schema } from './schema.ts';
import { SECRET_KEY } from './yaml-slips.ts';

/** Reads a YAML node according to its schema. Errors are added to the reading's problems and give undefined. */
export function readValue(schema: Schema, node: Node | null | undefined, path: Path, reading: Reading): unknown {
  if (!isAlias(node)) return readNode(schema, node, path, reading);
  const target = node.resolve(reading.document);
  return target ? readNode(schema, target, path, reading) : unknownAlias(node.source, path, reading);
}

function readNode(schema: Schema, target: Node | null | undefined, path: Path, reading: Reading): unknown {
  if (schema.anyOf)
    return readNode(
      schema.anyOf.find(({ type }) => (type === 'object') === isMap(target)) ?? (schema.anyOf[0] as Schema),
      target,
      path,
      reading,
    );
  if (isEmpty(target) && (schema.type === 'object' || schema.type === 'array'))
    return readDefault(schema, path, reading);
  if (schema.type === 'object')
    return isMap(target)
      ? readMap(schema, target, path, reading)
      : wrongShape(schema, 'a map of keys and values', target, path, reading);
  if (schema.type === 'array') return readList(schema, target, path, reading);
  return isScalar(target)
    ? readScalar(schema, target, path, reading)
    : wrongShape(schema, schema.type === 'string' ? 'a text' : `a value (${schema.type})`, target, path, reading);
}

function unknownAlias(name: string, path: Path, reading: Reading): undefined {
  const message = `Nothing above is marked &${name}. Write &${name} before the value that is meant, or "*${name}" in quotes if it is a text.`;
  complain(reading, path, 'config-type', message);
}

const isEmpty = (node: Node | null | undefined): boolean => !node || (isScalar(node) && node.value === null);

/** Parses a default like a value in the file, so that it can rely on other defaults. */
function readDefault(schema: Schema, path: Path, reading: Reading): unknown {
  if (schema.default === undefined)
    return wrongShape(schema, schema.type === 'array' ? 'a list' : 'a map of keys and values', null, path, reading);
  const node = defaults.get(schema) ?? (reading.document.createNode(schema.default) as Node);
  defaults.set(schema, node);
  return readValue(schema, node, path, reading);
}

/** A default has no position in a file, so one node serves all places where the key is absent. */
const defaults = new WeakMap<Schema, Node>();

function readMap(schema: Schema, map: YAMLMap, path: Path, reading: Reading): unknown {
  const entries = entriesOf(map, path, reading);
  if (entries.size < (schema.minProperties ?? 0))
    complain(reading, path, 'config-too-few', 'Expected at least one entry.');
  const read: Record<string, unknown> = {};
  for (const [key, { value, offset }] of entries) {
    const known = schemaOf(key, schema);
    // Defined as an own property, so that __proto__ is an ordinary key.
    if (known)
      Object.defineProperty(read, key, {
        value: readValue(known, value, [...path, key], reading),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else unknownKey(schema, key, value, [...path, key], offset, reading);
  }
  const absent = Object.entries(schema.properties ?? {}).filter(([key]) => !entries.has(key));
  for (const [key, property] of absent) {
    if (property.default !== undefined) read[key] = readDefault(property, [...path, key], reading);
    else if (schema.required?.includes(key))
      complain(reading, path, 'config-missing', `Expected the key "${key}": ${property.description ?? ''}.`);
  }
  return read;
}

function schemaOf(key: string, { properties = {}, patternProperties = {} }: Schema): Schema | undefined {
  if (Object.hasOwn(properties, key)) return properties[key];
  return Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, 'u').test(key))?.[1];
}

interface Entry {
  readonly value: Node | null;
  /** The position of its key in the file. */ readonly offset: number | undefined;
}

function entriesOf(map: YAMLMap, path: Path, reading: Reading): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { key, value } of map.items as Pair<Node, Node | null>[]) {
    const name = isScalar(key) ? textOf(key) : String(key);
    if (name === '<<') {
      for (const [inherited, its] of inheritedEntries(value, path, reading))
        if (!entries.has(inherited)) entries.set(inherited, its);
      continue;
    }
    const offset = offsetOf(key);
    const hasPlace = !isEmpty(value) && !isAlias(value);
    place(reading, [...path, name], (hasPlace ? offsetOf(value) : undefined) ?? offset);
    entries.set(name, { value, offset });
  }
  return entries;
}

const textOf = ({ source, value }: Scalar): string => source ?? String(value);

const offsetOf = (node: Node | null): number | undefined => node?.range?.[0];

// YAML 1.1's merge key, which people use to share settings between sources; own keys win.
function inheritedEntries(value: Node | null, path: Path, reading: Reading): ReadonlyMap<string, Entry> {
  const sources = (isSeq(value) ? (value.items as Node[]) : [value]).map((one) =>
    isAlias(one) ? one.resolve(reading.document) : one,
  );
  if (!sources.every((one) => isMap(one)))
    complain(reading, path, 'config-type', 'Expected an alias of a map (*name) after <<.');
  return new Map(
    sources
      .filter((one) => isMap(one))
      .toReversed()
      .flatMap((one) => [...entriesOf(one, path, reading)]),
  );
}

function unknownKey(
  schema: Schema,
  key: string,
  value: Node | null,
  path: Path,
  offset: number | undefined,
  reading: Reading,
): void {
  place(reading, path, offset);
  if (schema.keys)
    return complain(reading, path, 'config-name', `"${key}" cannot be a name here. Expected ${schema.keys}.`);
  const isSource = path.length === 1 && isMap(value) && value.has('url');
  complain(
    reading,
    path,
    'config-unknown-key',
    `Unknown key "${key}". ${isSource ? `Indent it by two spaces to put it under "sources", and what belongs to it by four.` : keyInstead(schema, key, path)}`,
  );
}

function keyInstead(schema: Schema, key: string, path: Path): string {
  const [section, name] = path;
  if (section === 'feeds' && key === 'url')
    return `"${String(name)}" is a source, then: move it and its lines below "sources".`;
  const meant = nearest(key, Object.keys(schema.properties ?? {}));
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  const homes = homesOf(key, schema, path);
  return homes.length > 0
    ? `It belongs ${homes.join(', or ')}: write it there, indented by two more spaces.`
    : knownKeys(schema);
}

const knownKeys = ({ properties = {} }: Schema): string => `Known here: ${Object.keys(properties).join(', ')}.`;

/** The places where a misplaced key would be valid. */
function homesOf(key: string, schema: Schema, path: Path): readonly string[] {
  if (path.length === 1) {
    const [root, named] = [Object.entries(schema.properties ?? {}), 'under the name of'];
    return root.flatMap(([name, { properties, patternProperties }]) => {
      const inside = Object.values(patternProperties ?? {}).some((each) => Object.hasOwn(each.properties ?? {}, key));
      if (Object.hasOwn(properties ?? {}, key)) return [`under "${name}"`];
      return inside && name !== 'sites' ? [`${named} one of the ${name}`] : [];
    });
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
    Object.hasOwn(each.properties ?? {}, key) ? [`under "${name}"`] : [],
  );
}

// A single value counts as a list of one: `categories: music` means `categories: [music]`.
function readList(schema: Schema, node: Node | null | undefined, path: Path, reading: Reading): unknown {
  if (!isSeq(node) && !isScalar(node)) return wrongShape(schema, 'a list', node, path, reading);
  const items = isSeq(node) ? (node.items as Node[]) : [node];
  if (items.length < (schema.minItems ?? 0)) complain(reading, path, 'config-too-few', 'Expected at least one entry.');
  return items.map((item, index) => {
    if (item.range) place(reading, [...path, index], item.range[0]);
    return readValue(schema.items as Schema, item, [...path, index], reading);
  });
}

function wrongShape(
  schema: Schema,
  expected: string,
  node: Node | null | undefined,
  path: Path,
  reading: Reading,
): undefined {
  const instead = schema.type === 'object' ? mapInstead(schema, node, path) : listInstead(schema, node, path);
  complain(
    reading,
    path,
    'config-type',
    `Expected ${expected}, found ${shapeInWords(node)}.${instead === undefined ? '' : ` ${instead}`}`,
  );
}

function shapeInWords(node: Node | null | undefined): string {
  if (isEmpty(node)) return 'nothing';
  if (isMap(node)) return 'a map';
  return isSeq(node) ? 'a list' : 'a single value';
}

/** How to write a value as a map that is not one. */
function mapInstead(schema: Schema, node: Node | null | undefined, path: Path): string | undefined {
  const [named] = Object.values(schema.patternProperties ?? {});
  if (isSeq(node) && named)
    return named.type === 'object'
      ? 'Write a name and a colon in place of each "-", such as "city-library:", and its keys in the lines below, indented.'
      : 'Write each entry as "name: value", without the "-".';
  const instead = isScalar(node)
    ? (missingBlank(String(node.value)) ?? addressAsMap(String(node.value), path))
    : undefined;
  return instead ?? (schema.properties && knownKeys(schema));
}

function listInstead({ type }: Schema, node: Node | null | undefined, path: Path): string | undefined {
  return type === 'array' && isMap(node)
    ? `Write a "-" before each entry, or brackets around them: ${String(path.at(-1))}: [{ … }].`
    : undefined;
}

function missingBlank(text: string): string | undefined {
  const [, key, value] = /^([a-z_]+):(\S.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined || /^(?:https?|webcals?|file)$/.test(key)) return undefined;
  return `There must be a space after the colon. Write ${key}: ${SECRET_KEY.test(key) ? '…' : (value.split('\n')[0] ?? '')} instead.`;
}

const addressAsMap = (text: string, path: Path): string | undefined =>
  path[0] === 'sources' && /^(?:https?|webcals?|file):/.test(text)
    ? `Write ${String(path.at(-1))}: { url: … } instead, with the address for the dots.`
    : undefined;
