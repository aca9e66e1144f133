import { sentZone } from '../contract/event-zone.ts';
import type { Calendar, CalendarEvent } from '../ical/calendar.ts';
import { textOf } from '../ical/event-from-component.ts';
import { expandCalendar } from '../ical/expand-calendar.ts';
import type { Occurrence } from '../ical/occurrence.ts';
import type { Profile } from '../ical/profile.ts';
import { problemList, type ProblemList } from '../ical/problem-list.ts';
import { endsBeforeStart } from '../ical/time-span.ts';
import { DAY_MS, isoDigits } from '../ical/time-value.ts';
import { zoneNameFromTzid } from '../ical/tzid.ts';
import { instantFromWall, namedZone, UTC, wallFromInstant, type Zone } from '../ical/zone.ts';
import type { CalendarZones } from '../ical/zones-of-calendar.ts';
import type { Where } from '../problem.ts';
import { rulesOf } from './apply-rules.ts';
import { conferenceFromEvent, imageFromEvent, organizersFromEvent, venueFromEvent, webAddressFrom } from './calendar-links.ts';
import { cutInWords, withinLimits } from './text-limits.ts';
import { cutTexts, descriptionElsewhere, descriptionFromEvent, isBusyOnly, titleFromEvent, withLink } from './calendar-words.ts';
import type { DraftSettings, EventDraft, EventFields, FeedReading, IdentityRungs } from './draft.ts';
import { categoriesFor, fingerprintOf, ruledOut, tagsFor } from './source-rules.ts';

/** A calendar → what it wants the site to hold within the source's window: one draft per occurrence. `profile` is that of its publisher. */
export function draftsFromCalendar(calendar: Calendar, settings: DraftSettings, profile?: Profile): FeedReading {
  const expansion = expandCalendar(calendar, settings);
  const problems = problemList();
  const contentOf = contentReader(calendar, expansion.zones, { settings, profile, problems });
  const shownZone = zoneOfUtcTimes(calendar, settings);
  reportMissingZone(calendar, expansion.occurrences, settings, problems);
  const rules = rulesOf(settings);
  const read = expansion.occurrences.map((occurrence) => draftFrom(occurrence, contentOf(occurrence.event), { settings, rules, calendar, shownZone, problems }));
  return {
    drafts: read.filter(({ because }) => because === null).map(({ draft }) => draft),
    excluded: read.flatMap(({ draft, because }) => (because === null ? [] : [{ rungs: draft.rungs, ...(draft.uid === undefined ? {} : { uid: draft.uid }), title: draft.fields.title, because }])),
    outside: expansion.outside, unread: expansion.unread, coversUntil: expansion.coversUntil, whole: { uids: expansion.wholeSeries, until: settings.window.to }, ...(profile?.identity ? { rung: profile.identity } : {}),
    problems: [...expansion.problems, ...problems.all()],
  };
}

function reportMissingZone({ timezone, timezones }: Calendar, occurrences: readonly Occurrence[], settings: DraftSettings, problems: ProblemList): void {
  const count = settings.timezone === undefined && timezone === null ? occurrences.filter(({ floating }) => floating).length : 0;
  const hint = timezones.size === 1 ? ` The feed describes ${[...timezones.keys()].join()}.` : '';
  const said = count === 1 ? 'One time in the feed says no time zone; it was' : `${count} times in the feed say no time zone; they were`;
  if (count > 0) problems.add('timezone-missing', `${said} read in ${settings.siteTimezone}. Set "timezone" for this source if that is wrong.${hint}`);
}

type Content = Omit<EventFields, 'start_date' | 'end_date' | 'timezone' | 'all_day'> & { readonly where: Where; readonly url: string | null; readonly because: string | null };

