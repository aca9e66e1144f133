import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/ical/decode.ts';
import { expandCalendar } from '../../src/ical/expand-calendar.ts';
import { notACalendar } from '../../src/ical/not-a-calendar.ts';
import type { Occurrence } from '../../src/ical/occurrence.ts';
import { parseCalendar } from '../../src/ical/parse-calendar.ts';
import { dayOf, DAY_MS, isoDigits } from '../../src/ical/time-value.ts';
import { isoFromInstant } from '../../src/time.ts';

const feeds = join(process.env['CALSYNCD_CORPUS'] ?? join(import.meta.dirname, '../../../shared'), 'feeds');
const present = existsSync(join(feeds, 'truth'));
if (!present) process.stdout.write(`The iCalendar corpus was not run: ${feeds} is not there.\n`);

// Where we decide otherwise than the engines that made the truth, and why. Nothing else may differ.
const DECIDED: Readonly<Record<string, string>> = {
  'hostile/bom-in-the-middle.ics': 'a byte order mark between two glued files is no part of a name: both events are read',
  'node-ical-defects/25-bom-inside.ics': 'as above',
  'hostile/leading-spaces-everywhere.ics': 'indented lines are read as lines, not as folds of the line before',
  'library/collective-icalendar/tests/calendars/multiple_calendar_components.ics': 'a blank line inside a fold ends nothing',
  'library/collective-icalendar/tests/calendars/multiple_timezones.ics': 'an RDATE that is no date costs itself, not its event (3.8.5.2)',
  'hostile/date-tzid-gmt-offset.ics': 'GMT+0200 is an offset, not a floating time',
  'hostile/date-tzid-lowercase.ics': 'europe/berlin is Europe/Berlin',
  'library/libical/test-data/recur-errors.ics': 'US-Eastern is known by its name',
  'library/node-ical/test/fixtures/music-school-weekly-until.ics': '"(GMT +01:00)" is an offset',
  'library/node-ical/test/fixtures/windows-quoted-tz-rrule.ics': '"(UTC-05:00) Eastern Time (US and Canada)" is the name that Exchange gives New York',
  'library/ical.net/Calendars/Serialization/ProdID2.ics': 'a floating 02:00 in the gap of X-WR-TIMEZONE is 03:00 (3.3.5)',
  'library/node-ical/test/fixtures/test_date_duration.ics': 'PT1W, as Synology writes it, is a week',
  'library/libical/test-data/process-incoming.ics': 'a time without seconds is read',
  'library/libical/test-data/incoming.ics': 'a lower SEQUENCE with the same title is an older revision (3.8.7.4)',
  'library/libical/src/Net-ICal-Libical/test-data/rfc2446.ics': 'as above',
  'library/libical/test-data/2446.ics': 'as above',
  'library/libical/test-data/large.ics': 'as above',
  'hostile/libical-fuzz/fuzzusban5.ics': 'as above',
  'hostile/older-sequence-later-in-file.ics': 'as above; EXPECTED.json wants SEQUENCE 5 alone',
  'hostile/rrule-empty.ics': 'a rule that cannot be read leaves the first date, with a problem; EXPECTED.json wants the event kept',
  'hostile/rrule-no-freq.ics': 'as above',
  'hostile/rrule-freq-twice.ics': 'as above: no part may stand twice (3.3.10)',
  'hostile/date-iso-format.ics': 'a date in ISO 8601 extended format can be read in one way only; EXPECTED.json counts it as usable',
  'hostile/vevent-in-vevent.ics': 'an event inside an event is read too: the END of the first was lost',
};

interface TruthOccurrence { readonly uid: string; readonly rid: string | null; readonly start: string; readonly end: string; readonly allDay: boolean; readonly floating: boolean }
interface Truth {
  readonly window: readonly [string, string]; readonly capped: boolean; readonly disputed_uids: readonly string[];
  readonly occurrences: readonly TruthOccurrence[]; readonly majority_A_and_C: readonly TruthOccurrence[];
  readonly tz_policy: { readonly vtimezone_only?: readonly (readonly string[])[]; readonly iana_only?: readonly (readonly string[])[] } | null;
}

