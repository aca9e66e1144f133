import type { ListName } from '../../selection/selection.ts';
import type { Queryable } from '../../db/database.ts';
import type { HandlerContext } from '../context.ts';
import { changesSince } from './changes.ts';
import type { Chosen } from './chosen-events.ts';
import { idsOfLinks, linksByDay, lookedAt, type DayLinks, type LookedAt } from './coming-links.ts';
import { facetNames } from './facet-names.ts';

/** Something that upcoming events can be filtered by. */
export interface Facet {
  readonly slug: string;
  /** HTML. */
  readonly name: string;
  /** How many of the events examined have it. */
  readonly count: number;
}

/** The facets of the next events, the most frequent first. */
export interface Facets extends Readonly<Record<ListName, readonly Facet[]>> {
  /** Whether all upcoming events were examined; otherwise the counts cover only the next ones. */
  readonly isWhole: boolean;
}

/** The facets of a site at a revision, and what they were made from. */
interface Made {
  readonly revision: string;
  readonly looked: LookedAt;
  readonly links: DayLinks;
  readonly facets: Facets;
}

// After a write to more days, reading everything takes no longer.
const DAYS_MAX = 100;

const kept = new WeakMap<Queryable, { readonly key: string; readonly made: Promise<Made> }>();

/**
 * Returns the facets by which anybody can filter upcoming events. The selections must not overlap. They are read once
 * per revision, however many pages show them; after a write, only the days of changed events are read again. If there
 * are more than a few thousand events, only the next days are examined.
 */
export async function comingFacets(chosen: readonly Chosen[], ctx: HandlerContext): Promise<Facets> {
  const { db, revision } = ctx;
  if (revision === undefined) return readFacets(chosen, ctx);
  const key = JSON.stringify([revision, chosen]);
  const former = kept.get(db);
  if (former?.key === key) return (await former.made).facets;
  // If the former read failed, everything is read again.
  const made = make(chosen, revision, ctx, await former?.made.catch(() => undefined));
  kept.set(db, { key, made });
  // After a failure, the next caller tries again.
  made.catch(() => kept.get(db)?.made === made && kept.delete(db));
  return (await made).facets;
}

/** The same, read for a single page and not kept. */
export async function readFacets(chosen: readonly Chosen[], ctx: HandlerContext): Promise<Facets> {
  const looked = await lookedAt(chosen, ctx);
  return facetsOf(ctx.db, looked, await linksByDay(ctx.db, looked));
}

async function make(
  chosen: readonly Chosen[],
  revision: string,
  ctx: HandlerContext,
  former: Made | undefined,
): Promise<Made> {
  const { db } = ctx;
  const looked = await lookedAt(chosen, ctx);
  const changes = former?.looked.key === looked.key ? changesSince(db, Number(former.revision), revision) : undefined;
  if (!former || !changes || changes.days.size > DAYS_MAX) {
    const links = await linksByDay(db, looked);
    return { revision, looked, links, facets: await facetsOf(db, looked, links) };
  }
  const changed = changes.days.size === 0 ? new Map<string, string[]>() : await linksByDay(db, looked, changes.days);
  const isSame = [...changes.days].every((day) => textOf(former.links.get(day)) === textOf(changed.get(day)));
  if (isSame && !changes.parts) return { ...former, revision, looked };
  const links = new Map([...former.links].filter(([day]) => !changes.days.has(day)).concat([...changed]));
  return { revision, looked, links, facets: await facetsOf(db, looked, links) };
}

const textOf = (links: readonly string[] | undefined): string => links?.join(' ') ?? '';

/** The number of events that refer to the same ids. */
interface Alike {
  readonly ids: readonly (readonly number[])[];
  readonly count: number;
}

const [CATEGORIES, TAGS, PLACES, ORGANIZERS] = [0, 1, 2, 3];

async function facetsOf(db: Queryable, { isWhole }: LookedAt, days: DayLinks): Promise<Facets> {
  const alike = new Map<string, number>();
  for (const links of days.values()) for (const one of links) alike.set(one, (alike.get(one) ?? 0) + 1);
  const events = [...alike].map(([links, count]) => ({ ids: idsOfLinks(links), count }));
  const terms = counted(events, [CATEGORIES, TAGS], (ids) => ids);
  const linked = counted(events, [PLACES, ORGANIZERS], (ids) => ids);
  const names = await facetNames(db, [...terms.keys()], [...linked.keys()]);
  const parents = new Map(names.flatMap(({ id, kind, parent }) => (kind === 'categories' ? [[id, parent]] : [])));
  const counts = {
    categories: counted(events, [CATEGORIES], (ids) => withParents(ids, parents)),
    tags: terms,
    places: linked,
    organizers: linked,
  };
  const ofKind = (kind: ListName): readonly Facet[] =>
    names
      .filter((one) => one.kind === kind)
      .map(({ id, slug, name }) => ({ slug, name, count: counts[kind].get(id) ?? 0 }))
      .toSorted(byCount);
  return {
    categories: ofKind('categories'),
    tags: ofKind('tags'),
    places: ofKind('places'),
    organizers: ofKind('organizers'),
    isWhole,
  };
}

/** Counts the events per id, for the given kinds of references. */
function counted(
  events: readonly Alike[],
  kinds: readonly number[],
  meant: (ids: readonly number[]) => readonly number[],
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { ids, count } of events)
    for (const id of new Set(meant(kinds.flatMap((kind) => ids[kind] ?? []))))
      counts.set(id, (counts.get(id) ?? 0) + count);
  return counts;
}

/** Returns the ids of categories and of all their ancestors. */
function withParents(ids: readonly number[], parents: ReadonlyMap<number, number | null>): readonly number[] {
  const all = new Set(ids);
  for (const id of all) {
    const parent = parents.get(id);
    if (typeof parent === 'number') all.add(parent);
  }
  return [...all];
}

const byCount = (one: Facet, other: Facet): number =>
  other.count - one.count || (one.slug < other.slug ? -1 : Number(one.slug > other.slug));
