import { sentZone } from '../../contract/event-zone.ts';
import { textOf, timezoneOf, type Calendar } from '../../ical/read/calendar.ts';
import type { Expansion } from '../../ical/occurrences/expand-calendar.ts';
import type { Occurrence } from '../../ical/occurrences/occurrence.ts';
import type { ProblemList } from '../../ical/read/problem-list.ts';
import { isoDigits, type TimeValue } from '../../ical/read/time-value.ts';
import { zoneNameFromTzid } from '../../ical/read/tzid.ts';
import { instantFromWall, isRepeated, namedZone, UTC, wallFromInstant, type Zone } from '../../ical/times/zone.ts';
import type { Where } from '../../problem.ts';
import type { DraftSettings, EventFields } from '../model/draft.ts';
import { DAY_MS } from '../../time.ts';

/** The times of an occurrence. */
export interface ShownTimes {
  /** The times as sent to the site. */
  readonly fields: TimeFields;
  /**
   * The start as used in fingerprints: in UTC if the feed names no IANA zone, so that no setting changes an identity.
   */
  readonly fingerprint: string;
}

export type TimeFields = Pick<EventFields, 'start_date' | 'end_date' | 'timezone' | 'all_day'>;

/**
 * Chooses the zones in which a calendar's times are shown, and reports choices made because the feed names no zone. A
 * single such time is enough for a report, and reports give no counts, so any part of the feed reports the same.
 * Returns a function that gives the times of an occurrence; `where` locates the problems it reports.
 */
export function calendarTimes(
  calendar: Calendar,
  { occurrences, localZones }: Expansion,
  settings: DraftSettings,
  problems: ProblemList,
): (occurrence: Occurrence, where: Where) => ShownTimes {
  const utcIn = zonesOfUtcTimes(calendar, settings);
  reportMissingZone(calendar, occurrences, settings, problems);
  reportUtc(occurrences, utcIn, settings, problems);
  return (occurrence, where) => {
    const { zone } = occurrence;
    if (isAllDay(occurrence))
      return shownTimes(allDayFields(occurrence, localZones.get(zone) ?? zone), allDayFields(occurrence, zone));
    const { shownIn, knownIn } =
      zone === UTC ? utcIn(occurrence) : { shownIn: localZones.get(zone) ?? zone, knownIn: zone };
    const days = daysIn(occurrence, shownIn);
    if (days) return shownTimes(allDayFields(days, shownIn), clockFields(occurrence, knownIn));
    const isTwice = comesTwice(occurrence, shownIn);
    const fields = clockFields(occurrence, isTwice ? UTC : shownIn);
    if (shownIn.name !== null && fields.timezone !== shownIn.name)
      problems.add(
        'time-ambiguous',
        `The clocks change at this time in ${shownIn.name}; it is published in UTC.`,
        where,
      );
    const isKnown = knownIn === shownIn && !isTwice;
    return shownTimes(fields, isKnown ? fields : clockFields(occurrence, knownIn));
  };
}

const shownTimes = (fields: TimeFields, known: TimeFields): ShownTimes => ({
  fields: { ...fields, timezone: sentZone(fields.timezone) },
  fingerprint: `${known.start_date} ${known.timezone}`,
});

/**
 * The zone that the source or the calendar names for an event's UTC times, if any. Programs that write instants also
 * name UTC for the calendar, which is no zone to show them in.
 */
function namedForUtc({ kind }: TimeValue, ofCalendar: string | null, { timezone }: DraftSettings): Zone | undefined {
  if (timezone !== undefined) return namedZone(timezone);
  const name = zoneNameFromTzid(ofCalendar ?? '');
  const zone = name === undefined ? undefined : namedZone(name);
  return zone === UTC && kind === 'utc' ? undefined : zone;
}

/** The zone in which a time is shown, and the one that follows from the feed and the source's settings alone. */
interface UtcZones {
  readonly shownIn: Zone;
  readonly knownIn: Zone;
}

/**
 * Returns the zone in which UTC times are shown: the one that the source or the calendar names. If the feed has only
 * UTC and no zone, people expect local time, that is, the site's zone. `utc_times: utc` keeps them all in UTC.
 */
function zonesOfUtcTimes(calendar: Calendar, settings: DraftSettings): (occurrence: Occurrence) => UtcZones {
  const { siteTimezone, utcTimes } = settings;
  const namesZones = calendar.events.some(({ start, end }) => start.kind === 'zoned' || end?.kind === 'zoned');
  const unnamed = (namesZones ? undefined : namedZone(siteTimezone)) ?? UTC;
  const known = new Map<string, UtcZones>();
  return ({ event: { start } }) => {
    const timezone = timezoneOf(calendar, start);
    const key = `${start.kind} ${timezone}`;
    const before = known.get(key);
    if (before) return before;
    const named = namedForUtc(start, timezone, settings);
    const zones = { shownIn: utcTimes === 'utc' ? UTC : (named ?? unnamed), knownIn: named ?? UTC };
    known.set(key, zones);
    return zones;
  };
}

