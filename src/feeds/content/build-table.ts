import { eventZone } from '../../contract/event-zone.ts';
import type { Event } from '../../contract/representation.ts';
import { decodeEntities } from '../../html/references.ts';
import { textFromHtml } from '../../html/text.ts';
import type { CalendarTime, PublishedEvent } from '../../ical/write/write-event.ts';
import type { Problem } from '../../problem.ts';
import { FLAGS, SHORT_TEXTS } from '../../sync/model/fields.ts';
import { isStateTag } from '../../sync/model/state-tags.ts';
import { dayAfter } from '../../time.ts';
import { eventsOfFeed, inGroups, wantedOf, type BuiltFeed } from './build-feed.ts';
import type { FeedDefinition } from '../definition/definition.ts';
import { bodyWriter } from './feed-body.ts';
import type { ExportedSite } from './exported-site.ts';
import { publishedEvents, readableOf } from './published-events.ts';

interface Row {
  readonly event: Event;
  readonly told: PublishedEvent;
}
type Column = readonly [header: string, cell: (row: Row) => string];

const text = (html: string | undefined): string =>
  (html?.includes('<') ? textFromHtml(html) : decodeEntities(html ?? '')).replace(/\s+/g, ' ').trim();
const venueOf = ({ event }: Row) => [event.venue].flat()[0];
// The import splits at commas, semicolons and bars (organizers not at commas), unless the list ends with a semicolon
// and those in names are escaped with backslashes.
const names = (given: readonly string[], separators = /[,;|]/): string => {
  const cleaned = given.map(text).filter((name) => name !== '');
  const list = cleaned.some((name) => separators.test(name))
    ? `${cleaned.map((name) => name.replace(/[;\\]/g, String.raw`\$&`)).join('; ')};`
    : cleaned.join('; ');
  return list.replace(REFERENCE, '$1 ;');
};
/** The end of `Tea&Cup` with the separating semicolon, which would turn it into a character reference. */
const REFERENCE = /(&#?[a-z\d]+);/gi;
const flag = (is: boolean): string => (is ? 'yes' : 'no');

/** `show_map` → `Show map` */
const headerOf = (field: string): string => `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`;

/** The columns, with names that the import of CSV feeds recognises (src/csv/columns.ts). */
const COLUMNS: readonly Column[] = [
  ['UID', ({ told }) => told.uid],
  ['Title', ({ told }) => told.content.title],
  ['Start date', ({ told }) => dateOf(told.content.start)],
  ['Start time', ({ told }) => timeOf(told.content.start)],
  [
    'End date',
    ({ told: { content } }) =>
      content.start.kind === 'date' && content.end?.kind === 'date'
        ? dayAfter(content.end.day, -1)
        : dateOf(content.end ?? content.start),
  ],
  ['End time', ({ told: { content } }) => timeOf(content.end ?? content.start)],
  ['All day', ({ event }) => flag(event.all_day)],
  ['Time zone', ({ event }) => eventZone(event.timezone) ?? event.timezone],
  ['Venue', (row) => text(venueOf(row)?.venue)],
  ['Address', (row) => text(venueOf(row)?.address)],
  ['City', (row) => text(venueOf(row)?.city)],
  ['State', (row) => text(venueOf(row)?.stateprovince ?? venueOf(row)?.state)],
  ['ZIP', (row) => text(venueOf(row)?.zip)],
  ['Country', (row) => text(venueOf(row)?.country)],
  [
    'Organizer',
    ({ event }) =>
      names(
        event.organizer.map(({ organizer }) => organizer),
        /[;|]/,
      ),
  ],
  ['Categories', ({ event }) => names(event.categories.map(({ name }) => name))],
  ['Tags', ({ event }) => names(event.tags.flatMap(({ name }) => (isStateTag(name) ? [] : name)))],
  ['Description', ({ event }) => event.description],
  ['Excerpt', ({ event }) => event.excerpt],
  ...SHORT_TEXTS.map((field): Column => [headerOf(field), ({ event }) => text(event[field])]),
  ['Website', ({ event }) => decodeEntities(event.website)],
  ['Image', ({ event }) => (event.image ? event.image.url : '')],
  ['Status', ({ told }) => told.content.status.toLowerCase()],
  // Tables leave hidden events out, so it would always be off.
  ...FLAGS.filter((field) => field !== 'hide_from_listings').map((field): Column => [
    headerOf(field),
    ({ event }) => flag(event[field]),
  ]),
];

/** The headers of an exported table. */
export const TABLE_HEADERS: readonly string[] = COLUMNS.map(([header]) => header);

// Where wall-clock time and zone are ambiguous (the second 02:30 in autumn), write the instant.
function dateOf(time: CalendarTime): string {
  if (time.kind === 'date') return time.day;
  return time.kind === 'zoned' ? time.wall.slice(0, 10) : `${new Date(time.at).toISOString().slice(0, 19)}Z`;
}
const timeOf = (time: CalendarTime): string => (time.kind === 'zoned' ? time.wall.slice(11) : '');

/** A feed as a table (RFC 4180, UTF-8 with a byte order mark for Excel). Throws AppError like `buildFeed`. */
export async function buildTable(site: ExportedSite, definition: FeedDefinition, now: number): Promise<BuiltFeed> {
  const client =
    definition.language === undefined ? site.client : (site.clientIn?.(definition.language) ?? site.client);
  const [writer, problems, uids] = [bodyWriter(), [] as Problem[], new Set<string>()];
  let count = 0;
  for await (const events of inGroups(
    eventsOfFeed(client, await wantedOf(client, definition, site.client), now, problems),
  )) {
    const readable = await readableOf(events, problems);
    const rows = (await publishedEvents(site, readable, uids, undefined))
      .flatMap((told, index): readonly Row[] => readable.slice(index, index + 1).map(({ event }) => ({ told, event })))
      .filter(({ told }) => definition.cancelled !== 'hide' || told.content.status !== 'CANCELLED');
    count += rows.length;
    await writer.add(rows.map((row) => lineOf(COLUMNS.map(([, cell]) => cell(row)))).join(''));
  }
  return {
    body: writer.end(`\uFEFF${lineOf(TABLE_HEADERS)}`, ''),
    title: definition.title,
    events: count,
    stillToCome: count,
    coming: [],
    problems,
    isComplete: true,
  };
}

const lineOf = (cells: readonly string[]): string => `${cells.map((cell) => quoted(guarded(cell))).join(',')}\r\n`;

const quoted = (cell: string): string => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * Spreadsheets evaluate cells that begin with one of these characters, even in files from outside, which must not
 * happen to an event called `=HYPERLINK(…)`. A leading apostrophe makes the cell text; the import removes exactly one,
 * so cells that already begin with one get another.
 */
const guarded = (cell: string): string => (/^'*[=+\-@\t\r＝＋－＠]/.test(cell) ? `'${cell}` : cell);
