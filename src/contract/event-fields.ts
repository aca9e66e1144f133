import { defaulted, published, required, type Arg } from './arg.ts';
import { clearableHtml, dateTime, flag, positiveInteger, publicationDate, text, timezone } from './arg-kinds.ts';
import type { CostDetails, DateDetails, EventTerm, Image, Organizer, Venue } from './event-parts.ts';
import { organizerFields } from './organizer.ts';
import { cost, image, status, webAddress } from './post-args.ts';
import { linkedRefs, termRefs } from './reference-args.ts';
import { anyObject, list, optional, ref, shape, type Shape } from './shape.ts';
import { venueFields } from './venue.ts';

/** A field of an event that a request can set. */
interface EventField {
  /** The parameter of a new event; updates make every parameter optional. */
  readonly arg: Arg;
  /** What answers hold under its name. */
  readonly answer: Shape<unknown>;
}

const words = shape<string>({ type: 'string' });
const truth = shape<boolean>({
  type: 'boolean',
  nullable: true,
  description: 'null in a list where a password protects the event',
});
const terms = shape<readonly EventTerm[]>(list(ref('EventTerm')));
const dateDetails = shape<DateDetails>(ref('DateDetails'));

/** Shared by new events and updates, which take different values for these. */
export const slugAbout = { description: 'The slug of the event' };
export const imageAbout = { description: 'The id or the address of the image of the event' };

/**
 * Every settable field of an event, in the order of the self-description. Checks, self-description, the OpenAPI
 * document, and the types of requests and answers derive from it.
 */
const EVENT_FIELDS = {
  author: {
    arg: positiveInteger({ description: 'The id of the author of the event' }),
    answer: shape<string>({ type: 'string', description: 'A user id, as text' }),
  },
  date: { arg: dateTime({ description: 'When the event was published, in the zone of the site' }), answer: words },
  date_utc: { arg: publicationDate({ description: 'When the event was published, in UTC' }), answer: words },
  title: { arg: required(text({ description: 'The title of the event' })), answer: words },
  description: { arg: clearableHtml({ description: 'What there is to say about the event' }), answer: words },
  slug: { arg: text(slugAbout), answer: words },
  excerpt: { arg: clearableHtml({ description: 'The event in short' }), answer: words },
  status: { arg: status({ description: 'The status of the event' }), answer: words },
  timezone: { arg: timezone({ description: 'The time zone of the event' }), answer: words },
  all_day: { arg: defaulted(false, flag({ description: 'Whether the event lasts whole days' })), answer: truth },
  start_date: { arg: required(dateTime({ description: 'When the event starts' })), answer: words },
  end_date: { arg: required(dateTime({ description: 'When the event ends' })), answer: words },
  image: {
    arg: image(imageAbout),
    answer: shape<Image | false>({ oneOf: [ref('Image'), { type: 'boolean', enum: [false] }] }),
  },
  cost: { arg: cost({ description: 'What the event costs' }), answer: words },
  website: { arg: published(null, webAddress({ description: 'The web address of the event' })), answer: words },
  show_map: { arg: flag({ description: 'Whether the event shows a map' }), answer: truth },
  show_map_link: { arg: flag({ description: 'Whether the event shows a link to a map' }), answer: truth },
  hide_from_listings: { arg: flag({ description: 'Whether lists leave the event out' }), answer: truth },
  sticky: { arg: flag({ description: 'Whether the event comes first in the calendar view' }), answer: truth },
  featured: { arg: flag({ description: 'Whether the event is featured' }), answer: truth },
  categories: {
    arg: published(null, termRefs({ description: 'The categories of the event, by id, slug or name' })),
    answer: terms,
  },
  tags: {
    arg: published(null, termRefs({ description: 'The tags of the event, by id, slug or name' })),
    answer: terms,
  },
  venue: {
    arg: published(null, linkedRefs(venueFields, 'venue', { description: 'The venue of the event: ids or data' })),
    answer: shape<readonly Venue[] | Venue>({
      oneOf: [ref('Venue'), list(ref('Venue'))],
      description: '[] for none, an object for one, a list for several',
    }),
  },
  organizer: {
    arg: published(
      null,
      linkedRefs(organizerFields, 'organizer', { description: 'The organizers of the event: ids or data' }),
    ),
    answer: shape<readonly Organizer[]>(list(ref('Organizer'))),
  },
} as const satisfies Readonly<Record<string, EventField>>;

/** What answers about events hold besides these fields and those of every post. */
const COMPUTED = {
  rest_url: words,
  start_date_details: dateDetails,
  end_date_details: dateDetails,
  utc_start_date: words,
  utc_start_date_details: dateDetails,
  utc_end_date: words,
  utc_end_date_details: dateDetails,
  timezone_abbr: words,
  cost_details: shape<CostDetails>(ref('CostDetails')),
  custom_fields: shape<unknown>(anyObject),
  previous_start_date: optional(
    shape<string>({
      type: 'string',
      description:
        'The start that was announced first, with its offset, or the day of an all-day event; only of one event that was moved after it was published',
    }),
  ),
};

type FieldName = keyof typeof EVENT_FIELDS;
/** The parameters of the fields, by name. */
export type EventFieldArgs = { readonly [Name in FieldName]: (typeof EVENT_FIELDS)[Name]['arg'] };
type FieldAnswers = { readonly [Name in FieldName]: (typeof EVENT_FIELDS)[Name]['answer'] };

// Object.entries and Object.fromEntries lose the names, which are those of the table.
const each = <Column extends keyof EventField>(column: Column) =>
  Object.fromEntries(Object.entries<EventField>(EVENT_FIELDS).map(([name, field]) => [name, field[column]]));

/** The parameters of a new event. */
export const eventFieldArgs = each('arg') as EventFieldArgs;
/** What the answer about an event holds, besides what every post has. */
export const eventAnswer: FieldAnswers & typeof COMPUTED = { ...(each('answer') as FieldAnswers), ...COMPUTED };
