import type { Representations, Resource, SiteClient } from '../../client/site-client.ts';
import { textFromHtml } from '../../html/text.ts';

/** Something that a feed can be narrowed to: `value` is used in the address. */
export interface Choice {
  readonly value: string;
  readonly name: string;
  readonly slug: string;
}
export type Choices = Readonly<Record<'categories' | 'tags' | 'venue' | 'organizer', readonly Choice[]>>;

/** Longer lists are too long to choose from; people who know a name find it by text search. */
const CHOICES_MAX = 300;

/** The categories and tags in use, the venues and the organizers of a site, by name. Throws AppError. */
export async function choicesOf(client: SiteClient): Promise<Choices> {
  const [categories, tags, venue, organizer] = [
    await read(client, 'categories'),
    await read(client, 'tags'),
    await read(client, 'venues'),
    await read(client, 'organizers'),
  ];
  return { categories, tags, venue, organizer };
}

async function read(client: SiteClient, resource: Exclude<Resource, 'events'>): Promise<readonly Choice[]> {
  const choices: Choice[] = [];
  const query: Record<string, string> =
    resource === 'categories' || resource === 'tags' ? { hide_empty: 'true' } : { status: 'publish' };
  for await (const item of client.list(resource, query)) {
    const name = nameOf(item);
    if (name !== '') choices.push({ value: 'name' in item ? item.slug : String(item.id), name, slug: item.slug });
    if (choices.length >= CHOICES_MAX) break;
  }
  return choices.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** The name of a category, tag, venue or organizer as text; '' if a password protects it. */
export function nameOf(item: Representations[Exclude<Resource, 'events'>]): string {
  const name = htmlNameOf(item);
  // A protected item has a list in place of its name.
  return typeof name === 'string' ? textFromHtml(name).replace(/\s+/g, ' ') : '';
}

function htmlNameOf(item: Representations[Exclude<Resource, 'events'>]): unknown {
  if ('venue' in item) return item.venue;
  if ('organizer' in item) return item.organizer;
  return 'name' in item ? item.name : '';
}
