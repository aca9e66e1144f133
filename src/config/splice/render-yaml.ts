import { parse } from 'yaml';
import { isRawList, isRawMap, type Raw } from './raw.ts';

const WIDTH = 100;

/** A value on one line. */
export function onOneLine(value: Raw): string {
  if (isRawList(value)) return value.length === 0 ? '[]' : `[${value.map(onOneLine).join(', ')}]`;
  if (!isRawMap(value)) return scalarText(value);
  const pairs = Object.entries(value).map(([key, each]) => `${scalarText(key)}: ${onOneLine(each)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** A key and its value as the lines of a block. `depth`: how many levels have lines of their own in any case. */
export function pairLines(key: string, value: Raw, indent: string, step: string, depth = 0): readonly string[] {
  const name = `${indent}${scalarText(key)}:`;
  return isBlock(value, name.length, depth)
    ? [name, ...blockLines(value, indent + step, step, depth - 1)]
    : [`${name} ${onOneLine(value)}`];
}

/** The lines of a list or a map of at least one entry. */
export function blockLines(value: Raw, indent: string, step: string, depth = 0): readonly string[] {
  if (isRawList(value)) return value.flatMap((item) => itemLines(item, indent, step));
  return isRawMap(value)
    ? Object.entries(value).flatMap(([key, each]) => pairLines(key, each, indent, step, depth))
    : [`${indent}${onOneLine(value)}`];
}

/** An entry of a list. */
export function itemLines(item: Raw, indent: string, step: string): readonly string[] {
  if (!isBlock(item, indent.length + 2)) return [`${indent}- ${onOneLine(item)}`];
  const [first = '', ...more] = blockLines(item, `${indent}  `, step);
  return [`${indent}- ${first.trimStart()}`, ...more];
}

/** Whether a value is easier to read in several lines. */
export const isBlock = (value: Raw, before: number, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length > 0 &&
  (depth > 0 || before + 1 + onOneLine(value).length > WIDTH || hasSeveralMaps(value));

/** Rules are read one below the other. */
const hasSeveralMaps = (value: Raw): boolean =>
  (isRawList(value) && value.filter(isRawMap).length > 1) ||
  (isRawMap(value) && Object.values(value).some((each) => isRawList(each) && hasSeveralMaps(each)));

// What other readers of YAML take for true, false, nothing or a number.
const IS_MISTAKABLE = /^(?:y|n|yes|no|on|off|true|false|null|~|[-+.\d][\d.,:eExXoO_+-]*)$/i;

/** A single value: without quotes where these are not needed. */
export function scalarText(value: Raw): string {
  if (typeof value !== 'string') return String(value);
  const isPlain = /^[^\s!-,.:-@[-`{-~-]/u.test(value) && !/[\n\r\t]|: |:$| #|[,[\]{}]|\s$/.test(value);
  return isPlain && !IS_MISTAKABLE.test(value) && isReadAs(value) ? value : JSON.stringify(value);
}

function isReadAs(text: string): boolean {
  try {
    return (parse(`[${text}]`) as unknown[])[0] === text;
  } catch {
    // Something that YAML has a meaning for.
    return false;
  }
}
