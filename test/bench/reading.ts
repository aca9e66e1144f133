import nodeIcal from 'node-ical';
import { decodeText } from '../../src/ical/decode.ts';
import { parseCalendar } from '../../src/ical/parse-calendar.ts';
import { draftsFromCalendar } from '../../src/sync/drafts-from-calendar.ts';
import { planChanges } from '../../src/sync/plan-changes.ts';
import type { DraftSettings } from '../../src/sync/draft.ts';
import type { Policy, Snapshot } from '../../src/sync/plan.ts';

// From bytes to a plan, beside the floor: node-ical alone on the same text. How the cost grows from 10 to 100,000 events.

const NOW = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;

const settings: DraftSettings = {
  source: 'bench', window: { from: NOW - 30 * DAY_MS, to: NOW + 540 * DAY_MS }, timezone: undefined, siteTimezone: 'Europe/Warsaw', status: 'publish',
  categories: { map: {}, add: [], unknown: 'create' }, tags: { add: [] }, defaultVenue: undefined, only: [], skip: [], columns: {}, everything: false,
};
const policy: Policy = {
  source: 'bench', now: NOW, authority: { default: 'preserve', fields: {} }, missing: { action: 'trash', after: 3 }, hold: { share: 0.2, moreThan: 3 }, language: 'en', venueCoordinates: true,
};
const emptySite: Snapshot = { events: new Map(), categories: [], tags: [], venues: [], organizers: [] };

function feedOf(count: number): string {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//calsyncd//bench//EN'];
  for (let index = 0; index < count; index += 1) {
    const start = new Date(NOW + (index % 500) * DAY_MS + (index % 12) * 3_600_000).toISOString().slice(0, 19).replace(/[-:]/g, '');
    lines.push('BEGIN:VEVENT', `UID:event-${index}@bench.example`, 'DTSTAMP:20261101T000000Z', `DTSTART;TZID=Europe/Warsaw:${start}`, 'DURATION:PT1H30M',
      `SUMMARY:Event number ${index}\\, with a title`, 'DESCRIPTION:A text of some length\\, as they are\\nwith a second line.', `CATEGORIES:Category ${index % 12}`,
      `LOCATION:Hall ${index % 20}\\, Main Street ${index % 20}`, 'END:VEVENT');
  }
  return [...lines, 'END:VCALENDAR', ''].join('\r\n');
}

function timed<T>(work: () => T): { value: T; ms: number } {
  const begun = performance.now();
  const value = work();
  return { value, ms: performance.now() - begun };
}

export function benchReading(counts: readonly number[]): void {
  process.stdout.write('\nReading: bytes → plan, beside node-ical alone\n events   node-ical       parse       draft        plan   parse+draft/node-ical  events/s\n');
  for (const count of counts) {
    const text = feedOf(count);
    const bytes = Buffer.from(text);
    const floor = timed(() => nodeIcal.sync.parseICS(text));
    const parsed = timed(() => parseCalendar(decodeText(bytes, 'text/calendar; charset=utf-8').text).value);
    const drafted = timed(() => draftsFromCalendar(parsed.value, settings));
    const planned = timed(() => planChanges({ reading: drafted.value, snapshot: emptySite, ledger: new Map(), policy }));
    const whole = parsed.ms + drafted.ms;
    const cells = [floor.ms, parsed.ms, drafted.ms, planned.ms].map((ms) => `${ms.toFixed(1).padStart(9)} ms`);
    process.stdout.write(`${String(count).padStart(7)}${cells.join('')}${(whole / floor.ms).toFixed(2).padStart(24)}${Math.round((count / (whole + planned.ms)) * 1000).toString().padStart(10)}\n`);
  }
}

if (import.meta.main) benchReading([10, 1_000, 10_000, 100_000]);