const files = present ? (readdirSync(join(feeds, 'truth'), { recursive: true }) as string[]).filter((file) => /\.json(?:\.gz)?$/.test(file)).toSorted() : [];

function truthOf(file: string): Truth {
  const bytes = readFileSync(join(feeds, 'truth', file));
  return JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()) as Truth;
}

const bytesOf = (feed: string): Uint8Array => readFileSync(join(feeds, feed));

function occurrencesOf(feed: string, { window: [from, to] }: Truth): readonly TruthOccurrence[] {
  const window = { from: Date.parse(from), to: Date.parse(to) };
  const { value } = parseCalendar(decodeText(bytesOf(feed), null).text);
  const { occurrences } = expandCalendar(value, { window, timezone: undefined, siteTimezone: 'UTC', occurrencesPerSeries: 20_000, occurrencesPerFeed: 1_000_000 });
  const isInWindow = ({ startsAt, startWall, allDay, floating }: Occurrence): boolean => (allDay || floating ? startWall : startsAt) >= window.from && (allDay || floating ? startWall : startsAt) < window.to;
  return occurrences.filter(isInWindow).map(asTruth);
}

function asTruth({ event, recurrenceId, originalStart, allDay, floating, startsAt, endsAt, startWall, endWall }: Occurrence): TruthOccurrence {
  const text = (instant: number, wall: number): string => (allDay ? isoDigits(wall).slice(0, 10) : floating ? isoDigits(wall) : isoFromInstant(instant));
  const digits = recurrenceId?.replace(/^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?$/, (_, y, m, d, ...time) => [`${y}-${m}-${d}`, ...(time[0] === undefined ? [] : [time.slice(0, 3).join(':')])].join('T'));
  const rid = digits === undefined ? null : digits.length === 10 || floating ? digits : isoFromInstant(originalStart);
  return { uid: event.uid ?? '', rid, start: text(startsAt, startWall), end: text(endsAt, endWall), allDay, floating };
}

/** A time that ends before it begins, and a day that ends on itself, are given the least length here. */
function withLength(occurrence: TruthOccurrence): TruthOccurrence {
  const { start, end, allDay } = occurrence;
  if (allDay && end <= start) return { ...occurrence, end: isoDigits(dayOf(Date.parse(start)) + DAY_MS).slice(0, 10) };
  return end < start ? { ...occurrence, end: start } : occurrence;
}

const keyOf = ({ uid, rid, start, end, allDay }: TruthOccurrence): string => JSON.stringify([uid, start, end, rid, allDay]);

function counted(occurrences: readonly TruthOccurrence[], leftOut: (occurrence: TruthOccurrence) => boolean): Map<string, number> {
  const counts = new Map<string, number>();
  for (const occurrence of occurrences) if (!leftOut(occurrence)) counts.set(keyOf(occurrence), (counts.get(keyOf(occurrence)) ?? 0) + 1);
  return counts;
}

const lacking = (of: Map<string, number>, inThe: Map<string, number>): string[] => [...of].filter(([key, count]) => (inThe.get(key) ?? 0) < count).map(([key]) => key);

/** What one has and the other has not, both ways. A VTIMEZONE that contradicts its zone's name may be read either way. */
function differences(ours: readonly TruthOccurrence[], truth: Truth): { readonly missing: readonly string[]; readonly extra: readonly string[] } {
  const wanted = [...truth.occurrences, ...truth.majority_A_and_C].map(withLength);
  const disputed = new Set(truth.disputed_uids);
  const eitherWay = new Set([...(truth.tz_policy?.vtimezone_only ?? []), ...(truth.tz_policy?.iana_only ?? [])].map((parts) => parts.join('|')));
  const last = truth.capped ? wanted.reduce((latest, { start }) => (start > latest ? start : latest), '') : '~';
  const leftOut = ({ uid, start, end }: TruthOccurrence): boolean => disputed.has(uid) || start >= last || eitherWay.has([uid, start, end].join('|'));
  const [want, have] = [counted(wanted, leftOut), counted(ours, leftOut)];
  return { missing: lacking(want, have), extra: lacking(have, want) };
}

