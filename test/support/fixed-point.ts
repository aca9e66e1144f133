import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openFeeds } from '../../src/cli/open-feeds.ts';
import type { Event } from '../../src/contract/representation.ts';
import { handleFeeds } from '../../src/feeds/handle-feeds.ts';
import { sourceKey } from '../../src/sync/slug.ts';
import { instantFromWall } from '../../src/time.ts';
import { syncingApp } from './syncing-app.ts';

export interface Exported { readonly text: string; readonly created: number; /** What the list endpoint shows. */ readonly listed: readonly Event[] }

/** A feed that is imported: its text or its file, and of which time (epoch milliseconds) its events are taken. */
export type Imported = ({ readonly text: string } | { readonly file: string }) & { readonly from: number; readonly to: number };

/** Feeds imported into one empty site, each as a source of its own, and exported as one calendar of all that starts between `from` and `to`. */
export async function importedAndExported(feeds: readonly Imported[], span: { readonly from: number; readonly to: number }): Promise<Exported> {
  const syncing = await syncingApp();
  try {
    const names = sourceNames(feeds.length);
    const urls = await Promise.all(feeds.map(async (feed, index) => {
      const file = 'file' in feed ? feed.file : path.join(syncing.directory, `${names[index]}.ics`);
      if ('text' in feed) await writeFile(file, feed.text);
      return pathToFileURL(file).href;
    }));
    const directories = [...new Set([syncing.directory, ...feeds.flatMap((feed) => ('file' in feed ? [path.dirname(feed.file)] : []))])];
    const app = await syncing.open(JSON.stringify({
      builtin: { title: 'Town', timezone: 'Europe/Warsaw' }, fetch: { allow_files: directories },
      sources: Object.fromEntries(feeds.map(({ from, to }, index) => [names[index], { url: urls[index], window: { past: '1d', future: days(to - from) } }])),
      feeds: { all: { title: 'All', window: { past: '1d', future: days(span.to - span.from) } } },
    }));
    let created = 0;
    for (const [index, { from }] of feeds.entries()) {
      syncing.clock.now = from;
      const report = await app.sync(names[index]!);
      if (report.state === 'held') throw new Error(`held: ${report.problems.map(({ message }) => message).join('\n')}`);
      created += report.created;
    }
    syncing.clock.now = span.from;
    const answer = await handleFeeds(openFeeds(app.config, app), new Request('http://127.0.0.1:8080/feeds/all.ics'));
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
    return { text, created, listed: (await app.events()).filter(({ status }) => status === 'publish') };
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

/** A calendar's events in order, without ids and times of change; the properties of each in the order of their names. */
export function comparable(text: string): readonly string[] {
  const [head = '', ...events] = text.replaceAll('\r\n ', '').split('BEGIN:VEVENT\r\n');
  const plain = events.map((event) => event.replace(/END:VEVENT\r\n(?:END:VCALENDAR\r\n)?$/, '').split('\r\n').filter((line) => !/^(?:UID|SEQUENCE|DTSTAMP|CREATED|LAST-MODIFIED):/.test(line)).join('\n'));
  return [head, ...plain.toSorted()];
}

/** The same with instants in place of zoned times, and without the descriptions of zones. */
export const comparableInstants = (text: string): readonly string[] => comparable(text.replaceAll('\r\n ', '').replace(/BEGIN:VTIMEZONE[\s\S]*?END:VTIMEZONE\r\n/g, '')
  .replace(/^(DTSTART|DTEND);TZID=([^:]+):(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/gm, (_all, name: string, zone: string, ...digits: string[]) => {
    const [year, month, day, hour, minute, second] = digits;
    return `${name}:${new Date(instantFromWall(`${year}-${month}-${day} ${hour}:${minute}:${second}`, zone)).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  }));
