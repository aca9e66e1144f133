import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DAY_MS } from '../../src/time.ts';

/** The week that the samples were written for: exhibitions are running, and the season has begun. */
const WRITTEN_IN = '2026-11-23';
const WEEK_MS = 7 * DAY_MS;
/** The Saturday on which the theatre starts at a different time than announced. */
const MOVED = '2027-03-27';

/**
 * Copies the samples into a folder with all their dates moved by whole weeks, so that they look as if written this
 * week. Returns the Saturday above, moved as well.
 */
export async function putSamples(folder: string): Promise<string> {
  const by = Math.floor((Date.now() - Date.parse(WRITTEN_IN)) / WEEK_MS) * WEEK_MS;
  await cp('config/samples', folder, { recursive: true });
  const change = async (name: string, to: (text: string) => string): Promise<void> =>
    writeFile(path.join(folder, name), to(await readFile(path.join(folder, name), 'utf8')));
  await change('theatre.ics', (text) => later(text, by));
  await change('sports-club.csv', (text) => later(text, by));
  // The library's series do not end; they recur by month and weekday.
  await change('library.ics', (text) =>
    text.replaceAll(/BEGIN:VEVENT[^]*?END:VEVENT/g, (event) => (event.includes('\nRRULE:') ? event : later(event, by))),
  );
  return later(MOVED, by);
}

/**
 * Moves the dates in a text, in iCalendar and CSV notation. Dates in time zone definitions are from before 2000 and
 * stay.
 */
const later = (text: string, by: number): string =>
  text.replaceAll(
    /\b(20\d\d)(-?)([01]\d)\2([0-3]\d)(?!\d)/g,
    (_, year: string, dash: string, month: string, day: string) =>
      new Date(Date.parse(`${year}-${month}-${day}`) + by).toISOString().slice(0, 10).replaceAll('-', dash),
  );
