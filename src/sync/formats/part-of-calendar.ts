import { hash } from 'node:crypto';
import type { Expansion } from '../../ical/occurrences/expand-calendar.ts';
import { isTrueToZones } from '../../ical/occurrences/local-zones.ts';
import type { Calendar } from '../../ical/read/calendar.ts';
import type { CalendarPieces } from './calendar-pieces.ts';
import type { Problem } from '../../problem.ts';
import { imageFromEvent } from '../drafts/calendar-places.ts';
import type { FeedReading, Window } from '../model/draft.ts';

// An unchanged event need not be read again, if nothing but itself decides what it becomes. What does not follow from
// the event alone is in the frame, or makes the whole calendar be read.

/** Marks what has an image: where any event has one, the others are said to have none. */
const PICTURED = '+';

/** A reading whose drafts of single events have digests, except those with problems: these are reported every time. */
export function withDigests(reading: FeedReading, { events }: Calendar, { single }: CalendarPieces): FeedReading {
  const told = new Set(reading.problems.map(({ where }) => where.uid));
  const pictured = new Set(events.flatMap((event) => (imageFromEvent(event) === '' ? [] : [event.uid])));
  return {
    ...reading,
    drafts: reading.drafts.map((draft) => {
      const { uid } = draft.rungs;
      const piece = uid === null || told.has(uid) ? undefined : single.get(uid);
      return piece ? { ...draft, digest: piece.digest + (pictured.has(uid) ? PICTURED : '') } : draft;
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
  'address-unusable',
  'description-elsewhere',
  'text-cut',
  'end-before-start',
  'time-ambiguous',
]);

const isOfOneUid = ({ code, where }: Problem): boolean => where.uid !== undefined && OF_ONE_UID.has(code);

/** A digest of everything that the drafts of single events have in common; none where a problem concerns several. */
export function frameOf(
  { frame }: CalendarPieces,
  { problems, rung }: FeedReading,
  { events }: Calendar,
  settings: unknown,
): { readonly frame?: string } {
  if (rung !== undefined || !problems.every(isOfOneUid)) return {};
  const hasImages = events.some((event) => imageFromEvent(event) !== '');
  return { frame: hash('sha1', frame + JSON.stringify(settings), 'base64') + (hasImages ? PICTURED : '') };
}

/**
 * The UIDs of the events that are as the digests say, except one: so a part always has an event, and an image if the
 * others have one.
 */
export function settledIn({ single }: CalendarPieces, digests: ReadonlyMap<string, string>): ReadonlySet<string> {
  const same = [...digests].filter(([uid, digest]) => {
    const now = single.get(uid)?.digest;
    return now !== undefined && (digest === now || digest === now + PICTURED);
  });
  const [witness] = same.find(([, digest]) => digest.endsWith(PICTURED)) ?? same[0] ?? [];
  return new Set(same.flatMap(([uid]) => (uid === witness ? [] : [uid])));
}

const EVENTS_MAX = 50_000;

/** Whether the settled events would change nothing in what was read without them. */
export const isOnItsOwn = (
  { events }: Calendar,
  { zones, occurrences }: Expansion,
  settled: ReadonlySet<string>,
  window: Window,
  count: number,
): boolean =>
  count <= EVENTS_MAX &&
  settled.size + occurrences.length <= EVENTS_MAX &&
  isTrueToZones(zones, window) &&
  events.every(({ uid }) => uid !== null && !settled.has(uid));
