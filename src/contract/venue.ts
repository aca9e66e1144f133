import { partial, published, required, type Args, type ArgsOf } from './arg.ts';
import {
  anyText,
  clearableDecimal,
  clearableHtml,
  clearableText,
  dateTime,
  flagAsShown,
  flagInWords,
  positiveInteger,
  publicationDate,
  text,
  truth,
} from './arg-kinds.ts';
import { clearableImage, status, statusFilter, webAddressText } from './post-args.ts';
import { bySlug, byId, inLanguage, paging } from './shared-args.ts';

const showsMap = { description: 'Whether events at the venue show a map' };
const showsMapLink = { description: 'Whether events at the venue show a link to a map' };
const cleared = (description: string) => published(null, clearableText({ description }));

/** The fields of a venue, also used inside an event. */
export const venueFields = {
  author: positiveInteger({ description: 'The id of the author of the venue' }),
  date: dateTime({ description: 'When the venue was published, in the zone of the site' }),
  date_utc: publicationDate({ description: 'When the venue was published, in UTC' }),
  venue: required(text({ description: 'The name of the venue' })),
  description: published(null, clearableHtml({ description: 'What there is to say about the venue' })),
  status: status({ description: 'The status of the venue' }),
  show_map: published(null, flagInWords(showsMap)),
  show_map_link: published(null, flagInWords(showsMapLink)),
  address: cleared('The street address of the venue'),
  city: cleared('The city of the venue'),
  country: cleared('The country of the venue'),
  province: cleared('The province of the venue'),
  state: cleared('The state of the venue'),
  zip: cleared('The postal code of the venue'),
  phone: cleared('The telephone number of the venue'),
  stateprovince: cleared('The state or province of the venue'),
  website: published(null, webAddressText({ description: 'The web address of the venue' })),
  image: published(null, clearableImage({ description: 'The id or the address of the image of the venue' })),
  // Not in the interface: our own sites store a venue's coordinates.
  geo_lat: published(null, clearableDecimal({ description: 'The latitude of the venue in degrees' }, 90)),
  geo_lng: published(null, clearableDecimal({ description: 'The longitude of the venue in degrees' }, 180)),
};
export type VenueData = ArgsOf<typeof venueFields>;

/** The filters for lists of venues or organizers (`Things`). */
export const linkedFilters = (things: string) => ({
  ...paging(things),
  search: anyText({ description: `Only ${things} with this text in the title, the description or another field` }),
  event: positiveInteger({ description: `Only the ${things} of the event with this id` }),
  has_events: truth({ description: `Only ${things} that have published events, or that have none` }),
  only_with_upcoming: published(false, truth({ description: `Only ${things} that have events to come` })),
  status: statusFilter({ description: `Only ${things} with this status` }),
  ...inLanguage,
});

// Answers can be sent back as they are; only a new venue's flags may not be JSON booleans.
const updateFields = partial({
  ...venueFields,
  show_map: published(null, flagAsShown(showsMap)),
  show_map_link: published(null, flagAsShown(showsMapLink)),
});

export const venueArgs = {
  list: linkedFilters('venues'),
  create: { ...venueFields, ...inLanguage },
  byId: { ...byId('venue'), ...inLanguage },
  bySlug: { ...bySlug('venue'), ...inLanguage },
  update: { ...byId('venue'), ...updateFields, ...inLanguage },
  updateBySlug: { ...bySlug('venue'), ...updateFields, ...inLanguage },
} satisfies Record<string, Args>;
