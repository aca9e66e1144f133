import { setImmediate } from 'node:timers/promises';
import ical from 'ical-generator';
import { DateTime } from 'luxon';
import { buildFeed } from '../../src/feeds/content/build-feed.ts';
import { memoryExportState } from '../support/memory-export-state.ts';
import type { Event } from '../../src/contract/representation.ts';
import { sizesAsked, tell } from './measured.ts';
import { memorySite, siteEvent, siteTerm, siteVenue } from '../support/memory-site.ts';

// An export compared with bare ical-generator on the same values: time, size, memory and the longest block of the event
// loop. Memory is only accurate for one size per process: `node src/launch.js test/bench/export.ts [--json] [100000]`.

const NOW = Date.UTC(2026, 10, 20);
const venue = siteVenue(1, { address: 'Main Street 1', city: 'Kraków', geo_lat: 50.06, geo_lng: 19.94 });
const description = `<p>${'Lorem ipsum dolor sit amet, consectetur. '.repeat(6)}</p>`;

function eventAt(index: number): Event {
  const start = new Date(NOW + (index % 500) * 86_400_000 + (index % 10) * 3_600_000);
  const end = new Date(start.getTime() + 7_200_000);
  return {
    ...template,
    id: index,
    slug: `event-${index}`,
    title: `Event ${index} &amp; more`,
    start_date: local(start),
    end_date: local(end),
    utc_start_date: utc(start),
    utc_end_date: utc(end),
  };
}

const utc = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');

const local = (date: Date): string =>
  DateTime.fromJSDate(date, { zone: 'Europe/Warsaw' }).toFormat('yyyy-MM-dd HH:mm:ss');

const template = siteEvent(1, { description, venue, categories: [siteTerm(1, 'Music')] });

interface Work {
  readonly ms: number;
  readonly megabytesOut: number;
  readonly memoryMb: number;
  readonly longestWaitMs: number;
}

async function measure(work: () => Promise<number>): Promise<Work> {
  const seen = { memory: 0, wait: 0, last: performance.now() };
  const look = (): void => {
    const now = performance.now();
    Object.assign(seen, {
      memory: Math.max(seen.memory, process.memoryUsage.rss()),
      wait: Math.max(seen.wait, now - seen.last),
      last: now,
    });
  };
  const timer = setInterval(look, 1);
  const startedAt = performance.now();
  const octets = await work();
  const ms = performance.now() - startedAt;
  look();
  clearInterval(timer);
  return { ms, megabytesOut: octets / 1e6, memoryMb: seen.memory / 1e6, longestWaitMs: seen.wait };
}

/** Generates events on demand, like the pages of a site. */
async function ours(count: number): Promise<number> {
  const site = {
    ...memorySite([]),
    list: async function* list() {
      for (let index = 0; index < count; index++) {
        if (index % 50 === 0) await setImmediate();
        yield eventAt(index);
      }
    } as never,
  };
  const { body } = await buildFeed(
    {
      client: site,
      ourKeys: async () => new Map(),
      state: memoryExportState(),
      host: 'site.example',
      publicUrl: 'https://cal.example',
      home: 'https://cal.example/',
    },
    { id: 'all', title: 'All' },
    NOW,
  );
  return body.octets;
}

async function generatorAlone(count: number): Promise<number> {
  const calendar = ical({ name: 'All' });
  for (let index = 0; index < count; index++) {
    const event = eventAt(index);
    calendar.createEvent({
      id: `${index}@site.example`,
      timezone: 'Europe/Warsaw',
      stamp: new Date(NOW),
      created: new Date(NOW),
      lastModified: new Date(NOW),
      summary: event.title,
      description: event.description,
      location: 'Venue 1, Main Street 1, Kraków',
      categories: [{ name: 'Music' }],
      url: event.url,
      start: DateTime.fromSQL(event.start_date, { zone: 'Europe/Warsaw' }),
      end: DateTime.fromSQL(event.end_date, { zone: 'Europe/Warsaw' }),
    });
  }
  return Buffer.byteLength(calendar.toString());
}

await ours(500);
await generatorAlone(500);
for (const events of sizesAsked([10_000])) {
  const own = await measure(() => ours(events));
  const alone = await measure(() => generatorAlone(events));
  tell({
    what: 'export of a feed',
    events,
    value: own.ms,
    unit: 'ms',
    floor: alone.ms,
    beside: 'bare ical-generator with the same values',
    bound:
      `The texts of each event, and its UID and SEQUENCE. The peak is ${own.memoryMb.toFixed(0)} MB (bare ` +
      `generator: ${alone.memoryMb.toFixed(0)}); the event loop is blocked for at most ` +
      `${own.longestWaitMs.toFixed(0)} ms (${alone.longestWaitMs.toFixed(0)}).`,
    details: { ...own, generatorMemoryMb: alone.memoryMb, generatorWaitMs: alone.longestWaitMs },
  });
}
