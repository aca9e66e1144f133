import { instantOf } from '../model/event-times.ts';
import { withoutPrefix } from '../model/state-tags.ts';
import type { Json, UpdateEvent } from '../model/plan.ts';
import { countInWords } from '../../count-in-words.ts';

/** A plan's updates of upcoming events, out of the source's `all`; up to `moreThan` of them are not many. */
export interface Updating {
  readonly updates: readonly UpdateEvent[];
  readonly all: number;
  readonly moreThan: number;
}

/** Why a review is needed first, if most upcoming events would change in the same way: in words and numbers. */
export const massChange = (updating: Updating): string | null =>
  zoneChange(updating) ?? shift(updating) ?? retitling(updating);

/**
 * Most events get another zone and other instants: a mistake as often as a correction. The same instants in another
 * zone are harmless.
 */
function zoneChange(updating: Updating): string | null {
  const changes = updating.updates.flatMap((update) => {
    const { timezone } = update.changes;
    return timezone && shiftOf(update) !== 0 ? [`from ${String(timezone.from)} to ${String(timezone.to)}`] : [];
  });
  const commonest = commonestOf(changes);
  if (commonest === null || !isMost(changes.length, updating)) return null;
  const { value, count } = commonest;
  const most = count < changes.length ? `, of ${count} of them` : '';
  return `This would change the time zone of ${changes.length} of ${updating.all} upcoming events${most} ${value}.`;
}

const SUMMER_MINUTES = 60;

/**
 * Most events move by the same offset: a lost zone, or misread summer time, in which case summer events move one hour
 * more.
 */
function shift(updating: Updating): string | null {
  const offsets = updating.updates.map(shiftOf).filter((minutes) => minutes !== 0 && !Number.isNaN(minutes));
  const one = commonestOf(offsets);
  if (one && isMost(one.count, updating))
    return `This would move ${one.count} of ${updating.all} upcoming events by one and the same offset: ${offsetInWords(one.value)}.`;
  const two = commonestOf(offsets.flatMap((minutes) => [minutes, minutes - SUMMER_MINUTES]));
  return two && isMost(two.count, updating)
    ? `This would move ${two.count} of ${updating.all} upcoming events ${offsetInWords(two.value)} or ${offsetInWords(two.value + SUMMER_MINUTES)}, as a time zone does that is misread in winter and in summer.`
    : null;
}

function retitling(updating: Updating): string | null {
  const titles = updating.updates.flatMap(({ changes: { title } }) =>
    title && withoutPrefix(String(title.from)) !== withoutPrefix(String(title.to)) ? [title] : [],
  );
  return isMost(titles.length, updating)
    ? `This would give ${titles.length} of ${updating.all} upcoming events another title, such as "${String(titles[0]?.to)}" instead of "${String(titles[0]?.from)}".`
    : null;
}

const isMost = (count: number, { all, moreThan }: Updating): boolean => count > moreThan && count > all / 2;

function commonestOf<T>(values: readonly T[]): { readonly value: T; readonly count: number } | null {
  const [first] = [...Map.groupBy(values, (value) => value)].sort(([, one], [, other]) => other.length - one.length);
  return first === undefined ? null : { value: first[0], count: first[1].length };
}

/** By how many minutes an update moves the start of its event. */
function shiftOf({ changes, fields }: UpdateEvent): number {
  const at = (side: 'from' | 'to'): number => {
    const value = (field: string): Json | undefined => changes[field]?.[side] ?? fields[field];
    return instantOf(value('start_date'), value('timezone'));
  };
  return changes['start_date'] || changes['timezone'] ? (at('to') - at('from')) / 60_000 : 0;
}

function offsetInWords(minutes: number): string {
  const size = Math.abs(minutes);
  const [length, word] = TIME_UNITS.find(([each]) => size % each === 0) ?? MINUTE;
  const count = size / length;
  return `${countInWords(count, word)} ${minutes > 0 ? 'later' : 'earlier'}`;
}

const MINUTE = [1, 'minute'] as const;
const TIME_UNITS = [[1440, 'day'], [60, 'hour'], MINUTE] as const;