function reportMissingZone(
  calendar: Calendar,
  occurrences: readonly Occurrence[],
  settings: DraftSettings,
  problems: ProblemList,
): void {
  if (settings.timezone !== undefined) return;
  const isMissing = occurrences.some(({ floating, event }) => floating && timezoneOf(calendar, event.start) === null);
  if (!isMissing) return;
  const { timezones } = calendar;
  const hint = timezones.size === 1 ? ` The feed describes ${[...timezones.keys()].join()}.` : '';
  problems.add(
    'timezone-missing',
    `Times in the feed that say no time zone were read in ${settings.siteTimezone}. ` +
      `Set "timezone" for this source if that is wrong.${hint}`,
  );
}

/** Reports the zone in which UTC times are shown if neither the feed nor the source names one for them. */
function reportUtc(
  occurrences: readonly Occurrence[],
  utcIn: (occurrence: Occurrence) => UtcZones,
  { siteTimezone, timezone, utcTimes }: DraftSettings,
  problems: ProblemList,
): void {
  const unnamed = occurrences.filter(
    (each) => each.zone === UTC && each.event.start.kind === 'utc' && !isAllDay(each) && utcIn(each).knownIn === UTC,
  );
  if (unnamed.some((each) => utcIn(each).shownIn !== UTC))
    problems.add(
      'times-utc',
      `Times that the feed gives in UTC are shown in ${siteTimezone}, the site's zone, because the feed names no ` +
        'other. Set "timezone" for this source to show another zone, or "utc_times: utc" to leave UTC.',
    );
  else if (unnamed.length > 0 && timezone === undefined && utcTimes !== 'utc' && namedZone(siteTimezone) !== UTC)
    problems.add(
      'times-utc',
      'Times that the feed gives in UTC are shown in UTC, because other events name their zones. ' +
        'Set "timezone" for this source to show them on the clocks of a place.',
    );
}

/**
 * Whether an occurrence lasts whole days. Outlook writes those from midnight to midnight, with a flag; if in UTC, then
 * at the midnights of the zone in which they are shown.
 */
const isAllDay = (occurrence: Occurrence): boolean =>
  occurrence.allDay || (isMarkedAllDay(occurrence) && areWholeDays(occurrence));

type Walls = Pick<Occurrence, 'startWall' | 'endWall'>;

const areWholeDays = ({ startWall, endWall }: Walls): boolean =>
  endWall > startWall && startWall % DAY_MS === 0 && endWall % DAY_MS === 0;

const isMarkedAllDay = ({ event: { texts } }: Occurrence): boolean =>
  ALL_DAY_MARKS.some((name) => textOf(texts, name).toUpperCase() === 'TRUE');

const ALL_DAY_MARKS = ['X-MICROSOFT-CDO-ALLDAYEVENT', 'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT'] as const;

/** The whole days that a marked occurrence in UTC lasts in a zone; undefined if it lasts none. */
function daysIn(occurrence: Occurrence, zone: Zone): Walls | undefined {
  if (occurrence.zone !== UTC || !isMarkedAllDay(occurrence)) return undefined;
  const [startWall, endWall] = [wallFromInstant(occurrence.startsAt, zone), wallFromInstant(occurrence.endsAt, zone)];
  return areWholeDays({ startWall, endWall }) ? { startWall, endWall } : undefined;
}

const allDayFields = ({ startWall, endWall }: Walls, { name }: Zone): TimeFields => ({
  all_day: true,
  start_date: siteDigits(startWall),
  end_date: siteDigits(endWall - 1000),
  timezone: name ?? 'UTC',
});

/** Start and end as wall-clock times of a zone, or in UTC if they would be read back as other instants. */
function clockFields(occurrence: Occurrence, wanted: Zone): TimeFields {
  const zone = isExact(occurrence, wanted) ? wanted : UTC;
  const digits = (instant: number): string => siteDigits(wallFromInstant(instant, zone));
  return {
    all_day: false,
    start_date: digits(occurrence.startsAt),
    end_date: digits(occurrence.endsAt),
    timezone: zone.name ?? 'UTC',
  };
}

/**
 * Whether a time occurs twice, as in the hour when clocks go back. Sites choose either one: PHP takes the second east
 * of Greenwich and the first west of it.
 */
const comesTwice = ({ startsAt, endsAt }: Occurrence, zone: Zone): boolean =>
  [startsAt, endsAt].some((instant) => isRepeated(wallFromInstant(instant, zone), zone));

/** Whether wall-clock times in a zone are read back as the occurrence's instants. */
const isExact = ({ startsAt, endsAt }: Occurrence, zone: Zone): boolean =>
  zone.name !== null &&
  [startsAt, endsAt].every((instant) => instantFromWall(wallFromInstant(instant, zone), zone) === instant);

const siteDigits = (wall: number): string => isoDigits(wall).replace('T', ' ');
