import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startsFromRule } from '../../src/ical/recurrence.ts';
import { ruleFromText } from '../../src/ical/recurrence-rule.ts';
import { DAY_MS, digitsFromWall, timeFromText } from '../../src/ical/time-value.ts';

const folder = join(process.env['CALSYNCD_CORPUS'] ?? join(import.meta.dirname, '../../../shared'), 'feeds/vectors');
const present = existsSync(folder);
if (!present) process.stdout.write(`The recurrence vectors were not run: ${folder} is not there.\n`);

interface Vector { readonly rrule: string; readonly dtstart: string; readonly expected: readonly string[]; readonly isPrefix: boolean }
interface Case { readonly rrule?: unknown; readonly dtstart?: unknown; readonly rule?: string; readonly method?: string; readonly tzid?: string | null; readonly expected?: readonly string[]; readonly start_at?: unknown; readonly invalid?: boolean; readonly exception?: unknown; readonly noInstance?: boolean; readonly finite?: boolean; readonly max?: unknown }

// Where the libraries read a rule otherwise, and why we do not follow.
const DECIDED: readonly (readonly [rule: RegExp, because: string])[] = [
  [/BYEASTER/, 'no part of RFC 5545'],
  [/BYWEEKNO=20$/, 'dateutil and rrule.js take all days of the week; ical.js, libical and the text of 3.3.10 take DTSTART\'s'],
  [/^FREQ=(?:HOURLY|MINUTELY);.*BYDAY=\+1TU/, 'an ordinal has no meaning here (3.3.10 forbids it)'],
  [/^FREQ=YEARLY;BYMONTHDAY=(?:-1|-29,-1;COUNT=4|8,9;BYDAY=WE,TH;UNTIL=20280101)$/, 'BYMONTHDAY expands a year over all its months (3.3.10, table); dateutil and rrule.js agree'],
  [/BYDAY=22MO,23TU,25MO,36TU/, 'as above'],
  [/0MO|0SA/, 'an ordinal of 0 is forbidden'],
  [/^FREQ=YEARLY;COUNT=1(?:;BYDAY=TH)?$/, 'cases about milliseconds and about a cache'],
];

const digits = (text: string): string => text.replace(/[-:Z]|\.\d{3}/g, '');

function vectorsOf(file: string): readonly Vector[] {
  const { cases } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { cases: readonly Case[] };
  return cases.flatMap((each) => {
    const written = /^DTSTART:(\S+)\nRRULE:(\S+)$/.exec(each.rule ?? '');
    const [dtstart, rrule] = written && each.method === 'all' && !each.tzid ? [written[1], written[2]] : [each.dtstart, each.rrule];
    if (typeof dtstart !== 'string' || typeof rrule !== 'string' || !each.expected || each.start_at || each.invalid || each.exception || each.noInstance) return [];
    return [{ rrule, dtstart: digits(dtstart), expected: each.expected.map(digits), isPrefix: each.finite === false || Boolean(each.max) }];
  });
}

function startsOf({ rrule, dtstart, expected, isPrefix }: Vector): readonly string[] {
  const start = timeFromText(dtstart, {})!;
  const isDate = start.kind === 'date';
  const reading = ruleFromText(rrule, { isDate, dtstart: start.wall, wallFromUtc: (utc) => utc });
  if (reading.kind === 'invalid') return [reading.because];
  const last = timeFromText(expected.at(-1) ?? '', {})?.wall ?? start.wall;
  const { walls } = startsFromRule(reading.rule, start.wall, start.wall, isPrefix ? last : last + 3 * 366 * DAY_MS, 100_000, { steps: 3_000_000 });
  const found = walls.map((wall) => digitsFromWall(wall, isDate));
  return isPrefix ? found.slice(0, expected.length) : found;
}

describe.runIf(present)('recurrence rules with the starts that other libraries expect', () => {
  it.each(['dateutil-rrule.json', 'ical.net-recurrence-cases.json', 'icaljs-recur-iterator.json', 'libical-icalrecur.json', 'rrule-js.json'])('%s', (file) => {
    const vectors = vectorsOf(file);
    const differing = vectors.filter((vector) => startsOf(vector).map((start) => start.slice(0, vector.expected[0]?.length)).join() !== vector.expected.join());
    process.stdout.write(`${file}: ${vectors.length - differing.length} of ${vectors.length} agree.\n`);
    expect(vectors.length).toBeGreaterThan(30);
    expect(differing.filter(({ rrule }) => !DECIDED.some(([rule]) => rule.test(rrule))).map(({ rrule, dtstart }) => `${rrule} from ${dtstart}`)).toEqual([]);
  });
});
