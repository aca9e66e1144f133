import { textOf, type Calendar, type CalendarEvent } from '../../ical/read/calendar.ts';
import type { Expansion } from '../../ical/occurrences/expand-calendar.ts';
import type { Occurrence } from '../../ical/occurrences/occurrence.ts';
import { isSeries } from '../../ical/occurrences/series.ts';
import { extraTextOf } from '../../ical/read/extra-texts.ts';
import type { Profile } from '../../ical/read/profile-table.ts';
import { problemList, type OnlyCounted, type ProblemList } from '../../ical/read/problem-list.ts';
import { endsBeforeStart } from '../../ical/occurrences/time-span.ts';
import { instantFromWall } from '../../ical/times/zone.ts';
import type { CalendarZones } from '../../ical/times/zones-of-calendar.ts';
import type { Where } from '../../problem.ts';
import { fromRules, rulesOf } from './apply-rules.ts';
import { calendarTimes } from './calendar-times.ts';
import {
  conferenceFromEvent,
  imageFromEvent,
  organizersFromEvent,
  isNamedByLocation,
  isOnlyOnline,
  venueFromEvent,
} from './calendar-places.ts';
import { webAddressFrom } from './web-address.ts';
import { countUnlinkable, linksFromEvent, LINKS_MAX } from './attached-links.ts';
import { cutInWords, withinLimits } from './text-limits.ts';
import {
  cutTexts,
  descriptionElsewhere,
  descriptionFromEvent,
  isBusyOnly,
  titleFromEvent,
  withLink,
} from './calendar-text.ts';
import type { DraftSettings, EventDraft, EventFields, FeedReading, IdentityRungs, VenueDraft } from '../model/draft.ts';
import { SHORT_TEXTS, type FieldName, type ShortText } from '../model/fields.ts';
import { isEmpty } from '../model/json.ts';
import { latest, separateExcluded, type UnpublishedEvents, type ReadDraft } from './no-events.ts';
import { categoriesFor, fingerprintsOf, ignoredCategories, whyExcludedByRules, tagsFor } from './rules.ts';
import { shareEqual } from './share-equal.ts';
import { lastingTitle, saidByTitle, stateSaidByTitle } from './title-state.ts';
import { whereOf } from '../../ical/read/uid.ts';

/** The drafts of a calendar, one for each occurrence within the source's window. `profile` is the publisher's. */
export function draftsFromCalendar(
  calendar: Calendar,
  expansion: Expansion,
  settings: DraftSettings,
  profile?: Profile,
  onlyCounted?: OnlyCounted,
): FeedReading {
  const problems = problemList(onlyCounted);
  const contentOf = contentReader(calendar, expansion.zones, {
    settings,
    profile,
    problems,
    share: shareEqual(),
    venues: new Map(),
  });
  const timesOf = calendarTimes(calendar, expansion, settings, problems);
  const rules = rulesOf(settings);
  const tellOfTitle = tellerOfTitles(problems);
  const read = expansion.occurrences.map((occurrence) =>
    draftFrom(occurrence, contentOf(occurrence.event), { settings, rules, timesOf, tellOfTitle }),
  );
  const { drafts, excluded, noEvents } = separateExcluded(read, () => leftOf(calendar, expansion, settings), settings);
  return {
    drafts,
    excluded,
    outside: expansion.outside,
    unread: expansion.unread,
    coversUntil: expansion.coversUntil,
    windowTo: settings.window.to,
    wholeSeries: expansion.wholeSeries,
    ...(profile?.identity ? { rung: profile.identity } : {}),
    problems: [...noEvents, ...expansion.problems, ...problems.all()],
  };
}

/**
 * Counts events that are over, after the window, or unreadable. Events outside the window that share a UID count once.
 */
