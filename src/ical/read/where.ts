import type { Where } from '../../problem.ts';
import type { Component } from './component.ts';
import type { Property } from './property.ts';
import { uidOf } from './uid.ts';

/** Where a problem with an event is: its line, and its UID as far as a message shows one. */
export const whereOf = ({ line, uid }: { readonly line: number; readonly uid: string | null }): Where => ({
  line,
  ...(uid === null ? {} : { uid: uid.slice(0, 200) }),
});

/** Where a problem with a VEVENT is or, more precisely, with one of its properties. */
export const whereIn = (event: Component, property?: Property): Where =>
  whereOf({ line: property?.line ?? event.line, uid: uidOf(event)?.value ?? null });

/** A TZID as far as a message shows one. */
export const shownTzid = (tzid: string): string => tzid.slice(0, 80);
