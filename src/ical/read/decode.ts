import { charsetFromContentType, decodeBytes, encodingProblems, type DecodedBytes } from '../../charset.ts';
import type { Problem } from '../../problem.ts';

export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
  readonly problems: readonly Problem[];
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Decodes the bytes of a feed into text, keeping line numbers (RFC 5545, 3.1). Lines are folded by octets; a fold
 * inside a multi-byte character is moved behind it, so that the text can be decoded.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): DecodedText {
  const decoded = decodedFolds(bytes, charsetFromContentType(contentType));
  return {
    text: withoutControls(decoded.text),
    encoding: decoded.encoding,
    problems: encodingProblems(decoded),
  };
}

function decodedFolds(bytes: Uint8Array, charset: string | null): DecodedBytes {
  const whole = withWholeCharacters(bytes);
  const decoded = decodeBytes(whole, charset);
  if (decoded.encoding === 'utf-8') return decoded;
  const asTheyAre = whole === bytes ? decoded : decodeBytes(bytes, charset);
  if (asTheyAre.lost === 0 || asTheyAre.encoding.startsWith('utf-16')) return asTheyAre;
  const unfolded = decodeBytes(withFoldsBehind(bytes), charset);
  return unfolded.lost < asTheyAre.lost ? unfolded : asTheyAre;
}

/**
 * Joins each content line and puts its folds behind it; in two-byte encodings, there is no other way to tell whether a
 * fold splits a character.
 */
function withFoldsBehind(bytes: Uint8Array): Uint8Array {
  const moved = new Uint8Array(bytes.length);
  let at = 0;
  const put = (part: Uint8Array): void => {
    moved.set(part, at);
    at += part.length;
  };
  let folds: Uint8Array[] = [];
  let taken = 0;
  for (let lineFeed = bytes.indexOf(LINE_FEED); lineFeed !== -1; lineFeed = bytes.indexOf(LINE_FEED, lineFeed + 1)) {
    const lineEnd = startOfLineEnd(bytes, lineFeed);
    put(bytes.subarray(taken, lineEnd));
    taken = lineEnd;
    if (isBlank(bytes[lineFeed + 1])) {
      taken = lineFeed + 2;
      folds.push(bytes.subarray(lineEnd, taken));
    } else {
      for (const fold of folds) put(fold);
      folds = [];
    }
  }
  put(bytes.subarray(taken));
  for (const fold of folds) put(fold);
  return moved;
}

function withWholeCharacters(bytes: Uint8Array): Uint8Array {
  let whole = bytes;
  // Backwards, because several folds can split one character.
  for (let at = whole.lastIndexOf(LINE_FEED); at > 0; at = whole.lastIndexOf(LINE_FEED, at - 1)) {
    const from = at + 2;
    if (!isBlank(whole[at + 1]) || !isContinuation(whole[from])) continue;
    // Not `slice`, because a Buffer's slice shares its memory.
    if (whole === bytes) whole = new Uint8Array(bytes);
    moveFold(whole, at, from);
  }
  return whole;
}

/** Moves the continuation bytes after a fold to before it. */
function moveFold(bytes: Uint8Array, lineFeed: number, from: number): void {
  let count = 0;
  while (count < 3 && isContinuation(bytes[from + count])) count += 1;
  const foldStart = startOfLineEnd(bytes, lineFeed);
  const moved = bytes.slice(from, from + count);
  bytes.copyWithin(foldStart + count, foldStart, from);
  bytes.set(moved, foldStart);
}

const startOfLineEnd = (bytes: Uint8Array, lineFeed: number): number =>
  bytes[lineFeed - 1] === CARRIAGE_RETURN ? lineFeed - 1 : lineFeed;

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09;

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

// NUL cannot be stored, other controls cannot be shown, and src/ical/read/values.ts uses noncharacters as its own
// marks.
// oxlint-disable-next-line no-control-regex -- it removes controls
const CONTROLS = /[\0-\u0008\u000B\u000C\u000E-\u001F\u007F\uFDD0-\uFDEF\uFFFE\uFFFF]/g;
const withoutControls = (text: string): string => text.replace(CONTROLS, '');
