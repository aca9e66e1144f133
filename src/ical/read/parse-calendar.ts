import { grouped } from '../../count-in-words.ts';
import type { Parsed, Where } from '../../problem.ts';
import type { Calendar, CalendarEvent, TimezoneRules } from './calendar.ts';
import { componentTree, type Component } from './component.ts';
import type { Section } from './content-lines.ts';
import { eventFromComponent } from './event-from-component.ts';
import { problemList, type OnlyCounted, type ProblemList } from './problem-list.ts';
import type { Property } from './property.ts';
import { durationFromText, offsetFromText, timeFromProperty, timeFromText } from './time-value.ts';
import { tzidKey } from './tzid.ts';
import { valuesFromProperties } from './values.ts';
import { withVenueNamed } from './venue-named.ts';
import { whereIn } from './uid.ts';

/** How many events of a feed are read. */
export const EVENTS_MAX = 100_000;

/**
 * Parses text, or sections of one, as a calendar (RFC 5545). Never fails: any text gives a value, plus a problem for each unreadable part.
 */
export function parseCalendar(text: string | readonly Section[], onlyCounted?: OnlyCounted): Parsed<Calendar> {
  const problems = problemList(onlyCounted);
  const root = componentTree(text, problems);
  const objects = [...calendarObjects(root)];
  const events: CalendarEvent[] = [];
  const unread: Where[] = [];
  const vevents = objects.flatMap((object, index) =>
    object.components.filter(({ name }) => name === 'VEVENT').map((vevent) => ({ vevent, index })),
  );
  const atVenue = withVenueNamed(objects, problems);
  for (const { vevent, index } of vevents.slice(0, EVENTS_MAX)) {
    const event = eventFromComponent(vevent, index, problems);
    if (event) events.push(atVenue(event));
    else unread.push(whereIn(vevent));
  }
  for (const { vevent } of vevents.slice(EVENTS_MAX)) unread.push(whereIn(vevent));
  if (vevents.length > EVENTS_MAX)
    problems.add(
      'too-many-events',
      `The feed has ${grouped(vevents.length)} events; only the first ${grouped(EVENTS_MAX)} were read.`,
    );
  return {
    value: { ...headOf(objects, problems), events, unread, timezones: timezonesOf(objects, problems) },
    problems: problems.all(),
  };
}

/**
 * The components that hold events: the VCALENDARs of a stream, including those inside nested and unknown components, or
 * the root if a program omitted the calendar.
 */
function* calendarObjects(root: Component): Generator<Component> {
  const waiting: Component[] = [root];
  for (let component = waiting.pop(); component !== undefined; component = waiting.pop()) {
    yield component;
    for (const inner of component.components.toReversed())
      if (inner.name !== 'VEVENT' && inner.name !== 'VTIMEZONE') waiting.push(inner);
  }
}

function headOf(
  objects: readonly Component[],
  problems: ProblemList,
): Omit<Calendar, 'events' | 'unread' | 'timezones'> {
  const head = objects.find(({ name, properties }) => name === 'VCALENDAR' && properties.length > 0)?.properties ?? [];
  const read = (...names: readonly string[]): string | null => {
    const property = names
      .map((name) => head.find((candidate) => candidate.name === name))
      .find((found) => found !== undefined);
    return property === undefined ? null : textOf(property, problems);
  };
  const refresh = durationFromText(read('REFRESH-INTERVAL', 'X-PUBLISHED-TTL') ?? '');
  return {
    name: read('X-WR-CALNAME', 'NAME'),
    productId: read('PRODID'),
    method: read('METHOD')?.toUpperCase() ?? null,
    timezone: read('X-WR-TIMEZONE', 'TIMEZONE-ID'),
    refreshSeconds: refresh ? Math.max(0, refresh.days * 86_400 + refresh.ms / 1000) : null,
  };
}

function textOf(property: Property, problems: ProblemList): string | null {
  try {
    return valuesFromProperties([{ ...property, name: 'X-HEAD' }]).texts['X-HEAD']?.[0]?.text.trim() || null;
  } catch (error) {
    problems.add('property-unreadable', `${property.name} could not be read: ${String(error)}.`, {
      line: property.line,
    });
    return null;
  }
}

function timezonesOf(objects: readonly Component[], problems: ProblemList): Map<string, TimezoneRules> {
  const timezones = new Map<string, TimezoneRules>();
  for (const component of objects
    .flatMap((object) => object.components.filter(({ name }) => name === 'VTIMEZONE'))
    .slice(0, 2_000)) {
    const tzid = tzidKey(first(component, 'TZID')?.value ?? '');
    const rules = tzid
      ? {
          tzid,
          line: component.line,
          location: first(component, 'X-LIC-LOCATION')?.value.trim() ?? null,
          observances: component.components.flatMap(observancesOf),
        }
      : undefined;
    if (!rules || rules.observances.length === 0)
      problems.add('timezone-unreadable', 'This VTIMEZONE has no TZID or no offsets and is not used.', {
        line: component.line,
      });
    else if (!timezones.has(rules.tzid)) timezones.set(rules.tzid, rules);
  }
  return timezones;
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
