import type { Calendar, ObjectZones, TimezoneRules } from './calendar.ts';
import type { Component, EventHolder } from './component.ts';
import { textIn } from './values.ts';
import type { ProblemList } from './problem-list.ts';
import type { Property } from './property.ts';
import { offsetFromText, timeFromProperty, timeFromText } from './time-value.ts';
import { tzidKey } from './tzid.ts';

/** The properties that name the zone for floating times. */
const TIMEZONE = ['X-WR-TIMEZONE', 'TIMEZONE-ID'] as const;

/** What a feed says about time zones. */
export interface ZonesIn extends Pick<Calendar, 'timezone' | 'timezones' | 'objects'> {
  /**
   * The index in `objects` for a VCALENDAR; undefined if it says nothing that differs from what the feed says first.
   */
  readonly objectOf: (calendar: Component) => number | undefined;
}

/**
 * What the VCALENDARs of a feed say about zones (RFC 5545, 3.6.5). Those that say the same share an object, because a
 * feed may consist of thousands of VCALENDARs with one event each.
 */
export function zonesIn(holders: readonly EventHolder[], problems: ProblemList): ZonesIn {
  const tellTooMany = toldOnce(problems);
  const { timezones, byCalendar } = timezonesIn(holders, problems, tellTooMany);
  const objects: ObjectZones[] = [];
  const [indexes, objectsOf] = [new Map<string, number>(), new Map<Component, number>()];
  const calendars = new Set(holders.map(({ calendar }) => calendar));
  const named = new Map([...calendars].map((calendar) => [calendar, textIn(calendar, problems, ...TIMEZONE)] as const));
  const [timezone = null] = named.values();
  for (const [calendar, own] of named) {
    const others = [...(byCalendar.get(calendar) ?? [])].filter(([tzid, rules]) => timezones.get(tzid) !== rules);
    const zones = { timezone: own === timezone ? null : own, timezones: new Map(others) };
    if (zones.timezone === null && others.length === 0) continue;
    const key = JSON.stringify([zones.timezone, ...others.map(([, { line }]) => line)]);
    if (!indexes.has(key) && objects.length >= TIMEZONES_MAX) {
      tellTooMany(calendar.line);
      continue;
    }
    const index = indexes.get(key) ?? objects.push(zones) - 1;
    indexes.set(key, index);
    objectsOf.set(calendar, index);
  }
  return { timezone, timezones, objects, objectOf: (calendar) => objectsOf.get(calendar) };
}

/** Finding out which zone a description means may take long. */
const TIMEZONES_MAX = 2_000;

/** Reports once that the feed says too much about zones, with the first line that is no longer used. */
function toldOnce(problems: ProblemList): (line: number) => void {
  let isTold = false;
  return (line) => {
    if (!isTold)
      problems.add(
        'timezones-too-many',
        `The feed describes time zones in more than ${TIMEZONES_MAX} ways; ` +
          'from here on new ones are not used; the first description of each zone is.',
        { line },
      );
    isTold = true;
  };
}

interface Timezones {
  /** The first description of each TZID. */
  readonly timezones: ReadonlyMap<string, TimezoneRules>;
  readonly byCalendar: ReadonlyMap<Component, ReadonlyMap<string, TimezoneRules>>;
}

function timezonesIn(
  holders: readonly EventHolder[],
  problems: ProblemList,
  tellTooMany: (line: number) => void,
): Timezones {
  const timezones = new Map<string, TimezoneRules>();
  const byCalendar = new Map<Component, Map<string, TimezoneRules>>();
  const rulesOf = rulesReader();
  for (const { component, calendar } of holders) {
    for (const timezone of component.components.filter(({ name }) => name === 'VTIMEZONE')) {
      const rules = rulesOf(timezone);
      if (rules === null)
        problems.add('timezone-unreadable', 'This VTIMEZONE has no TZID or no offsets and is not used.', {
          line: timezone.line,
        });
      if (rules === undefined) tellTooMany(timezone.line);
      if (!rules) continue;
      const own = byCalendar.get(calendar) ?? new Map<string, TimezoneRules>();
      byCalendar.set(calendar, own);
      if (!own.has(rules.tzid)) own.set(rules.tzid, rules);
      if (!timezones.has(rules.tzid)) timezones.set(rules.tzid, rules);
    }
  }
  return { timezones, byCalendar };
}

/**
 * Reads each distinct VTIMEZONE once, however often it is repeated. Gives null if it is unusable, undefined if there
 * are too many.
 */
function rulesReader(): (timezone: Component) => TimezoneRules | null | undefined {
  const known = new Map<string, TimezoneRules | null>();
  return (timezone) => {
    const key = [timezone, ...timezone.components].map(linesOf).join('\n');
    const before = known.get(key);
    if (before !== undefined || known.size >= TIMEZONES_MAX) return before;
    const rules = rulesFrom(timezone);
    known.set(key, rules);
    return rules;
  };
}

const linesOf = ({ name, properties }: Component): string =>
  [name, ...properties.map((property) => `${property.name}:${property.value}`)].join('\n');

function rulesFrom(timezone: Component): TimezoneRules | null {
  const tzid = tzidKey(first(timezone, 'TZID')?.value ?? '');
  const observances = timezone.components.flatMap(observancesOf);
  if (tzid === '' || observances.length === 0) return null;
  const location = first(timezone, 'X-LIC-LOCATION')?.value.trim() ?? null;
  return { tzid, line: timezone.line, location, observances };
}

const first = (component: Component, name: string): Property | undefined =>
  component.properties.find((property) => property.name === name);
const all = (component: Component, name: string): Property[] =>
  component.properties.filter((property) => property.name === name);

function observancesOf(component: Component): TimezoneRules['observances'] {
  const property = first(component, 'DTSTART');
  const start = property && timeFromProperty({ ...property, parameters: {} });
  const offsetTo = offsetFromText(first(component, 'TZOFFSETTO')?.value ?? '');
  const offsetFrom = offsetFromText(first(component, 'TZOFFSETFROM')?.value ?? '') ?? offsetTo;
  if (
    !['STANDARD', 'DAYLIGHT'].includes(component.name) ||
    !start ||
    offsetTo === undefined ||
    offsetFrom === undefined
  )
    return [];
  const rdates = all(component, 'RDATE')
    .flatMap(({ value }) => value.split(',', 2_000))
    .flatMap((text) => timeFromText(text.trim(), {})?.wall ?? []);
  return [
    {
      start: start.wall,
      offsetFrom,
      offsetTo,
      rules: all(component, 'RRULE')
        .slice(0, 10)
        .map(({ value }) => value),
      rdates,
    },
  ];
}
