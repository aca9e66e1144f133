import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/ical/read/decode.ts';
import { expandCalendar } from '../../src/ical/occurrences/expand-calendar.ts';
import { notACalendar } from '../../src/ical/read/not-a-calendar.ts';
import { parseCalendar } from '../../src/ical/read/parse-calendar.ts';

const feeds = join(process.env['CALSYNCD_CORPUS'] ?? join(import.meta.dirname, '../../../shared'), 'feeds');
const present = existsSync(join(feeds, 'hostile'));
if (!present) process.stdout.write(`The hostile feeds were not run: ${feeds} is not there.\n`);

interface Expected {
  readonly outcome: 'ok' | 'ok-capped' | 'partial' | 'error-keep-old';
  readonly vevents_usable: number | null;
  readonly uids: readonly string[] | null;
  readonly note: string;
}
const expected: Readonly<Record<string, Expected>> = present
  ? (JSON.parse(readFileSync(join(feeds, 'hostile/EXPECTED.json'), 'utf8')) as { files: Record<string, Expected> })
      .files
  : {};

// EXPECTED.json has the number of events that an importer should keep. For these files we keep a different number.
const KEPT: Readonly<Record<string, { readonly events: number; readonly because: string }>> = {
  'older-sequence-later-in-file.ics': {
    events: 2,
    because: 'both revisions are read; expansion takes SEQUENCE 5 (test/unit/ical/series.test.ts)',
  },
};

const REFUSED = Object.entries(expected)
  .filter(([, { outcome }]) => outcome === 'error-keep-old')
  .map(([name]) => name);
const READ = Object.entries(expected).filter(([, { outcome }]) => outcome !== 'error-keep-old');
const textOf = (name: string): string => decodeText(readFileSync(join(feeds, 'hostile', name)), null).text;

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
    // One bad event does not affect the rest of a feed, and limits are enforced.
    const settings = {
      window: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2028, 0, 1) },
      timezone: undefined,
      siteTimezone: 'Europe/Berlin',
    };
    const { occurrences, unread } = expandCalendar(parseCalendar(text).value, settings);
    expect(occurrences.every(({ startsAt, endsAt }) => endsAt >= startsAt)).toBe(true);
    expect(occurrences.length).toBeLessThanOrEqual(50_000);
    expect(
      Math.max(
        0,
        ...Object.values(Object.groupBy(occurrences, ({ event }) => event.line)).map((group) => group!.length),
      ),
    ).toBeLessThanOrEqual(5_000);
    expect(unread.length).toBeLessThanOrEqual(1_000);
  });
});
