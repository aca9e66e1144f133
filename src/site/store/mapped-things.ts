import { sql, type Sql } from '../../db/database.ts';
import type { HandlerContext } from '../context.ts';
import { pageUrl, termUrl } from './addresses.ts';
import { conditionOf, type Chosen } from './chosen-events.ts';

/** The page of a category, place or organizer, for the sitemap. */
export interface Mapped {
  readonly url: string;
  /** When something on it last changed, as `2027-01-10 18:00:00`. */
  readonly modifiedUtc: string;
}

interface Row {
  readonly kind: 'categories' | 'venues' | 'organizers';
  readonly id: number;
  readonly slug: string;
  readonly modified: string;
}

/** The ids that a column of the `coming` events contains, and when the last of these events was changed. */
const named = (column: string): Sql =>
  sql`select named as id, max(modified_at) as modified_at from coming, unnest(${sql.ref(column)}) as named group by 1`;

/** Returns the pages that show chosen events: categories (with their ancestors), then places and organizers. */
export async function mappedThings(
  chosen: Chosen,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  ctx: HandlerContext,
): Promise<{ readonly total: number; readonly things: readonly Mapped[] }> {
  const { rows } = await sql<Row | { kind: 'all'; total: number }>`
    with recursive coming as materialized (
      select category_ids, venue_ids, organizer_ids, modified_at from site.events
      where ${await conditionOf(ctx.db, chosen, ctx)} and password = ''),
    above as (
      select id, id as ancestor, parent from site.terms where taxonomy = 'categories'
      union all select above.id, terms.id, terms.parent from above join site.terms on terms.id = above.parent),
    things as (
      select 1 as place, 'categories' as kind, terms.id, slug, max(modified_at) as modified_at
        from (${named('category_ids')}) as own join above using (id) join site.terms on terms.id = ancestor group by 3, 4
      union all select 2, 'venues', id, slug, greatest(own.modified_at, venues.modified_at)
        from (${named('venue_ids')}) as own join site.venues using (id) where status = 'publish' and slug <> ''
      union all select 3, 'organizers', id, slug, greatest(own.modified_at, organizers.modified_at)
        from (${named('organizer_ids')}) as own join site.organizers using (id) where status = 'publish' and slug <> ''),
    part as (select * from things order by place, slug limit ${limit} offset ${offset})
    select kind, id, slug, to_char(modified_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as modified,
      null::integer as total from part
    union all select 'all', 0, '', '', count(*)::integer from things`.execute(ctx.db);
  return {
    total: rows.reduce((sum, row) => (row.kind === 'all' ? sum + row.total : sum), 0),
    things: rows.flatMap((row) =>
      row.kind === 'all' ? [] : [{ url: addressOf(row, ctx), modifiedUtc: row.modified }],
    ),
  };
}

const addressOf = ({ kind, id, slug }: Row, { settings }: HandlerContext): string =>
  kind === 'categories' ? termUrl(settings, kind, slug) : pageUrl(settings, kind, { id, slug, status: 'publish' });