/** What all occurrences of a component share is worked out once. */
function contentReader(calendar: Calendar, zones: CalendarZones, context: Omit<ContentContext, 'hasImages'>): (event: CalendarEvent) => Content {
  const known = new Map<CalendarEvent, Content>();
  const hasImages = calendar.events.some((event) => imageFromEvent(event) !== '');
  return (event) => {
    const before = known.get(event);
    if (before) return before;
    const content = contentFrom(event, { ...context, hasImages });
    if (endsBeforeStart(event, zones)) context.problems.add('end-before-start', 'This event ends before it begins; it was given no length.', content.where);
    known.set(event, content);
    return content;
  };
}

interface ContentContext { readonly settings: DraftSettings; readonly profile: Profile | undefined; readonly hasImages: boolean; readonly problems: ProblemList }

function contentFrom(event: CalendarEvent, { settings, profile, hasImages, problems }: ContentContext): Content {
  const where = { line: event.line, ...(event.uid === null ? {} : { uid: event.uid.slice(0, 200) }) };
  const title = titleFromEvent(event, settings.language);
  if (title === '') problems.add('title-missing', 'This event has no title; it is published as "Untitled event".', where);
  const written = textOf(event.texts, 'URL');
  const own = webAddressFrom(written) ?? '';
  if (written !== '' && own === '') problems.add('address-unusable', `URL is no web address: "${written.slice(0, 80)}".`, where);
  const conference = conferenceFromEvent(event);
  const description = descriptionFromEvent(event, settings.language);
  const elsewhere = descriptionElsewhere(event);
  if (elsewhere !== '') problems.add('description-elsewhere', `The description stands elsewhere (${elsewhere.slice(0, 80)}), and DESCRIPTION is empty; nothing is fetched from there.`, where);
  const venue = venueFromEvent(event, profile?.location);
  const { fields, cut } = withinLimits({
    title: title === '' ? 'Untitled event' : title, status: settings.status,
    description: own !== '' && conference !== '' && conference !== own ? withLink(description, conference) : description,
    website: own === '' ? conference : own, ...(hasImages ? { image: imageFromEvent(event) } : {}), ...costOf(event),
    categories: categoriesFor(event.categories, settings), tags: tagsFor([], settings),
    venue: venue ? [venue] : settings.defaultVenue === undefined ? [] : [{ venue: settings.defaultVenue }],
    organizer: organizersFromEvent(event),
  });
  const long = cutTexts(event);
  // What is read of a text may fit, and be too long as HTML.
  for (const text of long.length > 0 ? long : cut) problems.add('text-cut', cutInWords(text), where);
  return { where, url: own || null, because: notPublic(event, settings), ...fields };
}

/** X-COST is what The Events Calendar and All-in-One Event Calendar write; Trumba has fields with names. */
const costOf = ({ texts }: CalendarEvent): Pick<EventFields, 'cost'> => {
  const named = texts['X-TRUMBA-CUSTOMFIELD']?.find(({ parameters }) => /^(?:cost|price|admission|fee|ticket price)s?$/i.test(parameters['NAME'] ?? ''))?.text ?? '';
  const cost = (textOf(texts, 'X-COST') || textOf(texts, 'X-BEDEWORK-COST') || named).trim().replace(/\s+/g, ' ').slice(0, 100);
  return cost === '' ? {} : { cost };
};

function notPublic(event: CalendarEvent, { everything }: DraftSettings): string | null {
  const access = textOf(event.texts, 'CLASS').toUpperCase();
  if (everything) return null;
  if (access === 'PRIVATE' || access === 'CONFIDENTIAL') return `${access.toLowerCase()} in the feed (CLASS)`;
  return isBusyOnly(event) ? 'shows only that someone is busy' : null;
}

interface DraftContext { readonly settings: DraftSettings; readonly rules: ReturnType<typeof rulesOf>; readonly calendar: Calendar; readonly shownZone: Zone; readonly problems: ProblemList }

/** What a site can show ends within the year 9999, in whatever zone. */
const LATEST = Date.UTC(9999, 11, 30);

