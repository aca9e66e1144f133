import type { Component } from './component.ts';

/** A UID as written in the feed and as unescaped TEXT (RFC 5545, 3.8.4.7 with 3.3.11). */
export interface Uid {
  readonly written: string;
  readonly value: string;
}

/** The UID of a component; null if it has none. */
export function uidOf({ properties }: Pick<Component, 'properties'>): Uid | null {
  const written = properties.find(({ name }) => name === 'UID')?.value.trim() ?? '';
  return written === '' ? null : { written, value: uidFromText(written) };
}

/** A UID without its escapes. Line breaks are removed because it appears in messages. */
export const uidFromText = (written: string): string =>
  written.replace(/\\([\\;,nN])/g, (_, escaped: string) => (escaped.toLowerCase() === 'n' ? ' ' : escaped));
