import { createHash } from 'node:crypto';
import type { Event } from '../../contract/representation.ts';
import { eventsById } from '../store/event-columns.ts';
import { mayEdit } from '../store/rights.ts';
import type { EventRow } from '../store/tables.ts';
import { callerOfPerson, callInterface, type AskedEdit } from './editor.ts';
import { valuesOf, type EventValues } from './event-values.ts';

/** Identifies the stored state from which a form was made. */
export interface Version {
  /** Changes with everything that the form shows. */
  readonly version: string;
  /** Whether a row is still in the state from which the form was made. */
  readonly isAsKnown: (row: object) => boolean;
}

/** A stored event that this person may change. */
export interface StoredEvent extends Version {
  readonly row: EventRow;
  readonly event: Event;
  readonly values: EventValues;
}

// The columns behind the form's fields, the image and the status.
const SHOWN: readonly (keyof EventRow)[] = [
  'title',
  'description',
  'start_wall',
  'end_wall',
  'timezone',
  'all_day',
  'venue_ids',
  'organizer_ids',
  'category_ids',
  'tag_ids',
  'cost_values',
  'cost_symbol',
  'cost_position',
  'website',
  'language',
  'image_id',
  'status',
];

/** The version of a row, computed from the columns that a form shows. */
export function versionBy(shown: readonly string[], row: object): Version {
  const of = (one: object): string =>
    createHash('sha256')
      .update(JSON.stringify(shown.map((name) => Reflect.get(one, name) as unknown)))
      .digest('base64url')
      .slice(0, 22);
  const version = of(row);
  return { version, isAsKnown: (other) => of(other) === version };
}

/** Reads an event by id; undefined if there is none that this person may change. */
export async function storedEvent(asked: AskedEdit, id: number): Promise<StoredEvent | undefined> {
  if (id === 0) return undefined;
  // Reading in this order, the version is never newer than what the form shows.
  const row = (await eventsById(asked.db, [id])).get(id);
  if (!row || !mayEdit(callerOfPerson(asked.person), row)) return undefined;
  const told = await callInterface<Event>(asked, 'GET', `/events/${id}?context=edit`);
  if (!told.ok) return undefined;
  return { row, event: told.value, values: valuesOf(row, told.value), ...versionBy(SHOWN, row) };
}

/** How to show a form again after somebody else saved first: beside what is stored now, if it may still be changed. */
export const conflictWith = <Stored>(now: Stored | undefined) =>
  now === undefined
    ? ({ stored: now, conflict: 'gone', status: 404 } as const)
    : ({ stored: now, conflict: 'changed', status: 409 } as const);
