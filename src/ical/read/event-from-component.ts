import { grouped } from '../../count-in-words.ts';
import type { FeedCode } from '../../feed-codes.ts';
import { textOf, type CalendarEvent, type Place } from './calendar.ts';
import type { Component } from './component.ts';
import type { ProblemList } from './problem-list.ts';
import type { Property } from './property.ts';
import {
  durationFromText,
  endFromProperty,
  periodFromText,
  timeFromProperty,
  timeFromText,
  type Duration,
  type Period,
  type TimeValue,
} from './time-value.ts';
import { uidOf, whereOf } from './uid.ts';
import { valuesFromProperties, type ComponentValues } from './values.ts';

const DATES_MAX = 50_000;
const RULES_MAX = 20;

/** What the VCALENDAR around an event says about it. */
export interface Surroundings {
  /** METHOD:CANCEL (RFC 5546, 3.2.5). */
  readonly isCancelled: boolean;
  /** See `TimeValue`. */
  readonly object: number | undefined;
}

/**
 * The event of a VEVENT component; undefined (with a problem) if it has no readable start or its values cannot be read.
 */
export function eventFromComponent(
  component: Component,
  surroundings: Surroundings,
  problems: ProblemList,
): CalendarEvent | undefined {
  const values = readValues(component, problems);
  if (!values) return undefined;
  const properties = byName(component.properties);
  const { value: uid = null, written: writtenUid = null } = uidOf(component) ?? {};
  const where = whereOf({ line: component.line, uid });
  const report = (code: FeedCode, message: string, property?: Property): void =>
    problems.add(code, message, property ? { ...where, line: property.line } : where);
  const recurrenceId = single(properties, 'RECURRENCE-ID', report) ?? null;
  const status = statusOf(values, surroundings);
  const start = startOf(properties, status, recurrenceId, report);
  if (!start) return undefined;
  const { rules, exclusionRules } = rulesOf(properties, report);
  const event = {
    line: component.line,
    uid,
    writtenUid,
    sequence: values.sequence,
    start,
    recurrenceId,
    thisAndFuture: isThisAndFuture(properties),
    end: endOf(properties, start, report),
    duration: durationOf(properties, report),
    rules,
    exclusionRules,
    rdates: listOf(properties, 'RDATE', periodFromText, report),
    exdates: listOf(properties, 'EXDATE', timeFromText, report),
    revisedAt: (single(properties, 'LAST-MODIFIED', report) ?? single(properties, 'DTSTAMP', report))?.wall ?? 0,
    status,
    categories: values.categories,
    geo: values.geo,
    texts: values.texts,
    places: component.components
      .filter(isPlace)
      .slice(0, 5)
      .flatMap((place) => placeFromComponent(place, problems) ?? []),
  };
  return inObject(event, surroundings);
}

/** Assigns an event's times to a VCALENDAR. */
function inObject(event: CalendarEvent, { object }: Surroundings): CalendarEvent {
  if (object === undefined) return event;
  const inIt = (time: TimeValue): TimeValue => ({ ...time, object });
  const { start, end, recurrenceId, rdates, exdates } = event;
  return {
    ...event,
    start: inIt(start),
    end: end && inIt(end),
    recurrenceId: recurrenceId && inIt(recurrenceId),
    rdates: rdates.map((period) => ({ ...period, start: inIt(period.start), end: period.end && inIt(period.end) })),
    exdates: exdates.map(inIt),
  };
}

export const isPlace = ({ name }: Component): boolean => name === 'VLOCATION' || name === 'VVENUE';

/** The place that a VLOCATION or VVENUE describes; undefined (with a problem) if it cannot be read. */
export function placeFromComponent(component: Component, problems: ProblemList): Place | undefined {
  const values = readValues(component, problems);
  return values && { texts: values.texts, geo: values.geo };
}

type Report = (code: FeedCode, message: string, property?: Property) => void;
type ByName = ReadonlyMap<string, readonly Property[]>;

function readValues(component: Component, problems: ProblemList): ComponentValues | undefined {
  try {
    return valuesFromProperties(component.properties.map((property) => ofReadableLength(property, problems)));
  } catch (error) {
    problems.add('event-unreadable', `This ${component.name} could not be read: ${String(error)}.`, {
      line: component.line,
    });
    return undefined;
  }
}

/** Nobody has written a longer text; reading all of it would cost more than the event is worth. */
const VALUE_MAX = 4_000_000;

function ofReadableLength(property: Property, problems: ProblemList): Property {
  const { name, value, line } = property;
  if (value.length <= VALUE_MAX) return property;
  problems.add(
    'text-cut',
    `${name} has ${grouped(value.length)} characters; only the first ${grouped(VALUE_MAX)} were read.`,
    { line },
  );
  return { ...property, value: value.slice(0, VALUE_MAX) };
}

