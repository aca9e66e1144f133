import type { Event } from '../../../contract/representation.ts';
import { daysOf } from '../../../selection/days.ts';
import type { SeriesDates } from '../../store/series-dates.ts';
import type { Day } from '../frame/dates.ts';
import { isNear } from '../views/carried.ts';
import { groupFound, isOver, type FoundDay } from '../views/group-found.ts';
import type { Finder } from './finder.ts';
import type { Question } from './question.ts';

/** What one page of a list shows. */
export interface FoundPart {
  readonly days: readonly FoundDay[];
  /** The total of all pages, without the events shown separately. */
  readonly total: number;
  /** The number of events by start day (days since 1970). */
  readonly starts: ReadonlyMap<number, number>;
  /** The next page. */
  readonly next: Question | undefined;
  /** The month before, if the calendar has anything there. */
  readonly earlier: Question | undefined;
}

/** Events in list order, with the series to which they belong. */
interface Stretch {
  readonly events: readonly Event[];
  readonly series: ReadonlyMap<number, SeriesDates>;
}

const AT_ONCE = 50;
// If many events are dates of few series, more are read, up to this limit.
const EVENTS_MAX = 5 * AT_ONCE;

/** The question for everything from a day on. */
export const fromDay = (question: Question, from: Day | ''): Question => ({ ...question, when: '', from, page: 1 });

/**
 * Reads one page of a list. If possible it ends with a day, and the next page starts from the next day: such a link
 * means the same tomorrow. Otherwise pages are numbered.
 */
export async function foundPart(find: Finder, question: Question): Promise<FoundPart> {
  const [part, earlier] = await Promise.all([partOf(find, question), earlierThan(find, question)]);
  return { ...part, earlier };
}

async function partOf(find: Finder, question: Question): Promise<Omit<FoundPart, 'earlier'>> {
  const { last } = daysOf(question, find.today);
  const offset = (question.page - 1) * AT_ONCE;
  // One more than a page holds tells where the next one begins.
  const limit = last === undefined && question.page === 1 ? AT_ONCE + 1 : AT_ONCE;
  const { events: ahead, total, days: starts } = await find.daily(question, { limit, offset });
  const whole = await withSeries(find, question, ahead);
  const events = ahead.slice(0, AT_ONCE);
  const read: Stretch = { ...whole, events };
  const page = (shown: Stretch, next: Question | undefined): Omit<FoundPart, 'earlier'> => ({
    days: daysIn(find, question, shown),
    total,
    starts,
    next,
  });
  const onNextPage = offset + events.length < total ? { ...question, page: question.page + 1 } : undefined;
  if (!onNextPage || last !== undefined || question.page > 1) return page(read, onNextPage);
  const more = await readOn(find, question, whole, total);
  const days = daysIn(find, question, more);
  const cut = cutOf(days, more.events.length < total ? more.events.at(-1) : undefined);
  if (cut === 'nowhere') return { days, total, starts, next: undefined };
  return cut === 'first day'
    ? page(read, onNextPage)
    : { days: days.filter(({ day }) => day < cut), total, starts, next: fromDay(question, cut) };
}

/** Uses the month of the last past event, whatever is chosen; searching for the last chosen one is not worth it. */
async function earlierThan(find: Finder, question: Question): Promise<Question | undefined> {
  const { first, last } = daysOf(question, find.today);
  if (last !== undefined || question.page > 1 || first > find.today) return undefined;
  const { before } = await find.daysAround(first, first);
  return before !== null && isNear(before, find.today) ? fromDay(question, `${before.slice(0, 7)}-01`) : undefined;
}

/** Reads until there is more than a page, or everything. */
async function readOn(find: Finder, question: Question, read: Stretch, total: number): Promise<Stretch> {
  const { length } = read.events;
  const entries = daysIn(find, question, read).reduce((sum, day) => sum + day.entries.length, 0);
  if (entries > AT_ONCE || length >= Math.min(total, EVENTS_MAX)) return read;
  const { events } = await find.daily(question, { limit: AT_ONCE, offset: length });
  // The remaining events may have been removed in between.
  if (events.length === 0) return read;
  const added = await withSeries(find, question, events);
  return readOn(
    find,
    question,
    { events: [...read.events, ...added.events], series: new Map([...read.series, ...added.series]) },
    total,
  );
}

async function withSeries(find: Finder, question: Question, events: readonly Event[]): Promise<Stretch> {
  const { first } = daysOf(question, find.today);
  const ids = events.map(({ id }) => id);
  return { events, series: await find.seriesOf(ids, first) };
}

function daysIn(find: Finder, question: Question, { events, series }: Stretch): readonly FoundDay[] {
  const { first } = daysOf(question, find.today);
  return groupFound(events, first, series, {
    isEveryDate: question.everyDate,
    isApart: () => false,
    isOver: (event) => isOver(event, find.today),
  }).days;
}

/** The day before which a page ends. `stopped` is the event at which reading stopped, whose day may have more. */
function cutOf(days: readonly FoundDay[], stopped: Event | undefined): Day | 'first day' | 'nowhere' {
  let entries = 0;
  const tooMuch = days.find((day) => {
    entries += day.entries.length;
    return entries > AT_ONCE;
  });
  const cut = tooMuch?.day ?? stopped?.start_date.slice(0, 10);
  if (cut === undefined) return 'nowhere';
  const [first] = days;
  return first && cut > first.day ? cut : 'first day';
}
