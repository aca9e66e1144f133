import { nameOfRef } from '../links/link.ts';
import { instantOf } from '../model/event-times.ts';
import type { Action, CreateEvent, EventAction, Json, LedgerEntry, Plan, UpdateEvent } from '../model/plan.ts';
import { wallFromInstant, type Wall } from '../../time.ts';

/** The facts that a review gives about an event, in its publisher's terms. */
export interface EventFacts {
  readonly slug: string;
  readonly title: string;
  /** In the event's own zone. */
  readonly start: Wall;
  /** In epoch milliseconds. */
  readonly startsAt: number;
  /** '' if the event has none. */
  readonly venue: string;
  readonly categories: readonly string[];
}

/** An event that a plan changes, before and after. */
export interface ChangedFacts {
  readonly before: EventFacts;
  readonly after: EventFacts;
  readonly action: UpdateEvent;
}

/** What a plan does to upcoming events. */
export interface PlanFacts {
  /** Events that are removed now or, in `leaving`, once the feed has lacked them often enough. */
  readonly gone: readonly EventFacts[];
  readonly leaving: readonly EventFacts[];
  readonly changed: readonly ChangedFacts[];
  readonly added: readonly EventFacts[];
  /** All other upcoming events of the source. */
  readonly stays: readonly EventFacts[];
  /** The number of upcoming events in the source. */
  readonly coming: number;
}

/** The facts about a plan, based on the whole ledger of its source. `now` is in epoch milliseconds. */
export function factsOf(
  plan: Pick<Plan, 'actions' | 'ledger'>,
  ledger: ReadonlyMap<string, LedgerEntry>,
  now: number,
): PlanFacts {
  const actions = new Map(plan.actions.flatMap((action) => ('slug' in action ? [[action.slug, action] as const] : [])));
  const coming = [...ledger.values()].filter(({ endsAt, state }) => endsAt > now && state !== 'ignored');
  const facts = coming
    .map((entry) => ({ entry, action: actions.get(entry.slug), own: factsOfEntry(entry) }))
    .toSorted((one, other) => one.own.startsAt - other.own.startsAt || (one.own.slug < other.own.slug ? -1 : 1));
  const kept = facts.filter(({ entry, action }) => entry.state === 'kept' && !isGone(action));
  const isLeaving = ({ entry, action }: (typeof facts)[number]): boolean =>
    action === undefined && (plan.ledger[entry.slug]?.entry.missing ?? 0) > entry.missing;
  return {
    coming: facts.filter(({ entry, action }) => entry.state === 'kept' || isGone(action)).length,
    gone: facts.filter(({ action }) => isGone(action)).map(({ own }) => own),
    leaving: kept.filter(isLeaving).map(({ own }) => own),
    changed: kept.flatMap(({ action, own }) =>
      action?.kind === 'update' ? [{ before: own, after: factsAfter(own, action), action }] : [],
    ),
    added: plan.actions.flatMap((action) =>
      action.resource === 'events' && action.kind === 'create' ? factsOfNew(action) : [],
    ),
    stays: kept.filter((each) => each.action === undefined && !isLeaving(each)).map(({ own }) => own),
  };
}

const isGone = (action: Action | undefined): boolean => action?.kind === 'remove';

/** The facts that an entry contains. */
function factsOfEntry({ slug, title, startsAt, fields }: LedgerEntry): EventFacts {
  const start = fields.start_date?.feed;
  const [venue] = listOf(fields.venue?.feed);
  return {
    slug,
    title,
    start: typeof start === 'string' ? start : wallFromInstant(startsAt, 'UTC'),
    startsAt,
    venue: nameIn(venue),
    categories: listOf(fields.categories?.feed).map(String),
  };
}

/**
 * The facts about an action's event (which may have ended or be in the trash): its current state, or, if it is created,
 * its future one; `after` is what an update makes of it.
 */
export function factsOfAction(
  action: EventAction,
  entry: LedgerEntry | undefined,
): { readonly facts: EventFacts; readonly after?: EventFacts } {
  if (action.kind === 'create') return { facts: factsOfNew(action) };
  const { slug, title } = action;
  const facts = entry ? factsOfEntry(entry) : { slug, title, start: '', startsAt: 0, venue: '', categories: [] };
  return action.kind === 'update' ? { facts, after: factsAfter(facts, action) } : { facts };
}

const factsOfNew = ({ slug, title, fields }: CreateEvent): EventFacts =>
  withValues({ slug, title, start: '', startsAt: 0, venue: '', categories: [] }, (field) => fields[field]);

const factsAfter = (before: EventFacts, { title, changes, fields }: UpdateEvent): EventFacts =>
  withValues(
    { ...before, title: typeof changes['title']?.to === 'string' ? changes['title'].to : title },
    (field) => changes[field]?.to ?? fields[field],
  );

/** Replaces facts with the values that an action sends. */
function withValues(facts: EventFacts, valueOf: (field: string) => Json | undefined): EventFacts {
  const [start, timezone, venue, categories] = ['start_date', 'timezone', 'venue', 'categories'].map(valueOf);
  const startsAt = instantOf(start, timezone);
  return {
    ...facts,
    ...(typeof start === 'string' ? { start, startsAt: Number.isNaN(startsAt) ? facts.startsAt : startsAt } : {}),
    ...(venue === undefined ? {} : { venue: namesOf(venue)[0] ?? '' }),
    ...(categories === undefined ? {} : { categories: namesOf(categories) }),
  };
}

const namesOf = (refs: Json): readonly string[] => listOf(refs).map((ref) => nameOfRef(String(ref)));
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function nameIn(venue: Json | undefined): string {
  if (typeof venue !== 'object' || venue === null || Array.isArray(venue)) return '';
  const name = (venue as { readonly [key: string]: Json })['venue'];
  return typeof name === 'string' ? name : '';
}
