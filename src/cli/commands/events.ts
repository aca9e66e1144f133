import { foldedWords } from '../../ascii.ts';
import { nearest } from '../../config/nearest.ts';
import type { Config } from '../../config.ts';
import type { Queryable } from '../../db/database.ts';
import {
  allCategories,
  allTitles,
  LISTED_STATES,
  listEvents,
  type EventFilter,
  type EventsListed,
  type ListedEvent,
  type ListedState,
} from '../../run/events/list-events.ts';
import { countInWords, grouped } from '../../count-in-words.ts';
import { instantFromWall, isMonth, monthAfter } from '../../time.ts';
import { commandOf } from '../terminal/command.ts';
import { textOption } from '../terminal/option-values.ts';
import { keyOfSite } from '../terminal/site-key.ts';
import { refuseUnknownSource } from '../terminal/source-named.ts';
import { WrongUse } from '../terminal/wrong-use.ts';
import { zonesOfSites } from '../../run/state/site-zones.ts';
import { printTable, screenOf } from '../terminal/screen.ts';
import type { Row } from '../text/table.ts';
import { timeColumn, type TimeColumn } from '../text/time-column.ts';
import { knownNames } from '../text/unknown-name.ts';
import { EXIT, printJson } from '../terminal/io.ts';
import { withDatabase } from '../open/open-database.ts';

const PER_PAGE = 50;

/** `events [SOURCE]`: lists the events of sources; without a month, only those that are not over. */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'events [source]',
  description: 'the events of all sources or of one, by state, month, category or title',
  example: 'events theatre --month 2027-03',
  choices: { state: LISTED_STATES },
  options: [
    ['--state <state>', `only those that are ${LISTED_STATES.join(', ')}`],
    ['--month <month>', 'only those of a month, by the clock of the site: 2027-03'],
    ['--category <name>', 'only those with a category, as the feed or a rule gives it'],
    ['--search <text>', 'only those with this text in the title, in the feed or as a run last saw it on the site'],
    ['--page <number>', `which ${PER_PAGE} of them`, '1'],
  ],
  act: async ({ io, config, options, args: [source] }) =>
    withDatabase(config, io, async (database) => {
      const query = database.query();
      const search = textOption(options['search']);
      const page = pageOf(options['page']);
      await refuseUnknownSource(query, config, source);
      const zoneOf = await zonesOfSites(query, config.builtin.timezone);
      const filter = {
        source,
        state: stateOf(options['state']),
        ...spanOf(options['month'], io.now(), zoneOf(siteMeant(config, source))),
        category: textOption(options['category']),
        search,
      };
      const listed = await listedBy(query, filter, { offset: (page - 1) * PER_PAGE, limit: PER_PAGE });
      const { events, total } = listed;
      if (options.json) printJson(io, { ...listed, page, pages: Math.ceil(total / PER_PAGE) });
      else {
        const sites = events.map(({ site }) => site);
        const when = timeColumn('begins', sites, zoneOf, screenOf(io));
        printTable(io, {
          headings: [when.heading, 'source', 'event'],
          rows: events.map((event) => rowOf(event, when)),
        });
        const unknown = total === 0 && search !== undefined ? await unknownText(query, search) : '';
        io.out(`${restInWords(total, page, events.length)}${unknown}\n`);
      }
      return EXIT.done;
    }),
});

/**
 * The events that match a filter, whose category is not case-sensitive. Throws WrongUse for a category that no event
 * has.
 */
async function listedBy(
  query: Queryable,
  filter: EventFilter,
  part: { readonly offset: number; readonly limit: number },
): Promise<EventsListed> {
  const { category } = filter;
  const listed = await listEvents(query, filter, part);
  if (listed.total > 0 || category === undefined) return listed;
  const known = await allCategories(query);
  if (known.includes(category)) return listed;
  const [same, ...others] = known.filter((name) => foldedWords(name) === foldedWords(category));
  if (same !== undefined && others.length === 0) return listEvents(query, { ...filter, category: same }, part);
  throw new WrongUse(`No event has the category "${category}". ${knownNames(category, known, 'There are')}`);
}

