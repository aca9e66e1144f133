import { foldedWords } from '../../ascii.ts';
import type { OrganizerDraft, VenueDraft } from '../model/draft.ts';
import { refFor, type Link, type Resolve } from './link.ts';
import type { SiteOrganizer, SiteVenue } from '../model/plan.ts';
import { canonical } from '../model/json.ts';
import { nameKey } from '../model/slug.ts';

/**
 * Looks up venues: by slug or name, then by city and address. If the name exists in another city, `Name (City)` is
 * used. Existing venues are never overwritten, and each distinct venue is created at most once.
 */
export function venueLinks(
  drafts: readonly VenueDraft[],
  onSite: readonly SiteVenue[],
  refs: ReadonlyMap<number, string>,
  coordinates: boolean,
): Resolve<VenueDraft> {
  const places = new Places(
    onSite.map((venue) => ({
      names: namesOf(venue.venue, venue.slug),
      city: fold(venue.city),
      address: fold(venue.address),
      link: existing(refs, venue.id),
    })),
  );
  const links = new Map<string, Link>();
  // The most detailed drafts come first, so that a bare name finds the venue that another row describes.
  for (const draft of distinct(drafts).sort(byDetail)) {
    if (links.has(venueKey(draft))) continue;
    links.set(venueKey(draft), places.find(draft.venue, draft) ?? places.add(draft, coordinates));
  }
  return (draft) => links.get(venueKey(draft)) ?? places.find(draft.venue, draft) ?? places.add(draft, coordinates);
}

/** Looks up organizers by slug or name. */
export function organizerLinks(
  drafts: readonly OrganizerDraft[],
  onSite: readonly SiteOrganizer[],
  refs: ReadonlyMap<number, string>,
): Resolve<OrganizerDraft> {
  const links = new Map<string, Link>();
  for (const organizer of [...onSite].sort((one, other) => other.id - one.id)) {
    for (const name of namesOf(organizer.organizer, organizer.slug)) links.set(name, existing(refs, organizer.id));
  }
  for (const draft of distinct(drafts).sort(byOrganizerDetail))
    if (!links.has(nameKey(draft.organizer))) links.set(nameKey(draft.organizer), newOrganizer(draft));
  return (draft) => links.get(nameKey(draft.organizer)) ?? newOrganizer(draft);
}

const existing = (refs: ReadonlyMap<number, string>, id: number): Link => ({
  ref: refs.get(id) ?? `#${id}`,
  id,
  create: null,
});

interface Place {
  readonly names: readonly string[];
  city: string;
  readonly address: string;
  readonly link: Link;
}

/** The venues of the site and of this plan, indexed by name. */
class Places {
  readonly #byName = new Map<string, Place[]>();
  constructor(places: readonly Place[]) {
    for (const place of [...places].sort((one, other) => (one.link.id ?? 0) - (other.link.id ?? 0)))
      this.#remember(place);
  }

  find(name: string, { city, address }: VenueDraft): Link | undefined {
    const own = city === undefined ? undefined : this.#best(`${name} (${city})`, city, address);
    const place = own ?? this.#best(name, city, address);
    // A venue on the site without a city is assigned to the first city that claims it.
    if (place && place.city === '') place.city = fold(city);
    return place?.link;
  }

  add(draft: VenueDraft, coordinates: boolean): Link {
    const taken = this.#byName.get(nameKey(draft.venue));
    const venue = taken && draft.city !== undefined ? `${draft.venue} (${draft.city})` : draft.venue;
    // Never create a venue whose name exists: a real site would overwrite the existing one.
    const [own] = taken ? (this.#byName.get(nameKey(venue)) ?? []) : [];
    if (own) return own.link;
    const ref = refFor('venues', venue);
    const { geo_lat: _lat, geo_lng: _lng, ...plain } = draft;
    const link: Link = {
      ref,
      id: null,
      create: { kind: 'create', resource: 'venues', ref, fields: { ...(coordinates ? draft : plain), venue } },
    };
    this.#remember({ names: [nameKey(venue)], city: fold(draft.city), address: fold(draft.address), link });
    return link;
  }

  #best(name: string, city: string | undefined, address: string | undefined): Place | undefined {
    const fits = (this.#byName.get(nameKey(name)) ?? []).filter(
      (place) => place.city === '' || city === undefined || place.city === fold(city),
    );
    return (
      fits.find((place) => place.city === fold(city) && place.address === fold(address)) ??
      fits.find((place) => place.city === fold(city)) ??
      fits[0]
    );
  }

  #remember(place: Place): void {
    for (const name of place.names) this.#byName.set(name, [...(this.#byName.get(name) ?? []), place]);
  }
}

function newOrganizer(draft: OrganizerDraft): Link {
  const ref = refFor('organizers', draft.organizer);
  return { ref, id: null, create: { kind: 'create', resource: 'organizers', ref, fields: draft } };
}

// A slug survives renaming; the number that servers append to a taken slug is not part of a name.
const namesOf = (name: string, slug: string): readonly string[] => {
  const isNumbered = slug.toLowerCase().replace(/-\d+$/, '') === nameKey(name);
  return [...new Set([nameKey(name), ...(slug === '' || isNumbered ? [] : [slug.toLowerCase()])])];
};
const distinct = <T extends object>(drafts: readonly T[]): T[] => [
  ...new Map([...new Set(drafts)].map((draft) => [canonical(draft), draft])).values(),
];
const fold = (text: string | undefined): string => foldedWords(text ?? '');
const venueKey = (draft: VenueDraft): string => `${nameKey(draft.venue)}\n${fold(draft.city)}`;
const byDetail = (one: VenueDraft, other: VenueDraft): number =>
  detail(other) - detail(one) || compare(canonical(one), canonical(other));
const byOrganizerDetail = (one: OrganizerDraft, other: OrganizerDraft): number =>
  Object.keys(other).length - Object.keys(one).length || compare(canonical(one), canonical(other));
const detail = (draft: VenueDraft): number => (draft.city === undefined ? 0 : 100) + Object.keys(draft).length;
// The compared values always differ.
const compare = (one: string, other: string): number => (one < other ? -1 : 1);
