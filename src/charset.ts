import { analyse } from 'chardet';

/** Text read from bytes: the encoding by its WHATWG name, and whether characters were lost on the way. */
export interface DecodedBytes { readonly text: string; readonly encoding: string; readonly guessed: boolean; readonly lost: number }

// What a guess may be: legacy encodings that calendars and spreadsheets are really saved in.
const GUESSABLE = /^(?:windows-125\d|iso-8859-\d+|koi8-r|shift_jis|euc-jp|euc-kr|gb18030|big5)$/i;
const SAMPLE_BYTES = 65_536;

/** Bytes → text: byte order mark, strict UTF-8, the declared charset, UTF-16 without a mark, a guess; in that order. Never throws. */
export function decodeBytes(bytes: Uint8Array, declared: string | null): DecodedBytes {
  const marked = encodingFromMark(bytes);
  if (marked) return decoded(bytes, marked, false);
  const wide = encodingFromZeros(bytes);
  if (wide) return decoded(bytes, wide, true);
  const strict = strictUtf8(bytes);
  if (strict !== undefined) return { text: strict, encoding: 'utf-8', guessed: false, lost: 0 };
  const label = knownEncoding(declared);
  if (label && label !== 'utf-8') return decoded(bytes, label, false);
  const lossy = decoded(bytes, 'utf-8', false);
  return mostlyReadable(lossy) ? lossy : decoded(bytes, guessedEncoding(bytes), true);
}

/** The charset parameter of a content type, or null. */
export const charsetFromContentType = (contentType: string | null): string | null =>
  /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1] ?? null;

function encodingFromMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function encodingFromZeros(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 200);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  if (sample.length < 8 || Math.max(even, odd) < sample.length * 0.4) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8: the caller tries the next encoding.
    return undefined;
  }
}

function decoded(bytes: Uint8Array, encoding: string, guessed: boolean): DecodedBytes {
  const text = new TextDecoder(encoding).decode(bytes);
  return { text, encoding, guessed, lost: text.split('\uFFFD').length - 1 };
}

function knownEncoding(label: string | null): string | undefined {
  if (label === null) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // A label that no one knows says nothing.
    return undefined;
  }
}

/** UTF-8 with a few broken bytes stays UTF-8; where most non-ASCII characters would be lost, it never was. */
function mostlyReadable(lossy: DecodedBytes): boolean {
  const foreign = lossy.text.match(/[^\0-\u007f\uFFFD]/g)?.length ?? 0;
  return lossy.lost * 4 <= foreign;
}

function guessedEncoding(bytes: Uint8Array): string {
  const first = Math.max(0, bytes.findIndex((byte) => byte >= 0x80) - SAMPLE_BYTES / 2);
  const names = analyse(bytes.subarray(first, first + SAMPLE_BYTES)).filter((match) => match.confidence >= 20).map((match) => match.name);
  const guess = knownEncoding(names.find((name) => GUESSABLE.test(name)) ?? null) ?? 'windows-1252';
  const sample = bytes.subarray(first, first + SAMPLE_BYTES);
  // A few accents in a short text look like anything; two alphabets in one word do not occur.
  if (TWO_ALPHABETS.test(new TextDecoder(guess).decode(sample))) return mostLikely(sample, 'windows-1252');
  return LATIN.includes(guess) ? mostLikely(sample, guess) : guess;
}

const TWO_ALPHABETS = /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/u;

// Single-byte encodings of Latin letters that the guess takes for each other.
const LATIN = ['windows-1252', 'windows-1257', 'windows-1250', 'iso-8859-2'];

/** The Latin encoding in which the fewest signs stand inside words; the guess where several do equally well. */
function mostLikely(bytes: Uint8Array, guess: string): string {
  const oddities = (encoding: string): number => new TextDecoder(encoding).decode(bytes).match(ODD)?.length ?? 0;
  return [guess, ...LATIN].reduce((best, encoding) => (oddities(encoding) < oddities(best) ? encoding : best));
}

// Controls, a sign between two letters, a capital after a small letter where one of them is no ASCII letter.
const ODD = /[\u0080-\u009f]|(?<=\p{L})[\u00a1-\u00b7\u00b9-\u00bf\u00d7\u00f7\u02c7\u02d8\u02d9\u02db\u02dd](?=\p{L})|(?<=\p{Ll})(?=[^A-Za-z])\p{Lu}|(?<=(?![a-z])\p{Ll})\p{Lu}/gu;
