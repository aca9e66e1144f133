import { createHash } from 'node:crypto';

const LINE_FEED = 10;
const STAMP = Buffer.from('\nDTSTAMP');

/**
 * SHA-256 of a feed without its DTSTAMP lines, in hexadecimal. Many publishers (Google, The Events Calendar) put the
 * time of the request there, so that no two bodies would be equal. Only used to tell revisions apart.
 */
export function contentHash(bytes: Uint8Array): string {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hash = createHash('sha256');
  let from = 0;
  for (let at = body.indexOf(STAMP); at >= 0; at = body.indexOf(STAMP, from)) {
    hash.update(body.subarray(from, at));
    const sign = body[at + STAMP.length];
    from = sign === 0x3a || sign === 0x3b ? endOfLine(body, at + 1) : at + STAMP.length;
    if (from === at + STAMP.length) hash.update(STAMP);
  }
  return hash.update(body.subarray(from)).digest('hex');
}

/** The index of the line feed that ends a content line, including its folded parts (RFC 5545, 3.1). */
function endOfLine(body: Buffer, from: number): number {
  const end = body.indexOf(LINE_FEED, from);
  if (end < 0) return body.length;
  const next = body[end + 1];
  return next === 0x20 || next === 0x09 ? endOfLine(body, end + 1) : end;
}
