import { asLiteral } from '../../config/environment.ts';
import type { RawMap } from '../../config/splice/raw.ts';
import { suggestSource } from '../../run/discover/suggest.ts';
import type { Discovery, FoundFeed } from '../../run/discover/discover.ts';
import { nameKey } from '../../sync/model/slug.ts';
import { DEFAULT_FORMAT } from '../../sync/formats/format-kinds.ts';
import type { NameCount } from '../../sync/drafts/rule-trial.ts';
import type { Operator, Sent, SiteLink } from '../frame/operator.ts';

/** A new source as filled in so far. */
export interface NewSource {
  readonly address: string;
  readonly name: string;
  readonly every: string;
  readonly timezone: string;
  readonly language: string;
  readonly site: string;
  /** What happens to events that are gone from the feed. */
  readonly missing: string;
  /** Category of the feed → category of the site; '' creates one of the same name. */
  readonly categories: Readonly<Record<string, string>>;
}

export const MISSING: readonly (readonly [action: string, words: string])[] = [
  ['trash', 'to the trash (back with one click)'],
  ['cancel', 'shown as cancelled'],
  ['draft', 'hidden as a draft'],
  ['keep', 'kept'],
];

/** The chosen feed among those found; by default the first, which has the most events. */
export const chosenFeed = ({ feeds }: Discovery, address: string): FoundFeed | undefined =>
  feeds.find((feed) => feed.address === address) ?? feeds[0];

/** The source as the form describes it. Values suggested for another feed are replaced by new suggestions. */
export function newSource(operator: Operator, feed: FoundFeed, sent: Sent, site: SiteLink): NewSource {
  const { sources, builtin } = operator.config();
  const isAnew = sent.field('shown') !== feed.address;
  const suggested = suggestSource(feed, {
    taken: sources.flatMap(({ name, was }) => [name, ...(was === undefined ? [] : [was])]),
    siteTimezone: builtin.timezone,
    languages: site.isBuiltin ? builtin.languages : [],
  });
  const chosen = (field: string, otherwise: string): string => (isAnew ? otherwise : sent.field(field).trim());
  const from = sent.all('from');
  const to = sent.all('to');
  return {
    address: feed.address,
    name: chosen('name', suggested.name),
    every: chosen('every', suggested.every),
    timezone: chosen('timezone', suggested.timezone ?? ''),
    language: chosen('language', suggested.language ?? ''),
    site: site.name,
    missing: chosen('missing', 'trash'),
    categories: isAnew ? {} : Object.fromEntries(from.map((name, index) => [name, to[index] ?? ''])),
  };
}

/** The site with that name, or else the first one. */
export function siteFor(operator: Operator, name: string): SiteLink {
  const sites = operator.sites();
  const site = sites.find((each) => each.name === name) ?? sites[0];
  if (!site) throw new TypeError('a configuration always has a site');
  return site;
}

/** A new source as it is written into the file. Values that come from the publisher's page are escaped as literals. */
export function blockOf(source: NewSource, feed: FoundFeed, isOneSite: boolean): RawMap {
  const map = Object.fromEntries(
    Object.entries(source.categories).flatMap(([from, to]) => (to === '' ? [] : [[from, asLiteral(to)]])),
  );
  return {
    url: asLiteral(source.address),
    ...(isOneSite ? {} : { site: source.site }),
    ...(feed.preview.format === DEFAULT_FORMAT ? {} : { format: feed.preview.format }),
    every: asLiteral(source.every),
    ...(source.timezone === '' ? {} : { timezone: asLiteral(source.timezone) }),
    ...(source.language === '' ? {} : { language: asLiteral(source.language) }),
    ...(source.missing === 'trash' || source.missing === '' ? {} : { missing: { action: asLiteral(source.missing) } }),
    ...(Object.keys(map).length === 0 ? {} : { categories: { map } }),
  };
}

/** The feed's categories that its site does not have, the most frequent first. */
export function unknownCategories({ preview }: FoundFeed, onSite: readonly string[]): readonly NameCount[] {
  const known = new Set(onSite.map(nameKey));
  const counts = new Map<string, number>();
  for (const { fields } of preview.reading.drafts)
    for (const name of fields.categories ?? [])
      if (!known.has(nameKey(name))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count })).toSorted((one, other) => other.count - one.count);
}
