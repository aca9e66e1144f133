import { expandCalendar, type Expansion } from '../../ical/occurrences/expand-calendar.ts';
import type { Calendar } from '../../ical/read/calendar.ts';
import { calendarPieces, type CalendarPieces } from './calendar-pieces.ts';
import { calendarFaults } from '../../ical/read/calendar-faults.ts';
import { contentLines, type Section } from '../../ical/read/content-lines.ts';
import { decodeText, type DecodedText } from '../../ical/read/decode.ts';
import { notACalendar } from '../../ical/read/not-a-calendar.ts';
import { parseCalendar } from '../../ical/read/parse-calendar.ts';
import type { OnlyCounted } from '../../ical/read/problem-list.ts';
import { profileOf } from '../../ical/read/profiles.ts';
import { draftsFromCalendar } from '../drafts/from-calendar.ts';
import type { DraftSettings } from '../model/draft.ts';
import { shownLine } from './excerpt.ts';
import type { Excerpts, FeedBytes, FeedRead, Format, SettledEvents } from './format.ts';
import { combineReadings, partsOf } from './calendar-in-parts.ts';
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
  const reason = notACalendar(decoded.text, body.addresses);
  if (reason !== null) return { kind: 'notAFeed', problem: { code: 'not-a-calendar', message: reason, where: {} } };
  const pieces = calendarPieces(decoded.text);
  const source: Source = { body, settings, decoded, pieces };
  const part = pieces && body.settled ? readPart(source, pieces, body.settled) : null;
  return part ?? (pieces && readInParts(source, pieces)) ?? readText(decoded.text, source).read;
}

/** A body that was recognised as a calendar. */
interface Source {
  readonly body: FeedBytes;
  readonly settings: DraftSettings;
  readonly decoded: DecodedText;
  readonly pieces: CalendarPieces | null;
}

type Read = Extract<FeedRead, { kind: 'reading' }>;

interface ReadText {
  readonly read: Read;
  readonly calendar: Calendar;
  readonly expansion: Expansion;
}

/** Reads a calendar or sections of it. */
function readText(text: string | readonly Section[], { body, settings, decoded, pieces }: Source): ReadText {
  const { contentType, addresses = [] } = body;
  const onlyCounted: OnlyCounted = new Set();
  const parsed = parseCalendar(text, onlyCounted);
  const calendar = parsed.value;
  const { refreshSeconds, productId } = calendar;
  const profile = profileOf(productId, addresses);
  const expansion = expandCalendar(calendar, settings, onlyCounted);
  const drafted = draftsFromCalendar(calendar, expansion, settings, profile, onlyCounted);
  const reading = { ...drafted, problems: [...decoded.problems, ...parsed.problems, ...drafted.problems] };
  const head = decoded.text.slice(0, HEAD_CHARACTERS);
  const read: Read = {
    kind: 'reading',
    reading: pieces ? withDigests(reading, calendar, pieces, onlyCounted) : reading,
    refreshMs: refreshSeconds === null ? null : refreshSeconds * 1000,
    ...(profile ? { profile: { name: profile.name, quirks: profile.quirks } } : {}),
    program: propertyIn(head, 'PRODID'),
    name: calendar.name,
    timezone: propertyIn(head, 'X-WR-TIMEZONE'),
    ...(pieces
      ? frameOf(pieces, { ...reading, onlyCounted }, calendar, [
          contentType,
          profile?.name,
          { ...settings, window: null },
        ])
      : {}),
  };
  return { read, calendar, expansion };
}

/** Reads a calendar without its settled events; null if the other events could then be read differently. */
function readPart(source: Source, pieces: CalendarPieces, { frame, digests }: SettledEvents): FeedRead | null {
  const settled = settledIn(pieces, digests);
  if (settled.size === 0) return null;
  const sections = pieces.sections(({ uid }) => uid === null || !settled.has(uid));
  const { read, calendar, expansion } = readText(sections, source);
  if (read.frame !== frame) return null;
  if (!isOnItsOwn(calendar, expansion, (uid) => settled.has(uid), source.settings.window, pieces.count)) return null;
  return { ...read, unsettled: [...digests.keys()].filter((uid) => !settled.has(uid)) };
}

/** Reads a large calendar part by part; null if a part depends on the others. */
function readInParts(source: Source, pieces: CalendarPieces): FeedRead | null {
  const { eventsAtOnce, handOut } = source.body;
  const parts: Read[] = [];
  let drafts = 0;
  const wanted = partsOf(pieces, eventsAtOnce);
  for (const isWanted of wanted) {
    const sections = pieces.sections(isWanted);
    const { read, calendar, expansion } = readText(sections, source);
    const isElsewhere = (uid: string): boolean => {
      const piece = pieces.single.get(uid);
      return piece !== undefined && !isWanted(piece);
    };
    if (read.frame === undefined || read.frame !== (parts[0] ?? read).frame) return null;
    if (!isOnItsOwn(calendar, expansion, isElsewhere, source.settings.window, pieces.count)) return null;
    drafts += read.reading.drafts.length;
    handOut?.(read.reading.drafts, {
      done: Math.round((pieces.count * (parts.length + 1)) / wanted.length),
      of: pieces.count,
    });
    parts.push(handOut ? { ...read, reading: { ...read.reading, drafts: [] } } : read);
  }
  const [first] = parts;
  if (!first || drafts === 0) return null;
  return {
    ...first,
    reading: combineReadings(parts.map(({ reading }) => reading)),
    ...(handOut ? { isHandedOut: true } : {}),
  };
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
  const lines = [...contentLines(text)];
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
