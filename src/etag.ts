import { createHash, hash, type Hash } from 'node:crypto';

const LENGTH = 27;

/** The hash of a body that comes piece by piece, for `endDigest`. */
export const startDigest = (): Hash => createHash('sha256');

/** What identifies the bytes that a hash was given: as much of their SHA-256, in base64url, as an ETag needs. */
export const endDigest = (begun: Hash): string => begun.digest('base64url').slice(0, LENGTH);

/** What identifies the bytes of a body. */
export const digestOf = (body: string | Uint8Array): string => hash('sha256', body, 'base64url').slice(0, LENGTH);

/** A strong ETag (RFC 9110, 8.8.3) for a body with this digest. */
export const tagOf = (digest: string): string => `"${digest}"`;

/** A strong ETag for a body. */
export const entityTag = (body: string | Uint8Array): string => tagOf(digestOf(body));

/**
 * Whether an If-None-Match header names one of these ETags, or any (RFC 9110, 13.1.2). Proxies that compress make tags
 * weak.
 */
export const namesTag = (header: string | null, tags: readonly string[]): boolean =>
  header !== null && listedIn(header).some((one) => one === '*' || tags.includes(one.replace(/^W\//, '')));

/** The same for an If-Match header (RFC 9110, 13.1.1), in which a weak ETag names nothing. */
export const namesStrongTag = (header: string, tags: readonly string[]): boolean =>
  listedIn(header).some((one) => one === '*' || tags.includes(one));

const listedIn = (header: string): readonly string[] => header.split(',').map((one) => one.trim());
