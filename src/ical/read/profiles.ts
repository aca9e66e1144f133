import { PROFILES, type Profile } from './profile-table.ts';

/**
 * The profile of a feed by its PRODID, else by its addresses (the requested one and those it redirected to); undefined
 * if nothing special is known about the publisher.
 */
export function profileOf(productId: string | null, addresses: readonly string[]): Profile | undefined {
  const places = addresses.map(placeOf);
  return (
    PROFILES.find(({ product }) => productId !== null && product?.test(productId)) ??
    PROFILES.find(({ address }) => address !== undefined && places.some((place) => address.test(place)))
  );
}

/** `www.meetup.com/town/events/ical/` */
function placeOf(address: string): string {
  const url = URL.parse(address.replace(/^webcals?:/i, 'https:'));
  return url ? `${url.host}${url.pathname}${url.search}` : '';
}
