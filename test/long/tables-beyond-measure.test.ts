import { expect, test } from 'vitest';
import { parseFeed } from '../../src/run/parse/parse-feed.ts';
import type { DraftSettings, FeedReading } from '../../src/sync/model/draft.ts';
import { DRAFT_SETTINGS } from '../support/draft-settings.ts';

// Tables with more events than a calendar can have.

const SETTINGS: DraftSettings = { ...DRAFT_SETTINGS, window: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2029, 0, 1) } };

function reading(text: string | Uint8Array, settings: Partial<DraftSettings> = {}): FeedReading {
  const output = parseFeed({
    bytes: Buffer.from(text as string),
    contentType: 'text/csv',
    format: 'csv',
    settings: { ...SETTINGS, ...settings },
  });
  if (output.kind === 'notAFeed') throw new Error(output.problem.message);
  return output.reading;
}

test('events beyond the limit are cut, and nothing counts as missing', () => {
  const rows = Array.from(
    { length: 100_010 },
    (_, index) => `${index},E${index},2027-01-${String(1 + (index % 28)).padStart(2, '0')}`,
  );
  const { drafts, unread, problems } = reading(`ID,Title,Start\n${rows.join('\n')}`);
  expect([drafts.length, unread.length]).toEqual([100_000, 1]);
  expect(problems).toEqual([
    {
      code: 'feed-cut',
      message: 'The file has 100,010 events in the window; only the first 100,000 are published.',
      where: {},
    },
  ]);
});

test('a series of centuries is repeated only in the window, and rows beyond the limit are left out', () => {
  const daily = (rows: number): FeedReading =>
    reading(`Title,Start,End,Recurrence\n${'A,1900-01-01,2199-12-31,daily\n'.repeat(rows)}`, {
      window: { from: Date.UTC(2027, 0, 1), to: Date.UTC(2028, 0, 1) },
    });
  expect(daily(1)).toMatchObject({ drafts: { length: 366 }, unread: [], problems: [] });
  expect(daily(200)).toMatchObject({
    unread: { length: 200 - 135 },
    problems: expect.arrayContaining([
      expect.objectContaining({
        code: 'row-limit',
        message: 'The rows of the file are repeated more than 50,000 times in the window. The row is left out.',
      }),
    ]),
  });
});
