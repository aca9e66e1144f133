import { expandCalendar } from '../../ical/occurrences/expand-calendar.ts';
import { calendarFaults } from '../../ical/read/calendar-faults.ts';
import { contentLines } from '../../ical/read/content-lines.ts';
import { decodeText } from '../../ical/read/decode.ts';
import { notACalendar } from '../../ical/read/not-a-calendar.ts';
import { parseCalendar } from '../../ical/read/parse-calendar.ts';
import { profileOf } from '../../ical/read/profiles.ts';
import { draftsFromCalendar } from '../drafts/from-calendar.ts';
import type { DraftSettings } from '../model/draft.ts';
import { shownLine } from './excerpt.ts';
import type { Excerpts, FeedBytes, FeedRead, Format } from './format.ts';

/** iCalendar (RFC 5545), recognised by its first lines. */
export const ICAL: Format = {
  recognises: (start) => /BEGIN:VCALENDAR/i.test(start),
  read: readCalendar,
  faults: calendarFaults,
  excerpts: eventLines,
  isPraised: true,
};

function readCalendar({ bytes, contentType, addresses = [] }: FeedBytes, settings: DraftSettings): FeedRead {
  const { text, problems } = decodeText(bytes, contentType);
  const reason = notACalendar(text, addresses);
  if (reason !== null) return { kind: 'notAFeed', problem: { code: 'not-a-calendar', message: reason, where: {} } };
  const parsed = parseCalendar(text);
  const { refreshSeconds, productId } = parsed.value;
  const profile = profileOf(productId, addresses);
  const reading = draftsFromCalendar(parsed.value, expandCalendar(parsed.value, settings), settings, profile);
  const head = text.slice(0, HEAD_CHARACTERS);
  return {
    kind: 'reading',
    reading: { ...reading, problems: [...problems, ...parsed.problems, ...reading.problems] },
    refreshMs: refreshSeconds === null ? null : refreshSeconds * 1000,
    ...(profile ? { profile: { name: profile.name, quirks: profile.quirks } } : {}),
    program: propertyIn(head, 'PRODID'),
    timezone: propertyIn(head, 'X-WR-TIMEZONE'),
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