describe.runIf(present)('every feed with a truth', () => {
  it('says what independent engines read in it', () => {
    const differing: Record<string, ReturnType<typeof differences>> = {};
    let occurrences = 0;
    for (const file of files) {
      const feed = file.replace(/\.json(?:\.gz)?$/, '');
      const truth = truthOf(file);
      const ours = occurrencesOf(feed, truth);
      occurrences += ours.length;
      const difference = differences(ours, truth);
      if (difference.missing.length + difference.extra.length > 0) differing[feed] = { missing: difference.missing.slice(0, 3), extra: difference.extra.slice(0, 3) };
    }
    const names = Object.keys(differing);
    process.stdout.write(`iCalendar truth: ${files.length - names.length} of ${files.length} files agree (${occurrences} occurrences); ${names.length} differ by decision.\n`);
    expect(Object.fromEntries(Object.entries(differing).filter(([name]) => !(name in DECIDED)))).toEqual({});
    expect(Object.keys(DECIDED).filter((name) => !names.includes(name)), 'decided to differ, but agree').toEqual([]);
  });
});

interface Expected { readonly outcome: 'ok' | 'ok-capped' | 'partial' | 'error-keep-old'; readonly vevents_usable: number | null; readonly uids: readonly string[] | null; readonly note: string }
const expected: Readonly<Record<string, Expected>> = present ? (JSON.parse(readFileSync(join(feeds, 'hostile/EXPECTED.json'), 'utf8')) as { files: Record<string, Expected> }).files : {};

// EXPECTED.json counts what an importer should keep. These keep another number, each for its reason.
const KEPT: Readonly<Record<string, { readonly events: number; readonly because: string }>> = {
  'older-sequence-later-in-file.ics': { events: 2, because: 'both revisions are read; expansion takes SEQUENCE 5 (test/unit/ical/series.test.ts)' },
};

const REFUSED = Object.entries(expected).filter(([, { outcome }]) => outcome === 'error-keep-old').map(([name]) => name);
const READ = Object.entries(expected).filter(([, { outcome }]) => outcome !== 'error-keep-old');
const textOf = (name: string): string => decodeText(bytesOf(join('hostile', name)), null).text;

describe.runIf(present)('hostile files', () => {
  it.each(REFUSED)('%s is refused with a sentence', (name) => {
    expect(notACalendar(textOf(name))).toMatch(/\.$/);
  });

  it.each(READ)('%s', (name, { vevents_usable: usable, uids }) => {
    const text = textOf(name);
    expect(notACalendar(text)).toBeNull();
    const { events } = parseCalendar(text).value;
    expect(events.length).toBe(KEPT[name]?.events ?? usable ?? events.length);
    const found = new Set(events.map(({ uid }) => uid));
    expect(found).toEqual(uids === null || usable === null ? found : new Set(uids));
    // The rest of a feed is there whatever one event does, and the limits hold.
    const settings = { window: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2028, 0, 1) }, timezone: undefined, siteTimezone: 'Europe/Berlin' };
    const { occurrences, unread } = expandCalendar(parseCalendar(text).value, settings);
    expect(occurrences.every(({ startsAt, endsAt }) => endsAt >= startsAt)).toBe(true);
    expect(occurrences.length).toBeLessThanOrEqual(50_000);
    expect(Math.max(0, ...Object.values(Object.groupBy(occurrences, ({ event }) => event.line)).map((group) => group!.length))).toBeLessThanOrEqual(5_000);
    expect(unread.length).toBeLessThanOrEqual(1_000);
  }, 2_000);
});