function leftOf(
  { events, others }: Calendar,
  { occurrences, zones, unread }: Expansion,
  { window }: DraftSettings,
): Omit<UnpublishedEvents, 'excluded'> {
  const inside = new Set<string | CalendarEvent>(occurrences.map(({ event }) => event.uid ?? event));
  const outside = new Map<string | CalendarEvent, { readonly start: number; readonly recurs: boolean }>();
  for (const event of events) {
    const key = event.uid ?? event;
    const before = outside.get(key);
    const start = Math.max(zones.instantOf(event.start), before?.start ?? Number.NEGATIVE_INFINITY);
    if (!inside.has(key)) outside.set(key, { start, recurs: isSeries(event) || before?.recurs === true });
  }
  const past = [...outside.values()].filter(({ start }) => start < window.to);
  const lastPast =
    past.length === 0 || past.some(({ recurs }) => recurs) ? null : latest(past.map(({ start }) => start));
  const later = [...outside.values()].flatMap(({ start }) => (start >= window.to ? [start] : []));
  return { past: past.length, lastPast, later, unread: unread.length, ...(others && { others }) };
}

type ContentFields = Omit<EventFields, 'start_date' | 'end_date' | 'timezone' | 'all_day'>;

/** What all occurrences of a component share. */
interface Content {
  readonly fields: ContentFields;
  readonly unsaid: readonly FieldName[];
  readonly where: Where;
  readonly url: string | null;
  readonly because: string | null;
  readonly class: string;
  readonly ignored: readonly string[];
  readonly fingerprintAt: (start: string) => string;
}

/** Reads the content that all occurrences of a component share, once per component. */
function contentReader(
  calendar: Calendar,
  zones: CalendarZones,
  context: Omit<ContentContext, 'hasImages' | 'categoriesOf' | 'ignoredOf' | 'tags'>,
): (event: CalendarEvent) => Content {
  const known = new Map<CalendarEvent, Content>();
  const categoriesOf = categoriesFor(context.settings);
  const ignoredOf = ignoredCategories(context.settings);
  const tags = tagsFor(context.settings)([]);
  const hasImages = calendar.events.some((event) => imageFromEvent(event) !== '');
  return (event) => {
    const before = known.get(event);
    if (before) return before;
    const content = contentFrom(event, { ...context, hasImages, categoriesOf, ignoredOf, tags });
    if (endsBeforeStart(event, zones))
      context.problems.add(
        'end-before-start',
        'This event ends before it begins; it was given no length.',
        content.where,
      );
    known.set(event, content);
    return content;
  };
}

interface ContentContext {
  readonly settings: DraftSettings;
  readonly profile: Profile | undefined;
  readonly hasImages: boolean;
  readonly categoriesOf: ReturnType<typeof categoriesFor>;
  readonly ignoredOf: ReturnType<typeof ignoredCategories>;
  /** The tags of every event; calendars have none of their own. */
  readonly tags: readonly string[];
  readonly problems: ProblemList;
  readonly share: ReturnType<typeof shareEqual>;
  /** Venues by LOCATION, for events that give nothing else about their place. */
  readonly venues: Map<string, readonly VenueDraft[]>;
}

function contentFrom(event: CalendarEvent, context: ContentContext): Content {
  const { settings, hasImages, problems, share } = context;
  const where = whereOf(event);
  const title = titleFromEvent(event, settings.language);
  const url = pageOf(event);
  reportLacking(event, { title, url }, (code, message) => problems.add(code, message, where));
  const { fields, cut } = withinLimits({
    title: title === '' ? 'Untitled event' : title,
    status: settings.status,
    ...withAddresses(
      withAttached(descriptionFromEvent(event, settings.language), event, url),
      url,
      conferenceFromEvent(event),
    ),
    ...(hasImages ? { image: imageFromEvent(event) } : {}),
    ...shortTextsOf(event),
    categories: share(context.categoriesOf(event.categories)),
    tags: context.tags,
    venue: venuesOf(event, context),
    organizer: share(organizersFromEvent(event)),
  });
  const long = cutTexts(event);
  // A text within the limit may exceed it as HTML.
  for (const text of long.length > 0 ? long : cut) problems.add('text-cut', cutInWords(text), where);
  return {
    fields,
    unsaid: event.status === 'cancelled' ? unsaidIn(event, fields, title) : NOTHING_UNSAID,
    where,
    url,
    because: notPublic(event, settings),
    class: textOf(event.texts, 'CLASS').toUpperCase() || 'PUBLIC',
    ignored: context.ignoredOf(event.categories),
    fingerprintAt: fingerprintsOf(lastingTitle(fields.title), fields.venue?.[0]?.venue ?? ''),
  };
}

