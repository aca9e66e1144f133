import { calendarColor } from './write-color.ts';
import type { CalendarTime, PublishedEvent } from './write-event.ts';
import { escapeText, oneLine, textOfLines, uriValue } from './write-lines.ts';
import { vtimezoneLines } from './vtimezone.ts';

/** Properties of a calendar itself. */
export interface CalendarHeader {
  readonly name: string;
  readonly description?: string;
  /** An IANA zone; anything else is left out. */
  readonly timezone?: string;
  /** The address of this calendar's feed; `url` is that of its page for people. */
  readonly source?: string;
  readonly url?: string;
  /** A CSS colour name or `#rrggbb`. */
  readonly color?: string;
}

/** The zones that times refer to, each with the period (epoch milliseconds) in which it is used. */
export type ZoneSpans = ReadonlyMap<string, { readonly from: number; readonly to: number }>;

/** Everything before the events, for callers that write one event at a time and know the zones only at the end. */
export const calendarStart = (header: CalendarHeader, spans: ZoneSpans): string =>
  textOfLines([
    ...headerLines(header),
    ...[...spans]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([tzid, { from, to }]) => vtimezoneLines(tzid, from, to)),
  ]);

export const CALENDAR_END = 'END:VCALENDAR\r\n';

/** Adds the zones of an event's times to `spans`. */
export function addZones(spans: Map<string, { from: number; to: number }>, { content }: PublishedEvent): void {
  for (const time of [content.start, content.end]) if (time?.kind === 'zoned') widen(spans, time);
}

function widen(spans: Map<string, { from: number; to: number }>, { zone, at }: CalendarTime & { kind: 'zoned' }): void {
  const span = spans.get(zone);
  if (span) [span.from, span.to] = [Math.min(span.from, at), Math.max(span.to, at)];
  else spans.set(zone, { from: at, to: at });
}

// A site may have an offset such as UTC+2 instead.
const IANA_ZONE = /^[A-Za-z]\w*(?:\/[\w+-]+)*$/;

function headerLines(header: CalendarHeader): readonly string[] {
  const name = escapeText(oneLine(header.name));
  const description = escapeText((header.description ?? '').trim());
  const [source, url] = [uriValue(header.source ?? ''), uriValue(header.url ?? '')];
  const color = calendarColor(header.color ?? '');
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//calsyncd//calsyncd//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...(name ? [`NAME:${name}`, `X-WR-CALNAME:${name}`] : []),
    ...(description ? [`DESCRIPTION:${description}`, `X-WR-CALDESC:${description}`] : []),
    ...(header.timezone && IANA_ZONE.test(header.timezone) ? [`X-WR-TIMEZONE:${header.timezone}`] : []),
    // Without VALUE=DURATION here, Home Assistant rejects the whole calendar.
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...(source ? [`SOURCE;VALUE=URI:${source}`] : []),
    ...(url ? [`URL:${url}`] : []),
    ...(color ? [`COLOR:${color.name}`, `X-APPLE-CALENDAR-COLOR:${color.hex}`] : []),
  ];
}
