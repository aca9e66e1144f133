import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openFeeds } from '../../src/cli/web/open-feeds.ts';
import type { Event } from '../../src/contract/representation.ts';
import { handleFeeds } from '../../src/feeds/handle-feeds.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { sourceKey } from '../../src/sync/model/slug.ts';
import { instantFromWall } from '../../src/time.ts';
import { syncingApp } from './syncing-app.ts';

export interface Exported {
  readonly text: string;
  /** The reports of the runs, in the order of the feeds. */ readonly reports: readonly Report[];
  /** The events of the list endpoint, if they were asked for. */ readonly listed: readonly Event[];
}

/** A feed to import: its text or file, and the period (epoch milliseconds) of the events to import. */
export type Imported = ({ readonly text: string } | { readonly file: string }) & {
  readonly from: number;
  readonly to: number;
};

/**
 * Imports feeds into one empty site, each as its own source, and exports everything that starts between `from` and `to`
 * as one calendar. With `listed`, the events of the list endpoint are read as well.
 */
export async function importedAndExported(
  feeds: readonly Imported[],
  span: { readonly from: number; readonly to: number },
  listed = false,
): Promise<Exported> {
  const syncing = await syncingApp();
  try {
    const names = sourceNames(feeds.length);
    const urls = await Promise.all(
      feeds.map(async (feed, index) => {
        const file = 'file' in feed ? feed.file : path.join(syncing.directory, `${names[index]}.ics`);
        if ('text' in feed) await writeFile(file, feed.text);
        return pathToFileURL(file).href;
      }),
    );
    const directories = [
      ...new Set([syncing.directory, ...feeds.flatMap((feed) => ('file' in feed ? [path.dirname(feed.file)] : []))]),
    ];
    const app = await syncing.open(
      JSON.stringify({
        builtin: { title: 'Town', timezone: 'Europe/Warsaw' },
        fetch: { allow_files: directories },
        sources: Object.fromEntries(
          feeds.map(({ from, to }, index) => [
            names[index],
            { url: urls[index], window: { past: '1d', future: days(to - from) } },
          ]),
        ),
        feeds: { all: { title: 'All', window: { past: '1d', future: days(span.to - span.from) } } },
      }),
    );
    const reports: Report[] = [];
    for (const [index, { from }] of feeds.entries()) {
      syncing.clock.now = from;
      const report = await app.sync(names[index]!);
      if (report.state === 'held') throw new Error(`held: ${report.problems.map(({ message }) => message).join('\n')}`);
      reports.push(report);
    }
    syncing.clock.now = span.from;
    const answer = await handleFeeds(openFeeds(app), new Request('http://127.0.0.1:8080/feeds/all.ics'));
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
    return { text, reports, listed: listed ? (await app.events()).filter(({ status }) => status === 'publish') : [] };
  } finally {
    await syncing.close();
  }
}

const days = (ms: number): string => `${Math.max(1, Math.ceil(ms / 86_400_000))}d`;

/** A number of source names with different keys. */
function sourceNames(count: number): readonly string[] {
  const names = new Map<string, string>();
  for (let number = 1; names.size < count; number += 1) names.set(sourceKey(`feed-${number}`), `feed-${number}`);
  return [...names.values()];
}

/** A calendar's head and its sorted events, without ids and times of change. */
export function comparable(text: string): readonly string[] {
  const [head = '', ...events] = text.replaceAll('\r\n ', '').split('BEGIN:VEVENT\r\n');
  const plain = events.map((event) =>
    event
      .replace(/END:VEVENT\r\n(?:END:VCALENDAR\r\n)?$/, '')
      .split('\r\n')
      .filter((line) => !/^(?:UID|SEQUENCE|DTSTAMP|CREATED|LAST-MODIFIED):/.test(line))
      .join('\n'),
  );
  return [head, ...plain.toSorted()];
}

/**
 * The differences between two exports, except for ids and times of change; [] if there are none.
 * Three differences are allowed. The import reads a UTC instant as a time in the calendar's zone (X-WR-TIMEZONE), and
 * that zone's definition may then be new or longer.
 * An address follows its venue's name on one line and is read back as part of the name; sites apply typography to
 * names, but not to addresses.
 */
export function exportDifferences(first: string, second: string): readonly string[] {
  const [[head = '', ...events], [headAgain = '', ...eventsAgain]] = [comparable(first), comparable(second)];
  const own = /^X-WR-TIMEZONE:(.*)\r$/m.exec(head)?.[1];
  const [before, after] = [onlyIn(events, eventsAgain), onlyIn(eventsAgain, events)];
  const [changing, again] = [before.filter(mayChange).map(alike), after.map(alike)];
  return [
    ...onlyIn(partsOf(head, own), partsOf(headAgain, own)).map((part) => `only the first has ${part}`),
    ...onlyIn(partsOf(headAgain, own), partsOf(head, own)).map((part) => `only the second has ${part}`),
    ...before.filter((event) => !mayChange(event)).map((event) => `only the first has ${event}`),
    ...onlyIn(changing, again).map((event) => `only the first has ${event}`),
    ...onlyIn(again, changing).map((event) => `only the second has ${event}`),
  ];
}

const mayChange = (event: string): boolean =>
  /^DT(?:START|END):\d{8}T\d{6}Z$|^LOCATION:.*\\,.*(?:['"]|--|\.\.\.)/m.test(event);

/** An event with UTC instants instead of zoned times, and with plain quotes and dashes in its location. */
const alike = (event: string): string =>
  inInstants(event).replace(/^LOCATION:.*$/m, (location) =>
    location.replace(/[‘’′]/g, "'").replace(/[“”″]/g, '"').replace(/[–—]/g, '--').replaceAll('…', '...'),
  );

/** The lines before the time zones, and each time zone except for the calendar's own. */
const partsOf = (head: string, own: string | undefined): readonly string[] =>
  head.split(/(?=BEGIN:VTIMEZONE)/).filter((part) => !part.includes(`\r\nTZID:${own}\r\n`));

/** The texts that occur in the first list but not in the second; repeated texts count separately. */
export function onlyIn(texts: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of others) counts.set(text, (counts.get(text) ?? 0) + 1);
  return texts.filter((text) => {
    const left = counts.get(text) ?? 0;
    counts.set(text, left - 1);
    return left <= 0;
  });
}

/** An event with UTC instants instead of zoned times. */
const inInstants = (event: string): string =>
  event.replace(
    /^(DTSTART|DTEND);TZID=([^:]+):(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/gm,
    (_all, name: string, zone: string, ...digits: string[]) => {
      const [year, month, day, hour, minute, second] = digits;
      const instant = instantFromWall(`${year}-${month}-${day} ${hour}:${minute}:${second}`, zone);
      const written = new Date(instant).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
      return `${name}:${written}Z`;
    },
  );
