import { isMap, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import { arrangeList, type Arranged } from './arrange-list.ts';
import { addKey, keyRange, removeKey, renameKey } from './change-map.ts';
import { isVoid, nodeAt, type Change, type SplicedFile } from './nodes.ts';
import { setValue } from './set-value.ts';
import {
  isNothing,
  isRawList,
  isRawMap,
  isSame,
  parseRaw,
  rawAt,
  rawIn,
  rawOf,
  withRaw,
  type Raw,
  type RawMap,
  type RawPath,
} from './raw.ts';

/** The changed file, or why it has to be changed by hand. */
export type Spliced =
  | { readonly kind: 'spliced'; readonly text: string; readonly changes: readonly Change[] }
  | { readonly kind: 'byHand'; readonly because: string };

const byHand = (because: string): Spliced => ({ kind: 'byHand', because });

const SOURCES = ['sources'];
const RECEIVERS = ['alerts', 'receivers'];
const WORD: Readonly<Record<string, string>> = { sources: 'source', receivers: 'receiver' };
/** The word for an entry of a section. */
const wordOf = (section: readonly string[]): string => WORD[section.at(-1) ?? ''] ?? 'entry';

/** Adds a source after the others. */
export const addSource = (text: string, name: string, source: RawMap): Spliced => addEntry(text, SOURCES, name, source);

/** Adds a receiver of alerts after the others. */
export const addReceiver = (text: string, name: string, receiver: RawMap): Spliced =>
  addEntry(text, RECEIVERS, name, receiver);

const addEntry = (text: string, section: readonly string[], name: string, entry: RawMap): Spliced =>
  spliced(text, (raw) => {
    if (rawAt(raw, [...section, name]) !== undefined) return `There is a ${wordOf(section)} "${name}" already.`;
    return { steps: [addStep(raw, section, name, entry)], wanted: withRaw(raw, [...section, name], entry) };
  });

/** Adds an entry with the missing levels of its section; `depth` makes these use lines of their own. */
function addStep(raw: Raw | undefined, section: readonly string[], name: string, entry: RawMap): Step {
  const missing = section.findIndex((_, index) => rawAt(raw, section.slice(0, index + 1)) === undefined);
  if (missing < 0)
    return { kind: 'add', path: section, key: name, value: entry, depth: 1, isApart: section === SOURCES };
  const below = section.slice(missing + 1);
  const value = [...below, name].reduceRight<RawMap>((inner, key) => ({ [key]: inner }), entry);
  return {
    kind: 'add',
    path: section.slice(0, missing),
    key: section[missing] ?? '',
    value,
    depth: below.length + 2,
  };
}

/** Changes the settings of a source. Empty values are left out. */
export const editSource = (text: string, name: string, source: RawMap): Spliced =>
  editEntry(text, SOURCES, name, source);

/** Changes the settings of a receiver of alerts. */
export const editReceiver = (text: string, name: string, receiver: RawMap): Spliced =>
  editEntry(text, RECEIVERS, name, receiver);

const editEntry = (text: string, section: readonly string[], name: string, entry: RawMap): Spliced =>
  spliced(text, (raw) => {
    const path = [...section, name];
    const before = rawAt(raw, path);
    if (!isRawMap(before)) return notThere(section, name);
    const after = withoutEmpty(before, entry);
    return { steps: stepsBetween(before, after, path), wanted: withRaw(raw, path, after) };
  });

const notThere = (section: readonly string[], name: string): string =>
  `There is no ${wordOf(section)} "${name}" in the file.`;

/** Removes a source with its comment lines. */
export const removeSource = (text: string, name: string): Spliced => removeEntry(text, SOURCES, name);

/** Removes a receiver of alerts with its comment lines. */
export const removeReceiver = (text: string, name: string): Spliced => removeEntry(text, RECEIVERS, name);

const removeEntry = (text: string, section: readonly string[], name: string): Spliced =>
  spliced(text, (raw) => {
    const entries = rawAt(raw, section);
    if (!isRawMap(entries) || !Object.hasOwn(entries, name)) return notThere(section, name);
    const isLast = Object.keys(entries).length === 1;
    return {
      steps: [isLast ? { kind: 'set', path: section, value: {} } : { kind: 'remove', path: section, key: name }],
      wanted: withRaw(raw, isLast ? section : [...section, name], isLast ? {} : undefined),
    };
  });

/** Renames a source, with `was` so that it keeps its events. */
export const renameSource = (text: string, name: string, to: string): Spliced =>
  spliced(text, (raw) => {
    const before = rawAt(raw, ['sources', name]);
    if (!isRawMap(before)) return notThere(SOURCES, name);
    if (rawAt(raw, ['sources', to]) !== undefined) return `There is a source "${to}" already.`;
    const after = { ...before, was: name };
    return {
      steps: [{ kind: 'rename', path: ['sources'], key: name, to }, ...stepsBetween(before, after, ['sources', to])],
      wanted: withRaw(withRaw(raw, ['sources', name], undefined), ['sources', to], after),
    };
  });

/** A step in changing one value of the file into another. */
type Step =
  | { readonly kind: 'set'; readonly path: RawPath; readonly value: Raw }
  | {
      readonly kind: 'add';
      readonly path: RawPath;
      readonly key: string;
      readonly value: Raw;
      /** How many of the value's outermost levels always get lines of their own. */
      readonly depth?: number;
      readonly isApart?: boolean;
    }
  | { readonly kind: 'remove'; readonly path: RawPath; readonly key: string }
  | { readonly kind: 'rename'; readonly path: RawPath; readonly key: string; readonly to: string }
  | { readonly kind: 'arrange'; readonly path: RawPath; readonly items: readonly Arranged[] };

/** The text change for a step; undefined if the file is written in a way that only a person can change. */
function changeOf(file: SplicedFile, step: Step): Change | undefined {
  if (step.kind === 'set') return setValue(file, step.path, step.value, 0);
  const node = nodeAt(file.document, step.path);
  if (step.kind === 'arrange') return isSeq(node) ? arrangeList(file, node as YAMLSeq, step.items) : undefined;
  const isEmpty = isVoid(node) || (isMap(node) && node.items.length === 0);
  if (step.kind === 'add' && isEmpty)
    return setValue(file, step.path, { [step.key]: step.value }, (step.depth ?? -1) + 1);
  return isMap(node) ? changeOfMap(file, node as YAMLMap, step) : undefined;
}

function changeOfMap(
  file: SplicedFile,
  map: YAMLMap,
  step: Extract<Step, { readonly key: string }>,
): Change | undefined {
  if (step.kind === 'remove') return removeKey(file.text, map, step.key);
  if (step.kind === 'rename') return renameKey(map, step.key, step.to);
  return addKey(file, map, step.key, step.value, { depth: step.depth ?? 0, isApart: step.isApart === true });
}

interface Wanted {
  readonly steps: readonly Step[];
  readonly wanted: Raw;
}

/** Applies the steps one by one, then verifies that the file has the wanted meaning and nothing else has changed. */
function spliced(text: string, plan: (raw: Raw | undefined) => Wanted | string): Spliced {
  const document = parseRaw(text);
  const raw = rawOf(document);
  if (raw === undefined) return byHand('The file has a mistake that has to be fixed first.');
  const planned = plan(raw ?? {});
  if (typeof planned === 'string') return byHand(planned);
  const changes: Change[] = [];
  let now = text;
  for (const step of planned.steps) {
    const change = changeOf({ text: now, document: now === text ? document : parseRaw(now) }, step);
    if (change === undefined) return byHand(WRITTEN_OTHERWISE);
    changes.push(change);
    now = `${now.slice(0, change.from)}${change.text}${now.slice(change.to)}`;
  }
  return isSame(rawOf(parseRaw(now)), planned.wanted)
    ? { kind: 'spliced', text: now, changes }
    : byHand(WRITTEN_OTHERWISE);
}

const WRITTEN_OTHERWISE =
  'This part of the file is written in a way that only a person can change without breaking it: ' +
  'with an anchor that others use, with "?" before a key, or with comments between brackets.';

/** A source's settings without empty ones, except those that the file has. */
function withoutEmpty(before: Raw | undefined, after: RawMap): RawMap {
  const entries = Object.entries(after).map(([key, value]) => {
    const old = isRawMap(before) ? before[key] : undefined;
    return [key, isRawMap(value) ? withoutEmpty(old, value) : value, old] as const;
  });
  return Object.fromEntries(
    entries
      .filter(([, value, old]) => !isNothing(value) || (old !== undefined && isSame(value, old)))
      .map(([key, value]) => [key, value]),
  );
}

/** The steps that change one value into another. */
function stepsBetween(before: Raw, after: Raw, path: RawPath): readonly Step[] {
  if (isSame(before, after)) return [];
  if (isRawMap(before) && isRawMap(after) && !isNothing(before) && !isNothing(after))
    return mapSteps(before, after, path);
  if (isRawList(before) && isRawList(after) && before.length > 0 && after.length > 0)
    return listSteps(before, after, path);
  return [{ kind: 'set', path, value: after }];
}

function mapSteps(before: RawMap, after: RawMap, path: RawPath): readonly Step[] {
  const kept = Object.keys(before).filter((key) => Object.hasOwn(after, key));
  return [
    ...kept.flatMap((key) => stepsBetween(before[key] ?? null, after[key] ?? null, [...path, key])),
    ...Object.entries(after)
      .filter(([key]) => !Object.hasOwn(before, key))
      .map(([key, value]): Step => ({ kind: 'add', path, key, value })),
    ...Object.keys(before)
      .filter((key) => !Object.hasOwn(after, key))
      .map((key): Step => ({ kind: 'remove', path, key })),
  ];
}

/** Entries keep their text and comments when they move. */
function listSteps(before: readonly Raw[], after: readonly Raw[], path: RawPath): readonly Step[] {
  const free = new Set(before.keys());
  const equal = after.map((value) => {
    const was = [...free].find((index) => isSame(before[index], value));
    if (was !== undefined) free.delete(was);
    return was;
  });
  const items = after.map((value, index): Arranged => {
    const was = equal[index];
    if (was !== undefined) return { was };
    if (!free.has(index) || !isRawMap(value) || !isRawMap(before[index])) return { value };
    free.delete(index);
    return { was: index };
  });
  const isMoved = items.length !== before.length || items.some((item, index) => !('was' in item) || item.was !== index);
  return [
    ...(isMoved ? [{ kind: 'arrange', path, items } as const] : []),
    ...items.flatMap((item, index) =>
      'was' in item ? stepsBetween(before[item.was] ?? null, after[index] ?? null, [...path, index]) : [],
    ),
  ];
}

/** The range of an entry's lines with its comments; undefined if it cannot be determined. */
export function entryRange(text: string, path: RawPath): { readonly from: number; readonly to: number } | undefined {
  const document = parseRaw(text);
  const section = nodeAt(document, path.slice(0, -1));
  return isMap(section) ? keyRange(text, section as YAMLMap, String(path.at(-1))) : undefined;
}

/** The value of an entry, such as a source, in the file; undefined if it is missing or not a map. */
export function entryIn(text: string, path: RawPath): RawMap | undefined {
  const entry = rawAt(rawIn(text), path);
  return isRawMap(entry) ? entry : undefined;
}

/** The value of a source in the file. */
export const sourceIn = (text: string, name: string): RawMap | undefined => entryIn(text, ['sources', name]);
