import { INTEGER_MAX, TERM_NAME_MAX } from '../../contract/limits.ts';
import { rowOf, sql, type Queryable } from '../../db/database.ts';
import type { Api } from '../../contract/api.ts';
import type { Input } from '../../contract/endpoint.ts';
import type { HandlerContext } from '../context.ts';
import { HttpProblem, invalidParams } from '../http-problem.ts';
import { storedText, termName } from './render.ts';
import { cutSlug, sanitizeTitle } from './sanitize-title.ts';
import { freeSlug } from './slugs.ts';
import type { Taxonomy, TermRow } from './tables.ts';
import { unknownItem, unknownIds } from './none-there.ts';

type Created = Input<Api['createCategory']>;
type Asked = Partial<Created>;

/** Reads a term. Throws HttpProblem if the taxonomy has none with this id (in that language, if one is given). */
export async function existingTerm(db: Queryable, taxonomy: Taxonomy, id: number, language?: string): Promise<TermRow> {
  const missing = unknownItem(taxonomy, { id, ...(language !== undefined && { translation_language: language }) });
  if (id > INTEGER_MAX) throw invalidParams(missing);
  const inLanguage = language === undefined ? sql`` : sql`and language = ${language}`;
  const {
    rows: [row],
  } = await sql<TermRow>`
    select * from site.terms where id = ${id} and taxonomy = ${taxonomy} ${inLanguage}`.execute(db);
  if (!row) throw invalidParams(missing);
  return row;
}

/** Creates a term. Throws HttpProblem if its name already exists below the same parent, unless it has its own slug. */
export async function insertTerm(
  db: Queryable,
  taxonomy: Taxonomy,
  asked: Created,
  ctx: HandlerContext,
): Promise<TermRow> {
  const name = storedName(asked.name);
  const parent = await parentOf(db, taxonomy, asked.parent);
  const slug = asked.slug === undefined ? '' : sanitizeTitle(asked.slug);
  const same = await sameName(db, taxonomy, name, parent);
  if (same && (slug === '' || slug === same.slug)) throw termExists(taxonomy, same.id);
  return writeTerm(db, {
    taxonomy,
    name,
    slug: await termSlug(db, taxonomy, slug || sanitizeTitle(asked.name) || taxonomy, parent),
    description: storedText(asked.description ?? '', false),
    parent,
    language: asked.translation_language ?? ctx.settings.languages[0] ?? '',
  });
}

/** Inserts a term whose values are final. */
export const writeTerm = async (
  db: Queryable,
  { taxonomy, name, slug, description, parent, language }: Omit<TermRow, 'id' | 'count'>,
): Promise<TermRow> =>
  rowOf(
    await sql<TermRow>`insert into site.terms (taxonomy, name, slug, description, parent, language)
      values (${taxonomy}, ${name}, ${slug}, ${description}, ${parent}, ${language}) returning *`.execute(db),
  );

/**
 * Returns the slug of a new term. If it is taken, its ancestors' slugs are appended until it is free (`muzyka-jazz`),
 * then a number.
 */
async function termSlug(db: Queryable, taxonomy: Taxonomy, wanted: string, parent: number | null): Promise<string> {
  const { rows } = await sql<{ slug: string }>`
    with recursive above as (select parent, slug, 1 as height from site.terms where id = ${parent}::integer
      union all select terms.parent, terms.slug, height + 1 from site.terms join above on terms.id = above.parent)
    select slug from above order by height`.execute(db);
  let slug = wanted;
  for (const above of rows) {
    if ((await freeSlug(db, slug, { taxonomy })) === slug) return slug;
    slug = cutSlug(`${slug}-${above.slug}`);
  }
  return freeSlug(db, slug, { taxonomy });
}

/** Changes only what is named. Throws HttpProblem if the slug is taken. */
export async function updateTerm(
  db: Queryable,
  taxonomy: Taxonomy,
  { name, slug, description, parent, translation_language: language }: Asked,
  former: TermRow,
): Promise<TermRow> {
  const wanted = slug === undefined ? former.slug : sanitizeTitle(slug) || former.slug;
  if (wanted !== former.slug && (await freeSlug(db, wanted, { taxonomy }, former.id)) !== wanted) {
    throw new HttpProblem('duplicate_term_slug', `The slug "${wanted}" is taken by another term.`, {
      status: 400,
      params: { slug: 'Invalid parameter.' },
    });
  }
  const above = parent === undefined ? former.parent : await parentOf(db, taxonomy, parent, former);
  return rowOf(
    await sql<TermRow>`update site.terms set
      name = ${name === undefined ? former.name : storedName(name)},
      slug = ${wanted},
      parent = ${above},
      language = ${language ?? former.language},
      description = ${description === undefined ? former.description : storedText(description, false)}
    where id = ${former.id} returning *`.execute(db),
  );
}

/** Deletes a term permanently: events lose it, and its children move up. */
export async function removeTerm(db: Queryable, { id, taxonomy, parent }: TermRow): Promise<void> {
  const column = sql.ref(taxonomy === 'categories' ? 'category_ids' : 'tag_ids');
  await sql`update site.events set ${column} = array_remove(${column}, ${id}) where ${column} @> array[${id}::integer]`.execute(
    db,
  );
  await sql`update site.terms set parent = ${parent} where parent = ${id}`.execute(db);
  await sql`delete from site.terms where id = ${id}`.execute(db);
}

/** A name as stored. Throws HttpProblem for simple mistakes, which real sites answer with a 500. */
function storedName(sent: string): string {
  const name = termName(
    sent
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  const refused = { status: 400, params: { name: 'Invalid parameter.' } };
  if (name === '') throw new HttpProblem('empty_term_name', 'A name is required for this term.', refused);
  if (name.length > TERM_NAME_MAX)
    throw new HttpProblem('invalid_term_name', `A name may have ${TERM_NAME_MAX} characters.`, refused);
  return name;
}

/**
 * Returns the parent of a term; 0 or the term itself makes it top-level. Throws HttpProblem if there is no such term,
 * or if it is below this one.
 */
async function parentOf(
  db: Queryable,
  taxonomy: Taxonomy,
  id: number | undefined,
  own?: TermRow,
): Promise<number | null> {
  if (id === undefined || id === 0 || id === own?.id) return null;
  const { rows } = await sql<{ id: number }>`
    with recursive above as (select id, parent from site.terms where id = ${id > INTEGER_MAX ? 0 : id} and taxonomy = ${taxonomy}
      union select terms.id, terms.parent from site.terms join above on terms.id = above.parent)
    select id from above`.execute(db);
  if (rows.length === 0) throw invalidParams({ parent: unknownIds(taxonomy, [id]) });
  if (rows.some((row) => row.id === own?.id)) throw invalidParams({ parent: 'That category is below this one.' });
  return id;
}

async function sameName(
  db: Queryable,
  taxonomy: Taxonomy,
  name: string,
  parent: number | null,
): Promise<{ id: number; slug: string } | undefined> {
  const { rows } = await sql<{ id: number; slug: string }>`
    select id, slug from site.terms where taxonomy = ${taxonomy} and site.plain(name) = site.plain(${name})
    and parent is not distinct from ${parent}::integer order by id limit 1`.execute(db);
  return rows[0];
}

const termExists = (taxonomy: Taxonomy, id: number): HttpProblem =>
  new HttpProblem(
    'term_exists',
    `A term with the name provided already exists ${taxonomy === 'categories' ? 'with this parent' : 'in this taxonomy'}.`,
    { term_id: id },
    [id, id],
  );
