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
  rawOf,
  withRaw,
  type Raw,
  type RawMap,
  type RawPath,
} from './raw.ts';

/** A changed file, or why it has to be changed by hand. */
export type Spliced =
  | { readonly kind: 'spliced'; readonly text: string; readonly changes: readonly Change[] }
  | { readonly kind: 'byHand'; readonly because: string };

const byHand = (because: string): Spliced => ({ kind: 'byHand', because });

/** Adds a source behind the others. */
export const addSource = (text: string, name: string, source: RawMap): Spliced =>
  spliced(text, (raw) => {
    if (rawAt(raw, ['sources', name]) !== undefined) return `There is a source "${name}" already.`;
    const sources = rawAt(raw, ['sources']);
    const steps: readonly Step[] =
      sources === undefined
        ? [{ kind: 'add', path: [], key: 'sources', value: { [name]: source }, depth: 2 }]
        : [{ kind: 'add', path: ['sources'], key: name, value: source, depth: 1, isApart: true }];
    return { steps, wanted: withRaw(raw, ['sources', name], source) };
  });

/** Gives a source other settings. Keys without anything in them are left out. */
export const editSource = (text: string, name: string, source: RawMap): Spliced =>
  spliced(text, (raw) => {
    const before = rawAt(raw, ['sources', name]);
    if (!isRawMap(before)) return `There is no source "${name}" in the file.`;
    const after = withoutEmpty(before, source);
    return { steps: stepsBetween(before, after, ['sources', name]), wanted: withRaw(raw, ['sources', name], after) };
  });

/** Takes a source out, with the comment lines that belong to it. */
export const removeSource = (text: string, name: string): Spliced =>
  spliced(text, (raw) => {
    const sources = rawAt(raw, ['sources']);
    if (!isRawMap(sources) || !Object.hasOwn(sources, name)) return `There is no source "${name}" in the file.`;
    const isLast = Object.keys(sources).length === 1;
    return {
      steps: [
        isLast ? { kind: 'set', path: ['sources'], value: {} } : { kind: 'remove', path: ['sources'], key: name },
      ],
      wanted: withRaw(raw, isLast ? ['sources'] : ['sources', name], isLast ? {} : undefined),
    };
  });

/** Gives a source another name; `was` keeps its events. */
export const renameSource = (text: string, name: string, to: string): Spliced =>
  spliced(text, (raw) => {
    const before = rawAt(raw, ['sources', name]);
    if (!isRawMap(before)) return `There is no source "${name}" in the file.`;
    if (rawAt(raw, ['sources', to]) !== undefined) return `There is a source "${to}" already.`;
    const after = { ...before, was: name };
    return {
      steps: [{ kind: 'rename', path: ['sources'], key: name, to }, ...stepsBetween(before, after, ['sources', to])],
      wanted: withRaw(withRaw(raw, ['sources', name], undefined), ['sources', to], after),
    };
  });

/** A step on the way from one value of the file to another. */
type Step =
  | { readonly kind: 'set'; readonly path: RawPath; readonly value: Raw }
  | {
      readonly kind: 'add';
      readonly path: RawPath;
      readonly key: string;
      readonly value: Raw;
      /** How many levels of the value have lines of their own in any case. */
      readonly depth?: number;
      readonly isApart?: boolean;
    }
  | { readonly kind: 'remove'; readonly path: RawPath; readonly key: string }
  | { readonly kind: 'rename'; readonly path: RawPath; readonly key: string; readonly to: string }
  | { readonly kind: 'arrange'; readonly path: RawPath; readonly items: readonly Arranged[] };

/** What a step changes in the text; undefined where the file is written in a way that only a person can change. */
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

/** Applies the steps one by one, and makes sure that the file then means what was asked, and nothing else has changed. */
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
  'This part of the file is written in a way that only a person can change without breaking it: with an anchor that others use, with "?" before a key, or with comments between brackets.';

/** A source's settings without those that have nothing in them, unless the file has them so. */
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

/** The steps from one value to another. */
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

/** Entries keep their text and their comments, wherever they come to stand. */
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

/** Where the lines of a source are in the file, with the comments that belong to it; undefined where they cannot be told. */
export function sourceRange(text: string, name: string): { readonly from: number; readonly to: number } | undefined {
  const document = parseRaw(text);
  const sources = nodeAt(document, ['sources']);
  return isMap(sources) ? keyRange(text, sources as YAMLMap, name) : undefined;
}

/** What a source says in the file; undefined where it is not there, or not as a map. */
export function sourceIn(text: string, name: string): RawMap | undefined {
  const source = rawAt(rawOf(parseRaw(text)), ['sources', name]);
  return isRawMap(source) ? source : undefined;
}
