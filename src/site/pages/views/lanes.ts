import type { Span } from '../../store/event-days.ts';
import type { Day } from '../frame/dates.ts';

/** What lasts for several days, as a bar in the week of a month. */
export interface Bar {
  readonly id: number;
  /** Counts from 1, from above. */
  readonly lane: number;
  /** The day of the week under which it begins, from 0. */
  readonly at: number;
  readonly days: number;
  /** Whether it began before this week, and whether it goes on after it. */
  readonly isFromBefore: boolean;
  readonly goesOn: boolean;
}

/** The bars of a week, and how many of what lasts have no lane, by day. */
export interface WeekLanes {
  readonly lanes: number;
  readonly bars: readonly Bar[];
  readonly left: ReadonlyMap<Day, number>;
}

export const LANES_MAX = 3;

/**
 * Gives lanes to what lasts for several days, in one week: to the longest first, so that what is on all the time has
 * the same lane in each week. What finds no lane is counted on each of its days.
 */
export function lanesOf(week: readonly Day[], spans: readonly Span[], lanesMax = LANES_MAX): WeekLanes {
  const lanes: Bar[][] = [];
  const left = new Map<Day, number>();
  for (const span of piecesIn(week, spans)) {
    const free = lanes.findIndex((bars) => bars.every((bar) => !overlap(bar, span)));
    const lane = free === -1 ? lanes.length : free;
    if (lane < lanesMax) (lanes[lane] ??= []).push({ ...span, lane: lane + 1 });
    else for (const day of week.slice(span.at, span.at + span.days)) left.set(day, (left.get(day) ?? 0) + 1);
  }
  return { lanes: lanes.length, bars: lanes.flat(), left };
}

type Piece = Omit<Bar, 'lane'>;

function piecesIn(week: readonly Day[], spans: readonly Span[]): readonly Piece[] {
  const [monday = '', sunday = ''] = [week[0], week.at(-1)];
  const touching = spans.filter(({ first, last }) => first <= sunday && last >= monday);
  const ordered = touching.toSorted(
    (one, other) => lengthIn(week, other) - lengthIn(week, one) || compare(one.first, other.first) || one.id - other.id,
  );
  return ordered.map((span) => ({
    id: span.id,
    at: Math.max(0, week.indexOf(span.first)),
    days: lengthIn(week, span),
    isFromBefore: span.first < monday,
    goesOn: span.last > sunday,
  }));
}

const lengthIn = (week: readonly Day[], { first, last }: Span): number =>
  week.filter((day) => day >= first && day <= last).length;

const overlap = (one: Piece, other: Piece): boolean => one.at < other.at + other.days && other.at < one.at + one.days;

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
