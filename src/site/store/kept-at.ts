import type { EventTerm, Organizer, Venue } from '../../contract/event-parts.ts';
import type { Event } from '../../contract/representation.ts';
import { DAY_MS } from '../../time.ts';
import type { HandlerContext } from '../context.ts';
import { willLast } from '../made-once.ts';
import type { AroundEvent } from './around-event.ts';
import { changesSince, isPast, type Changes } from './changes.ts';
import type { PageDays } from './event-totals.ts';
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
  /** Of the site and the routes in whose answers it is: their addresses are in it. */
  readonly settings: HandlerContext['settings'];
  readonly parts: Parts;
  /** Ids that were looked up, by what was asked for. */
  readonly found: Map<string, Found>;
  /** Those that are being looked up. */
  readonly underWay: Map<string, Promise<Found>>;
  readonly events: KeptEvents;
  /** Events that were read together with what is around them, by slug. */
  readonly around: Map<string, AroundOn>;
}

/** An event, and what was around it on a day. */
interface AroundOn {
  readonly from: string;
  readonly event: AroundEvent;
}

/** Events as strangers are shown them. They are handed on from revision to revision, less those that a write changed. */
interface KeptEvents {
  /** The last one that they were handed on to. */
  revision: string;
  readonly byId: Map<number, Event>;
  /** Their ids, by the day on which they start. */
  readonly byDay: Map<string, Set<number>>;
  /** How many bytes they are as JSON, about. */
  bytes: number;
  /** The ids of those that were shown last, at whatever revision. */
  readonly shown: Set<number>;
}

/** What ids that are looked up depend on: events that start on some days, on what events refer to, or on everything. */
type Depends = Pick<PageDays, 'from' | 'to'> | 'parts' | 'everything';
/** Ids that were looked up. */
export interface Found {
  readonly ids: readonly number[];
  readonly depends: Depends;
}

const kept = new WeakMap<HandlerContext['db'], KeptAt>();

// A few thousand events. In memory they take two or three times as much.
const BYTES_MAX = 6_000_000;
// Of more than can be kept, none would be left until it is shown again.
const SHOWN_MAX = 2_000;
const PARTS_MAX = 5_000;
const FOUND_MAX = 1_000;
// Each has the dates of a series. As many pages may be made at the same time.
const AROUND_MAX = 100;
// After a write to more days, nearly everything is another.
const DAYS_MAX = 50;

/** What is kept for a request; undefined for one that nothing is kept for. */
export function keptFor({
  db,
  revision,
  settings,
}: Pick<HandlerContext, 'db' | 'revision' | 'settings'>): KeptAt | undefined {
  if (revision === undefined) return undefined;
  const former = kept.get(db);
  const isUsable = former?.settings === settings && sizeOf(former.parts) <= PARTS_MAX;
  // Who has asked for the revision before a write may be told what came of it.
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

/** What a write to the events of some days has not changed. */
function stillRight(former: KeptAt, changes: Changes): Omit<KeptAt, 'revision' | 'underWay' | 'around'> {
  const changed = [...changes.days].map((day) => Date.parse(day) / DAY_MS);
  const isRight = ({ depends }: Found): boolean => {
    if (depends === 'parts') return !changes.parts;
    if (depends === 'everything') return false;
    // Of a day that is none for JavaScript, nothing is known.
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

/** Ids that are looked up once for all who ask for the same, where something is kept. Those asked for first are forgotten first. */
export const foundAt = (
  at: KeptAt | undefined,
  asked: string,
  find: () => Promise<readonly number[]>,
  depends: Depends = 'parts',
): Promise<readonly number[]> => foundWith(at, asked, async () => ({ ids: await find(), depends }));

/** The same for ids of which only what is found tells what they depend on. */
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
 * Keeps an event that is shown again: most of a large site are shown once in a long time, and would only drive out the
 * others.
 */
export function keepShownAgain(at: KeptAt, event: Event): void {
  const { shown } = at.events;
  if (shown.delete(event.id)) keepEvent(at, event);
  shown.add(event.id);
  const [oldest] = shown;
  if (shown.size > SHOWN_MAX && oldest !== undefined) shown.delete(oldest);
}

/**
 * Keeps an event, which is written once for all answers that it will be in; not if somebody has written to the site
 * since the request arrived. The oldest go first.
 */
export function keepEvent({ revision, events }: KeptAt, event: Event): void {
  if (events.revision !== revision || events.byId.has(event.id)) return;
  const day = startDay(event);
  events.byId.set(event.id, event);
  events.byDay.set(day, (events.byDay.get(day) ?? new Set()).add(event.id));
  willLast(event);
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

/** Keeps what was found around an event on a day, unless the site was another then. The oldest go first. */
export function keepAround({ revision, around }: KeptAt, event: AroundEvent, from: string): void {
  if (event.revision !== revision) return;
  around.set(event.row.slug, { from, event });
  const [oldest] = around.keys();
  if (around.size > AROUND_MAX && oldest !== undefined) around.delete(oldest);
}

/** About as many bytes as a value has as JSON: to write it takes much longer. */
function sizeOfJson(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 5;
  let size = 2;
  for (const [name, inside] of Object.entries(value)) size += name.length + 4 + sizeOfJson(inside);
  return size;
}
