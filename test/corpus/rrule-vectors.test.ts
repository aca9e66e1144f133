import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/ical/read/decode.ts';
import { expandCalendar } from '../../src/ical/occurrences/expand-calendar.ts';
import { parseCalendar } from '../../src/ical/read/parse-calendar.ts';
import { startsFromRule } from '../../src/ical/times/recurrence.ts';
import { ruleFromText } from '../../src/ical/times/recurrence-rule.ts';
import { digitsFromWall, timeFromText } from '../../src/ical/read/time-value.ts';
import { DAY_MS } from '../../src/time.ts';
import { isoFromInstant } from '../../src/time.ts';

// Expected results of recurrence rules from the test suites of other libraries: all 589 cases of the corpus.

const feeds = join(process.env['CALSYNCD_CORPUS'] ?? join(import.meta.dirname, '../../../shared'), 'feeds');
const folder = join(feeds, 'vectors');
const present = existsSync(folder);
if (!present) process.stdout.write(`The recurrence vectors were not run: ${folder} is not there.\n`);

// Where a library deviates from RFC 5545, 3.3.10, and why we do not follow it. Each listed case must differ, and no
// other.
const DECIDED: readonly (readonly [cases: RegExp, because: string])[] = [
  [/BYEASTER/, 'not part of RFC 5545 or 7529: the rule cannot be used, and that is reported'],
  [
    /BYWEEKNO=20 /,
    'the day of the week comes from DTSTART, as in ical.js and libical; dateutil and rrule.js take all seven',
  ],
  [
    /^FREQ=YEARLY;BYMONTHDAY=(?:-1 |-29,-1;COUNT=4|8,9;BYDAY=WE,TH;UNTIL=20280101|1,8;BYDAY=22MO,23TU,25MO,36TU)/,
    "BYMONTHDAY expands a year over all its months (the table of 3.3.10), as dateutil and rrule.js expect; ical.js, libical and ical.net take DTSTART's",
  ],
  [
    /^WeeklyUntilWkst2$|BYMONTHDAY=10 EXDATE/,
    'DTSTART is the first instance whether or not the rule produces it (3.8.5.3), as the independent engines read it',
  ],
  [/^all RDATE/, 'an event without DTSTART is invalid (3.6.1)'],
  [/^FREQ=WEEKLY;BYMONTHDAY=20;COUNT=3 /, 'a forbidden limit still limits: ical.net discards the rule'],
  [
    /^FREQ=YEARLY;(?:BYMONTH=3;BYDAY=6MO|COUNT=3|BYWEEKNO=-1;BYDAY=SU;COUNT=3) |INTERVAL=2000000000/,
    'dates after the year 9999 are left out: ical.net discards the rule',
  ],
  [
    /^FREQ=(?:DAILY;BYDAY=1MO|YEARLY;BYWEEKNO=10;BYDAY=2MO) /,
    'a forbidden ordinal is removed, and that is reported: ical.net discards the rule',
  ],
];

interface Vector {
  readonly name: string;
  readonly ours: readonly string[];
  readonly expected: readonly string[];
}

const casesOf = <T>(file: string): readonly T[] =>
  (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { cases: readonly T[] }).cases;
const digits = (text: string): string => text.replace(/[-:Z]|\.\d{3}/g, '');
const REJECTED = ['rejected'];

/** The starts of a bare rule. DTSTART counts only if the rule produces it. `count` limits rules without an end. */
function startsOf(rrule: string, dtstart: string, until: string | undefined, count = Infinity): readonly string[] {
  const start = timeFromText(dtstart, {})!;
  const isDate = start.kind === 'date';
  const reading = ruleFromText(rrule, { isDate, dtstart: start.wall, wallFromUtc: (utc) => utc });
  if (reading.kind === 'invalid') return REJECTED;
  const last = timeFromText(until ?? '', {})?.wall ?? start.wall + 10 * 366 * DAY_MS;
  const to = count === Infinity ? last + 3 * 366 * DAY_MS : last;
  const { walls } = startsFromRule(reading.rule, start.wall, start.wall, to, 100_000, { steps: 3_000_000 });
  return walls.map((wall) => digitsFromWall(wall, isDate)).slice(0, count);
}

