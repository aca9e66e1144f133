import { sql, type Sql, type Queryable } from '../../db/database.ts';
import type { Api } from '../../contract/api.ts';
import type { Input } from '../../contract/endpoint.ts';
import type { TermRef } from '../../contract/reference-args.ts';
import type { Caller, HandlerContext } from '../context.ts';
import { invalidParams } from '../http-problem.ts';
import { collectionUrl } from './addresses.ts';
import { isEvent } from './linked-list.ts';
import { listParam, collectionLinks, param, type LinkParams, type PageLinks } from './page.ts';
import { storedSlug } from './sanitize-title.ts';
import { contains, patternOf } from './search.ts';
import type { Taxonomy, TermRow } from './tables.ts';
import { knownTerms } from './term-refs.ts';
import { totalOf } from './totals.ts';
import { allOf, oneShownWhole, partlyShown } from './visible.ts';
import { unknownIds } from './none-there.ts';

type Asked = Input<Api['listCategories']>;

// The sort orders for terms; any other value sorts by name.
const ORDERS: Readonly<Record<string, Sql>> = {
  id: sql`id`,
  term_id: sql`id`,
  count: sql`count`,
  slug: sql`slug`,
  description: sql`description`,
  parent: sql`coalesce(parent, 0)`,
};
const NAME = sql`site.plain(name)`;

/** Returns a page of terms, by name unless requested otherwise. Pages beyond the end are empty, as on real sites. */
export async function listTerms(
  db: Queryable,
  taxonomy: Taxonomy,
  asked: Asked,
  ctx: HandlerContext,
): Promise<{ readonly rows: readonly TermRow[]; readonly links: PageLinks }> {
  const include = await knownIds(db, taxonomy, 'include', asked.include);
  const wanted = allOf(await conditionsOf(db, taxonomy, asked, include, ctx));
  const direction = asked.order === undefined || asked.order.toLowerCase() === 'asc' ? sql`asc` : sql`desc`;
  const column =
    asked.orderby === 'include' && include
      ? sql`array_position(${include}::integer[], id)`
      : (ORDERS[asked.orderby ?? ''] ?? NAME);
  const { rows } = await sql<TermRow>`
    select * from site.terms where ${wanted} order by ${column} ${direction}, id limit ${asked.per_page} offset ${(asked.page - 1) * asked.per_page}`.execute(
    db,
  );
  return {
    rows,
    links: collectionLinks(
      collectionUrl(ctx.settings, taxonomy),
      asked,
      paramsOf(asked),
      await totalOf(db, 'terms', wanted, ctx.revision),
    ),
  };
}

async function conditionsOf(
  db: Queryable,
  taxonomy: Taxonomy,
  asked: Asked,
  include: readonly number[] | undefined,
  ctx: HandlerContext,
): Promise<Sql[]> {
  const { search, slug, parent, hide_empty: hideEmpty, post, event, translation_language: language } = asked;
  const exclude = await knownIds(db, taxonomy, 'exclude', asked.exclude);
  if (parent !== undefined) await knownIds(db, taxonomy, 'parent', [{ kind: 'id', id: parent }]);
  for (const [name, id] of [
    ['post', post],
    ['event', event],
  ] as const)
    if (id !== undefined && !(await isEvent(db, id))) throw invalidParams({ [name]: unknownIds('events', [id]) });
  return [
    sql`taxonomy = ${taxonomy}`,
    ...where(search || undefined, (text) => sql`(${contains(NAME, text)} or slug like ${patternOf(text)})`),
    ...where(slug, (text) => sql`slug = ${storedSlug(text)}`),
    ...where(parent, (id) => sql`parent = ${id}`),
    ...where(include, (ids) => sql`id = any (${[...ids]})`),
    ...where(exclude, (ids) => sql`id <> all (${[...ids]})`),
    ...where(
      event ?? post,
      (id) =>
        sql`id = any (select unnest(category_ids || tag_ids) from site.events where ${oneShownWhole(id, ctx.caller)})`,
    ),
    ...(hideEmpty ? [isUsedFor(ctx.caller)] : []),
    ...where(language, (code) => sql`language = ${code}`),
  ];
}

/** The condition on a value, if one is given. */
const where = <T>(value: T | undefined, condition: (value: T) => Sql): Sql[] =>
  value === undefined ? [] : [condition(value)];

/**
 * The condition that a term is used; a category also is if a descendant has events. A protected event does not reveal
 * its terms to callers who may not see all of it.
 */
function isUsedFor(caller: Caller | null): Sql {
  const hidden = partlyShown(caller);
  const usedThere = sql`select term, count(distinct id) as events
    from site.events, unnest(category_ids || tag_ids) as term where id in (${hidden ?? sql`select null::integer`}) group by term`;
  return sql`id in (with recursive hidden as (${usedThere}), used as (
    select id, parent from site.terms left join hidden on hidden.term = terms.id
      where terms.count > coalesce(hidden.events, 0)
    union select terms.id, terms.parent from site.terms join used on terms.id = used.parent) select id from used)`;
}

/** The ids of terms that must all exist. Throws HttpProblem otherwise. */
async function knownIds(
  db: Queryable,
  taxonomy: Taxonomy,
  name: string,
  refs: readonly TermRef[] | undefined,
): Promise<readonly number[] | undefined> {
  return refs === undefined || refs.length === 0 ? undefined : knownTerms(db, taxonomy, refs, name);
}

function paramsOf(asked: Asked): LinkParams {
  return [
    ...param('search', asked.search),
    ...listParam('exclude', refTexts(asked.exclude)),
    ...listParam('include', refTexts(asked.include)),
    ...param('order', asked.order),
    ...param('orderby', asked.orderby),
    ...(asked.hide_empty ? [] : param('hide_empty', 'false')),
    ...param('parent', asked.parent),
    ...param('post', asked.post),
    ...param('event', asked.event),
    ...param('slug', asked.slug),
    ...param('translation_language', asked.translation_language),
  ];
}

const refTexts = (refs: readonly TermRef[] | undefined) => refs?.map((ref) => (ref.kind === 'id' ? ref.id : ref.text));
