import type { EventTerm } from '../../contract/event-parts.ts';
import type { TermRecord } from '../../contract/representation.ts';
import type { SiteSettings } from '../context.ts';
import { collectionUrl, termUrl } from './addresses.ts';
import { languageFields } from './represent-post.ts';
import type { Taxonomy, TermRow } from './tables.ts';

/** The taxonomies' names in a term's `taxonomy`. */
const TAXONOMY_NAMES: Readonly<Record<Taxonomy, string>> = {
  categories: 'calendar_events_cat',
  tags: 'post_tag',
};

function urls({ taxonomy, id, parent }: TermRow, settings: SiteSettings): Record<string, string> {
  const collection = collectionUrl(settings, taxonomy);
  return { self: `${collection}/${id}`, collection, ...(parent !== null && { up: `${collection}/${parent}` }) };
}

/** A term as its own routes answer it; a tag has no parent. */
export const representTerm = (row: TermRow, settings: SiteSettings): TermRecord => ({
  id: row.id,
  count: row.count,
  description: row.description,
  name: row.name,
  slug: row.slug,
  taxonomy: TAXONOMY_NAMES[row.taxonomy],
  ...(row.taxonomy === 'categories' && { parent: row.parent ?? 0 }),
  meta: [],
  url: termUrl(settings, row.taxonomy, row.slug),
  urls: urls(row, settings),
  ...languageFields(row, settings),
});

/** The same with links, as single reads and writes answer it. */
export function representTermWithLinks(row: TermRow, settings: SiteSettings): TermRecord {
  const { self = '', collection = '', up } = urls(row, settings);
  const links = {
    self: [{ href: self }],
    collection: [{ href: collection }],
    ...(up !== undefined && { up: [{ embeddable: true, href: up }] }),
    'wp:post_type': [{ href: `${collectionUrl(settings, 'events')}?${row.taxonomy}=${row.id}` }],
    curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
  };
  return { ...representTerm(row, settings), _links: links };
}

/** A term as part of an event. */
export const representEventTerm = (row: TermRow, settings: SiteSettings): EventTerm => ({
  name: row.name,
  slug: row.slug,
  term_group: 0,
  term_taxonomy_id: row.id,
  taxonomy: TAXONOMY_NAMES[row.taxonomy],
  description: row.description,
  parent: row.parent ?? 0,
  count: row.count,
  filter: 'raw',
  id: row.id,
  urls: urls(row, settings),
});
