import { expect, test } from 'vitest';
import { parseFeed } from '../../../src/run/parse/parse-feed.ts';
import type { DraftSettings } from '../../../src/sync/model/draft.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

// Long values on which a backtracking expression would take minutes, beyond the time limit of the test.

const SETTINGS: DraftSettings = {
  ...DRAFT_SETTINGS,
  window: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2029, 0, 1) },
  categories: { map: {}, add: [], unknown: 'create', words: { Music: ['jazz'] } },
};
const LONG = 40_000;
const BOMBS = [
  ' ',
  '<li',
  '<body',
  '<a href=x',
  '<',
  '&am',
  '\\n ',
  '(',
  'a@',
  'www.a.',
  '; ',
  '- ',
  '<div>',
  '<!--',
  '1',
  'a:',
  '\u00a0',
];
const read = (text: string, format: 'ical' | 'csv') =>
  parseFeed({ bytes: Buffer.from(text), contentType: null, format, settings: SETTINGS });

test.each([
  'DESCRIPTION',
  'LOCATION',
  'CATEGORIES',
  'ORGANIZER;CN=x',
  'CONTACT',
  'X-ALT-DESC;FMTTYPE=text/html',
  'URL',
  'GEO',
])('the property %s', (property) => {
  for (const bomb of BOMBS) {
    const events = `BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270101T100000Z\r\nSUMMARY:A\r\n${property}:x${bomb.repeat(LONG / bomb.length)}y\r\nEND:VEVENT\r\n`;
    expect(read(`BEGIN:VCALENDAR\r\n${events}END:VCALENDAR\r\n`, 'ical')).toMatchObject({
      kind: 'reading',
      reading: { drafts: [{ fields: { title: 'A' } }] },
    });
  }
});

test.each(['Description', 'Venue', 'Category', 'Organizer', 'Website', 'Start time', 'Timezone', 'Status'])(
  'the column %s',
  (column) => {
    for (const bomb of BOMBS) {
      expect(
        read(`Title,Start,${column}\nA,2027-01-01,"x${bomb.repeat(LONG / bomb.length)}y"\nB,2027-01-02,\n`, 'csv'),
      ).toMatchObject({
        kind: 'reading',
        reading: { drafts: expect.arrayContaining([expect.objectContaining({ where: { row: 3, line: 3 } })]) },
      });
    }
  },
);
