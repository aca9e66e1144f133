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
  /** What the runs told, in the order of the feeds. */ readonly reports: readonly Report[];
  /** What the list endpoint shows, where that was asked for. */ readonly listed: readonly Event[];
}

/** A feed that is imported: its text or its file, and of which time (epoch milliseconds) its events are taken. */
export type Imported = ({ readonly text: string } | { readonly file: string }) & {
  readonly from: number;
  readonly to: number;
};

/**
 * Feeds imported into one empty site, each as a source of its own, and exported as one calendar of all that starts
 * between `from` and `to`. What the list endpoint shows is read where it is `listed`.
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

/** As many names of sources, no two with the same key. */
function sourceNames(count: number): readonly string[] {
  const names = new Map<string, string>();
  for (let number = 1; names.size < count; number += 1) names.set(sourceKey(`feed-${number}`), `feed-${number}`);
  return [...names.values()];
}

/** A calendar's head and its events in order, without ids and times of change. */
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
 * What two exports do not have in common besides ids and times of change; [] where the second is the first again.
 * Instants in UTC may have become times in the zone that the calendar names (X-WR-TIMEZONE), as the import reads
 * everybody's calendars; that zone is then described in the second, or longer.
 * An address stands behind its venue's name on one line, and is read as part of the name: sites set names
 * typographically, but not addresses.
 */
export function notAsBefore(first: string, second: string): readonly string[] {
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

/** An event with instants in place of zoned times, and plain signs in its place. */
const alike = (event: string): string =>
  inInstants(event).replace(/^LOCATION:.*$/m, (location) =>
    location.replace(/[‘’′]/g, "'").replace(/[“”″]/g, '"').replace(/[–—]/g, '--').replaceAll('…', '...'),
  );

/** A head's lines before the zones, and each zone besides the calendar's own. */
const partsOf = (head: string, own: string | undefined): readonly string[] =>
  head.split(/(?=BEGIN:VTIMEZONE)/).filter((part) => !part.includes(`\r\nTZID:${own}\r\n`));

/** What one list of texts has and the other has not, each as often as it is there. */
export function onlyIn(texts: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of others) counts.set(text, (counts.get(text) ?? 0) + 1);
  return texts.filter((text) => {
    const left = counts.get(text) ?? 0;
    counts.set(text, left - 1);
    return left <= 0;
  });
}

/** An event with instants in place of zoned times. */
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
