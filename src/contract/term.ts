import { defaulted, partial, required, type Args } from './arg.ts';
import { anyText, clearableHtml, clearableId, flag, html, positiveInteger, text } from './arg-kinds.ts';
import { termRefs } from './reference-args.ts';
import { byId, inLanguage, paging } from './shared-args.ts';

const about = (thing: string) => ({ description: `What there is to say about the ${thing}` });
const fields = (thing: string) => ({
  name: required(text({ description: `The name of the ${thing}` })),
  description: html(about(thing)),
  slug: text({ description: `The slug of the ${thing}` }),
});
const aboutParent = { description: 'The id of the category above' };
const categoryFields = { ...fields('category'), parent: positiveInteger(aboutParent) };
const tagFields = fields('tag');

const filtersBefore = (things: string) => ({
  ...paging(things),
  search: anyText({ description: `Only ${things} with this text in the name or the slug` }),
  exclude: termRefs({ description: `All ${things} but these` }),
  include: termRefs({ description: `Only these ${things}` }),
  order: anyText({ description: 'Whether the list ascends (asc) or descends (desc)' }),
  orderby: anyText({ description: 'What the list is sorted by' }),
  hide_empty: defaulted(true, flag({ description: `Whether ${things} without posts are left out` }), '1'),
});
const filtersAfter = (things: string) => ({
  post: positiveInteger({ description: `Only the ${things} of the post with this id` }),
  event: positiveInteger({ description: `Only the ${things} of the event with this id; the same as post` }),
  slug: text({ description: `Only the ${things} with this slug` }),
  ...inLanguage,
});

export const categoryArgs = {
  list: {
    ...filtersBefore('categories'),
    parent: positiveInteger({ description: 'Only the categories below the one with this id' }),
    ...filtersAfter('categories'),
  },
  create: { ...categoryFields, ...inLanguage },
  byId: { ...byId('category'), ...inLanguage },
  update: {
    ...byId('category'),
    ...partial({ ...categoryFields, parent: clearableId(aboutParent) }),
    description: clearableHtml(about('category')),
    ...inLanguage,
  },
} satisfies Record<string, Args>;

export const tagArgs = {
  list: { ...filtersBefore('tags'), ...filtersAfter('tags') },
  create: { ...tagFields, ...inLanguage },
  byId: { ...byId('tag'), ...inLanguage },
  update: { ...byId('tag'), ...partial(tagFields), description: clearableHtml(about('tag')), ...inLanguage },
} satisfies Record<string, Args>;
