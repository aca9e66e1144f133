import type { Organizer, Venue } from '../../contract/event-parts.ts';
import type { Event } from '../../contract/representation.ts';
import { decodeEntities } from '../../html/references.ts';
import { safeHtml } from '../../html/sanitize.ts';
import { textFromHtml } from '../../html/text.ts';
import { EXTRA_TEXT_NAMES, type ExtraTextName } from '../../ical/read/extra-texts.ts';
import { isMailbox, type CalendarContent } from '../../ical/write/write-event.ts';
import { withoutPrefix } from '../../contract/cancelled-title.ts';
import { stateFromTags } from '../../sync/model/state-tags.ts';
import { calendarTimesOf } from './calendar-times.ts';
import { conferenceOf } from '../../contract/conference.ts';

/**
 * Whether everybody may see an event. Lists blank password-protected events, whose flags become null (contract.md,
 * 8.3).
 */
export const isPublic = (event: Event): boolean =>
  event.status === 'publish' && typeof event.all_day === 'boolean' && typeof event.featured === 'boolean';

/**
 * The HTML that describes an event, sanitized and tidied. For a long text this is half the work, so it can be done in a
 * separate turn.
 */
export const tidyDescription = (event: Event): string => tidyHtml(safeHtml(event.description || event.excerpt));

/**
 * An event of the site as subscribers see it; undefined if its dates cannot be read. `tidied` is its tidied
 * description.
 */
export function calendarContentOf(event: Event, tidied = tidyDescription(event)): CalendarContent | undefined {
  const times = calendarTimesOf(event);
  if (!times) return undefined;
  const created = instantOf(event.date_utc);
  const image = event.image || undefined;
  const conference = conferenceOf(event);
  const [title, state] = [
    plainText(event.title) || 'Event',
    stateFromTags(event.tags.map((tag) => plainText(tag.name))),
  ];
  return {
    // STATUS already says so, and calendar programs strike the title through.
    title: state === 'cancelled' ? withoutPrefix(title) : title,
    ...times,
    status: STATUS[state],
    ...(created === undefined ? {} : { created }),
    ...descriptionsOf(event, tidied),
    ...placesOf(event),
    ...peopleOf(event),
    categories: event.categories.map((category) => plainText(category.name)),
    url: decodeEntities(event.website || event.url),
    ...(conference ? { conference } : {}),
    ...extraTextsOf(event),
    ...(image ? { image: { url: image.url, ...mediaTypeOf(image.extension) } } : {}),
  };
}

const STATUS = { confirmed: 'CONFIRMED', tentative: 'TENTATIVE', cancelled: 'CANCELLED' } as const;

/**
 * When the content was last changed, as far as the site knows. Editing a venue does not change its events'
 * `modified_utc`, so venues and organizers count as well.
 */
export const modifiedAtOf = (event: Event): number =>
  Math.max(
    0,
    ...[event, ...publicVenues(event), ...publicOrganizers(event)].map((post) => instantOf(post.modified_utc) ?? 0),
  );