function byName(properties: readonly Property[]): ByName {
  const map = new Map<string, Property[]>();
  for (const property of properties) {
    const known = map.get(property.name);
    if (known) known.push(property);
    else map.set(property.name, [property]);
  }
  return map;
}

/**
 * A property that may occur once: the first readable one counts, and repetitions are reported. `otherwise` says what
 * happens to the event if none is readable.
 */
function single(
  properties: ByName,
  name: string,
  report: Report,
  otherwise?: string,
  read: (property: Property) => TimeValue | undefined = timeFromProperty,
): TimeValue | undefined {
  const written = properties.get(name) ?? [];
  if (written.length > 1)
    report('property-repeated', `${name} appears ${written.length} times; the first readable one is used.`, written[1]);
  const tried = written.slice(0, 10).map((property) => ({ property, time: read(property) }));
  const first = tried.findIndex(({ time }) => time !== undefined);
  const consequence = first < 0 && otherwise !== undefined ? `; ${otherwise}` : '';
  for (const { property } of first < 0 ? tried : tried.slice(0, first))
    if (property.value.trim() !== '')
      report(
        'date-unreadable',
        `${name} is not a valid date or time: "${property.value.slice(0, 60)}"${consequence}.`,
        property,
      );
  return tried[first]?.time;
}

function startOf(
  properties: ByName,
  status: CalendarEvent['status'],
  recurrenceId: TimeValue | null,
  report: Report,
): TimeValue | undefined {
  const start = single(properties, 'DTSTART', report, 'the event was left out');
  if (start || properties.get('DTSTART')?.some(({ value }) => value.trim() !== '')) return start;
  // A cancelled instance may have only a RECURRENCE-ID.
  if (status === 'cancelled' && recurrenceId) return recurrenceId;
  report('event-without-start', 'This event has no DTSTART and was left out.');
  return undefined;
}

/** An end without a zone is in the zone of its start (3.8.2.2). */
function endOf(properties: ByName, start: TimeValue, report: Report): TimeValue | null {
  const otherwise = properties.has('DURATION') ? 'DURATION counts' : NO_LENGTH;
  const end = single(properties, 'DTEND', report, otherwise, endFromProperty);
  return end?.kind === 'floating' && start.kind !== 'date' ? { ...start, wall: end.wall } : (end ?? null);
}

const NO_LENGTH = 'the event was given no length';

const isThisAndFuture = (properties: ByName): boolean =>
  properties.get('RECURRENCE-ID')?.[0]?.parameters['RANGE']?.toUpperCase() === 'THISANDFUTURE';

function durationOf(properties: ByName, report: Report): Duration | null {
  const property = properties.get('DURATION')?.[0];
  if (!property) return null;
  const duration = durationFromText(property.value);
  if (!duration)
    report(
      'duration-unreadable',
      `DURATION is not a valid duration: "${property.value.slice(0, 60)}"; ${NO_LENGTH}.`,
      property,
    );
  return duration ?? null;
}

function rulesOf(properties: ByName, report: Report): Pick<CalendarEvent, 'rules' | 'exclusionRules'> {
  const take = (name: string): { text: string; line: number }[] => {
    const written = properties.get(name) ?? [];
    if (written.length > RULES_MAX)
      report(
        'too-many-rules',
        `${written.length} ${name} lines in one event; only the first ${RULES_MAX} were read.`,
        written[RULES_MAX],
      );
    return written.slice(0, RULES_MAX).map(({ value, line }) => ({ text: value, line }));
  };
  return { rules: take('RRULE'), exclusionRules: take('EXRULE') };
}

function listOf<T extends TimeValue | Period>(
  properties: ByName,
  name: string,
  read: (text: string, parameters: Readonly<Record<string, string>>) => T | undefined,
  report: Report,
): T[] {
  const values: T[] = [];
  for (const property of properties.get(name) ?? []) {
    // Some programs write semicolons, which no date contains.
    for (const text of property.value.split(/[,;]/)) {
      if (text.trim() === '') continue;
      const value = read(text.trim(), property.parameters);
      if (values.length >= DATES_MAX) {
        report(
          'too-many-dates',
          `More than ${grouped(DATES_MAX)} ${name} values in one event; the rest were not read.`,
          property,
        );
        return values;
      }
      if (value) values.push(value);
      else report('date-unreadable', `${name} is not a valid date or time: "${text.slice(0, 60)}".`, property);
    }
  }
  return values;
}

const STATUSES: Readonly<Record<string, CalendarEvent['status']>> = {
  CANCELLED: 'cancelled',
  CANCELED: 'cancelled',
  TENTATIVE: 'tentative',
};
const statusOf = ({ texts }: ComponentValues, { isCancelled }: Surroundings): CalendarEvent['status'] =>
  isCancelled ? 'cancelled' : (STATUSES[textOf(texts, 'STATUS').toUpperCase()] ?? 'confirmed');
