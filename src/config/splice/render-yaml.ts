import { parse } from 'yaml';
import { isRawList, isRawMap, type Raw } from './raw.ts';

const WIDTH = 100;

/** Renders a value on one line. */
export function onOneLine(value: Raw): string {
  if (isRawList(value)) return value.length === 0 ? '[]' : `[${value.map(onOneLine).join(', ')}]`;
  if (!isRawMap(value)) return scalarText(value);
  const pairs = Object.entries(value).map(([key, each]) => `${scalarText(key)}: ${onOneLine(each)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** Renders a key and its value as lines of a block. The outermost `depth` levels always get lines of their own. */
export function pairLines(key: string, value: Raw, indent: string, step: string, depth = 0): readonly string[] {
  const name = `${indent}${scalarText(key)}:`;
  return isBlock(value, name.length, depth)
    ? [name, ...blockLines(value, indent + step, step, depth - 1)]
    : [`${name} ${onOneLine(value)}`];
}

/** The lines of a non-empty list or map. */
export function blockLines(value: Raw, indent: string, step: string, depth = 0): readonly string[] {
  if (isRawList(value)) return value.flatMap((item) => itemLines(item, indent, step));
  return isRawMap(value)
    ? Object.entries(value).flatMap(([key, each]) => pairLines(key, each, indent, step, depth))
    : [`${indent}${onOneLine(value)}`];
}

/** The lines of a list entry. */
export function itemLines(item: Raw, indent: string, step: string): readonly string[] {
  if (!isBlock(item, indent.length + 2)) return [`${indent}- ${onOneLine(item)}`];
  const [first = '', ...more] = blockLines(item, `${indent}  `, step);
  return [`${indent}- ${first.trimStart()}`, ...more];
}

/** Whether a value is easier to read on several lines. */
export const isBlock = (value: Raw, before: number, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length > 0 &&
  (depth > 0 || before + 1 + onOneLine(value).length > WIDTH || hasSeveralMaps(value));

/** Rules are easier to read below each other. */
const hasSeveralMaps = (value: Raw): boolean =>
  (isRawList(value) && value.filter(isRawMap).length > 1) ||
  (isRawMap(value) && Object.values(value).some((each) => isRawList(each) && hasSeveralMaps(each)));

// Text that some YAML readers take for a boolean, null or a number.
const IS_MISTAKABLE = /^(?:y|n|yes|no|on|off|true|false|null|~|[-+.\d][\d.,:eExXoO_+-]*)$/i;

/** Renders a single value, without quotes if they are not needed. */
export function scalarText(value: Raw): string {
  if (typeof value !== 'string') return String(value);
  const isPlain = /^[^\s!-,.:-@[-`{-~-]/u.test(value) && !/[\n\r\t]|: |:$| #|[,[\]{}]|\s$/.test(value);
  return isPlain && !IS_MISTAKABLE.test(value) && isReadAs(value) ? value : JSON.stringify(value);
}

function isReadAs(text: string): boolean {
  try {
    return (parse(`[${text}]`) as unknown[])[0] === text;
  } catch {
    // Something with a special meaning in YAML.
    return false;
  }
}
