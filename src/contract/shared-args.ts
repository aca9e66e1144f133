import { defaulted, required } from './arg.ts';
import { cappedInteger, language, pathId, positiveInteger, text } from './arg-kinds.ts';

/** The most that one page holds; more is cut in silence, as real sites do. */
export const PER_PAGE_MAX = 50;

/** Every calendar route takes it. */
export const inLanguage = { translation_language: language({ description: 'The language in which the request runs' }) };

/** The paging of a list of `things`. */
export const paging = (things: string) => ({
  page: defaulted(1, positiveInteger({ description: 'The page of the list' })),
  // Real sites print this default as text.
  per_page: defaulted(
    10,
    cappedInteger(PER_PAGE_MAX, { description: `How many ${things} a page holds, ${PER_PAGE_MAX} at most` }),
    '10',
  ),
});

export const byId = (thing: string) => ({ id: required(pathId({ description: `The id of the ${thing}` })) });
export const bySlug = (thing: string) => ({ slug: required(text({ description: `The slug of the ${thing}` })) });
