import type { Html } from '../../html/template.ts';
import { nameOfRef } from '../../sync/links/link.ts';
import { inFieldOrder, isLinked } from '../../sync/model/fields.ts';
import type { Json, UpdateEvent } from '../../sync/model/plan.ts';
import { offsetOf } from '../../sync/review/change-pattern.ts';
import { dayInWords, dayOf, weekdayOf } from '../../sync/review/days.ts';
import { timeBy, type Clocks, type EventClock } from '../events/event-clock.ts';
import { valueText } from '../events/field-words.ts';
import { labelOfField } from '../frame/field-labels.ts';
import { marked, type CutPiece } from '../frame/marked.ts';
import { endOf, shortened, startOf } from '../../html/shortened.ts';

/** The time of day of a wall time: "19:00". */
const clockOf = (wall: string): string => wall.slice(11, 16);

/** "Sat 6 March, 19:00"; "Sat 6 March, 20:00 EST" by the event's own clock; "Sat 6 March" for all-day events. */
export function whenInWords(wall: string, today: string, clock?: EventClock): string {
  if (wall === '') return '';
  const day = `${weekdayOf(dayOf(wall)).slice(0, 3)} ${dayInWords(dayOf(wall), today)}`;
  const time = clock ? timeBy(wall, clock) : clockOf(wall);
  return time === '' ? day : `${day}, ${time}`;
}

/** Longer texts are cut around the differences. */
const TEXT_MAX = 300;

/** A value as plain text, with names instead of refs. */
const plainValue = (field: string, value: Json | undefined, { allDay }: EventClock): string =>
  isLinked(field) && Array.isArray(value)
    ? value.map((ref) => nameOfRef(String(ref))).join(', ')
    : valueText(field, value, allDay);

/** The change of a field, with the differing words marked. */
export const markedChange = (
  field: string,
  { from, to }: { readonly from: Json; readonly to: Json },
  { was, is }: Clocks,
): Html => markedHtml(plainValue(field, from, was), plainValue(field, to, is));

/** Two plain texts merged, with the differing words marked; long text in between is cut. */
const markedHtml = (from: string, to: string): Html => marked(from, to, { cut: aroundChanges });

const aroundChanges: CutPiece = ({ kind, text }, { isFirst, isLast }) => {
  if (kind !== 'same') return shortened(text, TEXT_MAX);
  if (text.length <= TEXT_MAX / 2) return text;
  if (isFirst) return `…${endOf(text, TEXT_MAX / 4)}`;
  if (isLast) return shortened(text, TEXT_MAX / 4);
  return `${startOf(text, TEXT_MAX / 6)} … ${endOf(text, TEXT_MAX / 6)}`;
};

const DATES: ReadonlySet<string> = new Set(['start_date', 'end_date']);

/** What changes about an event, in a few words: the shift of its time, and the names of other fields. */
export function changeInWords({ changes, fields }: Pick<UpdateEvent, 'changes' | 'fields'>): readonly string[] {
  const minutes = minutesMoved({ changes, fields });
  const others = inFieldOrder(changes).flatMap(([field]) => (DATES.has(field) ? [] : [field]));
  const time = minutes === 0 ? [labelOfField('end_date').toLowerCase()] : [offsetOf(minutes)];
  return [
    ...(Object.keys(changes).length > others.length ? time : []),
    ...others.map((field) => labelOfField(field).toLowerCase()),
  ];
}

/** By how many minutes an update moves the start of its event, on its own clock. */
export function minutesMoved({ changes }: Pick<UpdateEvent, 'changes' | 'fields'>): number {
  const { from, to } = changes['start_date'] ?? {};
  return typeof from === 'string' && typeof to === 'string' ? (clockMs(to) - clockMs(from)) / 60_000 : 0;
}

const clockMs = (wall: string): number => Date.parse(`${wall.replace(' ', 'T')}Z`);
