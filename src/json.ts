/** Limits for a JSON text: nesting of lists and objects, and total number of values. */
export interface JsonLimits {
  readonly depth: number;
  readonly values: number;
}

/** The result of reading a JSON text. `at` counts characters from 0. */
export type JsonRead =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'not-json' }
  | { readonly kind: 'too-deep' | 'too-many'; readonly at: number };

/** Reads JSON from outside. Text that is nested too deeply or holds too many values is rejected before it is parsed. */
export const readJson = (text: string, limits: JsonLimits): JsonRead => beyondLimits(text, limits) ?? parsed(text);

/** The same in steps, so that others may have their turn when the text has megabytes. */
export function* readingJson(text: string, limits: JsonLimits): Generator<void, JsonRead> {
  const beyond = beyondLimits(text, limits);
  if (beyond) return beyond;
  yield;
  const read = parsed(text);
  yield;
  return read;
}

function parsed(text: string): JsonRead {
  try {
    return { kind: 'value', value: JSON.parse(text) as unknown };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { kind: 'not-json' };
  }
}

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
];

/** Counts the structural characters outside strings: each list, object and comma starts a value. */
function beyondLimits(text: string, { depth, values }: JsonLimits): JsonRead | undefined {
  let [deep, count] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at);
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      deep += 1;
      count += 1;
    } else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) deep -= 1;
    else if (sign === COMMA) count += 1;
    if (deep > depth) return { kind: 'too-deep', at };
    if (count > values) return { kind: 'too-many', at };
  }
  return undefined;
}

/** The end of the list or object that begins at `from`; -1 if it does not end. */
export function endOfValue(text: string, from: number): number {
  let deep = 0;
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at);
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) deep += 1;
    else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) deep -= 1;
    if (deep === 0) return at + 1;
  }
  return -1;
}

/** The end of the string that starts at `from`: its closing quotation mark, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}

/** Characters that move the cursor of a terminal, change its colours or reverse the direction of a line. */
export const TERMINAL_ORDERS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A value as JSON without characters that control the terminal that shows it: JSON itself escapes only some of those in
 * other people's texts. Parses to the same value.
 */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(TERMINAL_ORDERS, (sign) =>
    sign === '\n' ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * Replaces each lone surrogate in a plain value by U+FFFD. Truncated texts may end with one, but what is stored has
 * none, so this keeps both equal. A value without any stays the same object.
 */
export function wellFormed<T>(value: T): T {
  if (isWellFormed(value)) return value;
  // Only texts change, so the type stays the same.
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  return Object.fromEntries(Object.entries(value as object).map(([name, member]) => [name, wellFormed(member)])) as T;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (typeof value !== 'object' || value === null) return true;
  for (const name in value) if (!isWellFormed((value as Readonly<Record<string, unknown>>)[name])) return false;
  return true;
}
