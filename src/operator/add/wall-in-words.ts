import { shortMonth, weekdayOf } from '../../sync/review/days.ts';
import type { Wall } from '../../time.ts';

/** A wall-clock time or a day in poster style: "Fri 27 Nov 2026, 20:00". */
export function wallInWords(wall: Wall): string {
  const day = wall.slice(0, 10);
  const date = `${weekdayOf(day).slice(0, 3)} ${Number(day.slice(8))} ${shortMonth(day)} ${day.slice(0, 4)}`;
  return wall.length <= 10 ? date : `${date}, ${wall.slice(11, 16)}`;
}
