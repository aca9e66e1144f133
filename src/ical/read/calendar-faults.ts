import type { Problem } from '../../problem.ts';
import { componentTree, type Component } from './component.ts';
import { problemList, type ProblemList } from './problem-list.ts';
import type { Property } from './property.ts';
import { tzidKey, zoneNameFromTzid, shownTzid } from './tzid.ts';
import { uidOf, whereIn } from './uid.ts';

const GOOGLE_BYTES_MAX = 1_000_000;
const LINE_OCTETS_MAX = 75;

/**
 * Faults in a readable feed that other calendar programs may reject or misread, for a report to its publisher (based on
 * RFC 5545 and the known behaviour of programs). `bytes` is the size of the feed.
 */
export function calendarFaults(text: string, bytes: number): readonly Problem[] {
  const problems = problemList();
  const root = componentTree(text, problemList());
  const calendar = root.components.find(({ name }) => name === 'VCALENDAR') ?? root;
  const events = eventsIn(root);
  checkForm(text, bytes, problems);
  checkHead(calendar, problems);
  checkZones(root, events, problems);
  for (const event of events) checkEvent(event, problems);
  const [firstEvent] = events;
  if (firstEvent && !events.some((event) => first(event, 'SEQUENCE') ?? first(event, 'LAST-MODIFIED')))
    problems.add('revision-missing', 'No event has a SEQUENCE or a LAST-MODIFIED.', { line: firstEvent.line });
  return problems.all();
}

const first = (component: Component, name: string): Property | undefined =>
  component.properties.find((property) => property.name === name);

function eventsIn(component: Component): readonly Component[] {
  const found: Component[] = [];
  const waiting = [component];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.name === 'VEVENT') found.push(next);
    else waiting.push(...next.components.toReversed());
  }
  return found;
}

function checkForm(text: string, bytes: number, problems: ProblemList): void {
  if (/^[\s\uFEFF]/.test(text))
    problems.add(
      'begin-not-first',
      'The feed does not begin with BEGIN:VCALENDAR; there are invisible characters before it.',
      { line: 1 },
    );
  if (bytes > GOOGLE_BYTES_MAX) problems.add('feed-heavy', `The feed is ${(bytes / 1e6).toFixed(1)} MB in size.`);
  const bare = text.replace(/\r\n/g, '').match(/[\r\n]/g)?.length ?? 0;
  if (bare > 0) problems.add('line-ends', `${bare} lines end with only LF or CR.`);
  const octets = new TextEncoder();
  const long = text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({
      length: line.length > LINE_OCTETS_MAX / 4 ? octets.encode(line).length : 0,
      line: index + 1,
    }))
    .filter(({ length }) => length > LINE_OCTETS_MAX);
  const [firstLong] = long;
  if (firstLong)
    problems.add(
      'line-long',
      `${long.length} lines are longer than ${LINE_OCTETS_MAX} octets; the longest has ${long.reduce((most, { length }) => Math.max(most, length), 0)}.`,
      { line: firstLong.line },
    );
}

function checkHead(calendar: Component, problems: ProblemList): void {
  const lacking = ['VERSION', 'PRODID'].filter((name) => !first(calendar, name));
  if (lacking.length > 0)
    problems.add('head-missing', `The calendar has no ${lacking.join(' and no ')}.`, { line: calendar.line });
  const refresh = first(calendar, 'REFRESH-INTERVAL');
  if (refresh && (refresh.parameters['VALUE']?.toUpperCase() !== 'DURATION' || !/^P/i.test(refresh.value.trim())))
    problems.add('refresh-form', 'REFRESH-INTERVAL is not written as a DURATION.', { line: refresh.line });
}

