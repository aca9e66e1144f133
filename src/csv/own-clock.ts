import { clockNamesOf } from '../time.ts';
import { dateFromText } from './read-date.ts';
import { spanFromText } from './read-span.ts';
import { timeFromCell, timesFromCell } from './read-time.ts';

/** Longer cells are not dates. */
const LENGTH_MAX = 100;

/**
 * Removes the name of a zone's own clock from a cell (`19:00 CET` in Warsaw), whatever the season, as it adds nothing.
 * A cell that is not a date or time without it is left unchanged.
 */
export function withoutOwnClock(cell: string, zone: string): string {
  if (cell.length > LENGTH_MAX || !/\d/.test(cell)) return cell;
  const plain = cell.replace(ownClockOf(zone), '');
  return plain !== cell && isWhen(plain) && !isWhen(cell) ? plain : cell;
}

const patterns = new Map<string, RegExp>();
const PATTERNS_MAX = 100;

function ownClockOf(zone: string): RegExp {
  const names = clockNamesOf(zone).join('|');
  const known = patterns.get(names);
  if (known) return known;
  const pattern =
    names === '' ? /(?!)/ : new RegExp(String.raw`(?<=\d|m\.?|uhr|h)\s*(?:\b(?:${names})\b|\((?:${names})\))`, 'giu');
  if (patterns.size >= PATTERNS_MAX) patterns.clear();
  patterns.set(names, pattern);
  return pattern;
}

/**
 * The name of a clock (`EST`) at the end of a cell that would be a date or time without it; undefined if there is none.
 */
export function clockNamedIn(cell: string): string | undefined {
  const [, plain = '', name] = /^(.*\d.*?)\s*\(?\b([A-Z]{2,5})\)?$/.exec(cell.slice(0, LENGTH_MAX + 1)) ?? [];
  return isWhen(plain) ? name : undefined;
}

const isWhen = (cell: string): boolean =>
  timeFromCell(cell) !== null ||
  timesFromCell(cell) !== null ||
  dateFromText(cell, 'day first') !== null ||
  spanFromText(cell, 'day first') !== null;
