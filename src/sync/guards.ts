import { instantFromWall, isZone } from '../time.ts';
import { withoutPrefix } from './cancelled.ts';
import type { Action, LedgerEntry, Policy, UpdateEvent } from './plan.ts';

/** What the guards look at. */
export interface Guarded {
  readonly actions: readonly Action[];
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  readonly policy: Policy;
  /** Entries of upcoming events that the site does not hold at all, not even in the trash. */
  readonly lost: number;
  /** The feed is a whole calendar without any event. */
  readonly empty: boolean;
}

type Guard = (guarded: Guarded) => string | null;

/** Why a person must look at a plan first, in words and numbers; null when it may run. */
export const holdReason = (guarded: Guarded): string | null => GUARDS.map((guard) => guard(guarded)).find((reason) => reason !== null) ?? null;

// In the order in which they explain most.
const GUARDS: readonly Guard[] = [emptyCalendar, siteLost, massRemoval, massZoneChange, massShift, massRetitling, flood];

function emptyCalendar({ empty, actions, ledger, policy }: Guarded): string | null {
  if (!empty || actions.every((action) => action.kind !== 'remove')) return null;
  return `The feed is a calendar without any event, and ${inWords(upcomingEntries(ledger, policy).length)} of it on the site ${isAre(upcomingEntries(ledger, policy).length)} still to come. Approve only if the source really has no events any more.`;
}

function siteLost({ lost, ledger, policy }: Guarded): string | null {
  const all = upcomingEntries(ledger, policy).length;
  return isMass(lost, all, policy)
    ? `Site lost or restored: ${lost} of ${all} upcoming events that were written before are not found on the site any more. Approving creates them again.` : null;
}

function massRemoval({ actions, ledger, policy }: Guarded): string | null {
  const upcoming = new Set(upcomingEntries(ledger, policy).map(({ slug }) => slug));
  // Also those that were removed before, and are back on a site that was restored.
  const removals = actions.flatMap((action) => (action.kind === 'remove' && (ledger.get(action.slug)?.endsAt ?? 0) > policy.now ? [action.slug] : []));
  const all = new Set([...upcoming, ...removals]).size;
  return isMass(removals.length, upcoming.size, policy)
    ? `This would remove ${removals.length} of ${all} upcoming events (${percent(removals.length / all)}); more than ${policy.hold.moreThan} and more than ${percent(policy.hold.share)} at once wait for a person.` : null;
}

/** One zone instead of another for most events: a publisher's mistake as often as its correction. */
function massZoneChange(guarded: Guarded): string | null {
  const zones = updatesToCome(guarded).flatMap(({ changes: { timezone } }) => (timezone ? [`${String(timezone.from)} to ${String(timezone.to)}`] : []));
  return mostOf(zones, guarded, (count, all, zone) => `This would change the time zone of ${count} of ${all} upcoming events from ${zone}.`);
}

/** Most events later or earlier by one and the same offset: a lost zone, or summer time misread. */
function massShift(guarded: Guarded): string | null {
  const offsets = updatesToCome(guarded).map(shiftOf).filter((minutes) => minutes !== 0 && !Number.isNaN(minutes)).map(String);
  return mostOf(offsets, guarded, (count, all, minutes) => `This would move ${count} of ${all} upcoming events by one and the same offset: ${offsetInWords(Number(minutes))}.`);
}

function massRetitling(guarded: Guarded): string | null {
  const retitled = updatesToCome(guarded).filter(({ changes: { title } }) => title && withoutPrefix(String(title.from)) !== withoutPrefix(String(title.to)));
  const example = retitled[0]?.changes['title'];
  return mostOf(retitled.map(() => 'title'), guarded, (count, all) => `This would give ${count} of ${all} upcoming events another title, such as "${String(example?.to)}" instead of "${String(example?.from)}".`);
}

const FLOOD_MORE_THAN = 100;
const FLOOD_TIMES = 3;

/** Far more new events than the source has had: a wrong calendar, or UIDs that have all changed. The first run of a source is none. */
function flood({ actions, ledger, policy }: Guarded): string | null {
  const before = upcomingEntries(ledger, policy).length;
  const creates = actions.filter((action) => action.resource === 'events' && action.kind === 'create').length;
  return before > 0 && creates > FLOOD_MORE_THAN && creates > FLOOD_TIMES * before
    ? `This would create ${creates} new events at once, beside the ${before} upcoming ones of this source; more than ${FLOOD_MORE_THAN} and more than ${FLOOD_TIMES} times as many wait for a person.` : null;
}

function updatesToCome({ actions, ledger, policy }: Guarded): readonly UpdateEvent[] {
  const upcoming = new Set(upcomingEntries(ledger, policy).map(({ slug }) => slug));
  return actions.filter((action): action is UpdateEvent => action.kind === 'update' && upcoming.has(action.slug));
}

/** The reason, where one value stands for more than half of the upcoming events and for more than the guard's number. */
function mostOf(values: readonly string[], { ledger, policy }: Guarded, reason: (count: number, all: number, value: string) => string): string | null {
  const all = upcomingEntries(ledger, policy).length;
  const groups = [...Map.groupBy(values, (value) => value)].sort(([, one], [, other]) => other.length - one.length);
  const [value, { length: count }] = groups[0] ?? ['', []];
  return count > policy.hold.moreThan && count > all / 2 ? reason(count, all, value) : null;
}

/** By how many minutes an update moves the start of its event. */
function shiftOf({ changes, fields }: UpdateEvent): number {
  const at = (side: 'from' | 'to'): number => {
    const value = (field: string): string => String(changes[field]?.[side] ?? fields[field] ?? '');
    return isZone(value('timezone')) ? instantFromWall(value('start_date'), value('timezone')) : Number.NaN;
  };
  return changes['start_date'] || changes['timezone'] ? (at('to') - at('from')) / 60_000 : 0;
}

function offsetInWords(minutes: number): string {
  const size = Math.abs(minutes);
  const words = size % 1440 === 0 ? counted(size / 1440, 'day') : size % 60 === 0 ? counted(size / 60, 'hour') : counted(size, 'minute');
  return `${words} ${minutes > 0 ? 'later' : 'earlier'}`;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Entries of events that are on the site by our hand and have not ended. */
export const upcomingEntries = (ledger: ReadonlyMap<string, LedgerEntry>, { now }: Policy): readonly LedgerEntry[] =>
  [...ledger.values()].filter((entry) => entry.state === 'kept' && entry.endsAt > now);

const isMass = (count: number, all: number, { hold }: Policy): boolean => count > hold.moreThan && count > hold.share * all;
const percent = (share: number): string => `${Math.round(share * 100)} %`;
const inWords = (count: number): string => `${count} ${count === 1 ? 'event' : 'events'}`;
const isAre = (count: number): string => (count === 1 ? 'is' : 'are');
