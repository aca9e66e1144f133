import { partial, published, required, type Args, type ArgsOf } from './arg.ts';
import { clearableHtml, clearableText, dateTime, positiveInteger, publicationDate, text } from './arg-kinds.ts';
import { clearableImage, status, webAddressText } from './post-args.ts';
import { bySlug, byId, inLanguage } from './shared-args.ts';
import { linkedFilters } from './venue.ts';

const cleared = (description: string) => published(null, clearableText({ description }));

/** The fields of an organizer, also used inside an event. */
export const organizerFields = {
  author: published(null, positiveInteger({ description: 'The id of the author of the organizer' })),
  date: published(null, dateTime({ description: 'When the organizer was published, in the zone of the site' })),
  date_utc: published(null, publicationDate({ description: 'When the organizer was published, in UTC' })),
  organizer: published(null, required(text({ description: 'The name of the organizer' }))),
  description: published(null, clearableHtml({ description: 'What there is to say about the organizer' })),
  status: published(null, status({ description: 'The status of the organizer' })),
  phone: cleared('The telephone number of the organizer'),
  website: published(null, webAddressText({ description: 'The web address of the organizer' })),
  email: cleared('The e-mail address of the organizer'),
  image: published(null, clearableImage({ description: 'The id or the address of the image of the organizer' })),
};
export type OrganizerData = ArgsOf<typeof organizerFields>;

export const organizerArgs = {
  list: linkedFilters('organizers'),
  create: { ...organizerFields, ...inLanguage },
  byId: { ...byId('organizer'), ...inLanguage },
  bySlug: { ...bySlug('organizer'), ...inLanguage },
  update: { ...byId('organizer'), ...partial(organizerFields), ...inLanguage },
  updateBySlug: { ...bySlug('organizer'), ...partial(organizerFields), ...inLanguage },
} satisfies Record<string, Args>;
