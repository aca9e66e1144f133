import { defaulted, required } from './arg.ts';
import { pageSize, language, pathId, positiveInteger, text } from './arg-kinds.ts';

/** The maximum page size; larger values are silently reduced, as on real sites. */
export const PER_PAGE_MAX = 50;

/** Accepted by every calendar route. */
export const inLanguage = { translation_language: language({ description: 'The language in which the request runs' }) };

/** Paging for a list of `things`. */
export const paging = (things: string) => ({
  page: defaulted(1, positiveInteger({ description: 'The page of the list' })),
  // Real sites print this default as text.
  per_page: defaulted(
    10,
    pageSize(PER_PAGE_MAX, { description: `How many ${things} a page holds, ${PER_PAGE_MAX} at most` }),
    '10',
  ),
});

export const byId = (thing: string) => ({ id: required(pathId({ description: `The id of the ${thing}` })) });
export const bySlug = (thing: string) => ({ slug: required(text({ description: `The slug of the ${thing}` })) });