interface Iterated {
  readonly rrule: string;
  readonly dtstart: string | null;
  readonly expected: readonly string[];
  readonly start_at?: string | null;
  readonly exception?: unknown;
  readonly finite?: boolean;
  readonly max?: unknown;
}

/**
 * Cases for rule iterators. After seeking inside the series, libical's expectations start at its beginning, ical.net's
 * at the position sought.
 */
function iterated(file: string, beginsAtSeek: boolean): readonly Vector[] {
  return casesOf<Iterated>(file).map(({ rrule, dtstart, expected, start_at: sought, exception, finite, max }) => {
    const isPrefix = finite === false || Boolean(max);
    const wanted = exception ? REJECTED : expected.map(digits);
    const starts = startsOf(
      rrule,
      digits(dtstart ?? '20260101'),
      wanted.at(-1),
      isPrefix ? expected.length : undefined,
    );
    const ours = starts.map((start) =>
      start === REJECTED[0] ? start : start.slice(0, wanted[0]?.length ?? start.length),
    );
    return {
      name: `${rrule} from ${dtstart}`,
      ours:
        beginsAtSeek && sought
          ? ours.filter((start) => start === REJECTED[0] || start >= digits(sought).slice(0, start.length))
          : ours,
      expected: wanted,
    };
  });
}

/** The starts of all events in a calendar. */
function occurrencesIn(text: string, from: number, to: number): readonly string[] {
  const { occurrences } = expandCalendar(parseCalendar(text).value, {
    window: { from, to },
    timezone: 'UTC',
    siteTimezone: 'UTC',
  });
  return occurrences.map(({ startsAt }) => isoFromInstant(startsAt));
}

const eventWith = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:a', 'DURATION:PT1S', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n');

interface Asked {
  readonly rule: string;
  readonly tzid: string | null;
  readonly method: string;
  readonly args: readonly [string?, (string | boolean)?, boolean?];
  readonly expected: readonly string[];
}

/** Cases of rrule.js: complete lists from the bare rule, queries about a time from a series. */
function asked(file: string): readonly Vector[] {
  return casesOf<Asked>(file).map(({ rule, method, args, expected }) => {
    const [, dtstart = '', rrule = ''] = /^DTSTART:(\S+)\nRRULE:(\S+)$/.exec(rule) ?? [];
    const wanted = expected.map(digits);
    if (method === 'all' && rrule !== '')
      return {
        name: `${rrule} from ${dtstart}`,
        ours: startsOf(rrule, digits(dtstart), wanted.at(-1)),
        expected: wanted,
      };
    const [first, second, inclusive] = args;
    const [from, to] =
      method === 'before' || method === 'all'
        ? [0, Date.parse(first ?? '2030-01-01')]
        : [
            Date.parse(first!),
            method === 'between' ? Date.parse(String(second)) : Date.parse(first!) + 20 * 366 * DAY_MS,
          ];
    const isWithin = (start: string): boolean =>
      inclusive === true || method === 'all' || (Date.parse(start) > from && Date.parse(start) < to);
    const found = occurrencesIn(eventWith(...rule.split('\n')), from, to + 1000).filter(isWithin);
    const ours = method === 'before' ? found.slice(-1) : method === 'after' ? found.slice(0, 1) : found;
    return { name: `${method} ${rule.replaceAll('\n', ' ')}`, ours: ours.map(digits), expected: wanted };
  });
}

