import { createHash } from 'node:crypto';
import type { Organizer, Venue } from '../../contract/event-parts.ts';
import type { Event } from '../../contract/representation.ts';
import { textFromHtml } from '../../html/text.ts';
import { eventsById } from '../store/event-columns.ts';
import { mayEdit } from '../store/rights.ts';
import type { EventRow } from '../store/tables.ts';
import { callerOfPerson, tell, type AskedEdit } from './editor.ts';
import { typedNames, plainText, valuesOf, type EventValues } from './event-values.ts';

/** An event that somebody may change, as it is stored. */
export interface StoredEvent {
  readonly row: EventRow;
  readonly event: Event;
  readonly values: EventValues;
  /** Changes with all that the form shows. */
  readonly version: string;
}

/** The event with an id; undefined where there is none that this person may change. */
export async function storedEvent(asked: AskedEdit, id: number): Promise<StoredEvent | undefined> {
  if (id === 0) return undefined;
  const told = await tell<Event>(asked, 'GET', `/events/${id}?context=edit`);
  const row = told.ok ? (await eventsById(asked.db, [id])).get(id) : undefined;
  if (!told.ok || !row || !mayEdit(callerOfPerson(asked.person), row)) return undefined;
  const values = valuesOf(row, told.value);
  return { row, event: told.value, values, version: versionOf(values, row) };
}

const versionOf = (values: EventValues, { status, image_id: image }: EventRow): string =>
  createHash('sha256')
    .update(JSON.stringify([values, status, image]))
    .digest('base64url')
    .slice(0, 22);

type Linked = Venue | Organizer;
type LinkedName = 'venue' | 'organizer';
const LISTS = { venue: 'venues', organizer: 'organizers' } as const;
const LOOKED_AT = 50;

/** The name of a place or of an organizer, as text. */
export const nameOfLinked = (linked: Linked): string =>
  textFromHtml('venue' in linked ? linked.venue : linked.organizer);

/** The places or organizers that can be chosen: the newest, or those that a search finds. */
export async function linkedToChoose(asked: AskedEdit, kind: LinkedName, search = ''): Promise<readonly Linked[]> {
  const query = new URLSearchParams({ per_page: String(LOOKED_AT), ...(search !== '' && { search }) });
  const told = await tell<Readonly<Record<string, readonly Linked[]>>>(asked, 'GET', `/${LISTS[kind]}?${query}`);
  return told.ok ? (told.value[LISTS[kind]] ?? []) : [];
}

/** What the interface is told of the places or organizers whose names were typed: those that exist, or new ones. */
export async function linkedParam(
  asked: AskedEdit,
  kind: LinkedName,
  typed: string,
  linkedNow: readonly Linked[],
): Promise<readonly (number | Readonly<Record<string, string>>)[]> {
  return Promise.all(
    typedNames(typed).map(async (name) => {
      const isNamed = (linked: Linked): boolean => nameOfLinked(linked).toLowerCase() === name.toLowerCase();
      const known = linkedNow.find(isNamed) ?? (await linkedToChoose(asked, kind, name)).find(isNamed);
      return known ? known.id : { [kind]: plainText(name) };
    }),
  );
}
