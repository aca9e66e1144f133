import { createHash, hash, type Hash } from 'node:crypto';

const LENGTH = 27;

/** Starts a hash for a body that arrives in pieces; ended by `endDigest`. */
export const startDigest = (): Hash => createHash('sha256');

/** The digest of the bytes that a hash was given: as much of their SHA-256, in base64url, as an ETag needs. */
export const endDigest = (begun: Hash): string => begun.digest('base64url').slice(0, LENGTH);

/** The digest that identifies the bytes of a body. */
export const digestOf = (body: string | Uint8Array): string => hash('sha256', body, 'base64url').slice(0, LENGTH);

/** A strong ETag (RFC 9110, 8.8.3) for a body with this digest. */
export const tagOf = (digest: string): string => `"${digest}"`;

/** A strong ETag for a body. */
export const entityTag = (body: string | Uint8Array): string => tagOf(digestOf(body));

/**
 * Whether an If-None-Match header contains one of these ETags, or `*` (RFC 9110, 13.1.2). Proxies that compress make
 * ETags weak, so weak ones match, too.
 */
export const namesTag = (header: string | null, tags: readonly string[]): boolean =>
  header !== null && listedIn(header).some((one) => one === '*' || tags.includes(one.replace(/^W\//, '')));

/** The same for an If-Match header (RFC 9110, 13.1.1), where weak ETags do not match. */
export const namesStrongTag = (header: string, tags: readonly string[]): boolean =>
  listedIn(header).some((one) => one === '*' || tags.includes(one));

const listedIn = (header: string): readonly string[] => header.split(',').map((one) => one.trim());
