/** Whether bytes are UTF-16, with or without a byte order mark. */
export const isUtf16 = (bytes: Uint8Array): boolean =>
  (encodingFromMark(bytes) ?? encodingFromZeros(bytes) ?? '').startsWith('utf-16');

/** The encoding by the byte order mark; undefined if there is none. */
export function encodingFromMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** The encoding of UTF-16 text without a byte order mark; undefined for any other. */
export function encodingFromZeros(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 200);
  const even = sample.filter((byte, at) => byte === 0 && at % 2 === 0).length;
  const odd = sample.filter((byte, at) => byte === 0 && at % 2 === 1).length;
  // In UTF-16, text in other alphabets has zero bytes only in its spaces and punctuation, but always at even or always
  // at odd positions. If most bytes are zero, it is not text.
  const isWide =
    (Math.max(even, odd) >= sample.length * 0.4 && Math.min(even, odd) <= sample.length * 0.1) ||
    (Math.min(even, odd) === 0 && sample.length >= 20 && Math.max(even, odd) >= sample.length * 0.1);
  if (sample.length < 8 || !isWide) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}
