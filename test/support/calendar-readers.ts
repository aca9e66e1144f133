import { readFileSync } from 'node:fs';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import type { Event } from '../../src/contract/representation.ts';
import { decodeEntities } from '../../src/html/references.ts';
import { textFromHtml } from '../../src/html/text.ts';
import { withoutPrefix } from '../../src/contract/cancelled-title.ts';
import { stateFromTags } from '../../src/sync/model/state-tags.ts';
import { output, isInstalled } from './program.ts';

/** An event as a program reads it: instants in epoch milliseconds, all-day events as dates with an exclusive end. */
export interface Reading {
  readonly uid: string;
  readonly title: string;
  readonly start: number | string;
  readonly end: number | string;
}

/** Reads all events of a calendar file. */
export type Read = (file: string) => readonly Reading[];

/**
 * Independent programs and libraries. Those that are not installed are reported on stderr and left out; on CI that is
 * an error.
 */
export function calendarReaders(): Readonly<Record<string, Read>> {
  return {
    'ical.js': readByIcalJs,
    'node-ical': readByNodeIcal,
    ...(isInstalled('/usr/bin/python3', ['-c', 'import icalendar'], 'apt-get install python3-icalendar')
      ? { 'python3-icalendar': (file: string) => readByPython(ICALENDAR, file) }
      : {}),
    ...(isInstalled('/usr/bin/python3', ['-c', LIBICAL_NEEDS], 'apt-get install python3-gi gir1.2-ical-3.0')
      ? { libical: (file: string) => readByPython(LIBICAL, file) }
      : {}),
  };
}

/**
 * The events of the list endpoint as programs should read them in a feed. A cancelled event says so in its STATUS, not
 * in its title.
 */
export const readingsOfList = (events: readonly Event[]): readonly string[] =>
  comparableLines(
    events.map((event) => {
      const title = /</.test(event.title) ? textFromHtml(event.title) : decodeEntities(event.title);
      return {
        uid: '',
        title: stateFromTags(event.tags.map(({ name }) => name)) === 'cancelled' ? withoutPrefix(title) : title,
        start: event.all_day ? event.start_date.slice(0, 10) : instantOf(event.utc_start_date),
        // On the site, a day ends at its last second; in the feed, it ends on the next day.
        end: event.all_day
          ? new Date(instantOf(event.end_date) + 1_000).toISOString().slice(0, 10)
          : instantOf(event.utc_end_date),
      };
    }),
  );

/** Readings as sorted, comparable lines without UIDs, which the list does not show. */
export const comparableLines = (readings: readonly Reading[]): readonly string[] =>
  readings.map(({ title, start, end }) => `${start} ${end} ${title.replace(/[\s\u0085]+/g, ' ').trim()}`).toSorted();

const instantOf = (utc: string): number => Date.parse(`${utc.replace(' ', 'T')}Z`);

function readByIcalJs(file: string): readonly Reading[] {
  return new ICAL.Component(ICAL.parse(readFileSync(file, 'utf8'))).getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      title: event.summary,
      start: timeOf(event.startDate),
      end: timeOf(event.endDate ?? event.startDate),
    };
  });
}

function readByNodeIcal(file: string): readonly Reading[] {
  return Object.values(nodeIcal.sync.parseICS(readFileSync(file, 'utf8'))).flatMap((component) =>
    component?.type === 'VEVENT'
      ? [
          {
            uid: component.uid,
            title: textOf(component.summary),
            start: dateOf(component.start),
            end: dateOf(component.end ?? component.start),
          },
        ]
      : [],
  );
}

const timeOf = (time: ICAL.Time): number | string => (time.isDate ? time.toString() : time.toUnixTime() * 1000);
// The tests run in UTC, where node-ical puts the midnights of all-day events.
const dateOf = (time: Date & { readonly dateOnly?: boolean }): number | string =>
  time.dateOnly ? time.toISOString().slice(0, 10) : time.getTime();
const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'val' in value ? String(value.val) : String(value);

const readByPython = (program: string, file: string): readonly Reading[] =>
  JSON.parse(output('/usr/bin/python3', ['-c', program, file], { timeoutMs: 600_000 })) as readonly Reading[];

const ICALENDAR = `
import icalendar, json, sys, datetime
calendar = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read())
def told(value):
    return int(value.timestamp() * 1000) if isinstance(value, datetime.datetime) else value.isoformat()
def end(e):
    return told(e.decoded('DTEND') if 'DTEND' in e else e.decoded('DTSTART'))
print(json.dumps([dict(uid=str(e['UID']), title=str(e['SUMMARY']), start=told(e.decoded('DTSTART')), end=end(e))
  for e in calendar.walk('VEVENT')]))`;

const LIBICAL_NEEDS = `import gi
gi.require_version('ICalGLib', '3.0')
from gi.repository import ICalGLib`;

const LIBICAL = `
import json, sys
${LIBICAL_NEEDS} as ical
calendar = ical.Component.new_from_string(open(sys.argv[1], encoding='utf-8').read())
assert calendar.count_errors() == 0, 'libical finds errors'
def told(value):
    if value.is_date(): return '%04d-%02d-%02d' % (value.get_year(), value.get_month(), value.get_day())
    return value.as_timet_with_zone(value.get_timezone()) * 1000
events, event = [], calendar.get_first_component(ical.ComponentKind.VEVENT_COMPONENT)
while event is not None:
    events.append(dict(uid=event.get_uid(), title=event.get_summary(), start=told(event.get_dtstart()), end=told(event.get_dtend())))
    event = calendar.get_next_component(ical.ComponentKind.VEVENT_COMPONENT)
print(json.dumps(events))`;
