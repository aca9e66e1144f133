import type { Worker } from 'node:worker_threads';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { parseFeed } from '../../src/run/parse/parse-feed.ts';
import { makeFeedParser, type FeedParser } from '../../src/run/parse/parse-pool.ts';
import type { DraftSettings } from '../../src/sync/model/draft.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { until } from '../support/until.ts';
import { DRAFT_SETTINGS } from '../support/draft-settings.ts';

// Feeds are read in separate threads, whatever they and the rules of their source contain.

const SETTINGS: DraftSettings = { ...DRAFT_SETTINGS, window: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2029, 0, 1) } };
const SLOW = { ...SETTINGS, skip: [{ field: 'title', matches: '^(a+)+$' }] };

let parser: FeedParser;
afterEach(() => parser.close());

const input = (text: string, settings: DraftSettings) => ({
  bytes: Buffer.from(text),
  contentType: null,
  format: 'ical' as const,
  settings,
});
const calendar = calendarText(feedEvents(3));
const tempting = calendar.replace(/SUMMARY:.*/g, `SUMMARY:${'a'.repeat(60)}!`);

test('an expression that never ends is stopped and named, while other feeds are read and the program keeps running', async () => {
  // Enough time for the other feeds, each of which starts a thread, however slow the machine is.
  parser = makeFeedParser();
  const begun = performance.now();
  await parser.parse(input(calendar, SETTINGS));
  const seconds = Math.max(5, Math.ceil((performance.now() - begun) / 100));
  await parser.close();
  parser = makeFeedParser(seconds * 1_000);
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 20);
  let isOver = false;
  const slow = parser
    .parse(input(tempting, SLOW))
    .catch((error: unknown) => error)
    .finally(() => {
      isOver = true;
    });
  for (let turn = 0; turn < 3; turn += 1)
    expect(await parser.parse(input(calendar, SETTINGS))).toMatchObject({ kind: 'reading', reading: { problems: [] } });
  // The other feeds did not wait for the slow one.
  expect(isOver).toBe(false);
  expect(await slow).toMatchObject({
    code: 'rules-too-slow',
    message:
      `The rules take too long: reading the feed was stopped after ${seconds} seconds. ` +
      'This one repeats what can be read in several ways; write it without the repetition: ' +
      'skip { field: title, matches: "^(a+)+$" }.',
  });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
  // Another thread replaces the one that was stopped.
  expect(await parser.parse(input(calendar, SLOW))).toMatchObject({ kind: 'reading' });
});

/** Collects the threads that are started from here on. */
function threadsStarted(): readonly Worker[] {
  const started: Worker[] = [];
  const add = (worker: Worker): void => void started.push(worker);
  process.on('worker', add);
  onTestFinished(() => void process.off('worker', add));
  return started;
}

test('a prepared thread reads the next feed, and ends after an idle time', async () => {
  const started = threadsStarted();
  parser = makeFeedParser(60_000, 50);
  parser.prepare();
  parser.prepare();
  const output = await parser.parse(input(calendar, SETTINGS));
  expect(output).toMatchObject({ kind: 'reading' });
  expect(started).toHaveLength(1);
  await until('the end of an idle thread', () => started[0]?.threadId === -1);
  expect(await parser.parse(input(calendar, SETTINGS))).toEqual(output);
  expect(started).toHaveLength(2);
});

test('a thread that has read a large feed ends, which frees its memory, and another reads the next feed', async () => {
  const started = threadsStarted();
  parser = makeFeedParser();
  await parser.parse(input(calendarText(feedEvents(8_000)), SETTINGS));
  expect(started.map(({ threadId }) => threadId)).toEqual([-1]);
  expect(await parser.parse(input(calendar, SETTINGS))).toMatchObject({ kind: 'reading' });
  expect(started).toHaveLength(2);
});

const listed = (uid: string, ...lines: readonly string[]): readonly string[] => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  `DTSTART;TZID=Europe/Warsaw:202705${uid.slice(-2)}T180000`,
  `SUMMARY:Concert ${uid}`,
  ...lines,
  'END:VEVENT',
];
const of28 = Array.from({ length: 28 }, (_, index) => listed(`event-${String(28 - index).padStart(2, '0')}`));

test.each<[what: string, events: readonly (readonly string[])[]]>([
  ['is read in parts', of28],
  [
    'has to be read as a whole, because one event has an image',
    [listed('image-01', 'IMAGE:https://example.org/a.png'), ...of28],
  ],
])('the drafts of a feed that %s arrive once and in order', async (_, events) => {
  parser = makeFeedParser();
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n');
  const whole = parseFeed(input(text, SETTINGS));
  expect(await parser.parse({ ...input(text, SETTINGS), eventsAtOnce: 10 })).toMatchObject({
    kind: 'reading',
    reading: whole.kind === 'reading' ? { drafts: whole.reading.drafts, problems: [] } : {},
  });
});

test('the result of reading a feed is freed before the next one is read', async () => {
  parser = makeFeedParser();
  const read = new WeakRef(await parser.parse(input(calendar, SETTINGS)));
  const isFree = (): true | undefined => {
    globalThis.gc?.();
    return read.deref() === undefined ? true : undefined;
  };
  expect(await until('its memory', isFree, 20_000)).toBe(true);
});

test('rules are tried in a thread as well, and a slow one is stopped', async () => {
  parser = makeFeedParser();
  const tried = await parser.tryRules(input(calendar, { ...SETTINGS, tags: { add: ['imported'] } }));
  expect(tried).toMatchObject({ kind: 'tried', trial: { rules: [{ path: ['tags', 'add', 0] }] } });
  const slow = { ...SETTINGS, skip: [{ field: 'title', matches: '^(\\w+\\s?)+$' }] };
  const text = calendar.replace(/SUMMARY:.*/, `SUMMARY:${'aaaaaaaaaa '.repeat(6)}!`);
  const hasty = makeFeedParser(500);
  onTestFinished(hasty.close);
  await expect(hasty.tryRules(input(text, slow))).rejects.toMatchObject({ code: 'rules-too-slow' });
});