function endingInTime(occurrence: Occurrence): Occurrence {
  if (occurrence.endWall <= LATEST && occurrence.endsAt <= LATEST) return occurrence;
  return { ...occurrence, endWall: LATEST, endsAt: instantFromWall(LATEST, occurrence.zone) };
}

function draftFrom(written: Occurrence, content: Content, context: DraftContext): { readonly draft: EventDraft; readonly because: string | null } {
  const { where, url, because, ...words } = content;
  const occurrence = endingInTime(written);
  const fields: EventFields = { ...words, ...timesOf(occurrence, where, context) };
  const rungs: IdentityRungs = {
    uid: occurrence.event.writtenUid, recurrenceId: occurrence.recurrenceId, url,
    fingerprint: fingerprintOf(fields.title, `${fields.start_date} ${fields.timezone}`, words.venue?.[0]?.venue ?? ''),
  };
  const state = context.calendar.method === 'CANCEL' ? 'cancelled' : occurrence.event.status;
  const texts = { uid: occurrence.event.uid, url, class: textOf(occurrence.event.texts, 'CLASS').toUpperCase() || 'PUBLIC' };
  const ruled = context.rules(fields, texts);
  const draft = { where, rungs, ...uidWithoutEscapes(occurrence.event), startsAt: occurrence.startsAt, endsAt: occurrence.endsAt, state, fields: ruled.fields, ...(ruled.rules.length > 0 ? { rules: ruled.rules } : {}) };
  return { draft, because: because ?? ruledOut(ruled.fields, texts, context.settings) };
}

const uidWithoutEscapes = ({ uid, writtenUid }: CalendarEvent): Pick<EventDraft, 'uid'> => (uid === null || uid === writtenUid ? {} : { uid });

type Times = Pick<EventFields, 'start_date' | 'end_date' | 'timezone' | 'all_day'>;

/** Digits and zone that read back as the occurrence's instants: in its zone, or else both in UTC. */
function timesOf(occurrence: Occurrence, where: Where, { shownZone, problems }: DraftContext): Times {
  const { startsAt, endsAt, startWall, endWall } = occurrence;
  if (occurrence.allDay || isMarkedAllDay(occurrence)) {
    return { all_day: true, start_date: siteDigits(startWall), end_date: siteDigits(endWall - 1000), timezone: sentZone(occurrence.zone.name ?? 'UTC') };
  }
  const zone = occurrence.zone === UTC ? shownZone : occurrence.zone;
  const isExact = zone.name !== null && [startsAt, endsAt].every((instant) => instantFromWall(wallFromInstant(instant, zone), zone) === instant);
  if (!isExact && zone.name !== null) problems.add('time-ambiguous', `The clocks change at this time in ${zone.name}; it is published in UTC.`, where);
  const shown = isExact ? zone : UTC;
  return { all_day: false, start_date: siteDigits(wallFromInstant(startsAt, shown)), end_date: siteDigits(wallFromInstant(endsAt, shown)), timezone: sentZone(shown.name ?? 'UTC') };
}

/** Outlook's all-day events stand from midnight to midnight of their zone, with a mark. */
function isMarkedAllDay({ event, startWall, endWall }: Occurrence): boolean {
  const isMarked = textOf(event.texts, 'X-MICROSOFT-CDO-ALLDAYEVENT').toUpperCase() === 'TRUE';
  return isMarked && endWall > startWall && startWall % DAY_MS === 0 && endWall % DAY_MS === 0;
}

const siteDigits = (wall: number): string => isoDigits(wall).replace('T', ' ');

/** UTC times are shown in the zone that the source or the calendar names, where there is one: nobody lives in UTC. */
function zoneOfUtcTimes(calendar: Calendar, { timezone }: DraftSettings): Zone {
  const name = timezone ?? zoneNameFromTzid(calendar.timezone ?? '');
  return (name === undefined ? undefined : namedZone(name)) ?? UTC;
}

