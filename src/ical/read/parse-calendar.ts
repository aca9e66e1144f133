import { grouped } from '../../count-in-words.ts';
import type { Parsed, Where } from '../../problem.ts';
import { asSecondVersion, isFirstVersion } from './first-version/as-second-version.ts';
import { OTHER_COMPONENTS, type Calendar, type CalendarEvent, type OtherComponent } from './calendar.ts';
import { componentTree, eventHolders, type EventHolder } from './component.ts';
import type { Section } from './content-lines.ts';
import { eventFromComponent } from './event-from-component.ts';
import { problemList, type OnlyCounted, type ProblemList } from './problem-list.ts';
import { durationFromText } from './time-value.ts';
import { textIn } from './values.ts';
import { zonesIn } from './zones-in.ts';
import { withVenueNamed } from './venue-named.ts';
import { whereIn } from './uid.ts';

/** The most events of a feed that are read. */
export const EVENTS_MAX = 100_000;

/**
 * Parses text, or sections of one, as a calendar (RFC 5545). Never fails: any text gives a value, plus a problem for each unreadable part.
 */
export function parseCalendar(text: string | readonly Section[], onlyCounted?: OnlyCounted): Parsed<Calendar> {
  const problems = problemList(onlyCounted);
  const holders = eventHolders(componentTree(text, problems));
  const { objectOf, ...zones } = zonesIn(holders, problems);
  const events: CalendarEvent[] = [];
  const unread: Where[] = [];
  const vevents = holders.flatMap(({ component, calendar }) => {
    const held = component.components.filter(({ name }) => name === 'VEVENT');
    if (held.length === 0) return [];
    const isCancelled = textIn(calendar, problems, 'METHOD')?.toUpperCase() === 'CANCEL';
    const surroundings = { isCancelled, object: objectOf(calendar) };
    const isOld = isFirstVersion(calendar);
    return held.map((vevent) => ({ vevent: isOld ? asSecondVersion(vevent) : vevent, surroundings }));
  });
  const atVenue = withVenueNamed(
    holders.map(({ component }) => component),
    problems,
  );
  for (const { vevent, surroundings } of vevents.slice(0, EVENTS_MAX)) {
    const event = eventFromComponent(vevent, surroundings, problems);
    if (event) events.push(atVenue(event));
    else unread.push(whereIn(vevent));
  }
  for (const { vevent } of vevents.slice(EVENTS_MAX)) unread.push(whereIn(vevent));
  if (vevents.length > EVENTS_MAX)
    problems.add(
      'too-many-events',
      `The feed has ${grouped(vevents.length)} events; only the first ${grouped(EVENTS_MAX)} were read.`,
    );
  return {
    value: { ...headOf(holders, problems), ...zones, events, unread, others: othersIn(holders) },
    problems: problems.all(),
  };
}

function othersIn(holders: readonly EventHolder[]): Record<OtherComponent, number> {
  const names = holders.flatMap(({ component }) => component.components.map(({ name }) => name));
  const countOf = (wanted: OtherComponent): number => names.filter((name) => name === wanted).length;
  return Object.fromEntries(OTHER_COMPONENTS.map((name) => [name, countOf(name)])) as Record<OtherComponent, number>;
}

function headOf(
  holders: readonly EventHolder[],
  problems: ProblemList,
): Pick<Calendar, 'name' | 'productId' | 'refreshSeconds'> {
  const [first] = holders;
  const read = (...names: readonly string[]): string | null =>
    first ? textIn(first.calendar, problems, ...names) : null;
  const refresh = durationFromText(read('REFRESH-INTERVAL', 'X-PUBLISHED-TTL') ?? '');
  return {
    name: read('X-WR-CALNAME', 'NAME'),
    productId: read('PRODID'),
    refreshSeconds: refresh ? Math.max(0, refresh.days * 86_400 + refresh.ms / 1000) : null,
  };
}