/** An event's own page. Trumba gives the one on the publisher's site in a property of its own. */
const pageOf = ({ texts }: CalendarEvent): string | null =>
  webAddressFrom(textOf(texts, 'URL')) ?? webAddressFrom(textOf(texts, 'X-TRUMBA-LINK')) ?? null;

const NOTHING_UNSAID: readonly FieldName[] = [];

/** The fields that a cancellation omits. Without a title, these include the tags that the source adds to its events. */
const unsaidIn = (event: CalendarEvent, fields: ContentFields, title: string): readonly FieldName[] => [
  ...(title === '' ? (['title', 'tags'] as const) : []),
  ...(event.categories.length === 0 ? (['categories'] as const) : []),
  ...(venueFromEvent(event) ? [] : (['venue'] as const)),
  ...(['description', 'website', 'image', 'organizer'] as const).filter((field) => isEmpty(fields[field])),
];

/** Reports what is missing from an event or cannot be used. */
function reportLacking(
  event: CalendarEvent,
  { title, url }: { readonly title: string; readonly url: string | null },
  report: (code: Parameters<ProblemList['add']>[0], message: string) => void,
): void {
  if (title === '' && event.status !== 'cancelled')
    report('title-missing', 'This event has no title; it is published as "Untitled event".');
  const written = textOf(event.texts, 'URL');
  if (written !== '' && url === null)
    report('address-unusable', `URL is not a web address: "${written.slice(0, 80)}".`);
  const unlinkable = countUnlinkable(event);
  if (unlinkable > 0)
    report(
      'attachment-unusable',
      unlinkable === 1
        ? 'An attachment or picture of this event is not on the web, but in the feed itself or nowhere; it is not shown to visitors.'
        : `${unlinkable} attachments or pictures of this event are not on the web, but in the feed itself or nowhere; ` +
            'they are not shown to visitors.',
    );
  const { length: links } = linksFromEvent(event);
  if (links > LINKS_MAX)
    report(
      'text-cut',
      `${links} attachments and links come with this event; the first ${LINKS_MAX} are shown below its description.`,
    );
  const elsewhere = descriptionElsewhere(event);
  if (elsewhere !== '')
    report(
      'description-elsewhere',
      `The description is stored elsewhere (${elsewhere.slice(0, 80)}), and DESCRIPTION is empty; nothing is fetched from there.`,
    );
}

/** Adds links to the documents and pages that come with an event to the end of its description. */
const withAttached = (description: string, event: CalendarEvent, url: string | null): string =>
  linksFromEvent(event)
    .slice(0, LINKS_MAX)
    .filter(({ address }) => address !== url)
    .reduce((text, { address, label }) => withLink(text, address, label), description);

/**
 * The event's own page becomes its website, and the conference address goes into the description; without a page, the
 * conference address is the website.
 */
function withAddresses(
  description: string,
  url: string | null,
  conference: string,
): Pick<EventFields, 'description' | 'website'> {
  if (url === null) return { description, website: conference };
  const isApart = conference !== '' && conference !== url;
  return { description: isApart ? withLink(description, conference) : description, website: url };
}

function venuesOf(
  event: CalendarEvent,
  { settings: { defaultVenue }, profile, share, venues }: ContentContext,
): readonly VenueDraft[] {
  const named = isNamedByLocation(event) ? textOf(event.texts, 'LOCATION') : undefined;
  const known = named === undefined ? undefined : venues.get(named);
  if (known) return known;
  const byDefault = defaultVenue === undefined || isOnlyOnline(event) ? [] : [{ venue: defaultVenue }];
  const venue = venueFromEvent(event, profile?.location);
  const found = share(venue ? [venue] : byDefault);
  if (named !== undefined) venues.set(named, found);
  return found;
}

/** Short texts for which iCalendar has no standard property. */
const shortTextsOf = ({ texts }: CalendarEvent): Pick<EventFields, ShortText> =>
  Object.fromEntries(
    SHORT_TEXTS.flatMap((field) => {
      const text = extraTextOf(texts, field).slice(0, SHORT_TEXT_MAX);
      return text === '' ? [] : [[field, text]];
    }),
  );
