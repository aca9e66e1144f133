import { createHash, hash } from 'node:crypto';
import { isIndentedText } from '../../ical/read/content-lines.ts';

/** A calendar's text, cut into the events that can be read on their own and the rest. */
export interface CalendarPieces {
  /** By UID: single events that share nothing with another component but the calendar around them. */
  readonly single: ReadonlyMap<string, Piece>;
  /** How many VEVENTs there are. */
  readonly count: number;
  /** A digest of everything outside of VEVENTs. */
  readonly frame: string;
  /** The text with the lines of some single events left blank, so that all others keep their numbers. */
  readonly without: (uids: ReadonlySet<string>) => string;
}

/** Where an event is in the text, and a digest of its lines except its DTSTAMP. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly digest: string;
}

const BEGIN = '\nBEGIN:VEVENT';
const END = /\nEND:VEVENT[^\n]*(?:\n|$)/g;

/** Cuts a text at its VEVENTs; null if they are not one after the other, or one decides how the others are unfolded. */
export function calendarPieces(text: string): CalendarPieces | null {
  if (isIndentedText(text)) return null;
  const frame = createHash('sha1');
  const found = new Map<string, Piece | null>();
  let [count, last] = [0, 0];
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, last - 1)) {
    const from = at + 1;
    END.lastIndex = from;
    const end = END.exec(text);
    const to = end ? END.lastIndex : 0;
    if (to === 0 || text.slice(from + 1, to).includes(BEGIN)) return null;
    frame.update(text.slice(last, from));
    count += 1;
    last = to;
    const lines = text.slice(from, to);
    const uid = CONTINUED.test(text.charAt(to)) ? null : uidOfSingle(lines);
    if (uid !== null) found.set(uid, found.has(uid) ? null : { from, to, digest: digestOf(lines) });
  }
  const single = new Map([...found].flatMap(([uid, piece]) => (piece ? [[uid, piece] as const] : [])));
  return {
    single,
    count,
    frame: frame.update(text.slice(last)).digest('base64').slice(0, DIGEST_CHARACTERS),
    without: (uids) =>
      blanked(
        text,
        [...single].flatMap(([uid, piece]) => (uids.has(uid) ? [piece] : [])),
      ),
  };
}

const CONTINUED = /[ \t]/;
const DIGEST_CHARACTERS = 20;

// Properties that concern only their own event, in whole lines with folds, alarms left aside.
const NAMES =
  'UID|DTSTAMP|DTSTART|DTEND|DURATION|SUMMARY|DESCRIPTION|LOCATION|CATEGORIES|URL|STATUS|CLASS|CREATED|LAST-MODIFIED|SEQUENCE|TRANSP|PRIORITY|ORGANIZER|GEO|IMAGE|ATTACH|CONTACT|COMMENT|ATTENDEE|X-[A-Z0-9-]+';
const REST = String.raw`[;:][^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*`;
const ALARM = String.raw`BEGIN:VALARM\r?\n(?:(?!BEGIN|END)[A-Z][A-Z0-9-]*${REST})*END:VALARM\r?\n`;
const SINGLE = new RegExp(String.raw`^BEGIN:VEVENT\r?\n(?:(?:${NAMES})${REST}|${ALARM})*END:VEVENT\r?\n$`);
const UID = /\nUID[;:]/g;
const PLAIN_UID = /\nUID:([!-+\--:<-[\]-~]{1,200})\r?\n(?![ \t])/;

/** The UID of a single event that is written without parameters, folds and escapes; null for any other. */
function uidOfSingle(lines: string): string | null {
  const uid = PLAIN_UID.exec(lines)?.[1];
  const isSingle = lines.match(UID)?.length === 1 && !lines.includes('VCALENDAR') && SINGLE.test(lines);
  return uid !== undefined && isSingle ? uid : null;
}

const STAMP = /\nDTSTAMP[;:][^\r\n]*(?=\r?\n[^ \t])/g;

const digestOf = (lines: string): string =>
  hash('sha1', lines.replace(STAMP, ''), 'base64').slice(0, DIGEST_CHARACTERS);

function blanked(text: string, pieces: readonly Piece[]): string {
  const kept: string[] = [];
  let last = 0;
  for (const { from, to } of pieces.toSorted((one, other) => one.from - other.from)) {
    kept.push(text.slice(last, from), text.slice(from, to).replace(/[^\n]+/g, ''));
    last = to;
  }
  return [...kept, text.slice(last)].join('');
}
