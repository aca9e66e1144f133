import { describe, expect, it } from 'vitest';
import { parseRows } from '../../../src/csv/parse-rows.ts';
import { parseCalendar } from '../../../src/ical/read/parse-calendar.ts';
import { eventArgs } from '../../../src/contract/event.ts';
import { textFromHtml } from '../../../src/html/text.ts';
import type { DraftSettings, FeedReading } from '../../../src/sync/model/draft.ts';
import { draftsOf } from '../../support/drafts-of.ts';
import { draftsFromRows } from '../../../src/sync/drafts/from-rows.ts';
import { titleInState } from '../../../src/sync/model/state-tags.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

const SETTINGS: DraftSettings = { ...DRAFT_SETTINGS, source: 'club' };
const CONTEXT = { now: 0, timezone: 'UTC', languages: [], namespace: '' };

function calendar(properties: string): FeedReading {
  const event = `BEGIN:VEVENT\r\nUID:1\r\nDTSTART;VALUE=DATE:20270101\r\n${properties}\r\nEND:VEVENT\r\n`;
  return draftsOf(parseCalendar(`BEGIN:VCALENDAR\r\n${event}END:VCALENDAR\r\n`).value, SETTINGS);
}

function rows(header: string, cell: string): FeedReading {
  const parsed = parseRows(Buffer.from(`Title,Start,${header}\nA,2027-01-01,"${cell}"\n`), null);
  if (parsed.kind === 'notRows') throw new Error(parsed.problem.message);
  return draftsFromRows(parsed, SETTINGS);
}

describe('what is too long for a site', () => {
  it.each<[string, FeedReading, 'description' | 'excerpt' | 'cost', number]>([
    [
      'a text that is too long only as HTML',
      calendar(`SUMMARY:A\r\nDESCRIPTION:${'\'"'.repeat(100_000)}`),
      'description',
      190_000,
    ],
    [
      'HTML with open elements',
      calendar(`SUMMARY:A\r\nDESCRIPTION:${'<div>'.repeat(250)}${'word & '.repeat(30_000)}`),
      'description',
      190_000,
    ],
    ['a text of a table', rows('Description', 'x'.repeat(300_000)), 'description', 190_000],
    ['a cost of a table', rows('Cost', '1'.repeat(3_000)), 'cost', 2_500],
  ])('%s is cut, which is reported, and the interface accepts the rest', (_, { drafts, problems }, field, least) => {
    const text = drafts[0]?.fields[field] ?? '';
    expect(text.length).toBeGreaterThanOrEqual(least);
    expect(problems).toMatchObject([{ code: 'text-cut' }]);
    expect(eventArgs.create[field].parse(text, CONTEXT)).toMatchObject({ kind: 'value' });
  });

  it('the name of a venue is cut, too', () => {
    const {
      drafts: [draft],
      problems,
    } = rows('Venue', 'Hall '.repeat(1_000));
    expect([draft?.fields.venue?.[0]?.venue.length, problems.map(({ code }) => code)]).toEqual([500, ['text-cut']]);
  });

  it.each<[string, FeedReading, 'categories' | 'tags', number[]]>([
    ['a category of a calendar', calendar(`SUMMARY:A\r\nCATEGORIES:Art,${'Hall '.repeat(60)}`), 'categories', [3, 199]],
    ['a category of a table', rows('Category', `${'x'.repeat(300)};Art`), 'categories', [200, 3]],
    ['a tag', rows('Tags', 'y'.repeat(201)), 'tags', [200]],
    ['a category that is too long only as HTML', rows('Category', '&'.repeat(41)), 'categories', [40]],
    [
      'a pair of categories that begin alike',
      rows('Category', `${'x'.repeat(201)};${'x'.repeat(202)}`),
      'categories',
      [200],
    ],
    ['a category with an emoji across the limit', rows('Category', `x${'\u{1f3ad}'.repeat(100)}`), 'categories', [199]],
  ])('%s is cut to what a site stores', (_, { drafts, problems }, field, lengths) => {
    expect(drafts[0]?.fields[field]?.map((name) => name.length)).toEqual(lengths);
    expect(problems).toMatchObject([{ code: 'text-cut', message: expect.stringContaining('at most 200 characters') }]);
  });

  it('the interface accepts the longest title of a feed, whatever its characters and its state', () => {
    const title = calendar(`SUMMARY:${'x<'.repeat(1_000)}`).drafts[0]?.fields.title ?? '';
    const sent = titleInState(title, 'cancelled', 'tr').replaceAll('<', '&lt;');
    expect([title.length, textFromHtml(sent).length]).toEqual([500, title.length + 'İptal edildi: '.length]);
    expect(eventArgs.create.title.parse(sent, CONTEXT)).toMatchObject({ kind: 'value' });
  });

  it('a text that fits is left alone', () => {
    const { drafts, problems } = calendar(`SUMMARY:A\r\nDESCRIPTION:${'word '.repeat(30_000)}end`);
    expect([drafts[0]?.fields.description?.length, problems]).toEqual([150_010, []]);
  });
});
