import type { Event, EventPage } from '../../../contract/representation.ts';
import { html, type Html } from '../../../html/template.ts';
import type { Day } from '../frame/dates.ts';
import { isoUtc } from '../frame/clock.ts';
import type { Frame } from '../frame/layout.ts';
import { comingFrom } from '../list/list-page.ts';
import type { Finder } from '../list/finder.ts';
import type { Read } from '../frame/read.ts';

const PER_PAGE = 50;
// A file may have 50,000 addresses (sitemaps.org); one of these takes twenty reads.
const PER_FILE = 1_000;

/**
 * Returns `/sitemap.xml`: the pages of all events that are not over, then those of the categories, places and
 * organizers that have some. If there are many, it lists `/sitemap-1.xml` and so on, which have a thousand addresses
 * each. Undefined for a number beyond the last.
 */
export async function sitemap(
  frame: Frame,
  read: Read,
  find: Pick<Finder, 'mapped' | 'today'>,
  number: number | undefined,
): Promise<string | undefined> {
  const { today } = find;
  const first = await listed(read, today, 1);
  const offset = ((number ?? 1) - 1) * PER_FILE;
  // Events come first; the rest of a file is for the others.
  const left = Math.min(PER_FILE, Math.max(0, offset + PER_FILE - first.total));
  // A file full of events exists however many others there are; counting those would take longer than making it.
  const isFull = number !== undefined && left === 0;
  const { total, things } = isFull
    ? { total: 0, things: [] }
    : await find.mapped({ limit: left, offset: Math.max(0, offset - first.total) });
  const files = Math.ceil((first.total + total) / PER_FILE);
  if (number === undefined && files > 1) return indexOf(frame, files);
  if (number !== undefined && (number < 1 || number > files)) return undefined;
  const from = offset / PER_PAGE + 1;
  const to = Math.min(first.total_pages, from + PER_FILE / PER_PAGE - 1);
  const events: Event[] = [];
  for (let page = from; page <= to; page += 1)
    events.push(...(page === 1 ? first : await listed(read, today, page)).events);
  return document('urlset', [
    // Protected events are left out, as they must not be found; lists show their flags as null.
    ...events
      .filter(({ featured }) => typeof featured === 'boolean')
      .map(({ url, modified_utc: modified }) => entry(url, modified)),
    ...things.map(({ url, modifiedUtc }) => entry(url, modifiedUtc)),
  ]);
}

const entry = (url: string, modified: string): Html =>
  html`<url><loc>${url}</loc><lastmod>${isoUtc(modified)}</lastmod></url>`;

const indexOf = ({ settings }: Frame, files: number): string =>
  document(
    'sitemapindex',
    Array.from(
      { length: files },
      (_, index) => html`<sitemap><loc>${settings.publicUrl}/sitemap-${index + 1}.xml</loc></sitemap>`,
    ),
  );

const document = (root: string, lines: readonly Html[]): string =>
  html`<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.map((line) => html`${line}\n`)}</${root}>
`.markup;

type Listed = Pick<EventPage, 'events' | 'total' | 'total_pages'>;

async function listed(read: Read, today: Day, page: number): Promise<Listed> {
  const list = await read<EventPage>('/events', {
    ...comingFrom(today),
    page: String(page),
    per_page: String(PER_PAGE),
  });
  // Events were removed after the first page was read.
  return list.ok ? list.value : { events: [], total: 0, total_pages: 0 };
}
