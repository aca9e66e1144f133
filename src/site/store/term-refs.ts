import { INTEGER_MAX, TERM_NAME_MAX } from '../../contract/limits.ts';
import { sql, type Queryable } from '../../db/database.ts';
import type { TermRef } from '../../contract/reference-args.ts';
import type { HandlerContext } from '../context.ts';
import { forbiddenParam, invalidParams, type HttpProblem } from '../http-problem.ts';
import { termName } from './render.ts';
import { mayManageTerms } from './rights.ts';
import { sanitizeTitle, storedSlug } from './sanitize-title.ts';
import { freeSlug } from './slugs.ts';
import type { Taxonomy } from './tables.ts';
import { writeTerm } from './terms.ts';
import { unknownNames, unknownIds, type Listed } from './none-there.ts';
import { shortened } from '../../html/shortened.ts';

interface Candidate {
  readonly id: number;
  readonly slug: string;
  readonly plain: string;
}

/** Splits references from an address into slugs, as stored, and ids. */
export function addressRefs(refs: readonly string[]): {
  readonly slugs: readonly string[];
  readonly ids: readonly number[];
} {
  // Slugs in other scripts are stored percent-encoded, as in addresses.
  const slugs = [...new Set(refs.flatMap((ref) => [ref.toLowerCase(), sanitizeTitle(ref)]))];
  const ids = refs.filter((ref) => /^[1-9]\d{0,9}$/.test(ref)).map(Number);
  return { slugs, ids: ids.filter((id) => id <= INTEGER_MAX) };
}

/**
 * Returns the ids of terms in the order of the references; null where one matches none. Text is a slug, else a name,
 * else (digits) an id.
 */
export async function findTerms(
  db: Queryable,
  taxonomy: Taxonomy,
  refs: readonly TermRef[],
): Promise<readonly (number | null)[]> {
  if (refs.length === 0) return [];
  const texts = refs.flatMap((ref) => (ref.kind === 'text' ? [ref.text] : []));
  const ids = [...refs.flatMap((ref) => (ref.kind === 'id' ? [ref.id] : [])), ...texts.filter(isId).map(Number)].filter(
    (id) => id <= INTEGER_MAX,
  );
  const { rows: names } =
    texts.length === 0
      ? { rows: [] }
      : await sql<{
          text: string;
          plain: string;
        }>`select text, site.plain(name) as plain from unnest(${texts}::text[], ${texts.map(termName)}::text[]) as named (text, name)`.execute(
          db,
        );
  const plainOf = new Map(names.map(({ text, plain }) => [text, plain]));
  const { rows } = await sql<Candidate>`
    select id, slug, site.plain(name) as plain from site.terms
    where taxonomy = ${taxonomy} and (id = any (${ids}) or slug = any (${texts.map(storedSlug)}) or site.plain(name) = any (${[...plainOf.values()]}))
    order by id`.execute(db);
  // If several have the same name, the lowest id wins.
  const byName = (nameOf: (candidate: Candidate) => string): ReadonlyMap<string | undefined, number> =>
    new Map(rows.toReversed().map((candidate) => [nameOf(candidate), candidate.id]));
  const [bySlug, byPlain] = [byName(({ slug }) => slug), byName(({ plain }) => plain)];
  const known = new Set(rows.map(({ id }) => id));
  const ifKnown = (id: number): number | null => (known.has(id) ? id : null);
  return refs.map((ref) => {
    if (ref.kind === 'id') return ifKnown(ref.id);
    const { text } = ref;
    const named = bySlug.get(storedSlug(text)) ?? byPlain.get(plainOf.get(text));
    return named ?? (isId(text) ? ifKnown(Number(text)) : null);
  });
}

/** The same for terms that must all exist, without nulls. Throws HttpProblem about `param` otherwise. */
export async function knownTerms(
  db: Queryable,
  taxonomy: Taxonomy,
  refs: readonly TermRef[],
  param: string,
): Promise<readonly number[]> {
  const found = await findTerms(db, taxonomy, refs);
  const unknown = refs.filter((_, index) => found[index] === null);
  const names = unknown.map((ref) => (ref.kind === 'id' ? String(ref.id) : quoted(ref.text)));
  if (names.length > 0) throw invalidParams({ [param]: unknownNames(taxonomy, names) });
  return found.filter((id) => id !== null);
}

/**
 * Returns the ids of an event's terms without duplicates, creating those whose names do not exist. Ids are not checked
 * here; `relatedToWritten` does so. Throws HttpProblem for digits that match nothing, and if the caller may not create
 * terms.
 */
export async function termIds(
  db: Queryable,
  taxonomy: Taxonomy,
  refs: readonly TermRef[],
  language: string,
  ctx: HandlerContext,
): Promise<number[]> {
  const texts = refs.filter((ref) => ref.kind === 'text');
  const found = await findTerms(db, taxonomy, texts);
  const ids = new Map(texts.flatMap((ref, index) => (found[index] ? [[storedSlug(ref.text), found[index]]] : [])));
  const unknown = texts.map(({ text }) => text).filter((text) => !ids.has(storedSlug(text)));
  const noIds = unknown.filter(isId);
  if (noIds.length > 0) throw invalidParams({ [taxonomy]: unknownIds(taxonomy, noIds) });
  if (unknown.length > 0 && !mayManageTerms(ctx.caller, taxonomy)) throw mayNotCreate(taxonomy, unknown, ctx);
  for (const text of unknown)
    if (!ids.has(storedSlug(text))) ids.set(storedSlug(text), await createNamed(db, taxonomy, text, language));
  // By now every text has an id.
  const all = refs.flatMap((ref) =>
    ref.kind === 'id' ? knownId(ref.id, taxonomy, taxonomy) : (ids.get(storedSlug(ref.text)) ?? []),
  );
  return [...new Set(all)];
}

function mayNotCreate(taxonomy: Taxonomy, texts: readonly string[], { caller }: HandlerContext): HttpProblem {
  const who = taxonomy === 'tags' ? 'an editor' : 'an author or an editor';
  return forbiddenParam(
    caller,
    taxonomy,
    `${unknownNames(taxonomy, texts.map(quoted))} You may not create any: name existing ones, or ask ${who}.`,
  );
}

const quoted = (text: string): string => `"${shortened(text, TERM_NAME_MAX)}"`;

/** Returns an id that fits its column; others cannot exist. Throws HttpProblem. */
export function knownId(id: number, param: string, list: Listed): number {
  if (id > INTEGER_MAX) throw invalidParams({ [param]: unknownIds(list, [id]) });
  return id;
}

/** The ids of categories and of all their descendants. */
export async function withChildren(db: Queryable, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive below as (select id from site.terms where id = any (${[...ids]}) union select terms.id from site.terms join below on terms.parent = below.id)
    select id from below`.execute(db);
  return rows.map(({ id }) => id);
}

async function createNamed(db: Queryable, taxonomy: Taxonomy, text: string, language: string): Promise<number> {
  const name = termName(text.replace(/<[^>]*>/g, '').trim());
  if (name === '' || name.length > TERM_NAME_MAX)
    throw invalidParams({ [taxonomy]: `A name has 1 to ${TERM_NAME_MAX} characters.` });
  const slug = await freeSlug(db, sanitizeTitle(text) || taxonomy, { taxonomy });
  return (await writeTerm(db, { taxonomy, name, slug, description: '', parent: null, language })).id;
}

const isId = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text);
