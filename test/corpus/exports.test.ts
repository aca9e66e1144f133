import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import type { Event } from '../../src/contract/representation.ts';
import { buildFeed } from '../../src/feeds/content/build-feed.ts';
import { memoryExportState } from '../support/memory-export-state.ts';
import { safeHtml } from '../../src/html/sanitize.ts';
import { htmlFromText } from '../../src/html/text.ts';
import { decodeText } from '../../src/ical/read/decode.ts';
import { expandCalendar } from '../../src/ical/occurrences/expand-calendar.ts';
import type { Occurrence } from '../../src/ical/occurrences/occurrence.ts';
import { parseCalendar } from '../../src/ical/read/parse-calendar.ts';
import { wallFromInstant } from '../../src/time.ts';
import { violationsOf } from '../support/ical-check.ts';
import { memorySite, siteEvent, siteOrganizer, siteTerm, siteVenue } from '../support/memory-site.ts';

const folder = path.join(process.env['CALSYNCD_CORPUS'] ?? path.join(import.meta.dirname, '../../../shared'), 'feeds');
const files = existsSync(folder)
  ? globSync(
      ['real/**/*', 'library/**/*', 'hostile/**/*', 'timelines/**/*'].map((pattern) => path.join(folder, pattern)),
      { withFileTypes: true },
    )
      .filter((entry) => entry.isFile() && /\.(?:ics|ical|ifb|vcs)$/i.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .toSorted()
  : [];
if (files.length === 0) process.stderr.write(`Not run: no feeds in ${folder} (set CALSYNCD_CORPUS).\n`);

const ZONES = [
  'Europe/Warsaw',
  'America/New_York',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'UTC',
  'UTC+5.5',
  'US/Eastern',
  'Asia/Gaza',
];
const [FROM, TO] = [Date.UTC(1995, 0, 1), Date.UTC(2033, 0, 1)];

// Puts the texts of real publishers, with times in all kinds of zones, on a site, and validates every line that the
// site exports.
test.skipIf(files.length === 0)('no export of any feed breaks RFC 5545', async () => {
  const wrong: string[] = [];
  let events = 0;
  for (const file of files) {
    const listed = siteEventsOf(file);
    events += listed.length;
    const site = {
      client: memorySite(listed),
      ourKeys: async () => new Map<number, string>(),
      state: memoryExportState(),
      host: 'site.example',
      publicUrl: 'https://cal.example',
      home: 'https://cal.example/',
    };
    const { body: written, problems } = await buildFeed(
      site,
      {
        id: 'all',
        title: path.basename(file),
        window: { past: Date.UTC(2026, 0) - FROM, future: TO - Date.UTC(2026, 0) },
      },
      Date.UTC(2026, 0),
    );
    const body = await written.bytes();
    wrong.push(
      ...[...violationsOf(body), ...problems.map(({ message }) => message), ...misreadings(body, listed)].map(
        (what) => `${path.relative(folder, file)}: ${what}`,
      ),
    );
  }
  process.stdout.write(`exported and checked ${events} events of ${files.length} feeds\n`);
  expect(wrong).toEqual([]);
  expect(events).toBeGreaterThan(5_000);
});

function siteEventsOf(file: string): readonly Event[] {
  const { value } = parseCalendar(decodeText(readFileSync(file), null).text);
  const { occurrences } = expandCalendar(value, {
    window: { from: FROM + 86_400_000, to: TO - 86_400_000 },
    timezone: undefined,
    siteTimezone: 'UTC',
    occurrencesPerSeries: ZONES.length,
    repetitionsPerFeed: 2_000,
  });
  return occurrences.map(siteEventOf);
}

function siteEventOf({ event, startsAt, endsAt }: Occurrence, index: number): Event {
  const text = (name: string): string => event.texts[name]?.[0]?.text ?? '';
  const timezone = ZONES[index % ZONES.length]!;
  const [start, end] = [
    Math.floor(startsAt / 1000) * 1000,
    Math.floor(Math.min(endsAt, startsAt + 40 * 86_400_000) / 1000) * 1000,
  ];
  return siteEvent(index + 1, {
    timezone,
    start_date: wallFromInstant(start, timezone),
    end_date: wallFromInstant(end, timezone),
    utc_start_date: wallFromInstant(start, 'UTC'),
    utc_end_date: wallFromInstant(end, 'UTC'),
    title: htmlFromText(text('SUMMARY')),
    description: /<\w/.test(text('DESCRIPTION')) ? safeHtml(text('DESCRIPTION')) : htmlFromText(text('DESCRIPTION')),
    website: htmlFromText(text('URL')).replace(/^<p>|<\/p>$/g, ''),
    venue: text('LOCATION')
      ? siteVenue(1, {
          venue: htmlFromText(text('LOCATION')),
          address: text('LOCATION'),
          ...(event.geo ? { geo_lat: event.geo.lat, geo_lng: event.geo.lon } : {}),
        })
      : [],
    organizer: text('ORGANIZER')
      ? [siteOrganizer(2, { organizer: text('ORGANIZER'), email: text('ORGANIZER').replace(/^mailto:/i, '') })]
      : [],
    categories: event.categories.map((name, position) => siteTerm(position + 1, name)),
    ...(text('ATTACH').startsWith('http') ? { image: { url: text('ATTACH'), id: 1, extension: 'jpg' } } : {}),
  });
}

/** Checks whether ical.js finds the same number of events and the same starts as the site has. */
function misreadings(body: Buffer, listed: readonly Event[]): readonly string[] {
  const found = new Map(
    new ICAL.Component(ICAL.parse(body.toString('utf8')))
      .getAllSubcomponents('vevent')
      .map((component) => [String(component.getFirstPropertyValue('uid')), new ICAL.Event(component)]),
  );
  const moved = listed.filter(
    ({ id, utc_start_date }) =>
      (found.get(`${id}@site.example`)?.startDate.toUnixTime() ?? 0) * 1000 !==
      Date.parse(`${utc_start_date.replace(' ', 'T')}Z`),
  );
  return [
    ...(found.size === listed.length ? [] : [`${found.size} events, not ${listed.length}`]),
    ...moved.map(({ id, start_date, timezone }) => `event ${id} is moved from ${start_date} ${timezone}`),
  ];
}
