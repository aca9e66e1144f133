import { expect, it } from 'vitest';
import { parseFeed } from '../../../src/run/parse/parse-feed.ts';
import type { DraftSettings } from '../../../src/sync/model/draft.ts';

const SETTINGS: DraftSettings = {
  source: 'town',
  window: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2028, 0, 1) },
  timezone: undefined,
  siteTimezone: 'Europe/Warsaw',
  status: 'publish',
  categories: { map: {}, add: [], unknown: 'create' },
  tags: { add: [] },
  defaultVenue: undefined,
  only: [],
  skip: [],
  columns: {},
  everything: false,
};

it.each([['\r\n'], ['\n'], ['\r']])('rows are known as such whatever ends their lines: %j', (end) => {
  const bytes = new TextEncoder().encode(['title,start', 'Fair,2026-05-01 10:00', ''].join(end));
  expect(parseFeed({ bytes, contentType: null, format: undefined, settings: SETTINGS })).toMatchObject({
    kind: 'reading',
    reading: { drafts: [{ fields: { title: 'Fair', start_date: '2026-05-01 10:00:00' } }] },
  });
});

it.each(['SUMMARY', 'LOCATION', 'DESCRIPTION', 'X-ALT-DESC;FMTTYPE=text/html', 'X-COST', 'UID', 'URL'])(
  'no text that is cut ends with half a character: %s',
  (property) => {
    for (const before of ['', 'x']) {
      const line = `${property}:${before}${'😀'.repeat(110_000)}`;
      const event = `BEGIN:VEVENT\r\nDTSTART:20270101T100000Z\r\n${line}\r\nEND:VEVENT\r\n`;
      const bytes = Buffer.from(`BEGIN:VCALENDAR\r\n${event}END:VCALENDAR\r\n`);
      const read = parseFeed({ bytes, contentType: null, format: 'ical', settings: SETTINGS });
      expect(read).toMatchObject({ kind: 'reading', reading: { drafts: [{ startsAt: Date.UTC(2027, 0, 1, 10) }] } });
      // JSON has halves as \ud83d, and whole characters as they are.
      expect(JSON.stringify(read)).not.toMatch(/\\ud[89a-f]/);
    }
  },
);
