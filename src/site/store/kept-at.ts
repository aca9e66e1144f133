import type { EventTerm, Organizer, Venue } from '../../contract/event-parts.ts';
import type { Event } from '../../contract/representation.ts';
import { DAY_MS } from '../../time.ts';
import type { HandlerContext } from '../context.ts';
import { markLasting } from '../made-once.ts';
import type { AroundEvent } from './around-event.ts';
import { changesSince, isPast, type Changes } from './changes.ts';
import type { PageDays } from './event-totals.ts';
import type { ImageRow } from './tables.ts';

/** What events refer to, ready to be shown; undefined for what does not exist or must not be seen. */
export interface Parts {
  readonly venues: Map<number, Venue | undefined>;
  readonly organizers: Map<number, Organizer | undefined>;
  readonly terms: Map<number, EventTerm | undefined>;
  readonly images: Map<number, ImageRow | undefined>;
}

/** What anonymous reads have built at a revision of the site. It is valid until the next write. */
export interface KeptAt {
  readonly revision: string;
  /** Those of the site and routes whose answers contain it, as it contains their addresses. */
  readonly settings: HandlerContext['settings'];
  readonly parts: Parts;
  /** Ids already looked up, by request. */
  readonly found: Map<string, Found>;
  /** Lookups under way. */
  readonly underWay: Map<string, Promise<Found>>;
  readonly events: KeptEvents;
  /** Events read together with what surrounds them, by slug. */
  readonly around: Map<string, AroundOn>;
}

/** An event with what surrounds it from a day on. */
interface AroundOn {
  readonly from: string;
  readonly event: AroundEvent;
}

/**
 * Events as anonymous callers see them. They are carried over to the next revision, except those that the write
 * changed.
 */
interface KeptEvents {
  /** The latest revision to which they were carried over. */
  revision: string;
  readonly byId: Map<number, Event>;
  /** Event ids by start day. */
  readonly byDay: Map<string, Set<number>>;
  /** Their approximate size as JSON, in bytes. */
  bytes: number;
  /** The ids of the events shown most recently, at whatever revision. */
  readonly shown: Set<number>;
}

/** What a result depends on: events that start on some days, what events refer to, or everything. */
type Depends = Pick<PageDays, 'from' | 'to'> | 'parts' | 'everything';
/** The result of a lookup. */
export interface Found {
  readonly ids: readonly number[];
  readonly depends: Depends;
}

const kept = new WeakMap<HandlerContext['db'], KeptAt>();

// A few thousand events. They take two or three times as much in memory.
const BYTES_MAX = 6_000_000;
// Beyond this, events would be dropped again before they are shown once more.
const SHOWN_MAX = 2_000;
const PARTS_MAX = 5_000;
const FOUND_MAX = 1_000;
// Each has the dates of a series. This many pages may be built concurrently.
const AROUND_MAX = 100;
// After a write to more days, nearly everything has changed.
const DAYS_MAX = 50;

/** Returns what is kept for a request; undefined if nothing is kept for it. */
export function keptFor({
  db,
  revision,
  settings,
}: Pick<HandlerContext, 'db' | 'revision' | 'settings'>): KeptAt | undefined {
  if (revision === undefined) return undefined;
  const former = kept.get(db);
  const isUsable = former?.settings === settings && sizeOf(former.parts) <= PARTS_MAX;
  // A request that read the revision before a write may be answered with the state after it.
  if (isUsable && (former.revision === revision || isPast(db, revision, former.revision))) return former;
  const changes = isUsable ? changesSince(db, Number(former.revision), revision) : undefined;
  const current =
    isUsable && changes && changes.days.size <= DAYS_MAX
      ? stillRight(former, changes)
      : { settings, parts: noParts(), found: new Map(), events: noEvents(former?.events.shown) };
  current.events.revision = revision;
  kept.set(db, { ...current, revision, underWay: new Map(), around: new Map() });
  return kept.get(db);
}

