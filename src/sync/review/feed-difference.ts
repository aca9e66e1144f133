import { differenceOf, type Stretch } from './difference.ts';
import { endOf, shortened } from '../../html/shortened.ts';

/** A line of a feed that is new, gone or changed. Long lines are shortened around the difference. */
export interface LineChange {
  /** Its number in the feed as it is now; for a line that is gone, in the feed as it was. */
  readonly line: number;
  readonly before: string | null;
  readonly after: string | null;
}

/** The difference between two states of a feed. */
export interface FeedDifference {
  /** The most telling lines, at most `LINES_MAX` of them. */
  readonly lines: readonly LineChange[];
  /** The numbers of all lines that differ, including those shown. */
  readonly changed: number;
  readonly gone: number;
  readonly come: number;
  /** The number of other lines that programs rewrite by themselves, such as the time of the export. */
  readonly stamps: number;
}

export const LINES_MAX = 12;
/** Longer feeds are not compared. */
export const CHARACTERS_MAX = 4_000_000;
const LINE_MAX = 240;
const BEFORE_DIFFERENCE = 60;

/** The difference between two states of a feed; null if one is too long to be compared. */
export function feedDifference(before: string, after: string): FeedDifference | null {
  if (Math.max(before.length, after.length) > CHARACTERS_MAX) return null;
  const [was, is] = [linesOf(before), linesOf(after)];
  const all = differenceOf(
    was.map(({ text }) => text),
    is.map(({ text }) => text),
  ).flatMap((stretch) => (stretch.kind === 'same' ? [] : changesIn(stretch, was, is)));
  const repeated = repetitionsIn();
  const stamps = all.filter(isStamp);
  const telling = all.filter((change) => !isStamp(change));
  const shown = telling
    .map((change, place) => ({ change, place, rank: rankOf(change) + repeated(change) }))
    .toSorted((one, other) => one.rank - other.rank || one.place - other.place)
    .slice(0, LINES_MAX);
  return {
    lines: shown.map(({ change }) => cutLine(change)),
    changed: telling.filter(({ before: own, after: other }) => own !== null && other !== null).length,
    gone: telling.filter((each) => each.after === null).length,
    come: telling.filter((each) => each.before === null).length,
    stamps: stamps.length,
  };
}

/** A line of a feed. */
export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/** The non-empty lines of a feed; a calendar's are unfolded (RFC 5545, 3.1). */
export function linesOf(text: string): readonly Line[] {
  const lines = text.split(/\r\n|\r|\n/).map((own, index): Line => ({ text: own, number: index + 1 }));
  if (!/^BEGIN:VCALENDAR/im.test(text.slice(0, 1_000))) return lines.filter((line) => line.text !== '');
  const unfolded: { text: string; number: number }[] = [];
  for (const { text: own, number } of lines) {
    const last = unfolded.at(-1);
    if (last && /^[ \t]/.test(own)) last.text += own.slice(1);
    else if (own !== '') unfolded.push({ text: own, number });
  }
  return unfolded;
}

/** The changed lines of a differing stretch. */
const changesIn = (stretch: Stretch, was: readonly Line[], is: readonly Line[]): readonly LineChange[] =>
  pairsIn(stretch).flatMap(({ before, after }): readonly LineChange[] => {
    const [former, own] = [before === null ? undefined : was[before], after === null ? undefined : is[after]];
    const change = { line: own?.number ?? former?.number ?? 0, before: former?.text ?? null, after: own?.text ?? null };
    return change.before === change.after ? [] : [change];
  });

/** Lines of two feeds that belong together, by their positions from 0; null if one feed has no such line. */
export interface Pair {
  readonly before: number | null;
  readonly after: number | null;
}

/**
 * Pairs the lines of a differing stretch: for each property, old and new lines in order. Lines that are only gone come
 * last.
 */
export function pairsIn({ before, after, at }: Stretch): readonly Pair[] {
  const open = new Map(
    [...Map.groupBy(before.keys(), (index) => nameOf(before[index] ?? ''))].map(([name, own]) => [name, own.values()]),
  );
  const paired = new Set<number>();
  const come = after.map((text, index): Pair => {
    const former = open.get(nameOf(text))?.next().value;
    if (former !== undefined) paired.add(former);
    return { before: former === undefined ? null : at.before + former, after: at.after + index };
  });
  const gone = [...before.keys()]
    .filter((index) => !paired.has(index))
    .map((index): Pair => ({ before: at.before + index, after: null }));
  return [...come, ...gone];
}

/** The name of a line's property; for a row, its first cell. */
const nameOf = (line: string): string => /^[^:;,\t]*/.exec(line)?.[0] ?? '';

const STAMPS =
  /^(?:DTSTAMP|LAST-MODIFIED|CREATED|SEQUENCE|X-WR-|X-PUBLISHED|REFRESH|PRODID|X-MICROSOFT-CDO-APPT-SEQUENCE)/i;
export const isStamp = ({ before, after }: LineChange): boolean => STAMPS.test(after ?? before ?? '');

/** Properties that decide when and whether events take place; these are shown first. */
const TELLING = /^(?:RRULE|EXDATE|RDATE|STATUS|DTSTART|RECURRENCE-ID)/i;
/** The title is shown before other lines of events that are gone or new as a whole. */
const TITLE = /^SUMMARY[:;]/i;
const FRAME = /^(?:BEGIN|END):/i;

/** After this many lines of one property, other properties come first, since further ones mostly repeat them. */
const ALIKE_MAX = 3;
const LAST = 5;

/** Ranks lines that repeat earlier ones last. */
function repetitionsIn(): (change: LineChange) => number {
  const counts = new Map<string, number>();
  return ({ before, after }) => {
    const kind = `${before === null}${after === null}${nameOf(after ?? before ?? '')}`;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count > ALIKE_MAX ? LAST : 0;
  };
}

function rankOf({ before, after }: LineChange): number {
  const text = after ?? before ?? '';
  if (before !== null && after !== null) return TELLING.test(text) ? 0 : 1;
  if (TITLE.test(text)) return 2;
  return FRAME.test(text) ? 4 : 3;
}

/** Shortens a long changed line around the difference. */
export function cutLine({ line, before, after }: LineChange): LineChange {
  const from = Math.max(0, commonStart(before ?? '', after ?? '') - BEFORE_DIFFERENCE);
  const part = (text: string | null): string | null => {
    if (text === null || text.length <= LINE_MAX) return text;
    return `${from > 0 ? '…' : ''}${shortened(endOf(text, text.length - from), LINE_MAX)}`;
  };
  return { line, before: part(before), after: part(after) };
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one === '' || other === '' ? 0 : length;
}
