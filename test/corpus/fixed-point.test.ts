import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { decodeText } from '../../src/ical/decode.ts';
import { expandCalendar } from '../../src/ical/expand-calendar.ts';
import { parseCalendar } from '../../src/ical/parse-calendar.ts';
import { calendarReaders, inOrder, readingsOfList } from '../support/calendar-readers.ts';
import { comparableInstants, importedAndExported, type Imported } from '../support/fixed-point.ts';
import { violationsOf } from '../support/ical-check.ts';

const folder = path.join(process.env['CALSYNCD_CORPUS'] ?? path.join(import.meta.dirname, '../../../shared'), 'feeds');
const names = existsSync(folder) ? globSync('{real,library,node-ical-defects,timelines,hostile}/**/*.{ics,ical,ifb,vcs,ICS}', { cwd: folder }).toSorted() : [];
if (names.length === 0) process.stderr.write(`Not run: no feeds in ${folder} (set CALSYNCD_CORPUS).\n`);

const EVER = { from: Date.UTC(1980, 0, 1), to: Date.UTC(2030, 0, 1) };
/** Of each feed, the days are taken that its first occurrences are on. */
const OCCURRENCES = 6;
/** One event that recurs every second or minute: a day of it is thousands of times the same. */
const OCCURRENCES_MAX = 300;
const FEEDS_PER_SITE = 100;
const DAY = 86_400_000;

/** A feed, of the time that its first occurrences take, and how many these are. */
function feedOf(name: string): Imported & { readonly name: string; readonly occurrences: number } {
  const file = path.join(folder, name);
  const { value } = parseCalendar(decodeText(readFileSync(file), null).text);
  const { occurrences } = expandCalendar(value, { window: EVER, timezone: undefined, siteTimezone: 'Europe/Warsaw', occurrencesPerSeries: 400, occurrencesPerFeed: 5_000 });
  const starts = occurrences.map(({ startsAt }) => Math.max(startsAt, EVER.from)).toSorted((a, b) => a - b);
  const [from, last] = [starts[0] ?? EVER.from, starts[OCCURRENCES - 1]];
  const to = last === undefined ? EVER.to : Math.max(last, from + DAY);
  return { name, file, from, to, occurrences: starts.filter((start) => start <= to).length };
}

// Times are compared as instants: the import shows those in UTC in the zone that the calendar names.
test.skipIf(names.length === 0)('what was exported is right line by line, is read by others as the list shows it, and comes back as it was', async () => {
  const readers = calendarReaders();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'calsyncd-fixed-point-'));
  const different = [...new Map(names.map((name) => [readFileSync(path.join(folder, name)).toString('base64'), name])).values()];
  const all = different.map(feedOf).filter(({ occurrences }) => occurrences > 0);
  const dense = all.filter(({ occurrences }) => occurrences > OCCURRENCES_MAX);
  const feeds = all.filter(({ occurrences }) => occurrences <= OCCURRENCES_MAX);
  const wrong: string[] = [];
  let events = 0;
  try {
    for (let at = 0; at < feeds.length; at += FEEDS_PER_SITE) {
      const first = await importedAndExported(feeds.slice(at, at + FEEDS_PER_SITE), EVER);
      const second = await importedAndExported([{ text: first.text, ...EVER }], EVER);
      const file = path.join(directory, `${at}.ics`);
      await writeFile(file, first.text);
      wrong.push(...violationsOf(Buffer.from(first.text)));
      for (const [name, read] of Object.entries(readers)) wrong.push(...differences(`the list and ${name}`, readingsOfList(first.listed), inOrder(read(file))));
      wrong.push(...differences('the first and the second export', comparableInstants(first.text), comparableInstants(second.text)));
      events += first.listed.length;
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  process.stdout.write(`exported, read by ${Object.keys(readers).join(', ')}, imported and exported again: ${events} events, about the first ${OCCURRENCES} of each of ${feeds.length} feeds. Without events: ${different.length - all.length} feeds; the same as others: ${names.length - different.length}. Left out, with too many events a day: ${dense.map(({ name }) => name).join(', ') || 'none'}.\n`);
  expect(wrong).toEqual([]);
});

/** What one list of texts has and the other has not, each as often as it is there. */
function differences(between: string, expected: readonly string[], found: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of expected) counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const text of found) counts.set(text, (counts.get(text) ?? 0) - 1);
  return [...counts].filter(([, count]) => count !== 0).map(([text, count]) => `${between}: ${count > 0 ? 'only the first' : 'only the second'} has ${text}`);
}
