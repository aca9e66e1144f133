import { createRequire } from 'node:module';
import type * as Chardet from 'chardet';
import { grouped } from './count-in-words.ts';
import { encodingFromMark, encodingFromZeros } from './files/unicode-bytes.ts';
import type { Problem } from './problem.ts';
import { whenAsked } from './remembered.ts';

/**
 * Loaded on first use: it contains the letters of many languages, and nearly all feeds declare their encoding or are
 * UTF-8.
 */
const chardet = whenAsked(() => createRequire(import.meta.url)('chardet') as typeof Chardet);

/** Decoded text, the WHATWG name of its encoding, and how many characters were lost. */
export interface DecodedBytes {
  readonly text: string;
  readonly encoding: string;
  readonly guessed: boolean;
  readonly lost: number;
  /** Lines of a UTF-8 text that are in another encoding. */
  readonly strays?: StrayLines;
}

interface StrayLines {
  readonly count: number;
  readonly encoding: string;
}

// Encodings that may be guessed: legacy ones that calendars and spreadsheets are actually saved in.
const GUESSABLE = /^(?:windows-125\d|iso-8859-\d+|koi8-r|shift_jis|euc-jp|euc-kr|gb18030|big5)$/i;
const SAMPLE_BYTES = 65_536;

/**
 * Decodes bytes by, in this order: byte order mark, strict UTF-8, the declared charset, UTF-16 without a mark, or a
 * guess. Never throws.
 */
export function decodeBytes(bytes: Uint8Array, declared: string | null): DecodedBytes {
  const marked = encodingFromMark(bytes);
  if (marked !== undefined && marked !== 'utf-8') return decoded(bytes, marked, false);
  const wide = marked === undefined ? encodingFromZeros(bytes) : undefined;
  if (wide) return decoded(bytes, wide, true);
  const strict = strictUtf8(bytes);
  if (strict !== undefined) return { text: strict, encoding: 'utf-8', guessed: false, lost: 0 };
  if (marked) return withStrayLines(decoded(bytes, marked, false), bytes);
  const label = knownEncoding(declared);
  if (label && label !== 'utf-8') return decoded(bytes, label, false);
  const lossy = decoded(bytes, 'utf-8', false);
  return mostlyReadable(lossy) ? withStrayLines(lossy, bytes) : decoded(bytes, guessedEncoding(bytes), true);
}

/**
 * Reads UTF-8 in which whole lines are in an older encoding, as they come from migrated databases or are pasted from
 * word processors: each line is read in its own encoding. A line that was merely cut inside a character does not count.
 */
function withStrayLines(lossy: DecodedBytes, bytes: Uint8Array): DecodedBytes {
  const strays = strayLines(bytes);
  if (strays.length === 0) return lossy;
  const passage = Buffer.concat(strays.map(({ from, to }) => bytes.subarray(from, to))).subarray(0, SAMPLE_BYTES);
  // Usually too short to guess by frequency.
  const encoding = otherScript(foreignWords(passage)) ?? mostLikely(passage, 'windows-1252');
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  const stray = new TextDecoder(encoding);
  const parts: string[] = [];
  let read = 0;
  for (const { from, to } of strays) {
    parts.push(utf8.decode(bytes.subarray(read, from)), stray.decode(bytes.subarray(from, to)));
    read = to;
  }
  const text = (parts.join('') + utf8.decode(bytes.subarray(read))).replace(/^\uFEFF/, '');
  return { ...lossy, text, lost: lostIn(text), strays: { count: strays.length, encoding } };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function strayLines(bytes: Uint8Array): readonly Span[] {
  const spans: Span[] = [];
  for (let from = 0; from < bytes.length;) {
    const lineFeed = bytes.indexOf(LINE_FEED, from);
    const to = lineFeed < 0 ? bytes.length : lineFeed + 1;
    const line = bytes.subarray(from, to);
    if (line.some((byte) => byte >= 0x80) && isStray(line)) spans.push({ from, to });
    from = to;
  }
  return spans;
}

const LINE_FEED = 0x0a;

/**
 * Whether nothing beyond ASCII in a line is UTF-8, and the bytes that are not are more than the start of one cut
 * character.
 */
function isStray(line: Uint8Array): boolean {
  const text = LOSSY.decode(line);
  if (!text.includes('\uFFFD') || /[^\0-\u007F\uFFFD]/.test(text)) return false;
  // The replacement character may be part of the line itself.
  if (strictUtf8(line) !== undefined) return false;
  const at = line.findIndex((byte) => byte >= 0x80);
  return lostIn(text) > 1 || !CUT_CHARACTERS.has(line[at] ?? 0) || /\uFFFD[a-z]/i.test(text);
}

const LOSSY = new TextDecoder('utf-8');

/** The first bytes, in UTF-8, of Latin, Greek and Cyrillic letters, of punctuation and of emoji. */
const CUT_CHARACTERS: ReadonlySet<number> = new Set([0xc2, 0xc3, 0xc4, 0xc5, 0xce, 0xcf, 0xd0, 0xd1, 0xe2, 0xf0]);

/** What a publisher is told about the decoding: the encoding was guessed, or characters were lost. */
export function encodingProblems({ encoding, guessed, lost, strays }: DecodedBytes): readonly Problem[] {
  const problems: Problem[] = [];
  if (strays) problems.push({ code: 'charset-broken', message: straysInWords(strays, encoding), where: {} });
  if (guessed)
    problems.push({
      code: 'charset-guessed',
      message: `The feed is not UTF-8 and does not declare its encoding; it was read as ${encoding}.`,
      where: {},
    });
  if (lost > 0) problems.push({ code: 'charset-broken', message: lostInWords(lost, encoding), where: {} });
  return problems;
}

const straysInWords = (strays: StrayLines, encoding: string): string =>
  strays.count === 1
    ? `One line is not in ${encoding} as the others are; it was read as ${strays.encoding}.`
    : `${grouped(strays.count)} lines are not in ${encoding} as the others are; they were read as ${strays.encoding}.`;

const lostInWords = (lost: number, encoding: string): string =>
  lost === 1
    ? `One character is not valid ${encoding} and was replaced.`
    : `${grouped(lost)} characters are not valid ${encoding} and were replaced.`;

/** The charset parameter of a content type, or null. */
export const charsetFromContentType = (contentType: string | null): string | null =>
  /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1] ?? null;

