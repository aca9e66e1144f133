import type { ProblemCode } from '../../../src/codes.ts';
import { describe, expect, it } from 'vitest';
import { problemList } from '../../../src/ical/read/problem-list.ts';
import type { Problem } from '../../../src/problem.ts';
import { feedReport, type FeedReport } from '../../../src/sync/formats/publisher-report.ts';

const TEXT = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'UID:a@x.example',
  'DTSTART:20270110T20',
  ' 0000Z',
  'DTEND:20270110T010000Z',
  'SUMMARY:Fair',
  'ORGANIZER:mailto:anna.kowalska@x.example',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');
const reportOf = (
  problems: readonly Problem[],
  more: Partial<Pick<FeedReport, 'format'>> & { readonly text?: string; readonly isFeed?: boolean } = {},
): FeedReport =>
  feedReport({
    feed: 'x.example/a.ics',
    format: 'ical',
    program: null,
    read: '2026-11-20T00:00:00Z',
    window: { from: '2026-11-01', to: '2027-10-31' },
    events: 1,
    bytes: TEXT.length,
    text: TEXT,
    isFeed: true,
    problems,
    ...more,
  });
const problem = (code: ProblemCode, where: Problem['where'] = {}, message = 'Something.'): Problem => ({
  code,
  message,
  where,
});

describe('a report to a publisher', () => {
  it('lists the most harmful problems first, then the most frequent', () => {
    const { kinds, problems } = reportOf([
      problem('title-missing', { line: 2 }),
      problem('end-before-start', { line: 2 }),
      problem('line-ends'),
      problem('uid-shared', { line: 2 }),
      problem('rule-repaired', { line: 2 }),
      problem('rule-repaired', { line: 3 }),
      problem('refresh-form'),
    ]);
    expect(kinds.map(({ code, count }) => `${code} ${count}`)).toEqual([
      'refresh-form 1',
      'uid-shared 1',
      'rule-repaired 2',
      'end-before-start 1',
      'line-ends 1',
      'title-missing 1',
    ]);
    expect(problems).toBe(7);
  });

  it('also counts problems whose places are not kept', () => {
    const found = problemList();
    for (let line = 1; line <= 75; line += 1) found.add('title-missing', 'This event has no title.', { line });
    expect(reportOf(found.all()).kinds).toMatchObject([{ count: 75, places: { length: 50 } }]);
  });

  it('quotes the line, or the lines of the event that show the problem, unfolded and shortened', () => {
    const excerpts = (code: ProblemCode, line: number): readonly string[] =>
      reportOf([problem(code, { line, uid: 'a@x.example' })]).kinds[0]!.places.map(({ excerpt }) => excerpt);
    expect(excerpts('date-unreadable', 4)).toEqual(['DTSTART:20270110T200000Z']);
    expect(excerpts('end-before-start', 2)).toEqual(['DTSTART:20270110T200000Z\nDTEND:20270110T010000Z']);
    expect(excerpts('line-unreadable', 8)).toEqual(['ORGANIZER:mailto:…@x.example']);
    expect(excerpts('date-unreadable', 5)).toEqual(['DTSTART:20270110T200000Z']);
    expect(excerpts('date-unreadable', 0)).toEqual(['']);
    const [excerpt] = reportOf([problem('line-unreadable', { line: 1 })], {
      text: `SUMMARY:\u202Egnp\u0007${'x'.repeat(10_000)}`,
    }).kinds[0]!.places.map((place) => place.excerpt);
    expect(excerpt).toMatch(/^SUMMARY:\uFFFDgnp\uFFFDx+…$/);
    expect(excerpt!.length).toBeLessThan(200);
  });

  it('quotes rows of a table', () => {
    expect(
      reportOf([problem('row-date', { row: 2, line: 2, field: 'start' })], {
        format: 'csv',
        text: 'title,start\nFair,soon\n',
      }),
    ).toMatchObject({ good: [], kinds: [{ places: [{ row: 2, field: 'start', excerpt: 'Fair,soon' }] }] });
  });

  it('says what is good, unless the feed could not be read', () => {
    const { good } = reportOf([problem('uid-shared', { line: 2 })]);
    expect(good).toContain('Lines are folded at 75 octets');
    expect(good).not.toContain('No two events share a UID');
    expect(reportOf([problem('feed-not-found')], { isFeed: false }).good).toEqual([]);
  });

  it("leaves out what only concerns the reader's side", () => {
    expect(reportOf([problem('timezone-missing'), problem('file-not-allowed')])).toMatchObject({
      problems: 0,
      kinds: [],
    });
  });
});
