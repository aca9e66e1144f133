import { createHash } from 'node:crypto';

/** How much of the person's name for a file is kept: this way, the whole name is no longer than backups allow. */
const CALLED_MAX = 30;
const NAME = /^(?:([a-z0-9-]+)-)?[0-9a-f]{32}\.(?:ics|csv)$/;

/**
 * The name of an uploaded file: the person's name for it (a slug, as far as it is plain ASCII) and a hash of its
 * content.
 */
export function uploadName(called: string, content: Uint8Array, format: 'ics' | 'csv'): string {
  const plain = called
    .replaceAll(/[^a-z0-9-]/g, '')
    .slice(0, CALLED_MAX)
    .replaceAll(/^-+|-+$/g, '');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  return `${plain === '' ? '' : `${plain}-`}${hash}.${format}`;
}

/** The person's name for an uploaded file, '' if nothing of it was kept; undefined for any other file. */
export function calledInName(name: string): string | undefined {
  const match = NAME.exec(name);
  return match ? (match[1] ?? '') : undefined;
}
