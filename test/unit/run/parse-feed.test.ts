import { expect, it } from 'vitest';
import { parseFeed } from '../../../src/run/parse/parse-feed.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

it.each([['\r\n'], ['\n'], ['\r']])('CSV is recognized whatever ends its lines: %j', (end) => {
  const bytes = new TextEncoder().encode(['title,start', 'Fair,2026-05-01 10:00', ''].join(end));
  expect(parseFeed({ bytes, contentType: null, format: undefined, settings: DRAFT_SETTINGS })).toMatchObject({
    kind: 'reading',
    reading: { drafts: [{ fields: { title: 'Fair', start_date: '2026-05-01 10:00:00' } }] },
  });
});

it.each(['SUMMARY', 'LOCATION', 'DESCRIPTION', 'X-ALT-DESC;FMTTYPE=text/html', 'X-COST', 'UID', 'URL'])(
  'a text that is cut does not end in half a surrogate pair: %s',
  (property) => {
    for (const before of ['', 'x']) {
      const line = `${property}:${before}${'😀'.repeat(110_000)}`;
      const event = `BEGIN:VEVENT\r\nDTSTART:20270101T100000Z\r\n${line}\r\nEND:VEVENT\r\n`;
      const bytes = Buffer.from(`BEGIN:VCALENDAR\r\n${event}END:VCALENDAR\r\n`);
      const read = parseFeed({ bytes, contentType: null, format: 'ical', settings: DRAFT_SETTINGS });
      expect(read).toMatchObject({ kind: 'reading', reading: { drafts: [{ startsAt: Date.UTC(2027, 0, 1, 10) }] } });
      // JSON has lone surrogates as \ud83d, and whole characters as they are.
      expect(JSON.stringify(read)).not.toMatch(/\\ud[89a-f]/);
    }
  },
);

const endless = (property: string): Buffer =>
  Buffer.from(
    [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'DTSTART:20270101T100000Z',
      'RRULE:FREQ=HOURLY',
      `${property}${'x'.repeat(100_000)}`,
      'END:VEVENT',
      ...['one', 'two'].flatMap((uid) => ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTART:20270101T100000Z', 'END:VEVENT']),
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  );
const rows = `title,start,rrule,uid\n${`Fair,2026-05-01 10:00,FREQ=DAILY,${'x'.repeat(200_000)}\n`.repeat(3)}`;

it('an address that is too long for sites is left out, and is not repeated with the event', () => {
  const bytes = endless('UID:a\r\nURL:https://example.org/');
  const read = parseFeed({ bytes, contentType: null, format: undefined, settings: DRAFT_SETTINGS });
  expect(read).toMatchObject({ kind: 'reading', reading: { drafts: { length: 5_002 } } });
  const { problems } = read.kind === 'reading' ? read.reading : { problems: [] };
  expect(problems.map(({ code }) => code)).toContain('address-unusable');
});

it.each([
  ['a description', endless('UID:a\r\nDESCRIPTION:')],
  ['a UID', endless('UID:')],
  ['an event that is left out', endless('CLASS:PRIVATE\r\nUID:')],
  ['the UID of rows', Buffer.from(rows)],
])('a recurrence rule may not multiply a huge text: %s', (_, bytes) => {
  let handedOut = 0;
  const read = parseFeed(
    { bytes, contentType: null, format: undefined, settings: DRAFT_SETTINGS, eventsAtOnce: 1 },
    (drafts) => {
      handedOut += drafts.length;
    },
  );
  expect(read).toMatchObject({
    kind: 'notAFeed',
    problem: { code: 'feed-too-complex', message: expect.stringMatching(/have \d{9,10} characters of text/) },
  });
  expect(handedOut).toBeLessThan(5);
});
