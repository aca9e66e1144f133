import { tzlib_get_ical_block as libraryBlock, tzlib_get_timezones as libraryNames } from 'timezones-ical-library';
import { whenAsked } from '../../remembered.ts';
import { offsetAt } from '../../time.ts';
import {
  byDayText,
  localOnset,
  nameAt,
  observancesOf,
  offsetText,
  transitionsBetween,
  yearlyOnsets,
  type WrittenObservance,
  type Transition,
} from './write-observances.ts';

/**
 * The VTIMEZONE of an IANA zone (RFC 5545, 3.6.5) as content lines, correct from the year before `from` to the year
 * after `to` (epoch milliseconds). Uses the library's if it agrees with the zone data that events are read with;
 * otherwise builds one from the zone's transitions, because the library knows only the current rules, and calls
 * `US/Eastern` `America/New_York`.
 */
export function vtimezoneLines(tzid: string, from: number, to: number): readonly string[] {
  // Whole years, so that the text does not change as events come and go.
  const [first, last] = [
    Date.UTC(new Date(from).getUTCFullYear() - 1, 0, 1),
    Date.UTC(new Date(to).getUTCFullYear() + 2, 0, 1),
  ];
  const known = libraryLines(tzid);
  return known && agrees(known, tzid, first, last) ? known : ownLines(tzid, first, last);
}

/** For other names, the library prints a complaint on the terminal. */
const inLibrary = whenAsked(() => new Set(libraryNames()));

function libraryLines(tzid: string): readonly string[] | undefined {
  if (!inLibrary().has(tzid)) return undefined;
  return libraryBlock(tzid)[0]
    ?.split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('X-LIC-LOCATION:'))
    .map((line) => (line.startsWith('TZID:') ? `TZID:${tzid}` : line));
}

/** Whether a VTIMEZONE has the zone's offset at `from` and exactly its transitions up to `to`. */
function agrees(lines: readonly string[], tzid: string, from: number, to: number): boolean {
  const onsets = onsetsOf(lines, from, to);
  const inForce = onsets?.filter((onset) => onset.at <= from).at(-1);
  if (!onsets || inForce?.after !== offsetAt(from, tzid)) return false;
  const theirs = onsets.filter((onset) => onset.at > from && onset.at <= to && onset.before !== onset.after);
  const real = transitionsBetween(tzid, from, to);
  return (
    theirs.length === real.length &&
    real.every((transition, index) => transition.at === theirs[index]?.at && transition.after === theirs[index].after)
  );
}

/** The onsets of all observances up to `to`, in order; undefined if a rule has an unsupported form. */
function onsetsOf(lines: readonly string[], from: number, to: number): readonly Transition[] | undefined {
  const parts = lines
    .join('\n')
    .split(/^BEGIN:(?:STANDARD|DAYLIGHT)$/m)
    .slice(1);
  const onsets = parts.map((part) => {
    const value = (name: string): string => new RegExp(`^${name}:(.*)$`, 'm').exec(part)?.[1] ?? '';
    const [before, after] = [minutesOf(value('TZOFFSETFROM')), minutesOf(value('TZOFFSETTO'))];
    const start = new Date(value('DTSTART').replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z'));
    const [, month, byDay] = /^FREQ=YEARLY;BYMONTH=(\d+);BYDAY=(-?\d[A-Z]{2})$/.exec(value('RRULE')) ?? [];
    if (value('RRULE') !== '' && byDay === undefined) return undefined;
    const locals = byDay === undefined ? [start.getTime()] : yearlyOnsets(start, Number(month), byDay, from, to);
    return locals.map((local) => ({ at: local - before * 60_000, before, after }));
  });
  return onsets.some((part) => part === undefined)
    ? undefined
    : onsets.flatMap((part) => part ?? []).sort((a, b) => a.at - b.at);
}

const minutesOf = (offset: string): number =>
  Number(`${offset[0]}1`) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3, 5)));

function ownLines(tzid: string, start: number, end: number): readonly string[] {
  // A rule stays open-ended if it still applies in the year after the last relevant one.
  const horizonYear = new Date(end).getUTCFullYear() + 1;
  const transitions = transitionsBetween(tzid, start, Date.UTC(horizonYear + 1, 0, 1));
  const offset = offsetAt(start, tzid);
  const first = {
    at: Math.min(start, 0) - offset * 60_000,
    before: offset,
    after: offset,
    daylight: false,
    name: nameAt(start, tzid),
  };
  const observances = [first, ...observancesOf(tzid, transitions, horizonYear)];
  return ['BEGIN:VTIMEZONE', `TZID:${tzid}`, ...observances.flatMap(observanceLines), 'END:VTIMEZONE'];
}

function observanceLines(observance: WrittenObservance): readonly string[] {
  const kind = observance.daylight ? 'DAYLIGHT' : 'STANDARD';
  const onset = localOnset(observance);
  const last = observance.yearly?.until;
  const until = last === undefined ? '' : `;UNTIL=${digits(new Date(last))}Z`;
  const rule = `RRULE:FREQ=YEARLY;BYMONTH=${onset.getUTCMonth() + 1};BYDAY=${byDayText(observance)}${until}`;
  return [
    `BEGIN:${kind}`,
    `TZNAME:${observance.name}`,
    `TZOFFSETFROM:${offsetText(observance.before)}`,
    `TZOFFSETTO:${offsetText(observance.after)}`,
    `DTSTART:${digits(onset)}`,
    ...(observance.yearly ? [rule] : []),
    `END:${kind}`,
  ];
}

const digits = (date: Date): string => date.toISOString().slice(0, 19).replace(/[-:]/g, '');
