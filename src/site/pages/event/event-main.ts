import type { EventTerm, Organizer, Venue } from '../../../contract/event-parts.ts';
import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { linkedHtml } from '../../../html/linked-html.ts';
import { addressPart } from '../../../ascii.ts';
import { decodeEntities } from '../../../html/references.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { isFree } from '../../../selection/free.ts';
import { isoFromInstant, wallFromInstant } from '../../../time.ts';
import type { Origin } from '../frame/beyond.ts';
import { categoryTag } from '../../../look/category-mark.ts';
import { shortDayInWords, type Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { pattern, picture } from '../frame/picture.ts';
import { isoUtc } from '../frame/clock.ts';
import { addressParts, placesLine, venuesOf } from '../frame/places.ts';
import { inline, langAttribute, pathOf, titleWithoutMark } from '../list/event-list.ts';
import { SHOWN_TEXTS } from '../words/words.ts';
import { isOfState, stateMark, stateNote, type VisibleState } from './event-state.ts';
import { dateTile, dayAndHours, dayWithHours } from './event-times.ts';
import { factCard, type Fact, shownText } from './facts.ts';
import { mapAddress, webLink } from './links.ts';
import { eventCards, type RelatedEvents } from './related-events.ts';
import { addToCalendar, passItOn } from './take-away.ts';

/** What an event's page shows besides the event. */
export interface Around extends VisibleState {
  /** Whether it needed no password, so that its file, poster and image are available. */
  readonly isForAll: boolean;
  readonly today: Day;
  readonly origin: Origin | undefined;
  /** The other dates of its series. */
  readonly dates: Html | undefined;
  readonly related: RelatedEvents | undefined;
}

/** The main part of an event's page. */
export function eventMain(frame: Frame, event: Event, around: Around): Html {
  const { state } = around;
  const lang = langAttribute(frame, event);
  const about = linkedHtml(event.description || event.excerpt);
  const below = [
    about.markup !== '' && html`<div class="prose description"${lang} dir="auto">${about}</div>`,
    tagList(frame, event),
    around.dates,
    related(frame, around),
    passItOn(frame, event.url, around.isForAll),
    sourceLine(frame, event, around.origin),
  ];
  const above = marks(frame, event, state);
  return html`<article class="event"><div class="head">${above.markup !== '' && html`<p class="row">${above}</p>`}
<h1${lang} dir="auto">${titleWithoutMark(event)}</h1>
${state !== 'cancelled' && html`<p class="lead">${lead(frame, event)}</p>`}</div>
<div class="cols"><div class="stack">${joinHtml([stateNote(frame, event, around), headPicture(frame, event, state)], '\n')}</div>
<aside class="stack">${whenCard(frame, event, around)}
${placeCard(frame, event)}</aside>
<div class="stack loose">
${joinHtml(below, '\n')}
</div></div></article>`;
}

const marks = (frame: Frame, event: Event, state: VisibleState['state']): Html =>
  joinHtml(
    [
      ...event.categories.map((category) => categoryTag(frame.mark, category, termPath(frame, category, 'category'))),
      isFree(event.cost_details.values) && html`<span class="tag good">${frame.words.free}</span>`,
      stateMark(frame, state),
    ],
    '\n',
  );

const termPath = ({ base }: Frame, { slug }: EventTerm, kind: 'category' | 'tag'): string =>
  `${base}/${kind}/${addressPart(slug)}/`;

function lead(frame: Frame, event: Event): Html {
  const [day] = dayAndHours(event, frame);
  const place = placesLine(event);
  const when = event.all_day ? day : dayWithHours(event, frame);
  return joinHtml([when, place && html`<bdi>${place}</bdi>`], ', ');
}

const headPicture = (frame: Frame, event: Event, state: VisibleState['state']): Html | undefined => {
  const { image, slug, categories } = event;
  const shown = image ? picture(frame, image, 'head') : undefined;
  // If there is a note, it must be seen first.
  return shown ?? (state === 'on' ? pattern(slug, categories[0], 'head') : undefined);
};

function whenCard(frame: Frame, event: Event, { state, isForAll }: Around): Html {
  const { words, language } = frame;
  const [day, hours] = dayAndHours(event, frame);
  const when =
    state === 'cancelled'
      ? html`<s>${day}<br>${hours}</s><br><b>${words.cancelled}</b>`
      : html`<b>${day}</b><br>${hours}`;
  return html`<section class="card panel" aria-label="${words.when}">
<div class="when">${dateTile(event.start_date.slice(0, 10), language)}<p>${when}</p></div>
${(state === 'on' || state === 'moved' || state === 'tentative') && addToCalendar(frame, event, isForAll)}</section>`;
}

function placeCard(frame: Frame, event: Event): Html | undefined {
  const { words } = frame;
  const website = decodeEntities(event.website);
  const facts: readonly Fact[] = [
    {
      icon: 'pin',
      name: words.place,
      lines: venuesOf(event).flatMap((venue) => placeLines(frame, venue, event.show_map_link || venue.show_map_link)),
    },
    ...SHOWN_TEXTS.map((field): Fact => ({
      icon: 'coin',
      name: words[field],
      lines: [shownText(frame, event, field)],
    })),
    { icon: 'who', name: words.organizer1, lines: event.organizer.map(host) },
    { icon: 'globe', name: words.website, lines: [website !== event.url && website !== '' && webLink(website)] },
  ];
  return factCard(words.where, facts);
}

function placeLines({ words }: Frame, venue: Venue, showMapLink: boolean): Fact['lines'] {
  const map = showMapLink ? mapAddress(venue) : undefined;
  return [
    safeLink({ href: pathOf(venue.url), dir: 'auto' }, inline(venue.venue)),
    joinHtml(addressParts(venue), ', '),
    map !== undefined && safeLink({ href: map, rel: 'noopener' }, words.openMap),
  ];
}

const host = ({ organizer, url }: Organizer): Html => safeLink({ href: pathOf(url), dir: 'auto' }, inline(organizer));

function tagList(frame: Frame, event: Event): Html | undefined {
  const links = event.tags
    .filter(({ slug }) => !isOfState(slug))
    .map((tag) => safeLink({ href: termPath(frame, tag, 'tag') }, inline(tag.name)));
  return links.length === 0 ? undefined : html`<p class="lab">${frame.words.tags}: ${joinHtml(links, ', ')}</p>`;
}

function related(frame: Frame, { related: found, today }: Around): Html | undefined {
  if (!found) return undefined;
  const { words } = frame;
  const [before, after = ''] = (found.kind === 'venue' ? words.alsoAt : words.comingFrom)('\0').split('\0');
  return html`<section class="stack" aria-labelledby="related"><h2 id="related">${before}${inline(found.name)}${after}</h2>
${eventCards(frame, found.events, today)}</section>`;
}

/** The event's source, when that was read, and when the event last changed. */
function sourceLine({ words, language, settings }: Frame, event: Event, origin: Origin | undefined): Html {
  const moment = (wall: string): string =>
    `${shortDayInWords(wall.slice(0, 10), language)} ${wall.slice(0, 4)}, ${wall.slice(11, 16)}`;
  const readAt = origin?.readAt;
  const from = origin && `${origin.name}${origin.host === undefined ? '' : ` (${origin.host})`}`;
  const parts = [
    from !== undefined && words.readFrom(from),
    readAt !== undefined &&
      html`<time datetime="${isoFromInstant(readAt)}">${words.readOn(moment(wallFromInstant(readAt, settings.timezone)))}</time>`,
    html`<time datetime="${isoUtc(event.modified_utc)}">${words.changedOn(moment(event.modified))}</time>`,
  ];
  return html`<p class="src">${joinHtml(parts, ' · ')}</p>`;
}
