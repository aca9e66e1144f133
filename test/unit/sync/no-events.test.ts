import { describe, expect, test } from 'vitest';
import { parseFeed } from '../../../src/run/parse/parse-feed.ts';
import type { DraftSettings } from '../../../src/sync/model/draft.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

// A feed without an event that can be shown says why.

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2027, 0, 15, 12);
const settings: DraftSettings = { ...DRAFT_SETTINGS, window: { from: NOW - 30 * DAY_MS, to: NOW + 540 * DAY_MS } };

const event = (uid: string, start: string, ...lines: readonly string[]): string =>
  [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    `DTSTART;TZID=Europe/Warsaw:${start}`,
    ...(lines.some((line) => line.startsWith('SUMMARY')) ? [] : [`SUMMARY:${uid}`]),
    ...lines,
    'END:VEVENT',
  ].join('\r\n');
const why = (...events: readonly string[]): string | undefined =>
  reasonIn(['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Town//EN', ...events, 'END:VCALENDAR', ''].join('\r\n'));

function reasonIn(text: string): string | undefined {
  const parsed = parseFeed({ bytes: Buffer.from(text), contentType: null, format: undefined, settings });
  if (parsed.kind !== 'reading') throw new Error(parsed.problem.message);
  return parsed.reading.problems.find(({ code }) => code === 'no-events')?.message;
}

describe('a calendar without an event in the window', () => {
  test.each<[string, readonly string[], string]>([
    ['holds none', [], 'The feed holds no events.'],
    ['holds a task', ['BEGIN:VTODO\r\nUID:t\r\nEND:VTODO'], 'The feed holds no events, only 1 task.'],
    [
      'holds tasks, a journal entry and free and busy times',
      [
        'BEGIN:VTODO\r\nUID:t\r\nEND:VTODO',
        'BEGIN:VTODO\r\nUID:u\r\nEND:VTODO',
        'BEGIN:VJOURNAL\r\nUID:j\r\nEND:VJOURNAL',
        'BEGIN:VFREEBUSY\r\nUID:f\r\nEND:VFREEBUSY',
      ],
      'The feed holds no events, only 2 tasks, 1 journal entry and 1 list of free and busy times.',
    ],
    [
      'its one event is over',
      [event('a', '20260301T100000')],
      'No event is left: its one event is over (the last one began on 2026-03-01). ' +
        'Check whether the address of the feed names a year, or ask its publisher for the current one.',
    ],
    [
      'all are over',
      [event('a', '20260301T100000'), event('b', '20260401T100000'), event('c', '20250101T100000')],
      'No event is left: all 3 events are over (the last one began on 2026-04-01). Check whether',
    ],
    [
      'a series is over',
      [event('a', '20250101T100000', 'RRULE:FREQ=WEEKLY;COUNT=10')],
      'No event is left: its one event is over. Check whether',
    ],
    [
      'all show only that someone is busy',
      [event('a', '20270201T100000', 'SUMMARY:Busy'), event('b', '20270202T100000', 'SUMMARY:Busy')],
      'No event is left: all 2 events are left out (2: shows only that someone is busy). "preview --all" shows what is left out.',
    ],
    [
      'all are later',
      [event('a', '20290301T100000'), event('b', '20290201T100000')],
      'No event is left: all 2 events are after the window, which ends on 2028-07-08 (the next one is on ' +
        '2029-02-01). A longer window includes it: "window: { future: 779d }".',
    ],
    [
      'each event is left out for a reason of its own',
      [event('a', '20260301T100000'), event('b', '20290201T100000'), event('c', '20270201T100000', 'CLASS:PRIVATE')],
      'No event is left: of the 3 events of the feed 1 is over (the last one began on 2026-03-01), 1 is after ' +
        'the window, which ends on 2028-07-08 (the next one is on 2029-02-01) and 1 is left out (1: ' +
        'private in the feed (CLASS)).',
    ],
  ])('%s', (_name, events, reason) => expect(why(...events)).toContain(reason));

  test('the window that is proposed includes the next event', () => {
    const [, days] = /future: (\d+)d/.exec(why(event('a', '20290201T100000')) ?? '') ?? [];
    const wider = { ...settings, window: { ...settings.window, to: NOW + Number(days) * DAY_MS } };
    const parsed = parseFeed({
      bytes: Buffer.from(`BEGIN:VCALENDAR\r\n${event('a', '20290201T100000')}\r\nEND:VCALENDAR\r\n`),
      contentType: null,
      format: undefined,
      settings: wider,
    });
    expect(parsed).toMatchObject({ reading: { drafts: [{ fields: { title: 'a' } }] } });
  });

  test('nothing is said if there is an event in the window', () =>
    expect(why(event('a', '20260301T100000'), event('b', '20270201T100000'))).toBeUndefined());
});

test.each<[string, string]>([
  ['title,start,end\n', 'The feed holds no events.'],
  [
    'title,start\nFair,2026-03-01 10:00\nMarket,2026-04-01 10:00\n',
    'all 2 events are over (the last one began on 2026-04-01)',
  ],
  [
    'title,start\nFair,2029-02-01 10:00\n',
    'its one event is after the window, which ends on 2028-07-08 (the next one is on 2029-02-01)',
  ],
])('a table: %j', (text, reason) => expect(reasonIn(text)).toContain(reason));
