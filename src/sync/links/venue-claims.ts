import type { SiteVenue } from '../model/plan.ts';

/** How many events of a city a source has assigned to a venue. */
export interface VenueClaim {
  readonly id: number;
  readonly city: string;
  readonly events: number;
}

/** The site's venues; one without a city gets the city of most events that were assigned to it. */
export function withClaimedCities(venues: readonly SiteVenue[], claims: readonly VenueClaim[]): readonly SiteVenue[] {
  const byId = Map.groupBy(claims, ({ id }) => id);
  return venues.map((venue) => {
    const [first] = (byId.get(venue.id) ?? []).toSorted(
      (one, other) => other.events - one.events || (one.city < other.city ? -1 : 1),
    );
    return (venue.city ?? '') === '' && first ? { ...venue, city: first.city } : venue;
  });
}