/** `2027-01-10 17:00:00` in UTC → epoch milliseconds; undefined for null and `0000-00-00 00:00:00`. */
function instantOf(utc: string | null): number | undefined {
  const instant = Date.parse(`${utc?.replace(' ', 'T')}Z`);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Titles and names are HTML in the interface, with entities everywhere and occasional tags. */
const plainText = (html = ''): string =>
  (html.includes('<') ? textFromHtml(html) : decodeEntities(html)).replace(/\s+/g, ' ').trim();

const extraTextsOf = (event: Event): Pick<CalendarContent, ExtraTextName> =>
  Object.fromEntries(
    EXTRA_TEXT_NAMES.flatMap((name) => {
      const text = plainText(event[name]);
      return text === '' ? [] : [[name, text]];
    }),
  );

function descriptionsOf(event: Event, tidied: string): Pick<CalendarContent, 'description' | 'descriptionHtml'> {
  const html = event.description || event.excerpt;
  if (html === '') return {};
  // HTML adds nothing to plain paragraphs, and some programs truncate large feeds.
  const formatted = /<(?!\/?(?:p|br)\b)[a-z]/i.test(html);
  const text = textFromHtml(tidied);
  // Many programs interpret text that shows "<b>" or "&amp;" as HTML, unless there is an HTML version as well.
  const looksFormatted = /<\/?[a-z]|&(?:#\d|#x|[a-z])[a-z\d]*;/i.test(text);
  return { description: text, ...(formatted || looksFormatted ? { descriptionHtml: tidied } : {}) };
}

const BLOCK =
  '</?(?:address|article|aside|blockquote|caption|col|colgroup|dd|details|div|dl|dt|fieldset|figcaption|figure|' +
  'footer|h[1-6]|header|hr|li|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)\\b[^<>]*>';
const SUPERFLUOUS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(${BLOCK})\\s+`, 'g'), '$1'],
  [new RegExp(`(?<!\\s)\\s+(${BLOCK})`, 'g'), '$1'],
  [/(?<![ \t])[ \t]+(<br \/>)/g, '$1'],
  [/<br \/>\n/g, '<br />'],
  [/<p>(?:<br \/>)*<\/p>/g, ''],
];

/**
 * Removes blanks and empty paragraphs between blocks. Sites add others each time they read a text, so it would never
 * come back as it was published.
 */
const tidyHtml = (html: string): string =>
  html
    .split(/(<pre\b[\s\S]*?<\/pre>)/)
    .map((part, index) =>
      index % 2 === 1 ? part : SUPERFLUOUS.reduce((text, [pattern, to]) => text.replace(pattern, to), part),
    )
    .join('')
    .trim();

const publicVenues = ({ venue }: Event): readonly Venue[] =>
  (Array.isArray(venue) ? (venue as readonly Venue[]) : [venue as Venue]).filter(
    ({ status, venue: name }) => status === 'publish' && typeof name === 'string' && name !== '',
  );

const publicOrganizers = ({ organizer }: Event): readonly Organizer[] =>
  organizer.filter(({ status, organizer: name }) => status === 'publish' && typeof name === 'string' && name !== '');

function placesOf(event: Event): Pick<CalendarContent, 'location' | 'place'> {
  const venues = publicVenues(event);
  const [first] = venues;
  if (!first) return {};
  const location = venues.map((venue) => onePlace([venue.venue, venue.address, venue.city])).join(' / ');
  const { geo_lat: latitude, geo_lng: longitude } = first;
  if (typeof latitude !== 'number' || typeof longitude !== 'number' || (latitude === 0 && longitude === 0))
    return { location };
  return {
    location,
    place: { title: plainText(first.venue), address: onePlace([first.address, first.city]), latitude, longitude },
  };
}

/** The parts on one line, without parts contained in an earlier one ("Kraków" in "Main Street 1, Kraków"). */
function onePlace(parts: readonly (string | undefined)[]): string {
  const said: string[] = [];
  for (const part of parts.map((text) => plainText(text ?? ''))) {
    const pieces = said.flatMap((text) => text.split(',')).map((piece) => piece.trim().toLowerCase());
    if (part !== '' && !pieces.includes(part.toLowerCase())) said.push(part);
  }
  return said.join(', ');
}

/**
 * RFC 5545 requires a calendar address for ORGANIZER and allows only one, so that is the first with an e-mail address.
 * All others become contacts, and so does that one if it has a telephone number.
 */
function peopleOf(event: Event): Pick<CalendarContent, 'organizer' | 'contacts'> {
  const organizers = publicOrganizers(event);
  const addressed = organizers.find(({ email }) => email !== undefined && isMailbox(email));
  const contacts = organizers
    .filter((organizer) => organizer !== addressed || plainText(organizer.phone) !== '')
    .map(({ organizer, email = '', phone }) =>
      [organizer, isMailbox(email) ? email : '', phone]
        .map(plainText)
        .filter((part) => part !== '')
        .join(', '),
    );
  return {
    contacts,
    ...(addressed?.email ? { organizer: { name: plainText(addressed.organizer), email: addressed.email } } : {}),
  };
}

function mediaTypeOf(extension: string): { mediaType?: string } {
  const subtype = {
    jpg: 'jpeg',
    jpeg: 'jpeg',
    jpe: 'jpeg',
    png: 'png',
    gif: 'gif',
    webp: 'webp',
    avif: 'avif',
    svg: 'svg+xml',
    heic: 'heic',
  }[extension.toLowerCase()];
  return subtype ? { mediaType: `image/${subtype}` } : {};
}