function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8; the caller tries the next encoding.
    return undefined;
  }
}

function decoded(bytes: Uint8Array, encoding: string, guessed: boolean): DecodedBytes {
  const text = new TextDecoder(encoding).decode(bytes);
  return { text, encoding, guessed, lost: lostIn(text) };
}

const lostIn = (text: string): number => text.split('\uFFFD').length - 1;

function knownEncoding(label: string | null): string | undefined {
  if (label === null) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // An unknown label is treated like none.
    return undefined;
  }
}

/** UTF-8 with a few broken bytes is still UTF-8; if most non-ASCII characters would be lost, it never was. */
function mostlyReadable(lossy: DecodedBytes): boolean {
  const foreign = lossy.text.match(/[^\0-\u007f\uFFFD]/g)?.length ?? 0;
  return lossy.lost * 4 <= foreign;
}

function guessedEncoding(bytes: Uint8Array): string {
  const sample = foreignWords(bytes);
  const other = otherScript(sample);
  if (other !== undefined) return other;
  const first = Math.max(0, bytes.findIndex((byte) => byte >= 0x80) - SAMPLE_BYTES / 2);
  const passage = bytes.subarray(first, first + SAMPLE_BYTES);
  const names = [sample, passage]
    .flatMap((part) => chardet().analyse(part))
    .filter((match) => match.confidence >= 20)
    .map((match) => match.name);
  const guess = knownEncoding(names.find((name) => GUESSABLE.test(name)) ?? null) ?? 'windows-1252';
  // A short text with a few accents fits many encodings, but no word mixes two alphabets.
  if (TWO_ALPHABETS.test(new TextDecoder(guess).decode(passage))) return mostLikely(passage, 'windows-1252');
  return LATIN.includes(guess) ? mostLikely(passage, guess) : guess;
}

/** The words with non-ASCII bytes, separated by spaces; the others say nothing about the encoding. */
function foreignWords(bytes: Uint8Array): Uint8Array {
  const words: number[] = [];
  for (let from = 0, at = 0; at <= bytes.length && words.length < SAMPLE_BYTES; at += 1) {
    const byte = bytes[at] ?? 0x20;
    if (byte >= 0x80 || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)) continue;
    const word = bytes.subarray(from, Math.min(at, from + SAMPLE_BYTES));
    if (word.some((each) => each >= 0x80)) words.push(...word.subarray(0, 1_000), 0x20);
    from = at + 1;
  }
  return Uint8Array.from(words);
}

const ALPHABETS: readonly { readonly encodings: readonly string[]; readonly common: RegExp }[] = [
  // If two fit equally well, the first is taken: Hebrew has no capital letters, which would not fit.
  { encodings: ['windows-1255'], common: /[יוהלאמרתבשנ]/gu },
  { encodings: ['windows-1251', 'koi8-r', 'iso-8859-5'], common: /[оеаинтсрвлкмдпуя]/giu },
  { encodings: ['windows-1253', 'iso-8859-7'], common: /[αοιετσνηυρπκμλς]/giu },
  { encodings: ['windows-1256'], common: /[اليمنوتربعدةس]/gu },
];

// Japanese is recognised by its kana, Korean by its syllables, Chinese by its common characters. The first that fits is
// taken.
const EUC_ROWS = [
  { encoding: 'euc-jp', from: 0xa4, to: 0xa5, above: 0.2 },
  { encoding: 'euc-kr', from: 0xb0, to: 0xc8, above: 0.95 },
  { encoding: 'gb18030', from: 0xb0, to: 0xd7, above: 0.7 },
] as const;