const SHORT_TEXT_MAX = 100;

function notPublic(event: CalendarEvent, { everything }: DraftSettings): string | null {
  const access = textOf(event.texts, 'CLASS').toUpperCase();
  if (everything) return null;
  if (access === 'PRIVATE' || access === 'CONFIDENTIAL') return `${access.toLowerCase()} in the feed (CLASS)`;
  return isBusyOnly(event) ? 'shows only that someone is busy' : null;
}

interface DraftContext {
  readonly settings: DraftSettings;
  readonly rules: ReturnType<typeof rulesOf>;
  readonly timesOf: ReturnType<typeof calendarTimes>;
  readonly tellOfTitle: ReturnType<typeof tellerOfTitles>;
}

/** Reports, once per component, that only its title calls the event cancelled. */
function tellerOfTitles(problems: ProblemList): (title: string, content: Content) => void {
  const told = new Set<Content>();
  return (title, content) => {
    if (!told.has(content)) problems.add('title-cancelled', saidByTitle(title), content.where);
    told.add(content);
  };
}

/** Sites cannot show years before 1 or after 9999 in any zone, nor the days at either end. */
const EARLIEST = Date.parse('0001-01-03T00:00:00Z');
const LATEST = Date.UTC(9999, 11, 30);

/** Clamps an occurrence to what sites can show; some programs write such dates for what lasts for ever. */
function withinYears(occurrence: Occurrence): Occurrence {
  const { startWall, startsAt, endWall, endsAt, zone } = occurrence;
  const isEarly = startWall < EARLIEST || startsAt < EARLIEST;
  const isLate = endWall > LATEST || endsAt > LATEST;
  if (!isEarly && !isLate) return occurrence;
  return {
    ...occurrence,
    ...(isEarly && { startWall: EARLIEST, startsAt: instantFromWall(EARLIEST, zone) }),
    ...(isLate && { endWall: LATEST, endsAt: instantFromWall(LATEST, zone) }),
  };
}

function draftFrom(written: Occurrence, content: Content, context: DraftContext): ReadDraft {
  const { where, url, because } = content;
  const occurrence = withinYears(written);
  const {
    fields: { all_day, start_date, end_date, timezone },
    fingerprint,
  } = context.timesOf(occurrence, where);
  const fields: EventFields = { ...content.fields, all_day, start_date, end_date, timezone };
  const rungs: IdentityRungs = {
    uid: occurrence.event.writtenUid,
    recurrenceId: occurrence.recurrenceId,
    url,
    fingerprint: content.fingerprintAt(fingerprint),
  };
  const texts = { uid: occurrence.event.uid, url, class: content.class, ignored: content.ignored };
  const ruled = context.rules(fields, texts);
  const { status } = occurrence.event;
  const said = stateSaidByTitle({ fields: ruled.fields, state: status });
  if (said.state !== status) context.tellOfTitle(ruled.fields.title, content);
  const draft = {
    ...saidBesides(occurrence),
    where,
    rungs,
    startsAt: occurrence.startsAt,
    endsAt: occurrence.endsAt,
    state: said.state,
    ...(content.unsaid.length > 0 ? { unsaid: content.unsaid } : {}),
    fields: said.fields,
    ...fromRules(ruled.fields, (field) => fields[field] !== undefined),
    ...(ruled.rules.length > 0 ? { rules: ruled.rules } : {}),
  };
  // Rules cannot judge an event without a title.
  const isJudged = !content.unsaid.includes('title');
  return { draft, because: because ?? (isJudged ? whyExcludedByRules(ruled.fields, texts, context.settings) : null) };
}

/**
 * What the rungs leave out: the UID without its escapes, and the instant that an occurrence's RECURRENCE-ID denotes.
 */
const saidBesides = ({
  event: { uid, writtenUid },
  recurrenceId,
  originalStart,
}: Occurrence): Pick<EventDraft, 'uid' | 'originalStartsAt'> => ({
  ...(uid === null || uid === writtenUid ? {} : { uid }),
  ...(recurrenceId?.includes('T') ? { originalStartsAt: originalStart } : {}),
});
