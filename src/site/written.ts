import { digestOf } from '../etag.ts';

/** Bytes that are sent one after the other, which several answers may have in common, and what identifies them all. */
export interface WrittenBytes {
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  readonly digest: string;
}

/** An event, for every page that it is on. */
interface WrittenEvent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly digest: string;
}
interface Page {
  readonly events: readonly object[];
  readonly others: object;
}

/** Events that will be on several pages; undefined until one of them is written. */
const writtenEvents = new WeakMap<object, WrittenEvent | undefined>();

/** Has `writtenJson` keep what it writes of an event that will be on several pages. */
export function writeOnce(event: object): void {
  if (!writtenEvents.has(event)) writtenEvents.set(event, undefined);
}

function writtenEvent(event: object): WrittenEvent {
  const known = writtenEvents.get(event);
  if (known) return known;
  const written = writeEvent(event);
  if (writtenEvents.has(event)) writtenEvents.set(event, written);
  return written;
}

function writeEvent(event: object): WrittenEvent {
  const bytes = Buffer.from(JSON.stringify(event));
  return { bytes, digest: digestOf(bytes) };
}

const OPEN = Buffer.from('{"events":[');
const COMMA = Buffer.from(',');

/**
 * An answer as JSON. What identifies a page is made of what identifies each of its events, so that those that have been
 * written once are not hashed again either.
 */
export function writtenJson(body: unknown): WrittenBytes {
  const page = pageIn(body);
  if (!page) return writtenText(JSON.stringify(body));
  const events = page.events.map(writtenEvent);
  const others = JSON.stringify(page.others);
  const rest = `]${others === '{}' ? '' : ','}${others.slice(1)}`;
  return {
    pieces: [
      OPEN,
      ...events.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [COMMA, bytes])),
      Buffer.from(rest),
    ],
    digest: digestOf(`${events.map(({ digest }) => digest).join('')}${rest}`),
  };
}

/** A text in one piece. */
export function writtenText(text: string): WrittenBytes {
  const bytes = Buffer.from(text);
  return { pieces: [bytes], digest: digestOf(bytes) };
}

/** The events that an answer begins with, and what follows them; undefined where it does not begin with any. */
function pageIn(body: unknown): Page | undefined {
  if (typeof body !== 'object' || body === null || Object.keys(body)[0] !== 'events') return undefined;
  const { events, ...others } = body as { readonly events: unknown };
  return Array.isArray(events) && events.length > 0 ? { events: events as readonly object[], others } : undefined;
}
