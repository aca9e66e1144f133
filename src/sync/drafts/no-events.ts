import { countInWords, grouped } from '../../count-in-words.ts';
import { OTHER_COMPONENTS, type OtherComponent } from '../../ical/read/calendar.ts';
import type { Problem } from '../../problem.ts';
import { DAY_MS, wallFromInstant } from '../../time.ts';
import type { DraftSettings, EventDraft, FeedReading } from '../model/draft.ts';

/** The code of the problem that says why a feed has no events. */
export const NO_EVENTS = 'no-events';

/** A draft, and why it is left out; null if it is published. */
export interface ReadDraft {
  readonly draft: EventDraft;
  readonly because: string | null;
}

/**
 * Separates drafts to publish from those left out. If there is none to publish, `noEvents` says why; for this, `left`
 * counts the events that are not in `read`.
 */
export function separateExcluded(
  read: readonly ReadDraft[],
  left: () => Omit<UnpublishedEvents, 'excluded'>,
  settings: DraftSettings,
): Pick<FeedReading, 'drafts' | 'excluded'> & { readonly noEvents: readonly Problem[] } {
  const drafts = read.flatMap(({ draft, because }) => (because === null ? [draft] : []));
  const excluded = read.flatMap(({ draft: { rungs, uid, fields }, because }) =>
    because === null ? [] : [{ rungs, ...(uid === undefined ? {} : { uid }), title: fields.title, because }],
  );
  const message =
    drafts.length > 0
      ? undefined
      : whyNoEvents({ ...left(), excluded: excluded.map(({ because }) => because) }, settings);
  const noEvents: readonly Problem[] = message === undefined ? [] : [{ code: 'no-events', message, where: {} }];
  return { drafts, excluded, noEvents };
}

/** What keeps a feed from having usable events; instants are in epoch milliseconds. */
export interface UnpublishedEvents {
  /** Why each event in the window is left out. */
  readonly excluded: readonly string[];
  /** How many are over, and when the last one began if known (it is not known for series). */
  readonly past: number;
  readonly lastPast: number | null;
  /** The starts of events after the window. */
  readonly later: readonly number[];
  /** How many could not be read. */
  readonly unread: number;
  /** The numbers of the calendar's other components. */
  readonly others?: Readonly<Record<OtherComponent, number>>;
}

/**
 * Why a feed gives no events, as a sentence with numbers and advice; undefined if each event has a problem of its own.
 */
function whyNoEvents(
  { excluded, past, lastPast, later, unread, others }: UnpublishedEvents,
  settings: DraftSettings,
): string | undefined {
  const all = excluded.length + past + later.length + unread;
  if (all === 0) return `The feed holds no events${othersInWords(others)}.`;
  if (all === unread) return undefined;
  const parts = [
    ...(past > 0
      ? [`${past} over${lastPast === null ? '' : ` (the last one began on ${day(lastPast, settings)})`}`]
      : []),
    ...(later.length > 0 ? [laterInWords(later, settings)] : []),
    ...(excluded.length > 0 ? [`${grouped(excluded.length)} left out (${reasonsInWords(excluded)})`] : []),
    ...(unread > 0 ? [`${grouped(unread)} not readable`] : []),
  ];
  const advice = [
    ...adviceOn(past, later, settings),
    ...(excluded.length > 0 ? ['"preview --all" shows what is left out.'] : []),
  ];
  const whole =
    parts.length === 1
      ? `${all === 1 ? 'its one event is' : `all ${grouped(all)} events are`} ${withoutCount(parts[0] ?? '')}`
      : `of the ${grouped(all)} events of the feed ${listed(parts.map(withVerb))}`;
  return [`No event is left: ${whole}.`, ...advice].join(' ');
}

function othersInWords(others: UnpublishedEvents['others']): string {
  const counted = OTHER_COMPONENTS.flatMap((name) => {
    const count = others?.[name] ?? 0;
    return count === 0 ? [] : [countInWords(count, ...IN_WORDS[name])];
  });
  return counted.length === 0 ? '' : `, only ${counted.length === 1 ? counted.join() : listed(counted)}`;
}

const IN_WORDS: Readonly<Record<OtherComponent, [one: string, many: string]>> = {
  VTODO: ['task', 'tasks'],
  VJOURNAL: ['journal entry', 'journal entries'],
  VFREEBUSY: ['list of free and busy times', 'lists of free and busy times'],
};

const laterInWords = (later: readonly number[], settings: DraftSettings): string =>
  `${grouped(later.length)} after the window, which ends on ${day(settings.window.to, settings)} (the next one is on ${day(earliest(later), settings)})`;

/** Reasons with counts: "8: shows only that someone is busy; 1: private in the feed (CLASS)". */
function reasonsInWords(excluded: readonly string[]): string {
  const counts = Object.entries(Object.groupBy(excluded, (because) => because)).map(([because, each]) => ({
    because,
    count: each?.length ?? 0,
  }));
  return counts
    .toSorted((one, other) => other.count - one.count)
    .slice(0, 3)
    .map(({ because, count }) => `${count}: ${because}`)
    .join('; ');
}

/** Advice on how to make the nearest events appear. */
function adviceOn(past: number, later: readonly number[], { window }: DraftSettings): readonly string[] {
  if (later.length > 0)
    return [
      `A longer window includes it: "window: { future: ${Math.ceil((earliest(later) - window.from) / DAY_MS) + 1}d }".`,
    ];
  if (past > 0)
    return ['Check whether the address of the feed names a year, or ask its publisher for the current one.'];
  return [];
}

const earliest = (instants: readonly number[]): number =>
  instants.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
/** Avoids `Math.max(...)`, since a hostile feed may have more events than a call can take arguments. */
export const latest = (instants: readonly number[]): number =>
  instants.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);

const withoutCount = (part: string): string => part.replace(/^[\d,]+ /, '');
const withVerb = (part: string): string =>
  part.replace(/^[\d,]+/, (count) => `${count} ${count === '1' ? 'is' : 'are'}`);
const listed = (parts: readonly string[]): string => `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
const day = (instant: number, { timezone, siteTimezone }: DraftSettings): string =>
  wallFromInstant(instant, timezone ?? siteTimezone).slice(0, 10);
