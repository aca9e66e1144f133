import { createHash, hash } from 'node:crypto';
import { isIndentedText, type Section } from '../../ical/read/content-lines.ts';

/** A calendar's text, cut into events that can be read on their own and the rest. */
export interface CalendarPieces {
  /** By UID: single events that share nothing with other components except the calendar around them. */
  readonly single: ReadonlyMap<string, Piece>;
  /** The number of VEVENTs. */
  readonly count: number;
  /** A digest of everything outside of VEVENTs. */
  readonly frame: string;
  /** A digest of an event's lines, except its DTSTAMP, and of which VCALENDAR it is in. */
  readonly digestOf: (piece: Piece) => string;
  /** The calendar's text without the events that are not wanted. */
  readonly sections: (isWanted: (piece: Piece) => boolean) => readonly Section[];
}

/** The position of a VEVENT in the text. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  /** The numbers of its first line and of the line after it. */
  readonly line: number;
  readonly nextLine: number;
  /**
   * How many components begin or end before it, apart from VEVENTs; together with the frame, this says what encloses
   * it.
   */
  readonly bounds: number;
  /** Null if the event cannot be read on its own. */
  readonly uid: string | null;
}

const BEGIN = '\nBEGIN:VEVENT';
const BOUNDS = /^(?:BEGIN|END)\s*[:;]/gim;
const END = /\nEND:VEVENT[^\n]*(?:\n|$)/g;
/** Such a carriage return may end a line or be noise, so lines cannot be counted without parsing them. */
const STRAY_RETURN = /\r(?!\n)/;

/** Cuts a text at its VEVENTs; null if they do not follow each other, or if one affects how the others are unfolded. */
export function calendarPieces(text: string): CalendarPieces | null {
  if (isIndentedText(text) || STRAY_RETURN.test(text)) return null;
  const frame = createHash('sha1');
  const pieces: Piece[] = [];
  const found = new Map<string, Piece | null>();
  let [last, nextLine, bounds] = [0, 1, 0];
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, last - 1)) {
    const from = at + 1;
    END.lastIndex = from;
    const end = END.exec(text);
    const to = end ? END.lastIndex : 0;
    if (to === 0 || text.slice(from + 1, to).includes(BEGIN)) return null;
    const between = text.slice(last, from);
    frame.update(between);
    bounds += between.match(BOUNDS)?.length ?? 0;
    const line = nextLine + linesIn(text, last, from);
    nextLine = line + linesIn(text, from, to);
    last = to;
    const uid = CONTINUED.test(text.charAt(to)) ? null : uidOfSingle(text.slice(from, to));
    const piece = { from, to, line, nextLine, bounds, uid };
    pieces.push(piece);
    if (uid !== null) found.set(uid, found.has(uid) ? null : piece);
  }
  return {
    single: new Map([...found].flatMap(([uid, piece]) => (piece ? [[uid, piece] as const] : []))),
    count: pieces.length,
    frame: frame.update(text.slice(last)).digest('base64').slice(0, DIGEST_CHARACTERS),
    digestOf: ({ from, to, bounds: before }) => digestOfLines(`${before} ${text.slice(from, to)}`),
    sections: (isWanted) =>
      sectionsOf(
        text,
        pieces.filter((piece) => !isWanted(piece)),
      ),
  };
}

function linesIn(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

const CONTINUED = /[ \t]/;
const DIGEST_CHARACTERS = 20;

// Properties that concern only their own event, as whole lines with folds; alarms are skipped.
const NAMES =
  'UID|DTSTAMP|DTSTART|DTEND|DURATION|SUMMARY|DESCRIPTION|LOCATION|CATEGORIES|URL|STATUS|CLASS|CREATED|' +
  'LAST-MODIFIED|SEQUENCE|TRANSP|PRIORITY|ORGANIZER|GEO|IMAGE|ATTACH|LINK|CONTACT|COMMENT|ATTENDEE|CONFERENCE|COLOR|' +
  'STYLED-DESCRIPTION|RELATED-TO|RESOURCES|X-[A-Z0-9-]+';
const REST = String.raw`[;:][^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*`;
const ALARM = String.raw`BEGIN:VALARM\r?\n(?:(?!BEGIN|END)[A-Z][A-Z0-9-]*${REST})*END:VALARM\r?\n`;
const SINGLE = new RegExp(String.raw`^BEGIN:VEVENT\r?\n(?:(?:${NAMES})${REST}|${ALARM})*END:VEVENT\r?\n$`);
const UID = /\nUID[;:]/g;
const PLAIN_UID = /\nUID:([!-+\--:<-[\]-~]{1,200})\r?\n(?![ \t])/;

/** The UID of a single event if it has no parameters, folds or escapes; null otherwise. */
function uidOfSingle(lines: string): string | null {
  const uid = PLAIN_UID.exec(lines)?.[1];
  const isSingle = lines.match(UID)?.length === 1 && !lines.includes('VCALENDAR') && SINGLE.test(lines);
  return uid !== undefined && isSingle ? uid : null;
}

const STAMP = /\nDTSTAMP[;:][^\r\n]*(?=\r?\n[^ \t])/g;

const digestOfLines = (lines: string): string =>
  hash('sha1', lines.replace(STAMP, ''), 'base64').slice(0, DIGEST_CHARACTERS);

/** A text with some pieces left out. */
function sectionsOf(text: string, without: readonly Piece[]): readonly Section[] {
  const sections: Section[] = [];
  let [last, line] = [0, 1];
  for (const { from, to, nextLine } of without) {
    if (from > last) sections.push({ text: text.slice(last, from), line });
    [last, line] = [to, nextLine];
  }
  return last < text.length ? [...sections, { text: text.slice(last), line }] : sections;
}
