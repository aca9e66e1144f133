import { siteNameOfRef } from './link.ts';
import type { Refs, Snapshot } from '../model/plan.ts';

/**
 * Refs of an earlier plan whose ids have another name on the site now, or are gone: a restored site assigns ids again.
 * Unlisted terms do not count, because terms of other languages are never listed.
 */
export function movedRefs(refs: Refs, snapshot: Snapshot): ReadonlySet<string> {
  const names = namesNow(snapshot);
  return new Set(
    Object.entries(refs)
      .filter(([ref, id]) => {
        const name = siteNameOfRef(ref, id);
        const resource = ref.slice(0, ref.indexOf(':'));
        const now = names.get(`${resource} ${id}`);
        return name !== '' && (now === undefined ? resource === 'venues' || resource === 'organizers' : now !== name);
      })
      .map(([ref]) => ref),
  );
}

function namesNow({ categories, tags, venues, organizers }: Snapshot): ReadonlyMap<string, string> {
  return new Map([
    ...categories.map(({ id, name }) => [`categories ${id}`, name] as const),
    ...tags.map(({ id, name }) => [`tags ${id}`, name] as const),
    ...venues.map(({ id, venue }) => [`venues ${id}`, venue] as const),
    ...organizers.map(({ id, organizer }) => [`organizers ${id}`, organizer] as const),
  ]);
}
