import type { Representations, Resource, SiteClient } from '../../client/site-client.ts';
import { html } from '../../html/template.ts';
import { textFromHtml } from '../../html/text.ts';
import { categoryMarks, type Category, type Mark } from '../../look/category-mark.ts';
import { isStateTag } from '../../sync/model/state-tags.ts';
import type { Narrowing } from './definition.ts';

/** Something that a feed can be narrowed to; `value` is used in the address. */
export interface Choice {
  readonly value: string;
  readonly name: string;
  readonly slug: string;
}

/** The choices of one kind. */
export interface ChoiceList {
  readonly first: readonly Choice[];
  /** How many more the site has, which are chosen by typing their name; undefined if it does not say. */
  readonly left: number | undefined;
}
export type ChoiceLists = Readonly<Record<Narrowing, ChoiceList>>;
export interface Choices extends ChoiceLists {
  /** The colour and letter of categories, as on the site's other pages. */
  readonly mark: Mark;
}

/** Longer lists are too long to choose from. */
const CHOICES_MAX = 300;

/**
 * The categories, tags, venues and organizers in use on a site, without the tags that mark a state. Throws AppError.
 */
export async function choicesOf(client: SiteClient): Promise<Choices> {
  const [categories, tags, venue, organizer] = [
    await read(client, 'categories'),
    await read(client, 'tags'),
    await read(client, 'venues'),
    await read(client, 'organizers'),
  ];
  return { categories, tags, venue, organizer, mark: categoryMarks(categories.first.map(categoryOf)) };
}

/** Converts a choice to a category that has a mark. */
export const categoryOf = ({ slug, name }: Choice): Category => ({ slug, name: html`${name}`.markup });

async function read(client: SiteClient, resource: Exclude<Resource, 'events'>): Promise<ChoiceList> {
  const first: Choice[] = [];
  // Reads the most frequent terms first, in case there are too many; venues and organizers cannot be sorted so.
  const query: Record<string, string> =
    resource === 'categories' || resource === 'tags'
      ? { hide_empty: 'true', orderby: 'count', order: 'desc' }
      : { status: 'publish', has_events: 'true' };
  let seen = 0;
  for await (const item of client.list(resource, query)) {
    if (first.length >= CHOICES_MAX) {
      const all = await client.count(resource, query);
      return { first, left: all === undefined ? undefined : all - seen };
    }
    seen += 1;
    const name = isOfState(resource, item) ? '' : nameOf(item);
    if (name !== '') first.push({ value: 'name' in item ? item.slug : String(item.id), name, slug: item.slug });
  }
  return { first, left: 0 };
}

/** Whether a tag marks the state of an event, which is not a topic to choose. */
const isOfState = (resource: Resource, { slug }: { readonly slug: string }): boolean =>
  resource === 'tags' && isStateTag(slug);

/** The name of a category, tag, venue or organizer as text; '' if a password protects it. */
export function nameOf(item: Representations[Exclude<Resource, 'events'>]): string {
  const name = htmlNameOf(item);
  // A protected item has a list instead of a name.
  return typeof name === 'string' ? textFromHtml(name).replace(/\s+/g, ' ') : '';
}

function htmlNameOf(item: Representations[Exclude<Resource, 'events'>]): unknown {
  if ('venue' in item) return item.venue;
  if ('organizer' in item) return item.organizer;
  return 'name' in item ? item.name : '';
}