/**
 * A sentence saying that no title, past or future, contains a text, with the word that was probably meant; '' if one
 * does.
 */
async function unknownText(query: Queryable, text: string): Promise<string> {
  const titles = (await allTitles(query)).map((title) => title.toLowerCase());
  if (titles.some((title) => title.includes(text.toLowerCase()))) return '';
  const meant = nearest(text, [...new Set(titles.flatMap((title) => title.split(/[^\p{L}\p{N}]+/u)))]);
  return meant === undefined
    ? ` No event has "${text}" in its title; one that was retitled on the site is found once a run has compared it.`
    : ` No event has "${text}" in its title. Did you mean "${meant}"?`;
}

function stateOf(text: unknown): ListedState | undefined {
  if (text === undefined) return undefined;
  const state = LISTED_STATES.find((one) => one === text);
  if (!state) throw new WrongUse(`--state takes ${LISTED_STATES.join(', ')}, not "${String(text)}".`);
  return state;
}

function pageOf(text: unknown): number {
  const page = Number(text);
  if (!Number.isInteger(page) || page < 1)
    throw new WrongUse(`--page takes a whole number from 1, not "${String(text)}".`);
  return page;
}

/** The key of the site whose zone decides when a month begins: the source's or, as in the console, the first one. */
function siteMeant(config: Config, source: string | undefined): string {
  const name = config.sources.find((each) => each.name === source)?.site ?? Object.keys(config.sites)[0] ?? '';
  const site = config.sites[name];
  return site === undefined ? 'builtin' : keyOfSite(site);
}

/** The month in a zone, or else everything from now on. */
function spanOf(month: unknown, now: number, zone: string): { readonly from: number; readonly to?: number } {
  if (month === undefined) return { from: now };
  if (typeof month !== 'string' || !isMonth(month))
    throw new WrongUse(`--month takes a month such as 2027-03, not "${String(month)}".`);
  const firstOf = (of: string): number => instantFromWall(`${of}-01 00:00:00`, zone);
  return { from: firstOf(month), to: firstOf(monthAfter(month, 1)) };
}

function rowOf({ site, start, startsAt, allDay, source, title, slug, ...event }: ListedEvent, when: TimeColumn): Row {
  const begins = allDay ? start.slice(0, 10) : when.cell(site, new Date(startsAt));
  return { cells: [begins, source, `"${title}"${notesOf(event)}`], below: [{ text: slug, style: 'dim' }] };
}

type Noted = Pick<ListedEvent, 'conflict' | 'edited' | 'locked' | 'missing' | 'held' | 'state' | 'status' | 'removed'>;

const NOTES: readonly ((event: Noted) => string | false | null)[] = [
  ({ state }) => state === 'detached' && "a person's own",
  ({ removed }) => removed && REMOVED[removed],
  ({ state, status }) => state === 'kept' && status !== 'publish' && status,
  ({ conflict }) => conflict && 'in conflict',
  ({ edited }) => edited && 'edited on the site',
  ({ locked }) => locked && 'locked',
  ({ missing, state }) =>
    missing > 0 && state === 'kept' && `missing from ${countInWords(missing, 'good fetch', 'good fetches')}`,
  ({ held }) => held && `${held.action} held in ${held.run}`,
];

function notesOf(event: Noted): string {
  const notes = NOTES.map((note) => note(event)).filter((note) => typeof note === 'string');
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`;
}

const REMOVED = {
  trash: 'taken off by calsyncd',
  draft: 'made a draft by calsyncd',
  cancel: 'marked as cancelled by calsyncd',
} as const;

function restInWords(total: number, page: number, shown: number): string {
  const left = total - (page - 1) * PER_PAGE - shown;
  if (shown === 0 && total > 0)
    return `There is no page ${page}: the last of these ${countInWords(total, 'event')} are on --page ${Math.ceil(total / PER_PAGE)}.`;
  if (left <= 0) return `${countInWords(total, 'event')}.`;
  return `${countInWords(total, 'event')}, ${grouped(left)} more: --page ${page + 1}`;
}