/** Reports zones that the feed does not describe, and times without any zone. */
function checkZones(root: Component, events: readonly Component[], problems: ProblemList): void {
  const described = new Set(
    root.components
      .flatMap(({ components }) => components)
      .filter(({ name }) => name === 'VTIMEZONE')
      .map((zone) => tzidKey(first(zone, 'TZID')?.value ?? '')),
  );
  const reported = new Set<string>();
  for (const event of events) {
    const start = first(event, 'DTSTART');
    const tzid = zoneKeyOf(start);
    // Unknown names are reported where their times are read.
    if (tzid === '' || described.has(tzid) || reported.has(tzid) || zoneNameFromTzid(tzid) === undefined) continue;
    reported.add(tzid);
    problems.add(
      'timezone-undescribed',
      `The feed uses the zone "${shownTzid(tzid)}", but has no VTIMEZONE for it.`,
      whereIn(event, start),
    );
  }
  const floating = events.filter((event) => isFloating(first(event, 'DTSTART')));
  const [firstFloating] = floating;
  if (firstFloating)
    problems.add('times-floating', `${floating.length} events have times without a zone.`, whereIn(firstFloating));
}

const zoneKeyOf = (property: Property | undefined): string => tzidKey(property?.parameters['TZID'] ?? '');

const isFloating = (property: Property | undefined): boolean =>
  zoneKeyOf(property) === '' && /T\d{4,6}$/i.test(property?.value.trim() ?? '');

const isDay = (property: Property | undefined): property is Property => /^\d{8}$/.test(property?.value.trim() ?? '');

function checkEvent(event: Component, problems: ProblemList): void {
  if (!uidOf(event)) problems.add('uid-missing', 'This event has no UID.', whereIn(event));
  if (!first(event, 'DTSTAMP')) problems.add('dtstamp-missing', 'This event has no DTSTAMP.', whereIn(event));
  checkDays(event, problems);
  const html = first(event, 'DESCRIPTION');
  if (html && /<(?:p|br|div|a|b|strong|ul|li|span)\b[^<>]*>/i.test(html.value))
    problems.add('html-in-description', 'DESCRIPTION contains HTML.', whereIn(event, html));
  const [rule, dates] = [first(event, 'RRULE'), first(event, 'RDATE')];
  if (rule) checkRule(event, rule, problems);
  else if (dates)
    problems.add('rdate-alone', 'This series is a list of dates (RDATE) without a rule.', whereIn(event, dates));
}

function checkDays(event: Component, problems: ProblemList): void {
  const [start, end] = [first(event, 'DTSTART'), first(event, 'DTEND')];
  if (isDay(start) && start.parameters['VALUE']?.toUpperCase() !== 'DATE')
    problems.add('date-undeclared', 'A date is written without VALUE=DATE.', whereIn(event, start));
  if (start && end && isDay(start) !== isDay(end))
    problems.add('end-of-other-kind', 'One of DTSTART and DTEND is a date, the other a time.', whereIn(event, end));
  if (isDay(start) && isDay(end) && start.value.trim() === end.value.trim())
    problems.add(
      'end-is-start',
      'DTEND is the same day as DTSTART, but the end date is exclusive.',
      whereIn(event, end),
    );
}

function checkRule(event: Component, rule: Property, problems: ProblemList): void {
  const parts = new Map(
    rule.value
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=', 2) as [string, string]),
  );
  if (/T\d{6}$/.test(parts.get('UNTIL') ?? '') && first(event, 'DTSTART')?.parameters['TZID'])
    problems.add('until-not-utc', 'The series has a time zone, but its UNTIL is not in UTC.', whereIn(event, rule));
  if (isBeyondOutlook(parts))
    problems.add('rule-rare', 'Outlook does not support this recurrence rule.', whereIn(event, rule));
}

function isBeyondOutlook(parts: ReadonlyMap<string, string>): boolean {
  const numberedDays = (parts.get('BYDAY') ?? '').split(',').filter((day) => /\d/.test(day));
  return (
    numberedDays.length > 1 ||
    (parts.get('BYMONTHDAY') ?? '').includes(',') ||
    parts.has('BYYEARDAY') ||
    parts.has('BYWEEKNO') ||
    /^(?:HOURLY|MINUTELY|SECONDLY)$/.test(parts.get('FREQ') ?? '')
  );
}
