import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRows } from '../../src/csv/parse-rows.ts';
import { textFromHtml } from '../../src/html/text.ts';
import type { DraftSettings, EventDraft, FeedReading } from '../../src/sync/model/draft.ts';
import { draftsFromRows } from '../../src/sync/drafts/from-rows.ts';
import { DRAFT_SETTINGS } from '../support/draft-settings.ts';

const folder = join(process.env['CALSYNCD_CORPUS'] ?? join(import.meta.dirname, '../../../shared'), 'feeds/csv');
const present = existsSync(folder);
if (!present) process.stdout.write(`The CSV corpus was not run: ${folder} is not there.\n`);

interface Expected {
  readonly title: string;
  readonly start: string;
  readonly end: string | null;
  readonly allDay: boolean;
  readonly venue: string;
  readonly organizer: string;
  readonly description: string;
  readonly categories: readonly string[];
  readonly cost: string;
  readonly url: string;
}
const expected: { readonly events: readonly Expected[] } = present
  ? JSON.parse(readFileSync(join(folder, 'EXPECTED.json'), 'utf8'))
  : { events: [] };

const settings: DraftSettings = {
  ...DRAFT_SETTINGS,
  source: 'csv',
  window: { from: Date.UTC(2020, 0, 1), to: Date.UTC(2030, 0, 1) },
  timezone: 'Europe/Berlin',
  siteTimezone: 'UTC',
  everything: true,
};

function readingOf(name: string): FeedReading {
  const parsed = parseRows(readFileSync(join(folder, name)), null);
  if (parsed.kind === 'notRows') throw new Error(parsed.problem.message);
  return draftsFromRows(parsed, settings);
}

/** An event in the form of EXPECTED.json. Fields for which the file has no column are not compared. */
function shown({ fields }: EventDraft): Partial<Expected> {
  const { all_day: allDay, start_date, end_date } = fields;
  const minutes = (wall: string): string => (allDay ? wall.slice(0, 10) : wall.slice(0, 16).replace(' ', 'T'));
  const categories = [...(fields.categories ?? []), ...(fields.tags ?? [])];
  return {
    title: fields.title,
    allDay,
    start: minutes(start_date),
    end: minutes(end_date),
    ...(fields.venue === undefined ? {} : { venue: fields.venue[0]?.venue ?? '' }),
    ...(fields.organizer === undefined ? {} : { organizer: fields.organizer.map(({ organizer }) => organizer).join() }),
    ...(fields.description === undefined ? {} : { description: textFromHtml(fields.description) }),
    ...(fields.categories === undefined && fields.tags === undefined ? {} : { categories }),
    ...(fields.cost === undefined ? {} : { cost: fields.cost }),
  };
}

/**
 * The entry of EXPECTED.json for an event with this title, adapted where we deliberately differ; undefined if there is
 * none.
 */
function wanted(like: Partial<Expected>): Partial<Expected> | undefined {
  const event = expected.events.find(({ title }) => title === like.title);
  if (!event) return undefined;
  // A start in a gap of the clocks is shown as sites show it. An event without an end ends when it starts.
  const start = event.start === '2026-03-29T02:30' ? '2026-03-29T03:30' : event.start;
  const own: Expected = {
    ...event,
    start,
    end: event.end ?? start,
    description: textFromHtml(event.description.replace(/<script.*<\/script>/, '')),
  };
  return Object.fromEntries(Object.entries(own).filter(([field]) => field in like));
}

describe.runIf(present)('the CSV corpus', () => {
  const wellFormed = present
    ? readdirSync(folder).filter((name) => /^(?:eventbrite|google|localist|outlook|tec-events)/.test(name))
    : [];
  it.each(wellFormed)('%s is read as in EXPECTED.json', (name) => {
    const { drafts, problems } = readingOf(name);
    const events = drafts.filter((draft) => draft.fields.title !== 'Weekly yoga').map(shown);
    expect(problems.filter(({ code }) => code !== 'charset-guessed')).toEqual([]);
    expect(events.length).toBeGreaterThanOrEqual(2);
    expect(events).toEqual(events.map((event) => wanted(event)));
  });

  it('Localist’s weekly series becomes its 8 occurrences', () => {
    const series = readingOf('localist-bulk.csv').drafts.filter((draft) => draft.fields.title === 'Weekly yoga');
    expect(series.map(({ fields }) => fields.start_date.slice(5, 10))).toEqual([
      '09-07',
      '09-09',
      '09-14',
      '09-16',
      '09-21',
      '09-23',
      '09-28',
      '09-30',
    ]);
  });

  const broken: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    [
      'bad-dates.csv',
      ['Serial', 'No title is next', 'Dup', 'Dup'],
      ['row-date', 'row-date', 'row-date', 'row-end-before-start', 'row-time', 'row-title'],
    ],
    ['bad-ragged-rows.csv', ['Long', 'Good'], ['row-cut', 'row-ragged']],
    ['bad-unterminated-quote.csv', ['Next row'], ['csv-quote']],
    ['bad-header-only.csv', [], ['no-events']],
    ['bad-nul-bytes.csv', ['NulEvent'], ['nul-bytes']],
    ['excel-sep-line.csv', ['Mit Trennzeile'], []],
    ['duplicate-headers.csv', ['Two cats'], []],
  ];
  it.each(broken)('%s loses its bad rows only', (name, titles, codes) => {
    const { drafts, problems } = readingOf(name);
    expect(drafts.map(({ fields }) => fields.title)).toEqual(titles);
    expect(problems.map(({ code }) => code)).toEqual(codes);
  });

  it('a login page is not a feed', () => {
    expect(() => readingOf('bad-html-login-page.csv')).toThrow('web page');
  });
});
