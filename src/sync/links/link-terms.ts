import { refFor, type Link, type Resolve } from './link.ts';
import type { SiteTerm } from '../model/plan.ts';
import { slugOfName } from '../model/slug.ts';

/** Looks up terms by name, ignoring case, else by the slug that a site makes of the name. */
export function termLinks(
  resource: 'categories' | 'tags',
  names: readonly string[],
  onSite: readonly SiteTerm[],
  refs: ReadonlyMap<number, string>,
): Resolve<string> {
  const byName = new Map([...onSite].reverse().map((term) => [plainName(term.name), term]));
  const bySlug = new Map(onSite.map((term) => [term.slug.toLowerCase(), term]));
  const created = new Map<string, Link>();
  for (const name of [...new Set(names)].sort()) {
    const key = termKey(name);
    const term = byName.get(plainName(name)) ?? bySlug.get(key);
    if (!term && !created.has(key)) created.set(key, newTerm(resource, name.normalize('NFC').trim()));
  }
  return (name) => {
    const term = byName.get(plainName(name)) ?? bySlug.get(termKey(name));
    return term
      ? { ref: refs.get(term.id) ?? refFor(resource, term.name), id: term.id, create: null }
      : (created.get(termKey(name)) ?? newTerm(resource, name));
  };
}

function newTerm(resource: 'categories' | 'tags', name: string): Link {
  const ref = refFor(resource, name);
  return { ref, id: null, create: { kind: 'create', resource, ref, fields: { name } } };
}

const plainName = (name: string): string => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

// C, C++ and C# share a slug, so names with such signs are only compared as names.
const termKey = (name: string): string => (/[+#]/.test(name) ? '' : slugOfName(name)) || plainName(name);
