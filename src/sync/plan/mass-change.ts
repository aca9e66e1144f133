import { instantOf } from '../model/event-times.ts';
import { withoutPrefix } from '../../contract/cancelled-title.ts';
import type { HoldReason, Json, UpdateEvent } from '../model/plan.ts';
import { hides } from '../model/publishing.ts';
import { countInWords, grouped } from '../../count-in-words.ts';

/** A plan's updates of upcoming events, out of the source's `all`; up to `moreThan` of them do not count as many. */
export interface MassChangeInput {
  readonly updates: readonly UpdateEvent[];
  readonly all: number;
  readonly moreThan: number;
}

/** Why a review is needed if most upcoming events would move in the same way; null if they would not. */
export const massMoveOf = (updating: MassChangeInput): HoldReason | null => zoneChange(updating) ?? shift(updating);

/**
 * Most events get another zone and start at other instants, which is as often a mistake as a correction. The same
 * instants in another zone are harmless.
 */
function zoneChange(updating: MassChangeInput): HoldReason | null {
  const changes = updating.updates.flatMap((update) => {
    const { timezone } = update.changes;
    return timezone && shiftOf(update) !== 0 ? [`from ${String(timezone.from)} to ${String(timezone.to)}`] : [];
  });
  const commonest = commonestOf(changes);
  if (commonest === null || !isMost(changes.length, updating)) return null;
  const { value, count } = commonest;
  const most = count < changes.length ? `, of ${grouped(count)} of them` : '';
  const message = `This would change the time zone of ${grouped(changes.length)} of ${grouped(updating.all)} upcoming events${most} ${value}.`;
  return { kind: 'zone', count: changes.length, all: updating.all, message };
}

const SUMMER_MINUTES = 60;

/**
 * Most events move by the same offset: a zone was lost, or summer time was misread, in which case summer events move by
 * one more hour.
 */
function shift(updating: MassChangeInput): HoldReason | null {
  const offsets = updating.updates.map(shiftOf).filter((minutes) => minutes !== 0 && !Number.isNaN(minutes));
  const one = commonestOf(offsets);
  if (one && isMost(one.count, updating))
    return shifted(one.count, updating, `by one and the same offset: ${offsetInWords(one.value)}.`);
  const two = commonestOf(offsets.flatMap((minutes) => [minutes, minutes - SUMMER_MINUTES]));
  if (!two || !isMost(two.count, updating)) return null;
  const either = `${offsetInWords(two.value)} or ${offsetInWords(two.value + SUMMER_MINUTES)}`;
  return shifted(two.count, updating, `${either}, as a time zone does that is misread in winter and in summer.`);
}

const shifted = (count: number, { all }: MassChangeInput, how: string): HoldReason => ({
  kind: 'shift',
  count,
  all,
  message: `This would move ${grouped(count)} of ${grouped(all)} upcoming events ${how}`,
});

/** For each public event that an update would hide from visitors, the status that it would get. */
export const hidingOf = ({ updates }: MassChangeInput): readonly string[] =>
  updates.flatMap((update) => (hides(update) ? [String(update.changes['status']?.to)] : []));

/** Why a review is needed if most upcoming events would get another title; null if they would not. */
export function retitlingOf(updating: MassChangeInput): HoldReason | null {
  const titles = updating.updates.flatMap(({ changes: { title } }) =>
    title && withoutPrefix(String(title.from)) !== withoutPrefix(String(title.to)) ? [title] : [],
  );
  if (!isMost(titles.length, updating)) return null;
  const message =
    `This would give ${grouped(titles.length)} of ${grouped(updating.all)} upcoming events another title, such as ` +
    `"${String(titles[0]?.to)}" instead of "${String(titles[0]?.from)}".`;
  return { kind: 'titles', count: titles.length, all: updating.all, message };
}

const isMost = (count: number, { all, moreThan }: MassChangeInput): boolean => count > moreThan && count > all / 2;

function commonestOf<T>(values: readonly T[]): { readonly value: T; readonly count: number } | null {
  const [first] = [...Map.groupBy(values, (value) => value)].sort(([, one], [, other]) => other.length - one.length);
  return first === undefined ? null : { value: first[0], count: first[1].length };
}

/** The number of minutes by which an update moves the start of its event. */
function shiftOf({ changes, fields }: UpdateEvent): number {
  const at = (side: 'from' | 'to'): number => {
    const value = (field: string): Json | undefined => changes[field]?.[side] ?? fields[field];
    return instantOf(value('start_date'), value('timezone'));
  };
  return changes['start_date'] || changes['timezone'] ? (at('to') - at('from')) / 60_000 : 0;
}

/** An offset in words, such as "1 hour later" or "3 days earlier". */
export function offsetInWords(minutes: number): string {
  const size = Math.abs(minutes);
  const [length, word] = TIME_UNITS.find(([each]) => size % each === 0) ?? MINUTE;
  const count = size / length;
  return `${countInWords(count, word)} ${minutes > 0 ? 'later' : 'earlier'}`;
}

const MINUTE = [1, 'minute'] as const;
const TIME_UNITS = [[1440, 'day'], [60, 'hour'], MINUTE] as const;