/** Returns what remains valid after a write. */
function stillRight(former: KeptAt, changes: Changes): Omit<KeptAt, 'revision' | 'underWay' | 'around'> {
  const changed = [...changes.days].map((day) => Date.parse(day) / DAY_MS);
  const isRight = ({ depends }: Found): boolean => {
    if (depends === 'parts') return !changes.parts;
    if (depends === 'everything') return false;
    // Unknown for days outside JavaScript's range of dates, so the result is dropped.
    return changed.every((day) => day < depends.from || day > depends.to);
  };
  const found = new Map([...former.found].filter(([, one]) => isRight(one)));
  if (changes.parts)
    return { settings: former.settings, parts: noParts(), found, events: noEvents(former.events.shown) };
  for (const day of changes.days)
    for (const id of former.events.byDay.get(day) ?? []) forgetEvent(former.events, former.events.byId.get(id));
  return { ...former, found };
}

const startDay = ({ start_date: start }: Event): string => start.slice(0, start.indexOf(' '));

const noParts = (): Parts => ({ venues: new Map(), organizers: new Map(), terms: new Map(), images: new Map() });

const noEvents = (shown = new Set<number>()): KeptEvents => ({
  revision: '',
  byId: new Map(),
  byDay: new Map(),
  bytes: 0,
  shown,
});

const sizeOf = ({ venues, organizers, terms, images }: Parts): number =>
  venues.size + organizers.size + terms.size + images.size;

/** Looks up ids once for all callers with the same request. The oldest results are dropped first. */
export const foundAt = (
  at: KeptAt | undefined,
  asked: string,
  find: () => Promise<readonly number[]>,
  depends: Depends = 'parts',
): Promise<readonly number[]> => foundWith(at, asked, async () => ({ ids: await find(), depends }));

/** The same if only the result tells what it depends on. */
export async function foundWith(
  at: KeptAt | undefined,
  asked: string,
  find: () => Promise<Found>,
): Promise<readonly number[]> {
  if (!at) return (await find()).ids;
  const known = at.found.get(asked);
  if (known) return known.ids;
  const looking = at.underWay.get(asked) ?? find();
  at.underWay.set(asked, looking);
  try {
    const found = await looking;
    at.found.set(asked, found);
    const [oldest] = at.found.keys();
    if (at.found.size > FOUND_MAX && oldest !== undefined) at.found.delete(oldest);
    return found.ids;
  } finally {
    at.underWay.delete(asked);
  }
}

/**
 * Keeps an event the second time that it is shown: most events of a large site are shown rarely, and would only
 * displace the others.
 */
export function keepShownAgain(at: KeptAt, event: Event): void {
  const { shown } = at.events;
  if (shown.delete(event.id)) keepEvent(at, event);
  shown.add(event.id);
  const [oldest] = shown;
  if (shown.size > SHOWN_MAX && oldest !== undefined) shown.delete(oldest);
}

/**
 * Keeps an event, so that it is serialized once for all answers that contain it. Does nothing after a write since the
 * request arrived. The oldest are dropped first.
 */
export function keepEvent({ revision, events }: KeptAt, event: Event): void {
  if (events.revision !== revision || events.byId.has(event.id)) return;
  const day = startDay(event);
  events.byId.set(event.id, event);
  events.byDay.set(day, (events.byDay.get(day) ?? new Set()).add(event.id));
  markLasting(event);
  events.bytes += sizeOfJson(event);
  for (const oldest of events.byId.values()) {
    if (events.bytes <= BYTES_MAX) return;
    forgetEvent(events, oldest);
  }
}

function forgetEvent(events: KeptEvents, event: Event | undefined): void {
  if (!event) return;
  const day = startDay(event);
  const others = events.byDay.get(day);
  events.byId.delete(event.id);
  others?.delete(event.id);
  if (others?.size === 0) events.byDay.delete(day);
  events.bytes -= sizeOfJson(event);
}

/** Keeps what surrounds an event, unless it was read at another revision. The oldest are dropped first. */
export function keepAround({ revision, around }: KeptAt, event: AroundEvent, from: string): void {
  if (event.revision !== revision) return;
  around.set(event.row.slug, { from, event });
  const [oldest] = around.keys();
  if (around.size > AROUND_MAX && oldest !== undefined) around.delete(oldest);
}

/** Estimates the size of a value as JSON in bytes; serializing it would take much longer. */
function sizeOfJson(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 5;
  let size = 2;
  for (const [name, inside] of Object.entries(value)) size += name.length + 4 + sizeOfJson(inside);
  return size;
}
