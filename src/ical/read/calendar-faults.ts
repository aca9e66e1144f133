import type { Problem } from '../../problem.ts';
import { componentTree, type Component } from './component.ts';
import { problemList, type ProblemList } from './problem-list.ts';
import type { Property } from './property.ts';
import { tzidKey, zoneNameFromTzid } from './tzid.ts';
import { uidOf } from './uid.ts';

const GOOGLE_BYTES_MAX = 1_000_000;
const LINE_OCTETS_MAX = 75;

/** What a calendar program other than this one may stumble over in a feed that is read here all the same: for a report to its publisher (RFC 5545, and what programs are known to do). `bytes` is the size of the feed. */
export function calendarFaults(text: string, bytes: number): readonly Problem[] {
  const problems = problemList();
  const root = componentTree(text, problemList());
  const calendar = root.components.find(({ name }) => name === 'VCALENDAR') ?? root;
  const events = eventsIn(root);
  checkForm(text, bytes, problems);
  checkHead(calendar, problems);
  checkZones(root, events, problems);
  for (const event of events) checkEvent(event, problems);
  if (events.length > 0 && !events.some((event) => first(event, 'SEQUENCE') ?? first(event, 'LAST-MODIFIED')))
    problems.add('revision-missing', 'No event has a SEQUENCE or a LAST-MODIFIED.', { line: events[0]!.line });
  return problems.all();
}

const first = (component: Component, name: string): Property | undefined =>
  component.properties.find((property) => property.name === name);

function eventsIn(component: Component): readonly Component[] {
  const found: Component[] = [];
  const waiting = [component];
  while (waiting.length > 0) {
    const next = waiting.pop()!;
    if (next.name === 'VEVENT') found.push(next);
    else waiting.push(...next.components.toReversed());
  }
  return found;
}

function checkForm(text: string, bytes: number, problems: ProblemList): void {
  const before = /^[\s\uFEFF]*/.exec(text)![0];
  if (before !== '')
    problems.add(
      'begin-not-first',
      'The feed does not begin with BEGIN:VCALENDAR; something invisible stands before it.',
      { line: 1 },
    );
  if (bytes > GOOGLE_BYTES_MAX) problems.add('feed-heavy', `The feed has ${(bytes / 1e6).toFixed(1)} MB.`);
  const bare = text.replace(/\r\n/g, '').match(/[\r\n]/g)?.length ?? 0;
  if (bare > 0) problems.add('line-ends', `${bare} lines end with LF or CR alone.`);
  const octets = new TextEncoder();
  const long = text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({
      length: line.length > LINE_OCTETS_MAX / 4 ? octets.encode(line).length : 0,
      line: index + 1,
    }))
    .filter(({ length }) => length > LINE_OCTETS_MAX);
  if (long.length > 0)
    problems.add(
      'line-long',
      `${long.length} lines have more than ${LINE_OCTETS_MAX} octets; the longest has ${long.reduce((most, { length }) => Math.max(most, length), 0)}.`,
      { line: long[0]!.line },
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

/** Times that name a zone which the feed does not describe, and times that name none. */
function checkZones(root: Component, events: readonly Component[], problems: ProblemList): void {
  const described = new Set(
    root.components
      .flatMap(({ components }) => components)
      .filter(({ name }) => name === 'VTIMEZONE')
      .map((zone) => tzidKey(first(zone, 'TZID')?.value ?? '')),
  );
  const said = new Set<string>();
  let floating = 0;
  for (const { start, event } of events.map((each) => ({ event: each, start: first(each, 'DTSTART') }))) {
    const tzid = tzidKey(start?.parameters['TZID'] ?? '');
    if (tzid === '' && /T\d{4,6}$/i.test(start?.value.trim() ?? '')) floating += 1;
    // A name that nobody knows is told when its times are read.
    if (tzid === '' || described.has(tzid) || said.has(tzid) || zoneNameFromTzid(tzid) === undefined) continue;
    said.add(tzid);
    problems.add(
      'timezone-undescribed',
      `The feed uses the zone "${tzid.slice(0, 80)}", and has no VTIMEZONE for it.`,
      placeOf(event, start),
    );
  }
  if (floating > 0)
    problems.add(
      'times-floating',
      `${floating} events have times without a zone.`,
      placeOf(
        events.find(
          (event) =>
            /T\d{4,6}$/i.test(first(event, 'DTSTART')?.value.trim() ?? '') &&
            !first(event, 'DTSTART')!.parameters['TZID'],
        )!,
      ),
    );
}

function placeOf(event: Component, property?: Property): Problem['where'] {
  const uid = uidOf(event)?.value;
  return { line: property?.line ?? event.line, ...(uid ? { uid: uid.slice(0, 200) } : {}) };
}

function checkEvent(event: Component, problems: ProblemList): void {
  const [start, end, rule] = [first(event, 'DTSTART'), first(event, 'DTEND'), first(event, 'RRULE')];
  if (!uidOf(event)) problems.add('uid-missing', 'This event has no UID.', placeOf(event));
  if (!first(event, 'DTSTAMP')) problems.add('dtstamp-missing', 'This event has no DTSTAMP.', placeOf(event));
  const [isDay, endsOnDay] = [start, end].map((property) => /^\d{8}$/.test(property?.value.trim() ?? ''));
  if (isDay && start!.parameters['VALUE']?.toUpperCase() !== 'DATE')
    problems.add('date-undeclared', 'A date stands without VALUE=DATE.', placeOf(event, start));
  if (start && end && isDay !== endsOnDay)
    problems.add('end-of-other-kind', 'Of DTSTART and DTEND one is a day, the other a time.', placeOf(event, end));
  if (isDay && endsOnDay && start!.value.trim() === end!.value.trim())
    problems.add('end-is-start', 'DTEND is the day of DTSTART: the end of days is exclusive.', placeOf(event, end));
  const html = first(event, 'DESCRIPTION');
  if (html && /<(?:p|br|div|a|b|strong|ul|li|span)\b[^<>]*>/i.test(html.value))
    problems.add('html-in-description', 'DESCRIPTION holds HTML.', placeOf(event, html));
  if (rule) checkRule(event, rule, start, problems);
  else if (first(event, 'RDATE'))
    problems.add(
      'rdate-alone',
      'This series is a list of dates (RDATE) without a rule.',
      placeOf(event, first(event, 'RDATE')),
    );
}

function checkRule(event: Component, rule: Property, start: Property | undefined, problems: ProblemList): void {
  const parts = new Map(
    rule.value
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=', 2) as [string, string]),
  );
  const until = parts.get('UNTIL') ?? '';
  if (/T\d{6}$/.test(until) && start?.parameters['TZID'])
    problems.add('until-not-utc', 'UNTIL of a series with a zone is not in UTC.', placeOf(event, rule));
  const nths = (parts.get('BYDAY') ?? '').split(',').filter((day) => /\d/.test(day)).length;
  const isBeyond =
    nths > 1 ||
    (parts.get('BYMONTHDAY') ?? '').includes(',') ||
    parts.has('BYYEARDAY') ||
    parts.has('BYWEEKNO') ||
    /^(?:HOURLY|MINUTELY|SECONDLY)$/.test(parts.get('FREQ') ?? '');
  if (isBeyond) problems.add('rule-rare', 'The rule is more than Outlook knows.', placeOf(event, rule));
}
