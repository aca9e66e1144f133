import type { Where } from '../../problem.ts';
import type { Duration, Period, TimeValue } from './time-value.ts';
import type { TextValue } from './values.ts';

/** The content of a calendar's text, before expanding recurrences and resolving zones. Lines count from 1. */
export interface Calendar {
  /** X-WR-CALNAME or NAME (RFC 7986). */
  readonly name: string | null;
  readonly productId: string | null;
  /**
   * X-WR-TIMEZONE or TIMEZONE-ID (RFC 7808) of the first VCALENDAR, which is the zone of floating times, as written.
   */
  readonly timezone: string | null;
  /** REFRESH-INTERVAL or X-PUBLISHED-TTL, in seconds. */
  readonly refreshSeconds: number | null;
  readonly events: readonly CalendarEvent[];
  /** By TZID; the first one counts. */
  readonly timezones: ReadonlyMap<string, TimezoneRules>;
  /** Where further VCALENDARs of the stream (3.4) differ about zones. */
  readonly objects: readonly ObjectZones[];
  /** VEVENTs that could not be read. */
  readonly unread: readonly Where[];
  /** The numbers of VTODOs, VJOURNALs and VFREEBUSYs. */
  readonly others?: Readonly<Record<OtherComponent, number>>;
}

/** Components about what people do or have to do, which are never events (3.6.2 to 3.6.4). */
export const OTHER_COMPONENTS = ['VTODO', 'VJOURNAL', 'VFREEBUSY'] as const;
export type OtherComponent = (typeof OTHER_COMPONENTS)[number];

/** A VEVENT (3.6.1). */
export interface CalendarEvent {
  readonly line: number;
  readonly uid: string | null;
  /**
   * The UID with its escapes, as written. Identities are made from it, so that they do not depend on how it is parsed.
   */
  readonly writtenUid: string | null;
  readonly sequence: number;
  readonly recurrenceId: TimeValue | null;
  /** RANGE=THISANDFUTURE (3.2.13). */
  readonly thisAndFuture: boolean;
  readonly start: TimeValue;
  readonly end: TimeValue | null;
  readonly duration: Duration | null;
  readonly rules: readonly { readonly text: string; readonly line: number }[];
  readonly exclusionRules: readonly { readonly text: string; readonly line: number }[];
  readonly rdates: readonly Period[];
  readonly exdates: readonly TimeValue[];
  /** When this revision was made (LAST-MODIFIED, else DTSTAMP), in milliseconds; 0 if unknown. */
  readonly revisedAt: number;
  readonly status: 'confirmed' | 'tentative' | 'cancelled';
  readonly categories: readonly string[];
  readonly geo: { readonly lat: number; readonly lon: number } | null;
  /** Text values by property name, extensions included, unescaped. */
  readonly texts: Readonly<Record<string, readonly TextValue[]>>;
  /** Its VLOCATIONs and VVENUEs, and the calendar's VVENUE that its LOCATION names. */
  readonly places: readonly Place[];
}

/** A VLOCATION (RFC 9073, 7.2) or VVENUE. */
export type Place = Pick<CalendarEvent, 'texts' | 'geo'>;

/** Where a VCALENDAR differs about zones from what the feed says first. */
export interface ObjectZones {
  readonly timezone: string | null;
  readonly timezones: ReadonlyMap<string, TimezoneRules>;
}

/** A VTIMEZONE (3.6.5). */
export interface TimezoneRules {
  readonly tzid: string;
  readonly line: number;
  /** X-LIC-LOCATION, the IANA zone that the publisher means. */
  readonly location: string | null;
  readonly observances: readonly Observance[];
}

export interface Observance {
  readonly start: number;
  readonly offsetFrom: number;
  readonly offsetTo: number;
  readonly rules: readonly string[];
  readonly rdates: readonly number[];
}

/** The zone, as written, that a time's VCALENDAR names for floating times, else that of the first VCALENDAR. */
export const timezoneOf = ({ timezone, objects }: Calendar, { object }: TimeValue): string | null =>
  (object === undefined ? null : objects[object]?.timezone) ?? timezone;

/** The first text of a property, trimmed; '' if there is none. */
export const textOf = (texts: Readonly<Record<string, readonly TextValue[]>>, name: string): string =>
  texts[name]?.[0]?.text.trim() ?? '';
