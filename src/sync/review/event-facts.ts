import { nameOfRef } from '../links/link.ts';
import { instantOf } from '../model/event-times.ts';
import type { Action, CreateEvent, EventAction, Json, LedgerEntry, Plan, UpdateEvent } from '../model/plan.ts';
import { wallFromInstant, type Wall } from '../../time.ts';

/** What a review says of an event, in the words of whoever publishes it. */
export interface EventFacts {
  readonly slug: string;
  readonly title: string;
  /** On its own clock. */
  readonly start: Wall;
  /** Epoch milliseconds. */
  readonly startsAt: number;
  /** '' where it has none. */
  readonly venue: string;
  readonly categories: readonly string[];
}

/** An event that a plan changes: as it is, and as it would be. */
export interface ChangedFacts {
  readonly before: EventFacts;
  readonly after: EventFacts;
  readonly action: UpdateEvent;
}

/** What a plan does, as facts about events that are still to come. */
export interface PlanFacts {
  /** Would go, now or (`leaving`) once the feed has lacked them often enough. */
  readonly gone: readonly EventFacts[];
  readonly leaving: readonly EventFacts[];
  readonly changed: readonly ChangedFacts[];
  readonly added: readonly EventFacts[];
  /** All others of the source. */
  readonly stays: readonly EventFacts[];
  /** How many upcoming events the source has. */
  readonly coming: number;
}

/** The facts about a plan, from the whole ledger of its source. `now` in epoch milliseconds. */
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

/** The facts that the ledger knows. */
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
 * What an action finds of its event, which may be over or come back from the trash; of a new one, what it will be; and
 * what an update makes of it.
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

/** Facts with what an action sends instead. */
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
