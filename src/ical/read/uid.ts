import type { Where } from '../../problem.ts';
import type { Component } from './component.ts';
import type { Property } from './property.ts';

/** A UID as written in the feed, and as unescaped TEXT (RFC 5545, 3.8.4.7 and 3.3.11). */
export interface Uid {
  readonly written: string;
  readonly value: string;
}

/** The UID of a component; null if it has none. */
export function uidOf({ properties }: Pick<Component, 'properties'>): Uid | null {
  const written = properties.find(({ name }) => name === 'UID')?.value.trim() ?? '';
  return written === '' ? null : { written, value: uidFromText(written) };
}

/** A UID without its escapes. Line breaks become spaces because the UID appears in messages. */
export const uidFromText = (written: string): string =>
  written.replace(/\\([\\;,nN])/g, (_, escaped: string) => (escaped.toLowerCase() === 'n' ? ' ' : escaped));

/** The place of a problem with an event: its line, and its UID, shortened for messages. */
export const whereOf = ({ line, uid }: { readonly line: number; readonly uid: string | null }): Where => ({
  line,
  ...(uid === null ? {} : { uid: uid.slice(0, 200) }),
});

/** The place of a problem with a VEVENT or, more precisely, with one of its properties. */
export const whereIn = (event: Component, property?: Property): Where =>
  whereOf({ line: property?.line ?? event.line, uid: uidOf(event)?.value ?? null });
