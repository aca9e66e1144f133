import { grouped } from '../../count-in-words.ts';
import { nearest } from '../../config/nearest.ts';
import { keyOfSlug } from '../../sync/model/slug.ts';

const LISTED_MAX = 12;

/**
 * The name that was probably meant: the only one that contains it, or one that resembles it as a whole or in one of its
 * words.
 */
export function probablyMeant(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const having = known.filter((each) => wanted.length > 1 && each.toLowerCase().includes(wanted));
  if (having.length === 1) return having[0];
  const word = nearest(name, [...new Set(known.flatMap((each) => each.split(/[-._]/)))]);
  const withWord = known.filter((each) => word !== undefined && each.split(/[-._]/).includes(word));
  return nearest(name, known) ?? (withWord.length === 1 ? withWord[0] : undefined);
}

/**
 * The slugs that were probably meant: one with the same key, since servers may append something; the only one that
 * begins like it; or those with the same or the most similar title, since nobody remembers the key at the end.
 */
export function slugsMeant(slug: string, known: readonly string[]): readonly string[] {
  const key = keyOfSlug(slug);
  const same = known.filter((each) => key !== null && keyOfSlug(each) === key);
  if (same.length > 0) return same;
  const beginning = known.filter((each) => each.startsWith(slug));
  if (beginning.length === 1) return beginning;
  const byTitle = Map.groupBy(known, titleIn);
  const title = titleIn(slug);
  return byTitle.get(title) ?? byTitle.get(probablyMeant(title, [...byTitle.keys()]) ?? '') ?? [];
}

/** A slug without its key. */
function titleIn(slug: string): string {
  const key = keyOfSlug(slug);
  return key === null ? slug : slug.slice(0, slug.lastIndexOf(`-${key}`));
}

/** `It has: a, b.`, preceded by the name that was probably meant. `of` begins the list. */
export function knownNames(name: string, known: readonly string[], of = 'It has'): string {
  const meant = probablyMeant(name, known);
  const more = known.length - LISTED_MAX;
  const listed = known.length === 0 ? 'none' : known.slice(0, LISTED_MAX).join(', ');
  return `${meant === undefined ? '' : `Did you mean "${meant}"? `}${of}: ${listed}${more > 0 ? ` and ${grouped(more)} more` : ''}.`;
}
