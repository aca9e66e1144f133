import { sql, type Queryable, type Sql } from '../../db/database.ts';
import type { ListName } from '../../selection/selection.ts';
import type { HandlerContext } from '../context.ts';
import { conditionOf, type Chosen } from './chosen-events.ts';
import { renderTitle } from './render.ts';

/** Something that coming events can be narrowed to. */
export interface Facet {
  readonly slug: string;
  /** HTML. */
  readonly name: string;
  /** How many of the events that were looked at have it. */
  readonly count: number;
}

/** What the next events have, the most frequent first. */
export interface Facets extends Readonly<Record<ListName, readonly Facet[]>> {
  /** Whether these were all that come; otherwise the counts are only of the next ones. */
  readonly isWhole: boolean;
}

const EVENTS_MAX = 2_000;
const FACETS_MAX = 300;

const kept = new WeakMap<Queryable, { readonly key: string; readonly facets: Promise<Facets> }>();

/**
 * What some coming events can be narrowed to, by anybody: those of selections that have nothing in common. Looked up
 * once at a revision, however many pages show it. Of more events than a few thousand, only the next ones are looked at.
 */
export async function comingFacets(chosen: readonly Chosen[], ctx: HandlerContext): Promise<Facets> {
  const { db, revision } = ctx;
  if (revision === undefined) return readFacets(db, chosen, ctx);
  const key = JSON.stringify([revision, chosen]);
  const former = kept.get(db);
  if (former?.key === key) return former.facets;
  const facets = readFacets(db, chosen, ctx);
  kept.set(db, { key, facets });
  // Whoever asks next tries again.
  facets.catch(() => kept.get(db)?.facets === facets && kept.delete(db));
  return facets;
}

interface Row {
  readonly kind: ListName;
  readonly slug: string;
  readonly name: string;
  readonly count: number;
}

/** The next events that fulfil a condition. */
const nextOf = (where: Sql): Sql => sql`(select id, category_ids, tag_ids, venue_ids, organizer_ids from site.events
  where ${where} and password = '' order by start_wall, published_at, id limit ${EVENTS_MAX + 1})`;

/** How many coming events name each id of a column. */
const counted = (kind: ListName, column: string): Sql =>
  sql`select ${kind}::text as kind, facet as id, count(*)::integer as count
    from coming, unnest(${sql.ref(column)}) as facet group by 2`;

/** The same, looked up for one page. */
export async function readFacets(db: Queryable, chosen: readonly Chosen[], ctx: HandlerContext): Promise<Facets> {
  const parts: Sql[] = [];
  for (const one of chosen) parts.push(nextOf(await conditionOf(db, one, ctx)));
  const { rows } = await sql<Row>`
    with recursive coming as materialized (${sql.join(parts, sql` union all `)}),
    above as (
      select id, id as ancestor, parent from site.terms where taxonomy = 'categories'
      union all select above.id, terms.id, terms.parent from above join site.terms on terms.id = above.parent),
    counted as (
      select 'categories' as kind, ancestor as id, count(distinct coming.id)::integer as count
        from coming, unnest(category_ids) as category join above on above.id = category group by 2
      union all ${counted('tags', 'tag_ids')}
      union all ${counted('places', 'venue_ids')}
      union all ${counted('organizers', 'organizer_ids')}),
    named as (
      select kind, slug, name, counted.count from counted join site.terms using (id) where kind in ('categories', 'tags')
      union all select kind, slug, title, counted.count from counted join site.venues using (id)
        where kind = 'places' and status = 'publish'
      union all select kind, slug, title, counted.count from counted join site.organizers using (id)
        where kind = 'organizers' and status = 'publish'),
    ranked as (select *, row_number() over (partition by kind order by count desc, slug) as rank from named)
    select kind, slug, name, count from ranked where rank <= ${FACETS_MAX}
    union all select 'all', '', '', (select count(*)::integer from coming)`.execute(db);
  const ofKind = (kind: ListName): readonly Facet[] =>
    rows
      .filter((row) => row.kind === kind)
      .map(({ slug, name, count }) => ({
        slug,
        name: kind === 'places' || kind === 'organizers' ? renderTitle(name) : name,
        count,
      }));
  const [total] = rows.filter(({ kind }) => (kind as string) === 'all');
  return {
    categories: ofKind('categories'),
    tags: ofKind('tags'),
    places: ofKind('places'),
    organizers: ofKind('organizers'),
    isWhole: (total?.count ?? 0) <= EVENTS_MAX,
  };
}
