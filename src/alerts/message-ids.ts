import { createHash } from 'node:crypto';

const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 22);

const hostOf = (from: string | undefined): string => from?.split('@')[1] ?? 'calsyncd.invalid';

/** The Message-ID of a message, which is the same however often it is sent. */
export const messageIdOf = (receiver: string, key: string, from: string | undefined): string =>
  `<${digest(receiver, key)}@${hostOf(from)}>`;

/** The root of a source's thread, which is never sent itself. */
export const threadOf = (site: string, source: string, from: string | undefined): string =>
  `<source-${digest(site, source)}@${hostOf(from)}>`;