/**
 * The encoding of text in a non-Latin script, by its most frequent letters; undefined if most words contain ASCII
 * letters or nothing fits.
 */
function otherScript(sample: Uint8Array): string | undefined {
  const words = new TextDecoder('latin1')
    .decode(sample)
    .split(' ')
    .filter((word) => word !== '');
  const wholly = words.filter((word) => /^[\u0080-\u00ff\u0100-\uffff]{3,}$/.test(word));
  if (wholly.join('').length < 0.6 * words.join('').length) return undefined;
  const [best] = ALPHABETS.flatMap(({ encodings, common }) =>
    encodings.map((encoding) => ({ encoding, share: shareOfCommon(sample, encoding, common) })),
  ).toSorted((one, two) => two.share - one.share);
  if (best !== undefined && best.share > 0.55) return best.encoding;
  const found = eucEncoding(sample);
  return found !== undefined && !new TextDecoder(found).decode(sample).includes('\uFFFD') ? found : undefined;
}

/**
 * The share of the alphabet's common letters in the text when read in this encoding; each oddity counts twice against
 * it.
 */
function shareOfCommon(sample: Uint8Array, encoding: string, common: RegExp): number {
  const text = new TextDecoder(encoding).decode(sample);
  const letters = text.replaceAll(' ', '');
  const [good, odd] = [letters.match(common)?.length ?? 0, text.match(ODD)?.length ?? 0];
  return (good - 2 * odd) / Math.max(1, letters.length);
}

/**
 * Which East Asian encoding of two-byte characters the text seems to be in, by how many of the lead bytes are in its
 * usual rows.
 */
function eucEncoding(sample: Uint8Array): string | undefined {
  const leads = sample.filter((byte, at) => byte >= 0x80 && at % 2 === leadParity(sample, at));
  const between = (from: number, to: number): number =>
    leads.filter((byte) => byte >= from && byte <= to).length / Math.max(1, leads.length);
  return EUC_ROWS.find(({ from, to, above }) => between(from, to) > above)?.encoding;
}

/** Whether the lead bytes of the characters in the word around `at` are at even or odd positions. */
function leadParity(sample: Uint8Array, at: number): number {
  return (sample.lastIndexOf(0x20, at) + 1) % 2;
}

const TWO_ALPHABETS =
  /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/u;

// Single-byte encodings of Latin letters, which guesses tend to confuse.
const LATIN = ['windows-1252', 'windows-1257', 'windows-1250', 'iso-8859-2', 'macintosh'];

/** The Latin encoding with the fewest symbols inside words; the guess if several are equally good. */
function mostLikely(bytes: Uint8Array, guess: string): string {
  const oddities = (encoding: string): number => {
    const text = new TextDecoder(encoding).decode(bytes);
    // An opening ¿ without a closing question mark is also an oddity.
    const odd = (text.match(ODD)?.length ?? 0) + (text.includes('?') ? 0 : text.split('¿').length - 1);
    return odd + (encoding === 'macintosh' ? (text.match(RARE_ON_MACS)?.length ?? 0) : 0);
  };
  const likely = [guess, ...LATIN].reduce((best, encoding) => (oddities(encoding) < oddities(best) ? encoding : best));
  const text = new TextDecoder('windows-1252').decode(bytes);
  // Turkish has letters where Icelandic has its own; Hungarian has a long o and u as well as the short ones, unlike any
  // language of windows-1252.
  if (/[ýþð]/i.test(text) && /[üç]/i.test(text) && !/[áéíóúæ]/i.test(text)) return 'windows-1254';
  return likely === 'windows-1252' && /[õû]/i.test(text) && /[öü]/i.test(text) && /[áéíóú]/i.test(text)
    ? 'windows-1250'
    : likely;
}

/** Where Macs have these, Windows has the letters of a German keyboard, and those of its neighbours. */
const RARE_ON_MACS = /[ƒ∂∑∏π∫Ω≈∆◊ıˆ˜¯˘˙˚¸˝˛ˇ‰‹›ﬁﬂ÷]/g;

// Control characters, a symbol at the start of a word or between two letters, or a capital after a small letter if one
// of them is not ASCII.
const ODD = new RegExp(
  [
    String.raw`[\u0080-\u009f]`,
    String.raw`(?<=^|[\s":])[¦£¼¾¯±³¹](?=\p{Ll})`,
    String.raw`(?<=\p{L})[\u00a1-\u00b7\u00b9-\u00bf\u00d7\u00f7\u02c7\u02d8\u02d9\u02db\u02dd](?=\p{L})`,
    String.raw`(?<=\p{Ll})(?=[^A-Za-z])\p{Lu}`,
    String.raw`(?<=(?![a-z])\p{Ll})\p{Lu}`,
  ].join('|'),
  'gu',
);
