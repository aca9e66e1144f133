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

// An unchanged event need not be read again if only the event itself decides what becomes of it. Whatever else its
// draft depends on is in the frame, or causes the whole calendar to be read.

/** Traits of single events that affect all others, by the mark that stands for them in digests and frames. */
const MARKS: Readonly<Record<string, (event: CalendarEvent) => boolean>> = {
  // If any event has an image, the others are taken to have none.
  '!': (event) => imageFromEvent(event) !== '',
  // If no event names a zone, UTC times are shown in the site's zone.
  '@': ({ start, end }) => start.kind === 'zoned' || end?.kind === 'zoned',
  // If any event names no zone, operators are told which zone was used.
  '~': ({ start }) => start.kind === 'utc',
  '?': ({ start }) => start.kind === 'floating',
};

const EACH_MARK = Object.entries(MARKS);

const marksOf = (events: readonly CalendarEvent[]): string => {
  let marks = '';
  for (const [mark, isMarked] of EACH_MARK) if (events.some(isMarked)) marks += mark;
  return marks;
};

/** Adds digests to the drafts of single events, except those with problems, which must be reported each time. */
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

/** Problems that concern the components of one UID only. */
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

/** Problems of the whole calendar, which every part of it reports in the same words. */
const OF_THE_FRAME: ReadonlySet<string> = new Set(['times-utc', 'timezone-missing']);

export const isOfTheFrame = ({ code }: Problem): boolean => OF_THE_FRAME.has(code);

/**
 * A digest of everything that the drafts of single events have in common; absent if a problem concerns several of them.
 */
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
 * The UIDs of the events that still match their digests, except one of them and one with each mark. A part therefore
 * always has an event, and every trait that affects all others.
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

/** Whether the events that were not read would have changed nothing in what was read. */
export const isOnItsOwn = (
  { events }: Calendar,
  { zones }: Expansion,
  isElsewhere: (uid: string) => boolean,
  window: Window,
  count: number,
): boolean =>
  count <= EVENTS_MAX && isTrueToZones(zones, window) && events.every(({ uid }) => uid !== null && !isElsewhere(uid));
