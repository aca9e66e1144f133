import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openFeeds } from '../../src/cli/open-feeds.ts';
import { handleFeeds } from '../../src/feeds/handle-feeds.ts';
import { instantFromWall } from '../../src/time.ts';
import { syncingApp } from './syncing-app.ts';

export interface Exported { readonly text: string; readonly created: number; readonly problems: readonly string[] }

/** A feed imported into an empty site, and exported again, `now` being the time of all of it. */
export async function importedAndExported(feed: { readonly text: string } | { readonly file: string }, now: number, window = { past: '400d', future: '900d' }): Promise<Exported> {
  const syncing = await syncingApp();
  try {
    syncing.clock.now = now;
    const target = path.join(syncing.directory, 'feed.ics');
    await ('text' in feed ? writeFile(target, feed.text) : copyFile(feed.file, target));
    const span = `{ past: ${window.past}, future: ${window.future} }`;
    const app = await syncing.open(`builtin: { title: Town, timezone: Europe/Warsaw }\nsources: { one: { url: file:feed.ics, window: ${span} } }\nfeeds: { all: { window: ${span} } }\n`);
    const { created, problems, state } = await app.sync('one');
    if (state === 'failed') throw new Error(problems.map(({ message }) => message).join('\n'));
    const answer = await handleFeeds(openFeeds(app.config, app), new Request('http://127.0.0.1:8080/feeds/all.ics'));
    return { text: await answer.text(), created, problems: problems.map(({ code }) => code) };
  } finally {
    await syncing.close();
  }
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
