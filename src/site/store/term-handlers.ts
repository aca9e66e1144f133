import type { TermRecord } from '../../contract/representation.ts';
import type { HandlerContext } from '../context.ts';
import type { Answer, SiteHandlers } from '../handlers.ts';
import { collectionUrl } from './addresses.ts';
import { representTerm, representTermWithLinks } from './represent-term.ts';
import type { Taxonomy } from './tables.ts';
import { existingTerm, insertTerm, removeTerm, updateTerm } from './terms.ts';
import { listTerms } from './terms-list.ts';
import { inTurn } from './turn.ts';

type CategoryHandlers = Pick<
  SiteHandlers,
  'listCategories' | 'createCategory' | 'readCategory' | 'updateCategory' | 'deleteCategory'
>;
type TagHandlers = Pick<SiteHandlers, 'listTags' | 'createTag' | 'readTag' | 'updateTag' | 'deleteTag'>;

/** Categories, by id. */
export const categoryHandlers: CategoryHandlers = {
  listCategories: async (input, ctx) => {
    const { terms, links } = await list('categories', input, ctx);
    return { body: { categories: terms, ...links } };
  },
  createCategory: (input, ctx) => create('categories', input, ctx),
  readCategory: (input, ctx) => read('categories', input, ctx),
  updateCategory: (input, ctx) => update('categories', input, ctx),
  deleteCategory: (input, ctx) => remove('categories', input, ctx),
};

/** Tags, by id. */
export const tagHandlers: TagHandlers = {
  listTags: async (input, ctx) => {
    const { terms, links } = await list('tags', input, ctx);
    return { body: { tags: terms, ...links } };
  },
  createTag: (input, ctx) => create('tags', input, ctx),
  readTag: (input, ctx) => read('tags', input, ctx),
  updateTag: (input, ctx) => update('tags', input, ctx),
  deleteTag: (input, ctx) => remove('tags', input, ctx),
};

interface Key {
  readonly id: number;
  readonly translation_language?: string;
}

async function list(taxonomy: Taxonomy, input: Parameters<typeof listTerms>[2], ctx: HandlerContext) {
  const { rows, links } = await listTerms(ctx.db, taxonomy, input, ctx);
  return { terms: rows.map((row) => representTerm(row, ctx.settings)), links };
}

const create = (
  taxonomy: Taxonomy,
  input: Parameters<typeof insertTerm>[2],
  ctx: HandlerContext,
): Promise<Answer<TermRecord>> =>
  inTurn(ctx, async (db) => {
    const row = await insertTerm(db, taxonomy, input, ctx);
    return {
      body: representTermWithLinks(row, ctx.settings),
      headers: { Location: `${collectionUrl(ctx.settings, taxonomy)}/${row.id}` },
    };
  });

const read = async (
  taxonomy: Taxonomy,
  { id, translation_language: language }: Key,
  ctx: HandlerContext,
): Promise<Answer<TermRecord>> => ({
  body: representTermWithLinks(await existingTerm(ctx.db, taxonomy, id, language), ctx.settings),
});

const update = (
  taxonomy: Taxonomy,
  { id, ...asked }: Key & Parameters<typeof updateTerm>[2],
  ctx: HandlerContext,
): Promise<Answer<TermRecord>> =>
  inTurn(ctx, async (db) => ({
    body: representTermWithLinks(
      await updateTerm(db, taxonomy, asked, await existingTerm(db, taxonomy, id, ctx.language)),
      ctx.settings,
    ),
  }));

const remove = (
  taxonomy: Taxonomy,
  { id, translation_language: language }: Key,
  ctx: HandlerContext,
): Promise<Answer<TermRecord>> =>
  inTurn(ctx, async (db) => {
    const row = await existingTerm(db, taxonomy, id, language);
    await removeTerm(db, row);
    return { body: representTerm(row, ctx.settings) };
  });
