import { hash } from 'node:crypto';
import type { Expansion } from '../../ical/occurrences/expand-calendar.ts';
import { isTrueToZones } from '../../ical/occurrences/local-zones.ts';
import type { Calendar, CalendarEvent } from '../../ical/read/calendar.ts';
import type { CalendarPieces } from './calendar-pieces.ts';
import { EVENTS_MAX } from '../../ical/read/parse-calendar.ts';
import type { OnlyCounted } from '../../ical/read/problem-list.ts';
import { furtherCount, type Problem } from '../../problem.ts';
import { imageFromEvent } from '../drafts/calendar-places.ts';
import { NO_EVENTS } from '../drafts/no-events.ts';
import type { FeedReading, Window } from '../model/draft.ts';

// An unchanged event need not be read again, if nothing but itself decides what it becomes. What does not follow from
// the event alone is in the frame, or makes the whole calendar be read.

/** What one event may have that decides about all others, with the mark of it in digests and frames. */
const MARKS: Readonly<Record<string, (event: CalendarEvent) => boolean>> = {
  // Where any event has an image, the others are said to have none.
  '!': (event) => imageFromEvent(event) !== '',
  // Where none names a zone, times in UTC are shown in the site's.
  '@': ({ start, end }) => start.kind === 'zoned' || end?.kind === 'zoned',
  // Where any event says none, operators are told which one was taken.
  '~': ({ start }) => start.kind === 'utc',
  '?': ({ start }) => start.kind === 'floating',
};

const EACH_MARK = Object.entries(MARKS);

const marksOf = (events: readonly CalendarEvent[]): string => {
  let marks = '';
  for (const [mark, isMarked] of EACH_MARK) if (events.some(isMarked)) marks += mark;
  return marks;
};

/** A reading whose drafts of single events have digests, except those with problems: these are reported every time. */
export function withDigests(
  reading: FeedReading,
  { events }: Calendar,
  { single, digestOf }: CalendarPieces,
  onlyCounted: OnlyCounted,
): FeedReading {
  const told = new Set([...reading.problems.map(({ where }) => where.uid), ...onlyCounted]);
  const marks = new Map(events.map((event) => [event.uid, marksOf([event])]));
  return {
    ...reading,
    drafts: reading.drafts.map((draft) => {
      const { uid } = draft.rungs;
      const piece = uid === null || told.has(uid) ? undefined : single.get(uid);
      return piece ? { ...draft, digest: digestOf(piece) + (marks.get(uid) ?? '') } : draft;
    }),
  };
}

/** Problems that come from the components of one UID alone. */
const OF_ONE_UID: ReadonlySet<string> = new Set([
  'property-repeated',
  'date-unreadable',
  'duration-unreadable',
  'uid-shared',
  'series-with-recurrence-id',
  'override-without-series',
  'override-unmatched',
  'override-excluded',
  'title-missing',
  'title-cancelled',
  'address-unusable',
  'description-elsewhere',
  'attachment-unusable',
  'text-cut',
  'end-before-start',
  'time-ambiguous',
]);

const isOfOneUid = (problem: Problem): boolean =>
  problem.code === NO_EVENTS ||
  (OF_ONE_UID.has(problem.code) && (problem.where.uid !== undefined || furtherCount(problem) > 0));

/** Problems of the calendar as a whole, which any part of it reports in the same words. */
const OF_THE_FRAME: ReadonlySet<string> = new Set(['times-utc', 'timezone-missing']);

export const isOfTheFrame = ({ code }: Problem): boolean => OF_THE_FRAME.has(code);

/** A digest of everything that the drafts of single events have in common; none where a problem concerns several. */
export function frameOf(
  { frame }: CalendarPieces,
  { problems, rung, onlyCounted }: FeedReading & { readonly onlyCounted: OnlyCounted },
  { events }: Calendar,
  settings: unknown,
): { readonly frame?: string } {
  const [told, others] = [problems.filter(isOfTheFrame), problems.filter((problem) => !isOfTheFrame(problem))];
  if (rung !== undefined || onlyCounted.has(null) || !others.every(isOfOneUid)) return {};
  return { frame: hash('sha1', frame + JSON.stringify([settings, told]), 'base64') + marksOf(events) };
}

/**
 * The UIDs of the events that are as the digests say, except one, and one with each mark: so a part always has an event,
 * and whatever decides about all others if these have it.
 */
export function settledIn(
  { single, digestOf }: CalendarPieces,
  digests: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const same = [...digests].filter(([uid, digest]) => {
    const piece = single.get(uid);
    return piece !== undefined && digest.startsWith(digestOf(piece));
  });
  const witnesses = [undefined, ...Object.keys(MARKS)].map(
    (mark) => same.find(([, digest]) => mark === undefined || digest.includes(mark))?.[0],
  );
  return new Set(same.flatMap(([uid]) => (witnesses.includes(uid) ? [] : [uid])));
}

/** Whether events that are not among those read would change nothing in what was read without them. */
export const isOnItsOwn = (
  { events }: Calendar,
  { zones }: Expansion,
  isElsewhere: (uid: string) => boolean,
  window: Window,
  count: number,
): boolean =>
  count <= EVENTS_MAX && isTrueToZones(zones, window) && events.every(({ uid }) => uid !== null && !isElsewhere(uid));
