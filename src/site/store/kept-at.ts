import type { EventTerm, Organizer, Venue } from '../../contract/event-parts.ts';
import type { Event } from '../../contract/representation.ts';
import type { HandlerContext } from '../context.ts';
import { writeOnce } from '../written.ts';
import type { ImageRow } from './tables.ts';

/** What events refer to, as it is shown; undefined for what is not there, or not to be seen. */
export interface Parts {
  readonly venues: Map<number, Venue | undefined>;
  readonly organizers: Map<number, Organizer | undefined>;
  readonly terms: Map<number, EventTerm | undefined>;
  readonly images: Map<number, ImageRow | undefined>;
}

/** What strangers' reads have made of the site at a revision: it is right as long as nobody writes. */
export interface KeptAt {
  readonly revision: string;
  /** Of the routes in whose answers it is. */
  readonly namespace: string;
  readonly parts: Parts;
  /** Ids that were looked up, by what was asked for. */
  readonly found: Map<string, readonly number[]>;
  /** By id. */
  readonly events: Map<number, Event>;
  /** How many bytes they are as JSON. */
  bytes: number;
}

const kept = new WeakMap<HandlerContext['db'], KeptAt>();

// A few thousand events. In memory they take two or three times as much.
const BYTES_MAX = 6_000_000;
const PARTS_MAX = 5_000;
const FOUND_MAX = 1_000;

/** What is kept for a request; undefined for one that nothing is kept for. */
export function keptFor({
  db,
  revision,
  settings: { namespace },
}: Pick<HandlerContext, 'db' | 'revision' | 'settings'>): KeptAt | undefined {
  if (revision === undefined) return undefined;
  const former = kept.get(db);
  if (former?.revision === revision && former.namespace === namespace && sizeOf(former.parts) <= PARTS_MAX)
    return former;
  const current: KeptAt = { revision, namespace, parts: noParts(), found: new Map(), events: new Map(), bytes: 0 };
  kept.set(db, current);
  return current;
}

const noParts = (): Parts => ({ venues: new Map(), organizers: new Map(), terms: new Map(), images: new Map() });

const sizeOf = ({ venues, organizers, terms, images }: Parts): number =>
  venues.size + organizers.size + terms.size + images.size;

/** Ids that are looked up once, where something is kept. Those asked for first are forgotten first. */
export async function foundAt(
  at: KeptAt | undefined,
  asked: string,
  find: () => Promise<readonly number[]>,
): Promise<readonly number[]> {
  const ids = at?.found.get(asked) ?? (await find());
  at?.found.set(asked, ids);
  const [oldest] = at?.found.keys() ?? [];
  if (at && at.found.size > FOUND_MAX && oldest !== undefined) at.found.delete(oldest);
  return ids;
}

/** Adds an event, and writes it for the answers that it will be in. The oldest go first. */
export function keepEvent(at: KeptAt, event: Event): void {
  if (at.events.has(event.id)) return;
  at.events.set(event.id, event);
  at.bytes += writeOnce(event);
  for (const [id, oldest] of at.events) {
    if (at.bytes <= BYTES_MAX) return;
    at.events.delete(id);
    at.bytes -= writeOnce(oldest);
  }
}
