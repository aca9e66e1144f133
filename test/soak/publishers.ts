import type { IncomingMessage, ServerResponse } from 'node:http';
import { comingEvents, comingStart } from '../support/coming.ts';
import { calendarText, type FeedEvent } from '../support/feed-text.ts';

// What the publishers of a soak do hour by hour: nearly all have nothing new, some change, add or remove an event, and
// some cannot be read. The same seed gives the same hours.

export interface Publisher {
  readonly name: string;
  events: FeedEvent[];
  /** Increases with each change; the feed's ETag. */
  version: number;
  ill: Illness | undefined;
}

const ILLNESSES = ['500', 'login page', 'cut short', 'empty'] as const;
type Illness = (typeof ILLNESSES)[number];

/** The next number from 0 up to `below` of a seeded sequence (mulberry32). */
export type Dice = (below: number) => number;

export function dice(seed: number): Dice {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export const publishersOf = (names: readonly string[], events: number): Publisher[] =>
  names.map((name) => ({
    name,
    events: comingEvents(events).map((event) => ({ ...event, title: `${event.title} of ${name}` })),
    version: 1,
    ill: undefined,
  }));

/** Per hundred publishers and hour. */
const OFTEN = { changed: 4, added: 1, removed: 1, ill: 3 };

/** Lets an hour pass: each publisher recovers or falls ill, and may change its events. */
export function nextHour(publishers: readonly Publisher[], hour: number, throwDice: Dice): void {
  for (const publisher of publishers) {
    publisher.ill = throwDice(100) < OFTEN.ill ? ILLNESSES[throwDice(ILLNESSES.length)] : undefined;
    const lot = throwDice(100);
    if (lot < OFTEN.changed) change(publisher, hour, throwDice);
    else if (lot < OFTEN.changed + OFTEN.added) add(publisher, hour);
    else if (lot < OFTEN.changed + OFTEN.added + OFTEN.removed && publisher.events.length > 5)
      replace(publisher, publisher.events.slice(1));
  }
}

export function recover(publishers: readonly Publisher[]): void {
  for (const publisher of publishers) publisher.ill = undefined;
}

function change(publisher: Publisher, hour: number, throwDice: Dice): void {
  const which = throwDice(publisher.events.length);
  replace(
    publisher,
    publisher.events.map((event, index) =>
      index === which ? { ...event, title: `Event ${event.uid} of ${publisher.name}, as of hour ${hour}` } : event,
    ),
  );
}

function add(publisher: Publisher, hour: number): void {
  const uid = `added-${hour}@feed.example`;
  replace(publisher, [
    ...publisher.events,
    { uid, title: `Added in hour ${hour} by ${publisher.name}`, start: comingStart(60, '190000') },
  ]);
}

function replace(publisher: Publisher, events: FeedEvent[]): void {
  publisher.events = events;
  publisher.version += 1;
}

/** Answers as the publisher would now; half of them support conditional requests. */
export function answer(publisher: Publisher, index: number, request: IncomingMessage, response: ServerResponse): void {
  const text = calendarText(publisher.events);
  const etag = `"${publisher.version}"`;
  const answers: Record<Illness, () => void> = {
    '500': () => response.writeHead(500).end('out of order'),
    'login page': () =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>'),
    'cut short': () => {
      response.writeHead(200, { 'content-type': 'text/calendar', 'content-length': text.length });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
    },
    empty: () => response.writeHead(200, { 'content-type': 'text/calendar' }).end(calendarText([])),
  };
  if (publisher.ill !== undefined) return answers[publisher.ill]();
  const isConditional = index % 2 === 0;
  if (isConditional && request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
  response.writeHead(200, { 'content-type': 'text/calendar', ...(isConditional ? { etag } : {}) }).end(text);
}
