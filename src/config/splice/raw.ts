import { isDeepStrictEqual } from 'node:util';
import { parseDocument, type Document } from 'yaml';

/** A value as written in the file: nothing expanded, no defaults, and `<<` as an ordinary key. */
export type Raw = string | number | boolean | null | readonly Raw[] | RawMap;
export interface RawMap {
  readonly [key: string]: Raw;
}
export type RawPath = readonly (string | number)[];

export const isRawMap = (value: Raw | undefined): value is RawMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isRawList = (value: Raw | undefined): value is readonly Raw[] => Array.isArray(value);

export const isSame = (one: Raw | undefined, other: Raw | undefined): boolean => isDeepStrictEqual(one, other);

/** Whether a value is absent, null, or an empty map or list, all of which are written by leaving the key out. */
export const isNothing = (value: Raw | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Parses a text with positions, keeping repeated keys. */
export const parseRaw = (text: string): Document =>
  parseDocument(text, { uniqueKeys: false, prettyErrors: false, keepSourceTokens: true });

// The file is the operator's own, so many aliases are not an attack.
const ALIASES_MAX = 1_000_000;

/** The value of a document; undefined if it has errors. */
export function rawOf(document: Document): Raw | undefined {
  if (document.errors.length > 0) return undefined;
  try {
    return document.toJS({ maxAliasCount: ALIASES_MAX }) as Raw;
  } catch {
    // An alias that refers to nothing.
    return undefined;
  }
}

/** The value of a file's text; undefined if it has errors. */
export const rawIn = (text: string): Raw | undefined => rawOf(parseRaw(text));

/** The value at a path. */
export const rawAt = (value: Raw | undefined, path: RawPath): Raw | undefined =>
  path.reduce<Raw | undefined>((at, key) => {
    if (isRawList(at)) return at[Number(key)];
    return isRawMap(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, value);

/** A copy of a value with the one at a path of map keys replaced; undefined removes the key. */
export function withRaw(value: Raw | undefined, [key, ...below]: readonly string[], wanted: Raw | undefined): Raw {
  if (key === undefined) return wanted ?? null;
  const map = isRawMap(value) ? value : {};
  const next = below.length === 0 ? wanted : withRaw(rawAt(map, [key]), below, wanted);
  if (next !== undefined) return { ...map, [key]: next };
  return Object.fromEntries(Object.entries(map).filter(([other]) => other !== key));
}
