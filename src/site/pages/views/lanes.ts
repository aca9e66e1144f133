import type { Span } from '../../store/event-days.ts';
import type { Day } from '../frame/dates.ts';

/** An event of several days, as a bar in a week of a month. */
export interface Bar {
  readonly id: number;
  /** Counts from 1, starting at the top. */
  readonly lane: number;
  /** The day of the week at which the bar starts, from 0. */
  readonly at: number;
  readonly days: number;
  /** Whether the event began before this week, and whether it continues after it. */
  readonly isFromBefore: boolean;
  readonly goesOn: boolean;
}

/** The bars of a week, and by day the number of events without a lane. */
export interface WeekLanes {
  readonly lanes: number;
  readonly bars: readonly Bar[];
  readonly left: ReadonlyMap<Day, number>;
}

export const LANES_MAX = 3;

/**
 * Assigns lanes to the events of several days in a week. If there are too many, those that begin or end in this week
 * take precedence, as other weeks show the rest. Events that last all week have the same lane in each week. Events
 * without a lane are counted on each of their days.
 */
export function lanesOf(week: readonly Day[], spans: readonly Span[], lanesMax = LANES_MAX): WeekLanes {
  const pieces = piecesIn(week, spans);
  const onDays = week.map(() => 0);
  const fits = new Set(
    pieces.toSorted(byNews).filter((piece) => {
      const days = onDays.slice(piece.at, piece.at + piece.days);
      if (days.some((count) => count >= lanesMax)) return false;
      days.forEach((count, index) => (onDays[piece.at + index] = count + 1));
      return true;
    }),
  );
  const left = new Map<Day, number>();
  for (const piece of pieces.filter((one) => !fits.has(one)))
    for (const day of week.slice(piece.at, piece.at + piece.days)) left.set(day, (left.get(day) ?? 0) + 1);
  // Placed in the order of their starts, bars need no more lanes than overlap.
  const lanes: Bar[][] = [];
  for (const piece of pieces.filter((one) => fits.has(one))) {
    const free = lanes.findIndex((bars) => bars.every((bar) => bar.at + bar.days <= piece.at));
    const lane = free === -1 ? lanes.length : free;
    (lanes[lane] ??= []).push({ ...piece, lane: lane + 1 });
  }
  return { lanes: lanes.length, bars: lanes.flat(), left };
}

type Piece = Omit<Bar, 'lane'>;

/** The parts of events within a week: earliest start first, then the longest, then by the event's actual start. */
function piecesIn(week: readonly Day[], spans: readonly Span[]): readonly Piece[] {
  const [monday = '', sunday = ''] = [week[0], week.at(-1)];
  return spans
    .filter(({ first, last }) => first <= sunday && last >= monday)
    .toSorted((one, other) => compare(one.first, other.first) || one.id - other.id)
    .map((span) => ({
      id: span.id,
      at: Math.max(0, week.indexOf(span.first)),
      days: lengthIn(week, span),
      isFromBefore: span.first < monday,
      goesOn: span.last > sunday,
    }))
    .toSorted((one, other) => one.at - other.at || other.days - one.days);
}

/** Events that begin in the week, then those that end in it, then those that span it; each group longest first. */
const byNews = (one: Piece, other: Piece): number => age(one) - age(other) || other.days - one.days;
const age = ({ isFromBefore, goesOn }: Piece): number => (isFromBefore ? 1 : 0) + (isFromBefore && goesOn ? 1 : 0);

const lengthIn = (week: readonly Day[], { first, last }: Span): number =>
  week.filter((day) => day >= first && day <= last).length;

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
