import { createHash } from 'node:crypto';

/** So much of what a person has called a file is kept: with the rest it is no longer than backups take. */
const CALLED_MAX = 30;
const NAME = /^(?:([a-z0-9-]+)-)?[0-9a-f]{32}\.(?:ics|csv)$/;

/** The name of an uploaded file: what the person has called it (a slug, as far as it is plain ASCII), and its content. */
export function uploadName(called: string, content: Uint8Array, format: 'ics' | 'csv'): string {
  const plain = called
    .replaceAll(/[^a-z0-9-]/g, '')
    .slice(0, CALLED_MAX)
    .replaceAll(/^-+|-+$/g, '');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  return `${plain === '' ? '' : `${plain}-`}${hash}.${format}`;
}

/** What the person has called an uploaded file, '' where nothing of it was kept; undefined for any other file. */
export function calledInName(name: string): string | undefined {
  const match = NAME.exec(name);
  return match ? (match[1] ?? '') : undefined;
}
