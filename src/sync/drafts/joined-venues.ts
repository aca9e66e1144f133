import { foldedWords } from '../../ascii.ts';
import type { VenueDraft } from '../model/draft.ts';
import { nameKey } from '../model/slug.ts';

/** Venues of a feed that rules merge into one although their addresses differ. */
export interface JoinedVenue {
  readonly name: string;
  /** How many of the feed's venues it stands for. */
  readonly venues: number;
  readonly addresses: readonly string[];
}

interface Found {
  readonly name: string;
  readonly before: Set<string>;
  readonly addresses: Map<string, string>;
}

/**
 * Collects what rules make of each event's venues. A site has one venue, with one address, per name and town, so events
 * at the other addresses would be shown at the wrong place.
 */
export function joinedVenues(): {
  readonly add: (before: readonly VenueDraft[], after: readonly VenueDraft[]) => void;
  readonly found: () => readonly JoinedVenue[];
} {
  const byKey = new Map<string, Found>();
  return {
    add: (before, after) => {
      // Venues can only be matched by position if rules have neither added nor removed one.
      if (before.length !== after.length) return;
      for (const [index, { venue, city, address }] of after.entries()) {
        if (address === undefined) continue;
        const key = `${nameKey(venue)}\n${foldedWords(city ?? '')}`;
        const found = byKey.get(key) ?? { name: venue, before: new Set(), addresses: new Map() };
        byKey.set(key, found);
        found.before.add(before[index]?.venue ?? venue);
        if (!found.addresses.has(foldedWords(address))) found.addresses.set(foldedWords(address), address);
      }
    },
    found: () =>
      [...byKey.values()]
        .filter(({ before, addresses }) => before.size > 1 && addresses.size > 1)
        .map(({ name, before, addresses }) => ({ name, venues: before.size, addresses: [...addresses.values()] })),
  };
}
