import { expandCalendar, type Expansion } from '../../ical/occurrences/expand-calendar.ts';
import type { Calendar } from '../../ical/read/calendar.ts';
import { calendarPieces, type CalendarPieces } from './calendar-pieces.ts';
import { calendarFaults } from '../../ical/read/calendar-faults.ts';
import { contentLines } from '../../ical/read/content-lines.ts';
import { decodeText, type DecodedText } from '../../ical/read/decode.ts';
import { notACalendar } from '../../ical/read/not-a-calendar.ts';
import { parseCalendar } from '../../ical/read/parse-calendar.ts';
import type { OnlyCounted } from '../../ical/read/problem-list.ts';
import { profileOf } from '../../ical/read/profiles.ts';
import { draftsFromCalendar } from '../drafts/from-calendar.ts';
import type { DraftSettings } from '../model/draft.ts';
import { shownLine } from './excerpt.ts';
import type { Excerpts, FeedBytes, FeedRead, Format, SettledEvents } from './format.ts';
import { frameOf, isOnItsOwn, settledIn, withDigests } from './part-of-calendar.ts';

/** iCalendar (RFC 5545), recognised by its first lines. */
export const ICAL: Format = {
  recognises: (start) => /BEGIN:VCALENDAR/i.test(start),
  read: readCalendar,
  faults: calendarFaults,
  excerpts: eventLines,
  isPraised: true,
};

function readCalendar(body: FeedBytes, settings: DraftSettings): FeedRead {
  const decoded = decodeText(body.bytes, body.contentType);
  const pieces = calendarPieces(decoded.text);
  const part = pieces && body.settled ? readPart(body, settings, decoded, pieces, body.settled) : null;
  return part ?? readText(decoded.text, body, settings, decoded, pieces).read;
}

interface ReadText {
  readonly read: FeedRead;
  readonly calendar?: Calendar;
  readonly expansion?: Expansion;
}

function readText(
  text: string,
  { contentType, addresses = [] }: FeedBytes,
  settings: DraftSettings,
  { problems }: Pick<DecodedText, 'problems'>,
  pieces: CalendarPieces | null,
): ReadText {
  const reason = notACalendar(text, addresses);
  if (reason !== null)
    return { read: { kind: 'notAFeed', problem: { code: 'not-a-calendar', message: reason, where: {} } } };
  const onlyCounted: OnlyCounted = new Set();
  const parsed = parseCalendar(text, onlyCounted);
  const calendar = parsed.value;
  const { refreshSeconds, productId } = calendar;
  const profile = profileOf(productId, addresses);
  const expansion = expandCalendar(calendar, settings, onlyCounted);
  const drafted = draftsFromCalendar(calendar, expansion, settings, profile, onlyCounted);
  const reading = { ...drafted, problems: [...problems, ...parsed.problems, ...drafted.problems] };
  const head = text.slice(0, HEAD_CHARACTERS);
  const read: FeedRead = {
    kind: 'reading',
    reading: pieces ? withDigests(reading, calendar, pieces, onlyCounted) : reading,
    refreshMs: refreshSeconds === null ? null : refreshSeconds * 1000,
    ...(profile ? { profile: { name: profile.name, quirks: profile.quirks } } : {}),
    program: propertyIn(head, 'PRODID'),
    timezone: propertyIn(head, 'X-WR-TIMEZONE'),
    ...(pieces
      ? frameOf(pieces, { ...reading, onlyCounted }, calendar, [contentType, addresses, { ...settings, window: null }])
      : {}),
  };
  return { read, calendar, expansion };
}

/** Reads a calendar without its settled events; null where that would not say the same of the others. */
function readPart(
  body: FeedBytes,
  settings: DraftSettings,
  decoded: DecodedText,
  pieces: CalendarPieces,
  { frame, digests }: SettledEvents,
): FeedRead | null {
  const settled = settledIn(pieces, digests);
  if (settled.size === 0) return null;
  const { read, calendar, expansion } = readText(pieces.without(settled), body, settings, decoded, pieces);
  if (read.kind === 'notAFeed' || !calendar || !expansion || read.frame !== frame) return null;
  if (!isOnItsOwn(calendar, expansion, settled, settings.window, pieces.count)) return null;
  return { ...read, unsettled: [...digests.keys()].filter((uid) => !settled.has(uid)) };
}

const HEAD_CHARACTERS = 8192;

/** A property of the calendar as written, unfolded (RFC 5545, 3.1). */
const propertyIn = (head: string, name: string): string | null =>
  new RegExp(String.raw`^${name}(?:;[^:\r\n]*)?:([^\r\n]+(?:\r?\n[ \t][^\r\n]+)*)`, 'im')
    .exec(head)?.[1]
    ?.replace(/\r?\n[ \t]/g, '')
    .trim() ?? null;

const EVENT_LINES_MAX = 200;
const PROPERTIES_MAX = 4;

/** The line itself or, for an event, the properties that show what is wrong. */
function eventLines(text: string): Excerpts {
  const lines = contentLines(text);
  return (line, shows) => {
    // The line may be the continuation of a folded one.
    const index = lines.findLastIndex((each) => each.line <= line);
    const first = lines[index];
    if (first === undefined) return '';
    if (shows.length === 0 || !/^BEGIN:/i.test(first.text)) return shownLine(first.text);
    const event = lines.slice(index, index + EVENT_LINES_MAX);
    const end = event.findIndex((each) => /^END:VEVENT/i.test(each.text));
    return event
      .slice(0, end === -1 ? undefined : end)
      .filter((each) => shows.some((name) => new RegExp(`^${name}[;:]`, 'i').test(each.text)))
      .slice(0, PROPERTIES_MAX)
      .map((each) => shownLine(each.text))
      .join('\n');
  };
}
