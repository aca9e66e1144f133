import type { Resource, SiteClient } from '../../client/site-client.ts';
import { decodeEntities } from '../../html/references.ts';

/** Something that a feed can be narrowed to: `value` is what stands in the address. */
export interface Choice {
  readonly value: string;
  readonly name: string;
  readonly slug: string;
}
export type Choices = Readonly<Record<'categories' | 'tags' | 'venue' | 'organizer', readonly Choice[]>>;

/** Longer lists are no help to choose from; who knows a name finds it by text. */
const CHOICES_MAX = 300;

/** The categories and tags that are used, the venues and the organizers of a site, by name. Throws AppError. */
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
    const [name, value] =
      'venue' in item
        ? [item.venue, String(item.id)]
        : 'organizer' in item
          ? [item.organizer, String(item.id)]
          : 'name' in item
            ? [item.name, item.slug]
            : ['', ''];
    // What a password protects shows a list in place of its name.
    if (typeof name === 'string' && name !== '')
      choices.push({ value, name: decodeEntities(name).replace(/\s+/g, ' ').trim(), slug: item.slug });
    if (choices.length >= CHOICES_MAX) break;
  }
  return choices.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}
