import type { Occurrence } from './occurrence.ts';
import type { TimeValue } from '../read/time-value.ts';
import type { ProblemList } from '../read/problem-list.ts';
import { firstZone, isEqualBetween, type CalendarZones, type DescribedZone } from '../times/zones-of-calendar.ts';
import type { Zone } from '../times/zone.ts';
import { shownTzid } from '../read/tzid.ts';

/**
 * Compares the feed's description of its zones (VTIMEZONE) with the real ones, from the first occurrence in the window
 * to the last. Returns the IANA zone in which times of the feed's own zones can be shown; reports zones without one,
 * and those that contradict the zone they are named after.
 */
export function localZones(
  occurrences: readonly Occurrence[],
  zones: CalendarZones,
  window: Span,
  problems: ProblemList,
): ReadonlyMap<Zone, Zone> {
  const spans = spansOf(occurrences, zones, window);
  return new Map(
    zones.described.flatMap((zone): (readonly [Zone, Zone])[] => {
      const span = spans.get(zone);
      return span ? localZone(zone, span, problems) : [];
    }),
  );
}

/** Whether the feed's descriptions of its zones match the real zones of these names throughout the window. */
export const isTrueToZones = ({ described }: CalendarZones, { from, to }: Span): boolean =>
  described.every(
    ({ zone, own, isIana }) =>
      isIana &&
      own.offsetAt(to) === zone.offsetAt(to) &&
      isEqualBetween(own, zone, from, to) &&
      own.offsetAt(from) === zone.offsetAt(from),
  );

function localZone(
  { tzid, line, zone, own, isIana, candidates }: DescribedZone,
  span: Span,
  problems: ProblemList,
): (readonly [Zone, Zone])[] {
  const isLike = (other: Zone): boolean =>
    [span.from, span.to].every((at) => own.offsetAt(at) === other.offsetAt(at)) &&
    isEqualBetween(own, other, span.from, span.to);
  if (isIana && !isLike(zone))
    problems.add(
      'timezone-contradiction',
      `The VTIMEZONE of ${zone.name} contradicts the real rules of that zone; the real rules are used.`,
      { line },
    );
  if (zone.name !== null) return [];
  const local = firstZone(candidates, isLike);
  if (local) return [[zone, local]];
  problems.add(
    'timezone-private',
    `The zone "${shownTzid(tzid)}" has rules of its own that match no IANA zone; its times are published in UTC.`,
    { line },
  );
  return [];
}

/** From the first start to the last end, as instants. */
interface Span {
  readonly from: number;
  readonly to: number;
}

function spansOf(
  occurrences: readonly Occurrence[],
  zones: CalendarZones,
  window: Span,
): ReadonlyMap<DescribedZone, Span> {
  const spans = new Map<DescribedZone, Span>();
  const widen = (time: TimeValue, instant: number): void => {
    const zone = zones.descriptionOf(time);
    if (!zone) return;
    const at = Math.min(Math.max(instant, window.from), window.to);
    const { from, to } = spans.get(zone) ?? { from: at, to: at };
    if (at <= from || at >= to) spans.set(zone, { from: Math.min(from, at), to: Math.max(to, at) });
  };
  for (const {
    event: { start, end },
    startsAt,
    endsAt,
  } of occurrences) {
    widen(start, startsAt);
    widen(end?.kind === 'zoned' ? end : start, endsAt);
  }
  return spans;
}