/** Cases of libical that count the occurrences of whole series. */
const counted = (file: string): readonly Vector[] =>
  casesOf<{
    rrule: string[];
    exrule: string[];
    exdate: string[];
    rdate: string[];
    dtstart: string;
    expected_count: number;
  }>(file).map(({ dtstart, rrule, exrule, exdate, rdate, expected_count: count }) => {
    const lines = [
      `DTSTART${dtstart}`,
      ...rrule.map((text) => `RRULE:${text}`),
      ...exrule.map((text) => `EXRULE:${text}`),
      ...exdate.map((text) => `EXDATE:${text}`),
      ...rdate.map((text) => `RDATE:${text}`),
    ];
    return {
      name: `${rrule.join()} from ${dtstart}`,
      ours: [String(occurrencesIn(eventWith(...lines), Date.UTC(1990, 0, 1), Date.UTC(2050, 0, 1)).length)],
      expected: [String(count)],
    };
  });

const edge = ([text]: readonly [string, string | null]): number =>
  Date.parse(`${text.slice(0, 10)}T${text.slice(11) || '00:00:00'}Z`);

/** Cases of ical.net that expand whole files between two times. */
const expanded = (file: string): readonly Vector[] =>
  casesOf<{
    test: string;
    file: string;
    event_index: number;
    from: readonly [string, string | null];
    to: readonly [string, string | null];
    expected: readonly { start: string; tz: string | null }[];
  }>(file)
    .map((each) => ({ ...each, path: join(feeds, each.file.replace(/^lib\//, 'library/')) }))
    // Ten of the calendars are not in the corpus.
    .filter(({ path }) => existsSync(path))
    .map(({ test, path, event_index: index, from, to, expected }) => {
      const { value } = parseCalendar(decodeText(readFileSync(path), null).text);
      const event = value.events[index]!;
      const { occurrences } = expandCalendar(
        { ...value, events: value.events.filter(({ uid }) => uid === event.uid) },
        { window: { from: edge(from) - DAY_MS, to: edge(to) + DAY_MS }, timezone: undefined, siteTimezone: 'UTC' },
      );
      const inside = occurrences.filter(
        ({ startWall, endWall }) => startWall < edge(to) && (endWall > edge(from) || startWall >= edge(from)),
      );
      return {
        name: test,
        ours: inside.map(({ startWall }) => digitsFromWall(startWall, false)),
        expected: expected.map(({ start }) => digits(start)),
      };
    });

const ALL: readonly (readonly [file: string, read: (file: string) => readonly Vector[], count: number])[] = [
  ['dateutil-rrule.json', (file) => iterated(file, false), 143],
  ['ical.net-recurrence-cases.json', (file) => iterated(file, true), 50],
  ['icaljs-recur-iterator.json', (file) => iterated(file, false), 68],
  ['libical-icalrecur.json', (file) => iterated(file, false), 84],
  ['rrule-js.json', asked, 162],
  ['libical-recur-counts.json', counted, 40],
  ['ical.net-occurrences.json', expanded, 32],
];

describe.runIf(present)('recurrence rules have the starts that other libraries expect', () => {
  const isDecided = ({ name }: Vector): boolean => DECIDED.some(([cases]) => cases.test(name));
  const differing = present
    ? ALL.map(([file, read, count]) => ({ file, count, vectors: read(file) })).map((each) => ({
        ...each,
        differing: each.vectors.filter(({ ours, expected }) => ours.join() !== expected.join()),
      }))
    : [];

  it.each(differing)('$file', ({ file, count, vectors, differing: other }) => {
    process.stdout.write(`${file}: ${vectors.length - other.length} of ${vectors.length} agree.\n`);
    expect(vectors).toHaveLength(count);
    expect(other.filter((vector) => !isDecided(vector))).toEqual([]);
  });

  it('every listed exception differs', () => {
    const found = differing.flatMap(({ differing: other }) => other);
    for (const [cases, because] of DECIDED)
      process.stdout.write(`  ${found.filter(({ name }) => cases.test(name)).length} differ: ${because}\n`);
    expect(DECIDED.filter(([cases]) => !found.some(({ name }) => cases.test(name)))).toEqual([]);
  });
});
